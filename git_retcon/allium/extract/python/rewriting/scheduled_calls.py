"""Own methods that an operation lets the event loop run, as it would run them itself.

``loop.call_soon(self._set_state, State.UP)`` means ``self._set_state(State.UP)``; what waits for a
time, or runs as a task, begins in a state that the operation may leave its object in.
"""

import ast
import re
from collections.abc import Collection, Iterable

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.waiting_steps import make_waiting
from git_retcon.allium.extract.python.syntax.function_texts import answer_once, forget_text
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements

_MAY_SCHEDULE = re.compile(rb"\.call_(?:soon|later|at)|create_task\(|ensure_future\(")
_SOON = frozenset({"call_soon", "call_soon_threadsafe"})
_LATER = frozenset({"call_later", "call_at"})
_TASKS = frozenset({"create_task", "ensure_future"})
_ALL = _SOON | _LATER | _TASKS


def open_scheduled(content: bytes, classes: Iterable[ast.ClassDef]) -> None:
    """Write the methods of a file so. The methods themselves are changed."""
    for each in classes:
        methods = [item for item in each.body if isinstance(item, Function)]
        if not any(map(_schedules, methods)) or _MAY_SCHEDULE.search(content) is None:
            continue
        names = {item.name for item in methods if len(item.args.args) > 1}
        for node in methods:
            if names and any(_read_call(part, names) for part in walk_statements(node.body)):
                forget_text(node)
                _Opened(names).visit(node)
                ast.fix_missing_locations(node)


@answer_once
def _schedules(node: Function) -> bool:
    """Whether a method lets the event loop run anything."""
    statements = (e for e in walk_statements(node.body) if isinstance(e, ast.Expr | ast.Assign))
    calls = (each.value for each in statements if isinstance(each.value, ast.Call))
    return any(get_last(spell_dotted(each.func)) in _ALL for each in calls)


class _Opened(ast.NodeTransformer):
    def __init__(self, names: Collection[str]) -> None:
        self._names = names

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        return self._open(node)

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        return self._open(node)

    def _open(self, node: ast.stmt) -> ast.stmt | list[ast.stmt]:
        found = _read_call(node, self._names)
        if found is None:
            return node
        return found if isinstance(node, ast.Expr) else [node, found]


def _read_call(node: ast.stmt, names: Collection[str]) -> ast.stmt | None:
    """What a statement schedules, as a statement; None for anything else."""
    call = node.value if isinstance(node, ast.Expr | ast.Assign) else None
    name = get_last(spell_dotted(call.func)) if isinstance(call, ast.Call) else ""
    match call:
        case ast.Call(args=[method, *given], keywords=[]) if name in _SOON:
            run = _make_call(method, given, names)
            return ast.Expr(value=run) if run is not None else None
        case ast.Call(args=[_, method, *given], keywords=[]) if name in _LATER:
            run = _make_call(method, given, names)
            return make_waiting([ast.Expr(value=run)]) if run is not None else None
        case ast.Call(args=[ast.Call(func=method, args=[_, *_]) as run, *_]) if name in _TASKS:
            is_own = _is_own(method, names)
            return make_waiting([ast.Expr(value=ast.Await(value=run))]) if is_own else None
    return None


def _make_call(method: ast.expr, given: list[ast.expr], names: Collection[str]) -> ast.Call | None:
    is_own = given and _is_own(method, names)
    return ast.Call(func=method, args=given, keywords=[]) if is_own else None


def _is_own(method: ast.expr, names: Collection[str]) -> bool:
    match method:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name in names
    return False
