"""Own methods that an operation waits for in other words, read as it would run them itself.

``await asyncio.wait_for(self.connect(), 5)`` means ``await self.connect()`` here, and so does
``asyncio.shield`` and a task that is awaited where it is made. ``yield from self.connect()`` runs
a generator, as a plain call runs any other method.
"""

import ast
import re
from collections.abc import Collection, Iterable

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.function_texts import answer_once, forget_text
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

# Each begins with a text, which is searched for fast.
_MAY_WAIT = (
    re.compile(rb"yield\s+from\s+self\."),
    re.compile(rb"await\s[\w.]*(?:wait_for|shield|create_task|ensure_future)\("),
)
_WAITING = frozenset({"wait_for", "shield", "create_task", "ensure_future"})
_DEEPEST = 3  # words around a call


def open_awaited(content: bytes, classes: Iterable[ast.ClassDef]) -> None:
    """Write the methods of a file so. The methods themselves are changed."""
    if not any(each.search(content) for each in _MAY_WAIT):
        return
    for each in classes:
        methods = [item for item in each.body if isinstance(item, Function)]
        generators = {item.name for item in methods if _is_generator(item)}
        coroutines = {item.name for item in methods if isinstance(item, ast.AsyncFunctionDef)}
        for node in methods:
            for statement in walk_statements(node.body):
                if isinstance(statement, ast.Expr | ast.Assign | ast.Return):
                    found = _read_awaited(statement.value, generators, coroutines)
                    if found is not None:
                        forget_text(node)
                        statement.value = found


@answer_once
def _is_generator(node: Function) -> bool:
    parts = (part for each in node.body for part in walk_nodes(each))
    is_plain = isinstance(node, ast.FunctionDef)
    return is_plain and any(isinstance(each, ast.Yield | ast.YieldFrom) for each in parts)


def _read_awaited(
    value: ast.expr | None, generators: Collection[str], coroutines: Collection[str]
) -> ast.expr | None:
    """The own method that a statement waits for, as it is run; None for anything else."""
    match value:
        case ast.YieldFrom(value=call) if _name_own(call) in generators:
            return call
        case ast.Await(value=ast.Call() as call):
            inner: ast.expr = call
            for _ in range(_DEEPEST):
                if not isinstance(inner, ast.Call) or not inner.args:
                    break
                if get_last(spell_dotted(inner.func)) not in _WAITING:
                    break
                inner = inner.args[0]
            if inner is not call and _name_own(inner) in coroutines:
                return ast.copy_location(ast.Await(value=inner), value)
    return None


def _name_own(node: ast.expr) -> str:
    """The method of the same object that an expression calls; "" for anything else."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
            return name
    return ""
