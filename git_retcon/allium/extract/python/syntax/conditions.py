"""Python's conditions and values as expressions of the language, where they mean the same."""

import ast
import operator
from collections.abc import Callable, Mapping, Set
from typing import NamedTuple, TypeAlias

from git_retcon.allium.extract.python.syntax.constants import Constants, States
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.ranges import read_number
from git_retcon.allium.extract.source_facts import Field
from git_retcon.allium.extract.spelling import spell_field_name, spell_text, spell_value

_SIGNS: Mapping[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("=", "!="), ast.NotEq: ("!=", "="), ast.Is: ("=", "!="), ast.IsNot: ("!=", "="),
    ast.Lt: ("<", ">="), ast.LtE: ("<=", ">"), ast.Gt: (">", "<="), ast.GtE: (">=", "<"),
    ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
}  # fmt: skip
_ORDERS = frozenset({"<", "<=", ">", ">="})
_SUMS: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_COMPARED = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge}
_CLOCKS = frozenset({"now", "utcnow", "today", "localtime", "time"})
_SEARCHED = frozenset({"Any", "List", "Set"})
_DEEPEST = 3  # properties that are made of properties


class Flag(NamedTuple):
    """A boolean field, by its symbol, with one of its two values."""

    symbol: str
    value: bool


class StateOf(NamedTuple):
    """A state of a field, which is named by its symbol."""

    field: str
    state: str


Companions: TypeAlias = Mapping[Flag, frozenset[StateOf]]


class Subject(NamedTuple):
    """What a method's names mean.

    ``name`` is the source's own for the object ("self"), ``variable`` the rule's. ``properties``
    are what a property, or a method without arguments, returns. ``parameters`` are names of the
    method that the rule has too, with whether they are booleans. ``methods`` are those of the
    class, which may call each other. ``flags`` are the names of the stored booleans,
    ``companions`` the states that come with a boolean; ``fixed`` are truths that hold for the
    object, by the text of what is asked. ``kept`` are the states of each field that others keep,
    by their texts.
    """

    name: str
    variable: str
    fields: Mapping[str, Field]
    states: Mapping[str, States]
    constants: Constants
    properties: Mapping[str, ast.expr]
    parameters: Mapping[str, bool] = {}
    methods: Mapping[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
    flags: Set[str] = frozenset()
    companions: Mapping[Flag, frozenset[StateOf]] = {}
    fixed: Mapping[str, bool] = {}
    kept: Mapping[str, Mapping[str, frozenset[str]]] = {}


def translate_condition(
    node: ast.expr, subject: Subject, *, negate: bool = False, depth: int = _DEEPEST
) -> str | None:
    """The condition, or its opposite; None where the language cannot say it for certain."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return translate_condition(operand, subject, negate=not negate, depth=depth)
        case ast.BoolOp(op=op, values=values):
            parts = [translate_condition(v, subject, negate=negate, depth=depth) for v in values]
            if not all(parts):
                return None
            word = "and" if isinstance(op, ast.And) is not negate else "or"
            texts = [f"({each})" if " or " in f"{each}" else f"{each}" for each in parts]
            return f" {word} ".join(texts)
        case ast.Compare(ops=[_]):
            return _translate_comparison(*face_field(node, subject), subject, negate=negate)
        case ast.Attribute() | ast.Name() | ast.Call():
            return _translate_truth(node, subject, negate=negate, depth=depth)
    return None


def _translate_truth(node: ast.expr, subject: Subject, *, negate: bool, depth: int) -> str | None:
    """The truth of a field, a parameter or a property."""
    field = find_field(node, subject)
    if field is not None:
        place = f"{subject.variable}.{field.name}"
        if field.type.name == "Boolean":
            return f"not {place}" if negate else place
        # Zero and the empty string are false as well, so only what is neither is certain.
        is_one = field.type.is_relation and not field.type.back
        is_object = is_one or field.type.name in ("Timestamp", "Duration")
        is_least = field.type.is_optional and field.type.name in ("", "Any") and not negate
        return f"{place} {'=' if negate else '!='} null" if is_object or is_least else None
    if isinstance(node, ast.Name) and subject.parameters.get(node.id):
        return f"not {node.id}" if negate else node.id
    returned = find_property(node, subject)
    if returned is not None and depth:
        return translate_condition(returned, subject, negate=negate, depth=depth - 1)
    return None


def find_property(node: ast.expr, subject: Subject) -> ast.expr | None:
    """What a property, or a method that does nothing else, of the subject returns, and what a
    constant answers about what it is given.
    """
    if isinstance(node, ast.Call) and (node.args or node.keywords):
        found = answer_call(node, subject.constants) or _answer_own(node, subject)
        if found is not None or node.args:
            return found
    called = node.func if isinstance(node, ast.Call) else node
    match called:
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == subject.name:
            return subject.properties.get(attribute)
    return None


def answer_call(node: ast.Call, constants: Constants) -> ast.expr | None:
    """``isFinished(self.status)`` where that is a constant: what it answers."""
    answer = constants.get(spell_dotted(node.func))
    if not isinstance(answer, ast.Lambda) or answer.args.defaults:
        return None
    names = [each.arg for each in answer.args.args]
    given = dict(zip(names, node.args, strict=False))
    given |= {each.arg: each.value for each in node.keywords if each.arg}
    is_whole = given.keys() == {*names} and len(node.args) + len(node.keywords) == len(names)
    is_plain = all(isinstance(e, ast.Name | ast.Attribute | ast.Constant) for e in given.values())
    is_open = any(isinstance(each, ast.Call | ast.Lambda) for each in ast.walk(answer.body))
    if is_open or not (is_whole and is_plain):
        return None
    found: ast.expr = _Given(given).visit(copy_tree(answer.body))
    return found


def _answer_own(node: ast.Call, subject: Subject) -> ast.expr | None:
    """``self.is_in(State.OPEN)``: what a method returns of what it is given."""
    match node.func:
        case ast.Attribute(value=ast.Name(id=name), attr=called) if name == subject.name:
            returned, method = subject.properties.get(called), subject.methods.get(called)
            if returned is None or method is None:
                return None
            anything: ast.expr = ast.Call(func=ast.Name("_"), args=[], keywords=[])
            names = [each.arg for each in method.args.args[1:]]
            given = dict.fromkeys(
                (*names, *(each.arg for each in method.args.kwonlyargs)), anything
            )
            plain = [e if _is_plain(e) else anything for e in node.args]
            if method.args.vararg is not None:
                rest: ast.expr = ast.List(elts=plain[len(names) :])
                plain = [*plain[: len(names)], rest]
                names.append(method.args.vararg.arg)
            given |= dict(zip(names, plain, strict=False))
            given |= {e.arg: e.value for e in node.keywords if e.arg and _is_plain(e.value)}
            found: ast.expr = _Given(given).visit(copy_tree(returned))
            return found
    return None


def _is_plain(node: ast.expr) -> bool:
    """Whether what is given means the same in the method: constants, or lists of them."""
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return all(isinstance(each, ast.Attribute | ast.Constant) for each in parts)
    return isinstance(node, ast.Attribute | ast.Constant | ast.SetComp | ast.ListComp)


class _Given(ast.NodeTransformer):
    """What is given in place of the names of parameters."""

    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._given.get(node.id, node)


def find_field(node: ast.expr, subject: Subject) -> Field | None:
    """The field of the subject that an expression reads."""
    # Nothing is asked more often, and a pattern costs twice as much.
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return subject.fields.get(node.attr) if node.value.id == subject.name else None
    return None


def face_field(node: ast.Compare, subject: Subject) -> tuple[ast.expr, ast.cmpop, ast.expr]:
    """A comparison with the field that has states on its left: ``NEW == self.status`` turned."""
    left, op, right = (_read_alias(node.left, subject), node.ops[0],
                       _read_alias(node.comparators[0], subject))  # fmt: skip
    is_even = isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot)
    if is_even and find_states(right, subject) and not find_states(left, subject):
        return right, op, left
    return left, op, right


def _read_alias(node: ast.expr, subject: Subject) -> ast.expr:
    """The field that a property gives as it is: ``self.state`` for ``self._state``."""
    returned = find_property(node, subject) if find_field(node, subject) is None else None
    is_field = returned is not None and find_field(returned, subject) is not None
    return returned if returned is not None and is_field else node


def find_states(node: ast.expr, subject: Subject) -> States | None:
    """How the values of a field are written, for a field that has values."""
    field = find_field(node, subject)
    found = subject.states.get(field.symbol) if field is not None else None
    return found if found is not None and (found.enum or found.choices) else None


def read_states(node: ast.expr, states: States, constants: Constants) -> tuple[str, ...] | None:
    """The states in a collection, or the one that an expression is."""
    if isinstance(node, ast.BinOp):
        return _read_joined(node, states, constants)
    found = node
    if isinstance(node, ast.Name | ast.Attribute):
        one = states.read(node)
        if one is not None:
            return (one,)
        found = constants.get(get_last(spell_dotted(node)), node)
        if isinstance(found, ast.Constant) and isinstance(found.value, int):
            # Another constant may have the same number.
            return None if any(each.symbol for each in states.choices) else _read_one(found, states)
    elif isinstance(node, ast.Call) and not node.args:
        found = constants.get(get_last(spell_dotted(node)), node)
    if isinstance(found, ast.Call) and get_last(spell_dotted(found)) in (
        "frozenset",
        "set",
        "tuple",
        "list",
    ):
        found = found.args[0] if found.args else ast.Tuple(elts=[])
    if isinstance(found, ast.List | ast.Tuple | ast.Set):
        each = [states.read(item) for item in found.elts]
        return tuple(one for one in each if one) if all(each) and each else None
    return _read_members(found, states, constants) or _read_one(found, states)


def _read_members(node: ast.expr, states: States, constants: Constants) -> tuple[str, ...] | None:
    """All members of an enum, ``State``, or those of ``{e for e in State if e != State.NEW}``."""
    match node:
        case ast.Name() | ast.Attribute() if states.enum:
            is_enum = get_last(spell_dotted(node)) == get_last(states.enum)
            return tuple(each.name for each in states.choices) or None if is_enum else None
        case (
            ast.SetComp(ast.Name(one), [each])
            | ast.ListComp(ast.Name(one), [each])
            | ast.GeneratorExp(ast.Name(one), [each])
        ):
            found = _read_members(each.iter, states, constants)
            is_same = isinstance(each.target, ast.Name) and each.target.id == one
            for test in each.ifs:
                kept = _read_kept(test, one, states, constants)
                found = tuple(e for e in found if kept(e)) if found and kept else None
            return found or None if is_same else None
    return None


def _read_kept(
    test: ast.expr, name: str, states: States, constants: Constants
) -> Callable[[str], bool] | None:
    """What a condition of a comprehension says of a state; None where that is open."""
    match test:
        case ast.Compare(left=ast.Name(id=asked), ops=[op], comparators=[right]) if asked == name:
            named = read_states(right, states, constants)
            is_kept = isinstance(op, ast.Eq | ast.Is | ast.In)
            if named and (is_kept or isinstance(op, ast.NotEq | ast.IsNot | ast.NotIn)):
                return lambda state: (state in named) is is_kept
    return None


def _read_joined(node: ast.BinOp, states: States, constants: Constants) -> tuple[str, ...] | None:
    """``OPEN_STATES | {State.LOST}``, or without some of them."""
    one = read_states(node.left, states, constants)
    two = read_states(node.right, states, constants)
    if one is None or two is None:
        return None
    match node.op:
        case ast.Add() | ast.BitOr():
            return tuple(dict.fromkeys((*one, *two)))
        case ast.Sub():
            return tuple(each for each in one if each not in two) or None
    return None


def _read_one(node: ast.expr, states: States) -> tuple[str, ...] | None:
    one = states.read(node)
    return (one,) if one is not None else None


def split_chain(test: ast.Compare) -> ast.BoolOp:
    """``a <= b <= c`` as what is asked of each two."""
    parts = zip((test.left, *test.comparators), test.ops, test.comparators, strict=False)
    return ast.BoolOp(ast.And(), [ast.Compare(one, [op], [two]) for one, op, two in parts])


def read_ordered(op: ast.cmpop, node: ast.expr, states: States) -> tuple[str, ...] | None:
    """The states that come before or after one, as numbers do; None where they are no numbers."""
    compare = _COMPARED.get(type(op))
    limit = next((e.stored for e in states.choices if e.name == states.read(node)), None)
    numbers = [(each.name, each.stored) for each in states.choices]
    if compare is None or not isinstance(limit, int):
        return None
    found = [name for name, stored in numbers if isinstance(stored, int) and compare(stored, limit)]
    return tuple(found) if all(isinstance(stored, int) for _, stored in numbers) else None


def _translate_comparison(
    left: ast.expr, op: ast.cmpop, right: ast.expr, subject: Subject, *, negate: bool
) -> str | None:
    signs = _SIGNS.get(type(op))
    if signs is None:
        return None
    sign = signs[negate]
    states = find_states(left, subject)
    ordered = read_ordered(op, right, states) if states is not None else None
    if states is not None and sign in _ORDERS and not ordered:
        return None  # the states of the language have no order
    if states is not None:
        found = ordered or read_states(right, states, subject.constants)
        sign = ("in", "not in")[negate] if ordered else sign
        if found is not None:
            place = f"{subject.variable}.{_name_field(left, subject)}"
            if sign in ("in", "not in"):
                if len(found) > 1:
                    return f"{place} {sign} {{{', '.join(map(spell_value, found))}}}"
                sign = "=" if sign == "in" else "!="
            return f"{place} {sign} {spell_value(found[0])}" if len(found) == 1 else None
    if sign in ("in", "not in"):
        return _translate_search(left, sign, right, subject)
    # What a field with values is compared with must be one of them, or nothing.
    one, two = (translate_value(each, subject) for each in (left, right))
    if states is not None and two != "null":
        return None
    return f"{one} {sign} {two}" if one and two else None


def _translate_search(left: ast.expr, sign: str, right: ast.expr, subject: Subject) -> str | None:
    """What is asked of a collection of the subject for a parameter."""
    field = find_field(right, subject)
    if field is None or field.type.name not in _SEARCHED or field.type.source:
        return None
    is_given = isinstance(left, ast.Name) and left.id in subject.parameters
    one = translate_value(left, subject) if is_given else None
    return f"{one} {sign} {subject.variable}.{field.name}" if one else None


def _name_field(node: ast.expr, subject: Subject) -> str:
    field = find_field(node, subject)
    return field.name if field is not None else ""


def translate_value(node: ast.expr, subject: Subject) -> str | None:
    """A value: a constant, a field, a parameter, a sum of them; None for anything else."""
    field = find_field(node, subject)
    if field is not None:
        return f"{subject.variable}.{field.name}"
    match node:
        case ast.Constant(value=None):
            return "null"
        case ast.Constant(value=bool() as value):
            return "true" if value else "false"
        case ast.Constant(value=str() as text):
            return f'"{text}"' if text.isprintable() and spell_text(text) == text else None
        case ast.Name(id=name):
            if name in subject.parameters:
                return spell_field_name(name)
            found = subject.constants.get(name)
            return read_number(found) if found is not None else None
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SUMS:
            one, two = translate_value(left, subject), translate_value(right, subject)
            if one is None or two is None:
                return None
            one, two = (f"({each})" if " " in each else each for each in (one, two))
            return f"{one} {_SUMS[type(op)]} {two}"
        case ast.Attribute(attr=name):
            # A constant of the class.
            constant = subject.constants.get(name) if spell_dotted(node) else None
            return read_number(constant) if constant is not None else None
        case ast.Call(func=func):
            is_clock = get_last(spell_dotted(func)) in _CLOCKS
            return "now" if is_clock else None
    return read_number(node)
