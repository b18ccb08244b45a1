"""Functions inside a function: what is called by its name runs there, what is handed on runs later.

``const fail = () => { throw new Error(); }`` and then ``fail()`` raises the error. A function that
others are given, ``socket.on('close', () => { … })``, runs when the operation is over.
"""

import ast
from collections.abc import Iterator, Mapping

from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.statements import Statements, forget_assigned, make_unknown
from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text
from git_retcon.allium.extract.python.caught_errors import walk_own
from git_retcon.allium.extract.python.node_copies import copy_tree
from git_retcon.allium.extract.python.waiting_steps import is_waiting, make_waiting
from git_retcon.allium.extract.typescript.types import read_string

_FUNCTIONS = frozenset({"arrow_function", "function_expression"})
_DEEPEST = 3  # local functions that call others
# What has a function run when something happens, or when some time is over.
_LATER = frozenset(
    {"on", "once", "off", "addListener", "prependListener", "addEventListener", "subscribe", "bind",
     "listen", "setTimeout", "setInterval", "setImmediate", "nextTick", "queueMicrotask", "then",
     "catch", "finally"}
)  # fmt: skip
_LISTENING = frozenset({"addListener", "subscribe", "listen"})  # to all that happens
_Call = ast.Expr | ast.Return | ast.Assign


def define_function(node: Node, name: str, bodies: Bodies) -> Statements:
    """A local function as a definition of its name; nothing for one with another ``this``."""
    body = translate_function(node, bodies)
    if body is None:
        return []
    found = make_waiting(body)
    found.name = name
    return [found]


def translate_function(node: Node, bodies: Bodies) -> Statements | None:
    """What a function does; None for one in which ``this`` is something else."""
    body = node.child_by_field_name("body")
    is_arrow = node.type == "arrow_function"
    if body is None or (not is_arrow and _names_this(body)):
        return None
    if body.type == "statement_block":
        found = bodies.translate_block([body])
    else:
        found = bodies.translate_block([body])
    return found or [ast.Pass()]


def list_waiting(node: Node, bodies: Bodies) -> Statements:
    """What the functions do that a statement hands on."""
    return [
        make_waiting(body, _read_event(each))
        for each in _list_handed(node)
        if (body := translate_function(each, bodies)) is not None and _names_own(body)
    ]


def _read_event(function: Node) -> str:
    """What a function waits for: ``on('close', …)``, ``onclose = …``, ``{ onClose: … }``; "" where
    nothing says it.
    """
    outer = function.parent
    if outer is None:
        return ""
    if outer.type == "arguments":
        name = _read_called(outer)
        return read_string(outer.named_children[0]) or (name if name in _LISTENING else "")
    part = "key" if outer.type == "pair" else "left"
    return read_text(outer.child_by_field_name(part)).rpartition(".")[2]


def _list_handed(node: Node) -> Iterator[Node]:
    """The functions in an expression that others will run, without those in them."""
    waiting = [*reversed(node.named_children)]
    while waiting:
        each = waiting.pop()
        if each.type not in _FUNCTIONS:
            waiting += reversed(each.named_children)
        elif _is_handed(each, node):
            yield each


def _is_handed(function: Node, statement: Node) -> bool:
    """Whether a function runs later for certain; what any other call does with it, nobody knows,
    unless nothing follows.
    """
    outer = function.parent
    if outer is None:
        return False
    if outer.type in ("pair", "assignment_expression"):
        return True
    if outer.type != "arguments" or outer.parent is None:
        return False
    name = _read_called(outer)
    if name == "Promise":
        return False
    return name in _LATER or name.endswith("Timer") or statement.next_named_sibling is None


def _read_called(arguments: Node) -> str:
    """The last word of what gets these arguments."""
    call = arguments.parent
    if call is None:
        return ""
    called = call.child_by_field_name("function") or call.child_by_field_name("constructor")
    return read_text(called).rpartition(".")[2]


def settle_functions(body: Statements) -> Statements:
    """A body in which calls of local functions are what these do, and no definitions are left."""
    functions = dict(_list_defined(body))
    return _Settled(functions, _DEEPEST).settle(body) if functions else body


def _list_defined(body: Statements) -> Iterator[tuple[str, Statements]]:
    for statement in body:
        for each in ast.walk(statement):
            if isinstance(each, ast.FunctionDef) and not is_waiting(each):
                yield each.name, each.body


class _Settled:
    def __init__(self, functions: Mapping[str, Statements], left: int) -> None:
        self._functions = functions
        self._left = left

    def settle(self, body: Statements) -> Statements:
        found: Statements = []
        for each in body:
            if isinstance(each, ast.FunctionDef) and not is_waiting(each):
                continue
            called = _find_called(each)
            if called in self._functions and self._left:
                found += _run_there(each, self._open(called))
                continue
            for part in _list_blocks(each):
                part[:] = self.settle(part) or [ast.Pass()]
            given = self._list_handed(each).items()
            handed = [make_waiting(self._open(name), event) for name, event in given]
            found += [*handed, each] if isinstance(each, ast.Return) else [each, *handed]
        return found

    def _open(self, name: str) -> Statements:
        """What a local function does, in its turn."""
        inner = {key: each for key, each in self._functions.items() if key != name}
        body = [copy_tree(each) for each in self._functions[name]]
        return _Settled(inner, self._left - 1).settle(body) or [ast.Pass()]

    def _list_handed(self, node: ast.stmt) -> Mapping[str, str]:
        """The local functions that a statement gives others by their names, with the event that
        each waits for, if that is said.
        """
        value = getattr(node, "value", None)
        if not self._left or not isinstance(node, _Call) or value is None:
            return {}
        given: list[tuple[ast.expr, str]] = []
        for each in ast.walk(value):
            if isinstance(each, ast.Call) and each.args:
                event = getattr(each.args[0], "value", "")
                given += ((part, event if isinstance(event, str) else "") for part in each.args)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            given.append((value, node.targets[0].attr))
        found: dict[str, str] = {}
        for part, event in given:
            if isinstance(part, ast.Name) and part.id in self._functions:
                found.setdefault(part.id, event)
        return found


def _find_called(node: ast.stmt) -> str:
    """The name that a statement calls, "" for none."""
    value = getattr(node, "value", None) if isinstance(node, _Call) else None
    match value.value if isinstance(value, ast.Await) else value:
        case ast.Call(func=ast.Name(id=name)):
            return name
    return ""


def _run_there(node: ast.stmt, body: Statements) -> Statements:
    """What a statement does that calls a function with this body."""
    if isinstance(node, ast.Return):
        is_over = isinstance(body[-1], ast.Return | ast.Raise)
        return body if is_over else [*body, ast.Return(value=make_unknown())]
    found = go_on(body)
    if isinstance(node, ast.Assign):
        found = [*found, ast.Assign(targets=node.targets, value=make_unknown())]
    return found


def go_on(body: Statements) -> Statements:
    """What a function does that goes on behind its call."""
    if body and isinstance(body[-1], ast.Return):
        value = body[-1].value
        body = [*body[:-1], *([ast.Expr(value=value)] if value is not None else [])]
    leaves = any(isinstance(each, ast.Return) for part in body for each in walk_own(part))
    return forget_assigned(body) if leaves else body


def _list_blocks(node: ast.stmt) -> Iterator[Statements]:
    """The blocks of a statement that may call something."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if block:
            yield block
    for each in getattr(node, "handlers", ()):
        yield each.body


def _names_this(node: Node) -> bool:
    return "this" in read_text(node)


def _names_own(body: Statements) -> bool:
    return any(
        isinstance(each, ast.Name) and each.id == "self" for part in body for each in ast.walk(part)
    )
