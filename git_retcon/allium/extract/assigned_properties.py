"""Assignments to properties, read as what the setter of the property does.

::

    @status.setter
    def status(self, new):
        if new not in ALLOWED[self._status]:
            raise ValueError(new)
        self._status = new

    def close(self):
        self.status = Status.CLOSED

``close`` checks and sets the field behind the property.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.guards import is_docstring
from git_retcon.allium.extract.python.flow.waiting_steps import is_waiting
from git_retcon.allium.extract.python.syntax.function_texts import answer_once, forget_text
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import list_local_names

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_LONGEST = 40  # statements


class Setter(NamedTuple):
    """What a setter does with the object that it calls ``owner`` and with what it is given."""

    owner: str
    given: str
    body: Sequence[ast.stmt]
    local: frozenset[str]


def open_properties(content: bytes, classes: Iterable[ast.ClassDef]) -> None:
    """Write what setters do in place of the assignments of the methods of their class."""
    if b".setter" not in content and b"property(" not in content:
        return
    for node in classes:
        methods = [each for each in node.body if isinstance(each, _Function)]
        setters = {each.name: found for each in methods if (found := read_setter(each))}
        for each in methods if setters else ():
            if each.args.args and not is_setter(each) and _list_set(each) & setters.keys():
                open_assignments(each, each.args.args[0].arg, setters)


@answer_once
def _list_set(node: _Function) -> Set[str]:
    """The attributes, of anything, that assignments of a function set."""
    assigned = (each for each in walk_nodes(node) if isinstance(each, ast.Assign))
    targets = (target for each in assigned for target in each.targets)
    return frozenset(target.attr for target in targets if isinstance(target, ast.Attribute))


def make_setter(name: str, given: str, body: Sequence[ast.stmt]) -> ast.FunctionDef:
    """The setter of a property, as it is written in Python."""
    arguments = ast.arguments(
        posonlyargs=[], args=[ast.arg("self"), ast.arg(given)], kwonlyargs=[], kw_defaults=[],
        defaults=[],
    )  # fmt: skip
    mark = ast.Attribute(ast.Name(name), "setter")
    return ast.FunctionDef(name, arguments, [*body] or [ast.Pass()], [mark])


def is_setter(node: _Function) -> bool:
    """Whether a method is what assignments to a property run."""
    return any(
        isinstance(mark, ast.Attribute) and mark.attr == "setter" for mark in node.decorator_list
    )


def read_setter(node: _Function) -> Setter | None:
    """A setter that sets an attribute to what it is given, if nothing in it is left early but by an
    error.
    """
    if not is_setter(node) or len(node.args.args) != 2:
        return None
    owner, given = (each.arg for each in node.args.args)
    body = _nest([each for each in node.body if not is_docstring(each)])
    statements = [*walk_statements(body)]
    is_open = any(isinstance(each, ast.Return) for each in statements)
    local = list_local_names(node)
    sets = any(_sets_given(each, owner, given, node.name) for each in statements)
    is_open |= any(_asks_truth(each.test, given) for each in statements if isinstance(each, ast.If))
    is_open |= given in local and not _names_others(node, given)
    if is_open or not sets or len(statements) > _LONGEST:
        return None
    return Setter(owner, given, body, frozenset(local))


def _names_others(node: _Function, given: str) -> bool:
    """Whether all that a setter makes of what it is given has a name: a constant."""
    plain: list[ast.expr] = []
    others: list[ast.AST] = []
    for each in ast.walk(node):
        match each:
            case ast.Assign(targets=[target], value=ast.Name() | ast.Attribute()):
                plain.append(target)
            case ast.Assign(targets=targets):
                others += targets
            case ast.withitem(optional_vars=ast.expr() as target):
                others.append(target)
            case _ if (place := getattr(each, "target", None)) is not None:
                others.append(place)
    names = {e.id for part in others for e in ast.walk(part) if isinstance(e, ast.Name)}
    return given not in names and any(isinstance(e, ast.Name) and e.id == given for e in plain)


def _asks_truth(test: ast.expr, given: str) -> bool:
    """Whether a condition asks if there is what is given: of numbers, the first is none."""
    match test:
        case ast.UnaryOp(operand=operand):
            return _asks_truth(operand, given)
        case ast.BoolOp(values=values):
            return any(_asks_truth(each, given) for each in values)
    return isinstance(test, ast.Name) and test.id == given


def _sets_given(node: ast.stmt, owner: str, given: str, name: str) -> bool:
    match node:
        case ast.Assign(
            targets=[ast.Attribute(value=ast.Name(id=of), attr=attribute)], value=ast.Name(id=value)
        ):
            return (of, value) == (owner, given) and attribute != name
    return False


def _nest(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """What follows ``if x: return`` as what is done unless it is so."""
    for number, node in enumerate(body):
        match node:
            case ast.If(test=test, body=[ast.Return(value=None)], orelse=[]):
                rest = _nest(body[number + 1 :])
                unless = ast.If(ast.UnaryOp(ast.Not(), test), rest or [ast.Pass()], [])
                return [*body[:number], ast.copy_location(unless, node)]
    return [*body]


def open_assignments(node: _Function, own: str, setters: Mapping[str, Setter]) -> None:
    """Write what setters do in place of a function's assignments to properties of the object that
    it calls ``own``. The function itself is changed.
    """
    assigned = (each for each in ast.walk(node) if isinstance(each, ast.Assign))
    if not any(_find_target(each, own, setters) for each in assigned):
        return
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    known = {name: each for name, each in setters.items() if each.local.isdisjoint(names)}
    forget_text(node)
    node.body = _open_block(node.body, own, known)
    ast.fix_missing_locations(node)


def _find_target(node: ast.stmt, own: str, setters: Mapping[str, Setter]) -> str | None:
    match node:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=name)]):
            return name if owner == own and name in setters else None
    return None


def _open_block(
    body: Sequence[ast.stmt], own: str, setters: Mapping[str, Setter]
) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for node in body:
        name = _find_target(node, own, setters)
        if name is not None and isinstance(node, ast.Assign):
            found += _do(setters[name], own, node.value)
            continue
        for block in _list_blocks(node):
            block[:] = _open_block(block, own, setters)
        found.append(node)
    return found


def _list_blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        is_inner = isinstance(node, ast.ClassDef | _Function) and not is_waiting(node)
        if isinstance(block, list) and not is_inner:
            yield block
    for name in ("handlers", "cases"):
        yield from (part.body for part in getattr(node, name, ()))


def _do(setter: Setter, own: str, value: ast.expr) -> Iterator[ast.stmt]:
    names = {setter.given: value, setter.owner: ast.Name(own, ast.Load())}
    if setter.given in setter.local:  # it may set something else than it is given
        yield ast.Assign([ast.Name(setter.given, ast.Store())], value)
        del names[setter.given]
    for each in setter.body:
        yield _Replaced(names).visit(copy_tree(each))


class _Replaced(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, ast.expr]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy_tree(self._names[node.id]) if node.id in self._names else node
