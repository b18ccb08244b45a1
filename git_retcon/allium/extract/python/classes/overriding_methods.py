"""Methods that an heir has in place of those of its base classes.

::

    class Upload(Task):
        def close(self):
            self.stop()
            super().close()

In which states ``Task.close`` begins here, only the class itself knows; what it makes of others is
no transition of an upload.
"""

import ast
from collections.abc import Iterable, Iterator

from git_retcon.allium.extract.python.flow.guards import is_docstring
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes


def list_overriding(methods: Iterable[tuple[str, Function]]) -> Iterator[str]:
    """The names of these that may do something else than the methods that they override, or in
    other states.
    """
    for name, method in methods:
        if not name.startswith("__") and name not in _list_begun(method):
            yield name


@answer_once
def _list_begun(method: Function) -> frozenset[str]:
    """The names under which a method has its base class do all that it does itself, before anything
    that may move the object or goes by it.
    """
    found: set[str] = set()
    for each in method.body:
        if isinstance(each, ast.Expr | ast.Return):
            found.add(_name_base(each.value))
        if not is_docstring(each) and any(map(_is_own, walk_nodes(each))):
            break
    return frozenset(found)


def _name_base(value: ast.expr | None) -> str:
    """The method of a base class that is called, "" for anything else."""
    match value.value if isinstance(value, ast.Await) else value:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name("super")), attr=name)):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name("super"), attr=name)):
            return name
        case ast.Call(func=ast.Attribute(attr=name), args=[ast.Name("self"), *_]):
            return name  # of a class that is named
    return ""


def _is_own(node: ast.AST) -> bool:
    """Whether something sets an attribute of the object, runs a method of it, or leaves early."""
    match node:
        case ast.Attribute(value=ast.Name("self"), ctx=ast.Store()):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name("self"))):
            return True
    return isinstance(node, ast.Return | ast.Raise)
