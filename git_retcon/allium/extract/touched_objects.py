"""The objects that a function works on, as it seems: what it sets something of, or refuses."""

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.waiting_steps import is_waiting
from git_retcon.allium.extract.python.syntax.enum_members import is_named_for_states
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

OWN = frozenset({"self", "cls", "this"})
_OF_ENUMS = frozenset({"choices", "labels", "names", "values", "name", "value", "label"})
_LONGEST = 120  # statements, without bare calls; what is longer is no one operation
_SETTER = "set"


class Touched(NamedTuple):
    """What a function works on, as it seems."""

    names: Collection[str]  # variables of which it sets something, or that it refuses
    moved: Collection[tuple[str, str]]  # variables that get a member of an enum, and the enum
    chains: Collection[tuple[str, str]]  # what is reached through others, by its last name


@answer_once
def read_touched(node: Function) -> Touched:
    statements = list(walk_statements(node.body))
    is_short = sum(not isinstance(each, ast.Expr) for each in statements) <= _LONGEST
    touched = [*_list_touched(statements), *_list_waiting(statements)] if is_short else []
    if not touched:
        return Touched((), (), ())
    chains = (
        (each.attr.strip("_"), spell_dotted(each))
        for each in touched
        if isinstance(each, ast.Attribute) and _is_plain(each)
    )
    return Touched(
        dict.fromkeys(each.id for each in touched if isinstance(each, ast.Name)),
        tuple(_list_moved(statements)),
        dict.fromkeys((name, chain) for name, chain in chains if name[:1].islower()),
    )


def _list_touched(statements: Iterable[ast.stmt]) -> Iterator[ast.expr]:
    """The objects of which a function sets something, or that it refuses."""
    for each in statements:
        match each:
            case ast.If(test=test, body=[*_, ast.Raise()]):
                asked = (part for part in walk_nodes(test) if isinstance(part, ast.Attribute))
                yield from (part.value for part in asked if isinstance(part.value, ast.Name))
            case ast.Assert(test=test):
                yield from _list_asked(test)
            case ast.If(test=test, body=[*_, ast.Return(value=None | ast.Constant())]):
                yield from _list_asked(test)
            case ast.If(test=test, body=[*_, ast.Return()]):
                yield from _list_own_asked(test)
            case ast.Assign(targets=targets):
                yield from (t.value for t in targets if isinstance(t, ast.Attribute))
            case ast.AugAssign(target=ast.Attribute(value=owner)):
                yield owner
            case (
                ast.Expr(value=ast.Call() as call)
                | ast.Expr(value=ast.Await(value=ast.Call() as call))
            ):
                yield from _list_given_state(call)
        if not isinstance(each, ast.Expr):  # which keeps nothing
            yield from _list_asked_steps(each)


def _list_given_state(node: ast.Call) -> Iterator[ast.expr]:
    """The object whose method is given a state, or sets what it is given."""
    if isinstance(node.func, ast.Attribute):
        given = [*node.args, *(each.value for each in node.keywords)]
        is_set = node.func.attr.startswith(_SETTER) and len(node.args) == 1
        is_own = isinstance(node.func.value, ast.Name) and node.func.value.id in OWN
        if is_set or any(map(is_member, given)) or (is_own and any(map(_is_text, given))):
            yield node.func.value


def _is_text(node: ast.expr) -> bool:
    """Whether it may be a state of the object's own that is a text."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _list_asked(test: ast.expr) -> Iterator[ast.expr]:
    """The objects of which a condition asks something by a method, or compares what they have with
    a member of an enum; the object itself, where something that it has is compared.
    """
    for each in walk_nodes(test):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name() as owner), args=[]):
                yield owner
            case ast.Compare(
                left=ast.Attribute(value=ast.Name(id=name) as owner), comparators=[right]
            ) if name in OWN or any(map(is_member, _list_compared(right))):
                yield owner


def _list_compared(node: ast.expr) -> Sequence[ast.expr]:
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return parts
    return [node]


def _list_own_asked(test: ast.expr) -> Iterator[ast.expr]:
    """The object itself, where a condition compares something that it has."""
    for each in walk_nodes(test):
        match each:
            case ast.Compare(left=ast.Attribute(value=ast.Name(id=name) as owner)) if name in OWN:
                yield owner


def _list_waiting(statements: Iterable[ast.stmt]) -> Iterator[ast.expr]:
    """The object itself, where something that waits sets or refuses something of it."""
    for each in filter(is_waiting, statements):
        inner = [*walk_statements(getattr(each, "body", ()))]
        owners = (*_list_touched(inner), *_list_waiting(inner))
        yield from (owner for owner in owners if spell_dotted(owner) in OWN)


def _list_asked_steps(node: ast.stmt) -> Iterator[ast.expr]:
    """The object of which a statement asks or keeps what a method made of a state:
    ``if self._move(State.PAID)``.
    """
    asked = (
        getattr(node, "test", None) if isinstance(node, ast.If) else getattr(node, "value", None)
    )
    while isinstance(asked, ast.Await | ast.UnaryOp):
        asked = asked.value if isinstance(asked, ast.Await) else asked.operand
    match asked:
        case ast.Call(func=ast.Attribute(value=owner), args=given) if any(map(is_member, given)):
            yield owner


def is_member(node: ast.expr) -> bool:
    """Whether it has the name of a member of an enum."""
    match node:
        case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr=name):
            is_class = owner.lstrip("_")[:1].isupper()
            return is_class and (name.isupper() or _is_small_member(owner, name))
    return False


def _is_small_member(owner: str, name: str) -> bool:
    """Whether it is one of a class that is named for states, and has members written small."""
    return is_named_for_states(owner) and name.islower() and name not in _OF_ENUMS


def _list_moved(statements: Iterable[ast.stmt]) -> Iterator[tuple[str, str]]:
    """The variables of which a field is set to a member of an enum, as it seems, and the enum."""
    for each in statements:
        match each:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id=name))],
                value=ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner) as enum),
            ) if owner.lstrip("_")[:1].isupper():
                yield name, spell_dotted(enum)
            case ast.If(test=test, body=[*_, ast.Raise() | ast.Return()]):
                yield from _list_compared_enums(test)


def _list_compared_enums(test: ast.expr) -> Iterator[tuple[str, str]]:
    """The variables of which a condition compares a field with members of an enum."""
    for each in walk_nodes(test):
        match each:
            case ast.Compare(left=ast.Attribute(value=ast.Name(id=name)), comparators=[right]):
                for part in filter(is_member, _list_compared(right)):
                    if isinstance(part, ast.Attribute):
                        yield name, spell_dotted(part.value)


def _is_plain(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)
