"""Functions inside a function: what is called by its name runs there, what is handed on runs later.

``const fail = () => { throw new Error(); }`` and then ``fail()`` raises the error. A function that
others are given, ``socket.on('close', () => { … })``, runs when the operation is over.
"""

import ast
import re
from collections.abc import Iterator, Mapping

from git_retcon.allium.extract.grammar.calls import make_call, mark_origin
from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.statements import (
    Statements,
    forget_assigned,
    make_unknown,
    run_once,
)
from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_inner, read_text
from git_retcon.allium.extract.python.flow.waiting_steps import is_waiting, make_waiting
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_own
from git_retcon.allium.extract.typescript.bound_functions import find_bound_function
from git_retcon.allium.extract.typescript.run_functions import runs_later
from git_retcon.allium.extract.typescript.types import read_string

FUNCTIONS = frozenset({"arrow_function", "function_expression"})
_DEEPEST = 3  # local functions that call others
# What has a function run when something happens, or when some time is over.
_EVENTS = frozenset(
    {"on", "once", "off", "addListener", "prependListener", "addEventListener", "subscribe", "bind",
     "listen", "receive", "setTimeout", "setInterval", "delay", "defer"}
)  # fmt: skip
# What a listener is told by: ``client.onNotification(…)``, ``workspace.onDidChange(…)``.
_LISTENING = re.compile(r"on[A-Z]\w*")
# What has it run when what goes on is over, or keeps it until then.
_NEXT = frozenset(
    {"setImmediate", "nextTick", "queueMicrotask", "then", "catch", "finally", "push", "unshift",
     "enqueue"}
)  # fmt: skip
# What hands on to a function what follows it, and runs it for no object.
_PLAIN = frozenset({"setTimeout", "setInterval", "addEventListener", *_NEXT})
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
    is_bound = _find_whole(node) is not node or _is_run_for_this(node)
    keeps_this = node.type == "arrow_function" or is_bound
    if body is None or (not keeps_this and names_this(body)):
        return None
    return bodies.translate_block([body]) or [ast.Pass()]


def list_waiting(node: Node, bodies: Bodies) -> Statements:
    """What the functions do that a statement hands on."""
    found: Statements = []
    for each in _list_handed(node):
        of_file = find_bound_function(each)
        body: Statements | None
        if of_file is not None:
            body = bodies.translate_block([of_file.child_by_field_name("body")])
        elif each.type in FUNCTIONS:
            body = translate_function(each, bodies)
        else:
            body = [call_handed(each, bodies)]
        if body is not None and names_own(body):
            found.append(make_waiting(body, _read_event(each)))
    return found


def call_handed(node: Node, bodies: Bodies) -> ast.stmt:
    """What others do with an own method that they are given, perhaps bound to its first
    arguments.
    """
    bound = find_bound(node)
    given = list_inner(node, "arguments")[1:] if bound is not node else []
    others = ast.Starred(make_unknown())  # what has a default may be given, too
    call = make_call(bodies.translate(bound), [*map(bodies.translate, given), others])
    return ast.Expr(value=mark_origin(call, bound.start_byte))


def call_applied(node: Node, bodies: Bodies) -> ast.expr | None:
    """``this.fail.call(this, error)`` and ``this.fail.apply(this, errors)`` as the calls that they
    are; None for any other.
    """
    called = node.child_by_field_name("function")
    method = called.child_by_field_name("object") if called is not None else None
    way = read_text(called.child_by_field_name("property")) if called is not None else ""
    given = list_inner(node, "arguments")
    if method is None or way not in ("call", "apply") or not (given and is_own_method(method)):
        return None
    if given[0].type != "this":
        return None
    arguments = list(map(bodies.translate, given[1:])) if way == "call" else [make_unknown()]
    return make_call(bodies.translate(method), arguments)


def find_bound(node: Node) -> Node:
    """``this.fail`` of ``this.fail.bind(this)``, or the function itself that is bound so."""
    called = node.child_by_field_name("function") if node.type == "call_expression" else None
    is_bound = called is not None and read_text(called.child_by_field_name("property")) == "bind"
    owner = called.child_by_field_name("object") if called is not None else None
    while owner is not None and owner.type == "parenthesized_expression" and owner.named_children:
        owner = owner.named_children[0]
    return owner if is_bound and owner is not None else node


def _find_whole(function: Node) -> Node:
    """``function () { … }.bind(this)`` of a function that is bound so; any other itself."""
    outer = function.parent
    while outer is not None and outer.type == "parenthesized_expression":
        outer = outer.parent
    call = outer.parent if outer is not None and outer.type == "member_expression" else None
    given = list_inner(call, "arguments")
    is_own = bool(given) and given[0].type == "this"
    return call if call is not None and is_own and find_bound(call) == function else function


def _is_run_for_this(function: Node) -> bool:
    """``on('close', function () { … }, this)``: whether others run a function for the object."""
    outer, after = function.parent, function.next_named_sibling
    is_given = outer is not None and outer.type == "arguments"
    if outer is None or not is_given or after is None or after.type != "this":
        return False
    return _read_called(outer) not in _PLAIN


def binds_method(node: Node) -> bool:
    """``this.fail = this.fail.bind(this)``: it is the same method, which nothing runs here."""
    value = node.named_children[0] if node.named_children else None
    if value is None or value.type != "assignment_expression":
        return False
    left, right = (value.child_by_field_name(each) for each in ("left", "right"))
    bound = find_bound(right) if right is not None else None
    return bound is not right and bound is not None and read_text(bound) == read_text(left)


def is_own_method(node: Node) -> bool:
    """Whether something may be an own method: ``this.onClose``, ``this.onClose.bind(this)``."""
    bound = find_bound(node)
    owner = bound.child_by_field_name("object") if bound.type == "member_expression" else None
    return owner is not None and owner.type == "this"


def _read_event(function: Node) -> str:
    """What a function waits for: ``on('close', …)``, ``onclose = …``, ``{ onClose: … }``, time; ""
    where it goes on behind something else.
    """
    outer = _find_whole(function).parent
    if outer is None:
        return ""
    if outer.type == "arguments":
        name = _read_called(outer)
        is_event = _waits_for(name)
        return (read_string(outer.named_children[0]) or name) if is_event else ""
    part = "key" if outer.type == "pair" else "left"
    return read_text(outer.child_by_field_name(part)).rpartition(".")[2]


def _list_handed(node: Node) -> Iterator[Node]:
    """The functions in an expression that others will run, without those in them, and the own
    methods, and functions of the file, that they will.
    """
    waiting = [*reversed(node.named_children)]
    while waiting:
        each = waiting.pop()
        if each.type in FUNCTIONS or find_bound_function(each) is not None:
            if _is_handed(each, node):
                yield each
        elif is_own_method(each) and _is_listening(each):
            yield each
        else:
            waiting += reversed(each.named_children)


def _is_listening(method: Node) -> bool:
    """Whether others run a method for certain: ``on('close', this.onClose)``, ``onclose = …``."""
    outer = method.parent
    if outer is None:
        return False
    if outer.type == "arguments":
        name = _read_called(outer)
        return name != "off" and (name in _NEXT or _waits_for(name))
    if outer.type not in ("pair", "assignment_expression"):
        return False
    part = "key" if outer.type == "pair" else "left"
    return read_text(outer.child_by_field_name(part)).rpartition(".")[2].startswith("on")


def _is_handed(function: Node, statement: Node) -> bool:
    """Whether a function runs later for certain; what any other call does with it, nobody knows,
    unless nothing follows.
    """
    outer = _find_whole(function).parent
    if outer is None or runs_later(function):
        return outer is not None
    if outer.type in ("pair", "assignment_expression"):
        return True
    if outer.type != "arguments" or outer.parent is None:
        return False
    name = _read_called(outer)
    if name == "Promise":
        return False
    is_later = name in _NEXT or _waits_for(name)
    return is_later or statement.next_named_sibling is None


def _waits_for(name: str) -> bool:
    """Whether what is called by a name has functions run at an event or a time."""
    is_listed = name in _EVENTS or name.endswith("Timer")
    return is_listed or _LISTENING.fullmatch(name) is not None


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
    return _Settled(functions, _DEEPEST).settle(body, is_end=True) if functions else body


def _list_defined(body: Statements) -> Iterator[tuple[str, Statements]]:
    for statement in body:
        for each in ast.walk(statement):
            if isinstance(each, ast.FunctionDef) and not is_waiting(each):
                yield each.name, each.body


class _Settled:
    def __init__(self, functions: Mapping[str, Statements], left: int) -> None:
        self._functions = functions
        self._left = left

    def settle(self, body: Statements, *, is_end: bool) -> Statements:
        """The statements; ``is_end`` where the operation is over behind the last of them."""
        found: Statements = []
        for each in body:
            is_last = is_end and each is body[-1]
            if isinstance(each, ast.FunctionDef) and not is_waiting(each):
                continue
            called = _find_called(each)
            if called in self._functions and self._left:
                opened = self._open(called)
                # What leaves the function leaves the operation, too.
                is_over = is_last and isinstance(each, ast.Expr)
                found += opened if is_over else _run_there(each, opened)
                continue
            is_inner_end = is_last and isinstance(each, ast.If)
            for part in _list_blocks(each):
                part[:] = self.settle(part, is_end=is_inner_end) or [ast.Pass()]
            given = self._list_handed(each).items()
            handed = [make_waiting(self._open(name), event) for name, event in given]
            found += [*handed, each] if isinstance(each, ast.Return) else [each, *handed]
        return found

    def _open(self, name: str) -> Statements:
        """What a local function does, in its turn."""
        inner = {key: each for key, each in self._functions.items() if key != name}
        body = [copy_tree(each) for each in self._functions[name]]
        return _Settled(inner, self._left - 1).settle(body, is_end=True) or [ast.Pass()]

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
    if not leaves_early(body):
        return body
    return run_once([copy_tree(each) for each in body]) or forget_assigned(body)


def leaves_early(body: Statements) -> bool:
    return any(isinstance(each, ast.Return) for part in body for each in walk_own(part))


def _list_blocks(node: ast.stmt) -> Iterator[Statements]:
    """The blocks of a statement that may call something."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if block:
            yield block
    for each in getattr(node, "handlers", ()):
        yield each.body


def names_this(node: Node) -> bool:
    """Whether ``this`` may be in a piece of code."""
    return "this" in read_text(node)


def names_own(body: Statements) -> bool:
    return any(
        isinstance(each, ast.Name) and each.id == "self" for part in body for each in ast.walk(part)
    )
