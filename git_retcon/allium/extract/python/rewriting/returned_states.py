"""Functions that say which state is next: a call of one means the states that it returns.

``order.status = choose_status(order)``, where ``choose_status`` returns members of an enum, leads
to any of these.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.python.syntax.function_texts import answer_once, forget_text
from git_retcon.allium.extract.python.syntax.local_values import Function
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements

_MOST = 20  # states


class _Name(NamedTuple):
    """What a function is called by; ``is_own`` for a method of the same object."""

    text: str
    is_own: bool


def name_returned(functions: Mapping[str, Function], classes: Iterable[ast.ClassDef]) -> None:
    """Let functions of a file, and methods of its classes, name states where they call others of
    them for these. The functions themselves are changed.
    """
    known: dict[int, ast.expr | None] = {}
    _name_called(functions.values(), functions, {}, known)
    for each in classes:
        methods = {item.name: item for item in each.body if isinstance(item, Function)}
        _name_called(methods.values(), functions, methods, known)


def name_answered(methods: Mapping[str, Function]) -> None:
    """The same for the methods of one class, by the names that calls have for them. One that runs
    others of them may do more than to answer, and one that asks for what is given an answer does
    not answer all in each state.
    """
    names = {*methods, *_list_answered(methods.values())}
    plain = {name: each for name, each in methods.items() if not _names_any(each, names)}
    _name_called(methods.values(), {}, plain, {})


def _list_answered(methods: Iterable[Function]) -> Iterator[str]:
    """The attributes that methods give what may be an answer."""
    for method in methods:
        for each in walk_statements(method.body):
            if isinstance(each, ast.Assign) and isinstance(each.value, ast.Call | ast.Name):
                yield from (e.attr for e in each.targets if isinstance(e, ast.Attribute))


def _names_any(node: Function, names: Collection[str]) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr in names for each in ast.walk(node))


def _name_called(
    callers: Iterable[Function],
    functions: Mapping[str, Function],
    methods: Mapping[str, Function],
    known: dict[int, ast.expr | None],
) -> None:
    def find_states(name: _Name | None) -> ast.expr | None:
        """The states that a function of this name returns."""
        called = (methods if name.is_own else functions).get(name.text) if name else None
        if called is None:
            return None
        if id(called) not in known:
            known[id(called)] = _read_returned(called) if _returns_states(called) else None
        return known[id(called)]

    for caller in callers:
        if not any(map(find_states, _list_kept(caller))):
            continue
        forget_text(caller)
        for each in walk_statements(caller.body):
            states = find_states(_name_kept(each))
            if states is not None and isinstance(each, ast.Assign | ast.AnnAssign):
                each.value = states


@answer_once
def _list_kept(node: Function) -> Collection[_Name]:
    """The names of what a function calls and whose outcome it keeps."""
    names = map(_name_kept, walk_statements(node.body))
    return dict.fromkeys(name for name in names if name is not None)


@answer_once
def _returns_states(node: Function) -> bool:
    return _read_returned(node) is not None


def _name_kept(node: ast.stmt) -> _Name | None:
    """The name of what a statement calls and whose outcome it keeps."""
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return None
    match node.value.value if isinstance(node.value, ast.Await) else node.value:
        case ast.Call(func=ast.Name(id=name)):
            return _Name(name, is_own=False)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name)):
            return _Name(name, is_own=True)
    return None


def _read_returned(node: Function) -> ast.expr | None:
    """All states that a function may return, as one expression; None where it returns, or does,
    anything else.
    """
    found: dict[str, ast.expr] = {}
    statements = [*walk_statements(node.body)]
    if any(_sets_field(each) for each in statements):
        return None
    for each in statements:
        if not isinstance(each, ast.Return) or each.value is None:
            continue
        for value in _list_values(each.value, statements):
            if value is None:
                return None
            found[ast.unparse(value)] = value
    states = [*found.values()]
    if not 1 < len(states) <= _MOST:
        return None
    chosen = states[-1]
    for state in reversed(states[:-1]):
        chosen = ast.IfExp(test=_unknown(), body=state, orelse=chosen)
    return chosen


def _list_values(
    value: ast.expr, statements: Iterable[ast.stmt], depth: int = 0
) -> Iterator[ast.expr | None]:
    """The states that an expression may be; None for anything else. No value at all is no state."""
    match value:
        case ast.Constant(value=None):
            return
        case ast.IfExp(body=body, orelse=orelse):
            yield from _list_values(body, statements, depth)
            yield from _list_values(orelse, statements, depth)
        case ast.Name(id=name) if depth == 0:
            given = [*_list_given(name, statements)]
            yield from given or [None]
        case _:
            yield value if _is_state(value) else None


def _list_given(name: str, statements: Iterable[ast.stmt]) -> Iterator[ast.expr | None]:
    for each in statements:
        match each:
            case (
                ast.Assign(targets=[ast.Name(id=target)], value=value)
                | ast.AnnAssign(target=ast.Name(id=target), value=value)
            ) if target == name and value is not None:
                yield from _list_values(value, statements, 1)
            case ast.AugAssign(target=ast.Name(id=target)) if target == name:
                yield None


def _is_state(node: ast.expr) -> bool:
    """Whether it may be a member of an enum, or a text."""
    match node:
        case ast.Constant(value=str()):
            return True
        case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner)):
            return owner.lstrip("_")[:1].isupper()
    return False


def _sets_field(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=targets):
            return any(isinstance(each, ast.Attribute) for each in targets)
        case ast.AugAssign(target=ast.Attribute()):
            return True
    return False


def _unknown() -> ast.expr:
    return ast.Call(func=ast.Name("_"), args=[ast.Constant(0)], keywords=[])
