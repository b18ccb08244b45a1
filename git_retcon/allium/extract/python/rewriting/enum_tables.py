"""Tables that enums make by a method, written where they are asked.

``other in self.allowed().get(self, [])`` asks a table that a method without arguments returns:
``return {cls.DRAFT: [cls.PAID], cls.PAID: []}``.
"""

import ast
from collections.abc import Iterable, Mapping

from git_retcon.allium.extract.python.flow.guards import is_docstring
from git_retcon.allium.extract.python.syntax.function_texts import Function, forget_text
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.replaced_names import replace_names
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_OWN = ("self", "cls")


def open_tables(classes: Iterable[ast.ClassDef]) -> None:
    """Write the tables of enums in place of the calls that make them. The methods are changed."""
    listed = [*classes]
    tables = {
        f"{node.name}.{name}": table
        for node in listed
        if any(get_last(spell_dotted(base)).endswith(("Enum", "Choices")) for base in node.bases)
        for name, table in _list_tables(node).items()
    }
    for node in listed if tables else ():
        for each in node.body:
            if isinstance(each, Function) and _names_any(each, tables, node.name):
                forget_text(each)
                each.body = [_Opened(tables, node.name).visit(one) for one in each.body]


def _list_tables(node: ast.ClassDef) -> Mapping[str, ast.expr]:
    found: dict[str, ast.expr] = {}
    for each in node.body:
        if not isinstance(each, ast.FunctionDef) or len(each.args.args) > 1:
            continue
        match [one for one in each.body if not is_docstring(one)]:
            case [ast.Return(value=ast.Dict() as table)]:
                own = {name: ast.Name(node.name, ast.Load()) for name in _OWN}
                found[each.name] = replace_names(table, own)
    return found


def _find(node: ast.AST, tables: Mapping[str, ast.expr], owner: str) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[], keywords=[]):
            return tables.get(f"{owner if name in _OWN else name}.{attr}")
    return None


def _names_any(method: Function, tables: Mapping[str, ast.expr], owner: str) -> bool:
    return any(_find(each, tables, owner) is not None for each in walk_nodes(method))


class _Opened(ast.NodeTransformer):
    def __init__(self, tables: Mapping[str, ast.expr], owner: str) -> None:
        self._tables, self._owner = tables, owner

    def visit_Call(self, node: ast.Call) -> ast.expr:
        found = _find(node, self._tables, self._owner)
        if found is not None:
            return copy_tree(found)
        self.generic_visit(node)
        return node
