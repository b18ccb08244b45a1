"""Copies of an object with another state, read as the object that moved.

``return dataclasses.replace(self, state=State.DONE)`` gives the object as it is from now on, and so
does ``order = order.model_copy(update={"state": State.DONE})``.
"""

import ast
import re
from collections.abc import Iterable, Mapping

from git_retcon.allium.extract.python.syntax.function_texts import answer_once, forget_text
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# Most files have none; a text that is replaced has no names.
_MAY_COPY = re.compile(
    rb"replace\([\w.\s]+,\s*\w+\s*=[^=]|_replace\(\s*\w+\s*=[^=]|evolve\(|copy\(\s*update\s*="
)
_COPIES = frozenset({"replace", "dataclasses.replace", "copy.replace"})
_EVOLVES = frozenset({"evolve", "attr.evolve", "attrs.evolve"})
_MODEL_COPIES = frozenset({"copy", "model_copy"})


def replace_copies(content: bytes, functions: Iterable[_Function]) -> None:
    """Write the functions of a file so. The functions themselves are changed."""
    found = [*filter(_has_copy, functions)]
    for each in found if found and _MAY_COPY.search(content) is not None else ():
        forget_text(each)
        _Opened().visit(each)


@answer_once
def _has_copy(node: _Function) -> bool:
    return any(map(_open_copy, walk_statements(node.body)))


class _Opened(ast.NodeTransformer):
    def visit_Return(self, node: ast.Return) -> ast.stmt | list[ast.stmt]:
        return _open_copy(node) or node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        return _open_copy(node) or node


def _open_copy(node: ast.stmt) -> list[ast.stmt]:
    """The assignments that a statement means which gives the copy, or keeps it in place of the
    object; none of any other.
    """
    value = node.value if isinstance(node, ast.Return | ast.Assign) else None
    if not isinstance(value, ast.Call):
        return []
    owner, given = _read_copy(value)
    if owner is None or not spell_dotted(owner) or not given:
        return []
    if isinstance(node, ast.Assign) and [*map(ast.unparse, node.targets)] != [ast.unparse(owner)]:
        return []
    set_names = {*given}
    # What reads a field that is set here reads it as it was.
    fixed = {name: each for name, each in given.items() if set_names.isdisjoint(_list_read(each))}
    found: list[ast.stmt] = [
        ast.Assign([ast.Attribute(owner, name, ast.Store())], each) for name, each in fixed.items()
    ]
    found += [ast.Return(value=owner)] if found and isinstance(node, ast.Return) else []
    return [ast.fix_missing_locations(ast.copy_location(each, node)) for each in found]


def _read_copy(call: ast.Call) -> tuple[ast.expr | None, Mapping[str, ast.expr]]:
    """The object that is copied, and what the copy gets instead."""
    words = {each.arg: each.value for each in call.keywords if each.arg}
    if len(words) < len(call.keywords):
        return None, {}  # "**changes" may be anything
    name = spell_dotted(call.func)
    match call:
        case ast.Call(args=[owner]) if name in _COPIES | _EVOLVES:
            return owner, words
        case ast.Call(func=ast.Attribute(value=owner, attr="_replace"), args=[]):
            return owner, words
        case ast.Call(func=ast.Attribute(value=owner), args=[]) if get_last(name) in _MODEL_COPIES:
            match words.get("update"):
                case ast.Dict(keys=keys, values=values):
                    texts = [each.value for each in keys if isinstance(each, ast.Constant)]
                    names = [each for each in texts if isinstance(each, str)]
                    is_read = len(names) == len(keys)
                    return owner, dict(zip(names, values, strict=True)) if is_read else {}
                case ast.Call(func=ast.Name(id="dict"), args=[], keywords=listed):
                    given = {each.arg: each.value for each in listed if each.arg}
                    return owner, given if len(given) == len(listed) else {}
    return None, {}


def _list_read(node: ast.expr) -> set[str]:
    return {each.attr for each in walk_nodes(node) if isinstance(each, ast.Attribute)}
