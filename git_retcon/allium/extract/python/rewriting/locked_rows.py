"""Rows that a method of a Django model reads again to change them, which are the object itself.

::

    locked = type(self).objects.select_for_update().get(pk=self.pk)
    if locked.status != Status.NEW:
        return
    locked.status = Status.RUNNING

asks and sets the status of ``self``.
"""

import ast
import re
from collections.abc import Iterable, Set

from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    forget_text,
    may_have,
)
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.replaced_names import replace_names
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

# Most methods read none.
_MAY_READ = re.compile(rb"\.get\(\s*(?:pk|id|uuid)\s*=\s*self\.")
_KEYS = frozenset({"pk", "id", "uuid"})
# What reads the same row.
_SAME = frozenset(
    {"select_for_update", "select_related", "prefetch_related", "only", "using", "all"}
)
_MANAGERS = frozenset({"objects", "_default_manager", "_base_manager"})


def open_locked(classes: Iterable[ast.ClassDef]) -> None:
    """Write such rows as the object. The methods are changed."""
    for owner in classes:
        for item in owner.body:
            if isinstance(item, Function) and may_have(item, _MAY_READ):
                _open_method(item, owner.name)


def _open_method(method: Function, owner: str) -> None:
    found: dict[str, int] = {}
    for at, each in enumerate(walk_statements(method.body)):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _reads_own(value, owner):
                found[name] = at
    names = (each for each in walk_nodes(method) if isinstance(each, ast.Name))
    stored = [each.id for each in names if _is_stored(each)]
    given = {each.arg for each in method.args.args}
    rows = {n: at for n, at in found.items() if stored.count(n) == 1 and n not in given}
    # What the object has been given by then, its row has not.
    if not rows or any(_sets_own(e) for e in [*walk_statements(method.body)][: max(rows.values())]):
        return
    forget_text(method)
    body = [_Dropper(rows.keys()).visit(copy_tree(each)) for each in method.body]
    named = {each: ast.Name("self", ast.Load()) for each in rows}
    method.body = [replace_names(each, named) for each in body]
    ast.fix_missing_locations(method)


def _is_stored(node: ast.Name) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store)


def _sets_own(node: ast.stmt) -> bool:
    """Whether a statement sets something of the object."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return any(isinstance(e, ast.Attribute) and spell_dotted(e.value) == "self" for e in targets)


class _Dropper(ast.NodeTransformer):
    """Leaves out what gives these variables their rows."""

    def __init__(self, names: Set[str]) -> None:
        self._names = names

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        match node.targets:
            case [ast.Name(id=name)] if name in self._names:
                return ast.copy_location(ast.Pass(), node)
        return node


def _reads_own(node: ast.expr, owner: str) -> bool:
    match node:
        case ast.Call(
            func=ast.Attribute(value=rows, attr="get"),
            args=[],
            keywords=[
                ast.keyword(arg=key, value=ast.Attribute(value=ast.Name(id="self"), attr=own))
            ],
        ) if key in _KEYS and own in _KEYS:
            pass
        case _:
            return False
    while isinstance(rows, ast.Call) and isinstance(rows.func, ast.Attribute):
        if rows.func.attr not in _SAME:
            return False
        rows = rows.func.value
    match rows:
        case ast.Attribute(value=model, attr=manager) if manager in _MANAGERS:
            return ast.unparse(model) in (owner, "type(self)", "self.__class__")
    return False
