"""Elements of containers of which a function sets something: ``self.jobs[key].status = DONE``."""

import ast
import re
from collections.abc import Iterable, Iterator

from git_retcon.allium.extract.python.syntax.function_texts import forget_text
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import list_local_names

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_NAME = "element"
# An element of which something is set; most files have none. The bracket comes first: what begins
# with a text is searched for fast.
_MAY_SET = re.compile(rb"\[(?<=\w\[)[^\]\n]+\]\.\w+\s*=[^=]")


def name_elements(
    content: bytes, functions: Iterable[_Function], classes: Iterable[ast.ClassDef]
) -> None:
    """Give the only element of which a function, or method, sets something a name. The functions
    themselves are changed.
    """
    if _MAY_SET.search(content) is None:
        return
    methods = (item for each in classes for item in each.body if isinstance(item, _Function))
    for each in (*functions, *methods):
        owners = {ast.unparse(owner): owner for owner in _list_owners(each)}
        if len(owners) != 1:
            continue
        (text, owner), *_ = owners.items()
        if _is_the_same(each, owner, text):
            named = ast.Assign(targets=[ast.Name(_NAME, ast.Store())], value=copy_tree(owner))
            forget_text(each)
            _Named(text).visit(each)
            each.body.insert(0, named)
            ast.fix_missing_locations(each)


def _list_owners(node: _Function) -> Iterator[ast.Subscript]:
    for each in walk_statements(node.body):
        for target in each.targets if isinstance(each, ast.Assign) else ():
            match target:
                case ast.Attribute(value=ast.Subscript(value=ast.Attribute()) as owner):
                    yield owner


def _is_the_same(node: _Function, owner: ast.Subscript, text: str) -> bool:
    """Whether an element is the same all through a function."""
    keys = {each.id for each in walk_nodes(owner.slice) if isinstance(each, ast.Name)}
    parts = [*walk_nodes(node)]
    names = {each.id for each in parts if isinstance(each, ast.Name)}
    is_plain = not any(isinstance(each, ast.Call | ast.Slice) for each in walk_nodes(owner.slice))
    is_free = _NAME not in names and list_local_names(node).isdisjoint(keys)
    return (
        is_plain
        and is_free
        and not any(
            isinstance(each, ast.Subscript)
            and not isinstance(each.ctx, ast.Load)
            and ast.unparse(each) == text
            for each in parts
        )
    )


class _Named(ast.NodeTransformer):
    def __init__(self, text: str) -> None:
        self._text = text

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        return ast.Name(_NAME, ast.Load()) if ast.unparse(node) == self._text else node
