"""What a class asks of itself: booleans that it switches, attributes that may be missing, and what
its collections have.

::

    def __init__(self):
        self._closed = False
        self._socket = None

    def send(self, data):
        if self._closed or self._socket is None:
            raise Closed

A boolean is a state of two values where the class begins with one, sets constants alone, and leaves
or goes on by it; any other may be a setting.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeGuard

from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.source_facts import ANY, Type, collect

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_FLAG, _NOTHING, _OTHER = "flag", "nothing", "other"
_PROPERTIES = frozenset({"property", "cached_property"})
# Settings of how something is done, which are no states.
_SETTINGS = frozenset({"debug", "verbose", "quiet", "silent", "trace", "strict"})
_COLLECTIONS = {
    "dict": ANY, "OrderedDict": ANY, "defaultdict": ANY, "WeakValueDictionary": ANY,
    "list": collect(ANY), "deque": collect(ANY), "set": collect(ANY, "Set"),
    "WeakSet": collect(ANY, "Set"),
}  # fmt: skip


class _Method(NamedTuple):
    """What one method shows of the attributes of its object."""

    answers: bool  # whether it is a property
    given: Mapping[str, frozenset[str]]  # what each attribute gets
    truths: frozenset[str]  # what decides whether it goes on, or what a property answers
    refused: frozenset[str]  # what an error follows, or nothing at all
    compared: frozenset[str]  # with nothing, where the same follows
    searched: frozenset[str]  # for something, where the same follows
    collections: Mapping[str, Type]  # what begins as one


class OwnFlags(NamedTuple):
    """By their symbols, the booleans that are states, and what a refusal asks to be there, or not
    to be there; and the collections that a refusal asks for something, with their types.
    """

    switched: frozenset[str]
    asked: frozenset[str]
    searched: Mapping[str, Type]


def read_own_flags(node: ast.ClassDef) -> OwnFlags:
    """The flags of a class without a framework."""
    begun: dict[str, set[str]] = {}
    given: dict[str, set[str]] = {}
    truths: set[str] = set()  # what decides whether the class goes on
    answers: dict[str, set[str]] = {}  # by the property, what decides what it answers
    refused: set[str] = set()
    compared: set[str] = set()
    searched: set[str] = set()
    collections: dict[str, Type] = {}
    for item in node.body:
        if not isinstance(item, _Function):
            for name, kind in _list_named(item):
                begun.setdefault(name, set()).add(kind)
            continue
        method = _read_method(item)
        if not any(method):  # as most
            continue
        is_start = item.name == "__init__"
        known = begun if is_start else given
        for name, kinds in method.given.items():
            known.setdefault(name, set()).update(kinds)
        collections |= method.collections if is_start else {}
        answered = answers.setdefault(item.name, set()) if method.answers else truths
        answered |= method.truths
        refused |= method.refused
        compared |= method.compared
        searched |= method.searched
    for name in answers.keys() & truths:
        truths |= answers[name]  # the class goes on by what it answers
    flags = (n for n in truths if begun.get(n) == {_FLAG} == given.get(n) and not is_setting(n))
    both = {name: kinds | given.get(name, set()) for name, kinds in begun.items()}
    missing = (n for n, kinds in both.items() if n in refused and _NOTHING in kinds)
    asked = frozenset(missing) | (compared & begun.keys())
    return OwnFlags(
        frozenset(flags), asked, {n: collections[n] for n in sorted(searched) if n in collections}
    )


@answer_once
def _read_method(node: _Function) -> _Method:
    given: dict[str, set[str]] = {}
    truths: set[str] = set()
    refused: set[str] = set()
    compared: set[str] = set()
    searched: set[str] = set()
    collections: dict[str, Type] = {}
    answers = _answers(node)
    for each in walk_statements(node.body):
        for name, kind in _list_given(each):
            given.setdefault(name, set()).add(kind)
        collections |= _read_collection(each)
        truths |= {*_list_awaited(each)}
        if answers and isinstance(each, ast.Return) and each.value is not None:
            truths |= {name for name, _ in _list_asked(each.value)}
        if isinstance(each, ast.While | ast.Assert) or _may_leave(each):
            found = [*_list_asked(each.test)]
            truths |= {name for name, is_compared in found if not is_compared}
            if isinstance(each, ast.If) and _refuses(each.body[-1]):
                refused |= {name for name, is_compared in found if not is_compared}
                compared |= {name for name, is_compared in found if is_compared}
                searched |= {*_list_searched(each.test)}
    return _Method(
        answers, {name: frozenset(kinds) for name, kinds in given.items()}, frozenset(truths),
        frozenset(refused), frozenset(compared), frozenset(searched), collections,
    )  # fmt: skip


def is_setting(name: str) -> bool:
    """Whether a boolean is called after how something is done."""
    return name.strip("_").rpartition("_")[2] in _SETTINGS


def _answers(node: _Function) -> bool:
    """Whether a method is a property."""
    marks = {get_last(spell_dotted(each)) for each in node.decorator_list}
    return not marks.isdisjoint(_PROPERTIES)


def _may_leave(node: ast.stmt) -> TypeGuard[ast.If]:
    """Whether a condition decides that what is around it goes on."""
    return isinstance(node, ast.If) and any(
        isinstance(block[-1], ast.Raise | ast.Return | ast.Continue | ast.Break)
        for block in (node.body, node.orelse)
        if block
    )


def _refuses(node: ast.stmt) -> bool:
    """Whether a block that ends with this refuses, with an error or by doing nothing."""
    return isinstance(node, ast.Raise) or (isinstance(node, ast.Return) and node.value is None)


def _list_awaited(node: ast.stmt) -> Iterator[str]:
    """The events that a statement waits for."""
    value = node.value if isinstance(node, ast.Expr) else None
    match value.value if isinstance(value, ast.Await) else value:
        case (
            ast.Call(func=ast.Attribute(attr="wait", value=event))
            | ast.Call(args=[ast.Call(func=ast.Attribute(attr="wait", value=event)), *_])
        ):
            yield from _list_own([event])


def _list_named(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """What a class gives names in its body that its objects begin with."""
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant() as value)
        ):
            yield name, _name_kind(value)


def _list_given(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """The attributes of ``self`` that a statement sets, with what they get."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from ((name, _name_kind(value)) for name in _list_own([target]))
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield from ((name, _name_kind(value)) for name in _list_own([target]))
        case ast.AugAssign(target=target) | ast.For(target=target) | ast.AsyncFor(target=target):
            yield from ((name, _OTHER) for name in _list_own([target]))


def _list_own(targets: list[ast.expr]) -> Iterator[str]:
    while targets:
        match targets.pop():
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                yield name
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                targets += parts


def _name_kind(value: ast.expr) -> str:
    match value:
        case ast.Constant(value=bool()):
            return _FLAG
        case ast.Constant(value=None):
            return _NOTHING
    return _OTHER


def _read_collection(node: ast.stmt) -> Mapping[str, Type]:
    """The attribute that a statement begins as an empty collection, with its type."""
    match node:
        case (
            ast.Assign(targets=[ast.Attribute(value=owner, attr=name)], value=value)
            | ast.AnnAssign(target=ast.Attribute(value=owner, attr=name), value=value)
        ) if spell_dotted(owner) == "self":
            pass
        case _:
            return {}
    match value:
        case ast.Dict(keys=[]):
            return {name: ANY}
        case ast.List(elts=[]):
            return {name: collect(ANY)}
        case ast.Call(func=func) if get_last(spell_dotted(func)) in _COLLECTIONS:
            return {name: _COLLECTIONS[get_last(spell_dotted(func))]}
    return {}


def _list_searched(test: ast.expr) -> Iterator[str]:
    match test:
        case ast.BoolOp(values=values):
            for each in values:
                yield from _list_searched(each)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _list_searched(operand)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[searched]):
            yield from _list_own([searched])


def _list_asked(test: ast.expr) -> Iterator[tuple[str, bool]]:
    """The attributes of ``self`` whose truth a condition asks, and those that it compares with
    nothing.
    """
    match test:
        case ast.BoolOp(values=values):
            for each in values:
                yield from _list_asked(each)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _list_asked(operand)
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            yield name, False
        case ast.Compare(
            left=ast.Attribute(value=ast.Name(id="self"), attr=name),
            ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()],
            comparators=[ast.Constant(value=None)],
        ):
            yield name, True
