"""What goes on behind promises, and what runs to make them.

``return this.open().then(() => { this.state = READY; }).catch(fail)`` is what ``try`` says around
``await this.open()``. Where nothing waits for it, all that follows on the promise runs when the
operation is over.
"""

import ast
from collections.abc import Collection, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.grammar.calls import make_call
from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.statements import Statements, make_unknown
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.python.flow.waiting_steps import make_behind
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_own
from git_retcon.allium.extract.typescript.local_functions import (
    FUNCTIONS,
    call_handed,
    find_bound,
    go_on,
    is_own_method,
    list_waiting,
    names_own,
    names_this,
    translate_function,
)
from git_retcon.allium.extract.typescript.run_functions import (
    find_run_function,
    is_async,
    runs_later,
    waits_first,
)

_STEPS = frozenset({"then", "catch", "finally"})
_WHOLE_FUNCTIONS = frozenset({*FUNCTIONS, "method_definition", "function_declaration"})
# What is told of the end of an operation, and of its error first.
_CALLBACKS = frozenset({"callback", "cb", "done"})
_ALL = frozenset({"Promise.all", "Promise.allSettled"})


class _Step(NamedTuple):
    """``.then(given)``, ``.catch(given)``, ``.finally(given)``."""

    name: str
    given: Sequence[Node]


class _Chain(NamedTuple):
    """A promise with the steps behind it."""

    root: Node
    steps: Sequence[_Step]


def list_later(body: Node | None) -> Collection[str]:
    """The methods of a class that do all that they do later, where nothing waits for them."""
    return {
        read_name(item).lstrip("#")
        for item in list_children(body, "method_definition")
        if any(each.type == "async" for each in item.children) and waits_first(item)
    }


def translate_awaited(value: Node, bodies: Bodies) -> Statements | None:
    """What runs until a promise is fulfilled that a function waits for, or returns; None where it
    is no promise that says so.
    """
    chain = _read_chain(value)
    begun = _make_promise(chain.root, bodies, is_over=not chain.steps)
    if begun is None and not chain.steps:
        return None
    if begun is None:
        begun = [*_run_root(chain.root, bodies), *list_waiting(chain.root, bodies)]
    return _follow_steps(begun, chain.steps, bodies)


def translate_unawaited(value: Node, bodies: Bodies, later: Collection[str]) -> Statements | None:
    """The same of one that nothing waits for."""
    chain = _read_chain(value)
    if _is_kept(chain):
        return [ast.Pass()]
    function = find_run_function(chain.root)
    is_later = _read_own(chain.root) in later or (function is not None and runs_later(function))
    made = _make_promise(chain.root, bodies, is_over=not chain.steps and _is_last(chain.root))
    if function is not None and is_later and not chain.steps:
        made = translate_function(function, bodies)  # what leaves it leaves nothing else
    if made is None and not chain.steps and not is_later:
        return None
    root = _run_root(chain.root, bodies) if made is None else made
    if made is None:
        root += list_waiting(chain.root, bodies)
    begun: Statements = [] if is_later else root
    if function is not None and is_async(function) and _may_refuse(begun):
        begun = _catch(begun, [], [])  # what it refuses, nothing else does
    # What is not there yet may fail, before anything follows on it.
    awaited: Statements = [ast.Expr(value=make_unknown())] if _may_catch(chain) else []
    behind = _follow_steps(root if is_later else awaited, chain.steps, bodies)
    return [*begun, *([make_behind(behind)] if names_own(behind) else [])]


def _may_refuse(body: Statements) -> bool:
    return any(isinstance(each, ast.Raise) for part in body for each in walk_own(part))


def run_promise(value: Node, bodies: Bodies, later: Collection[str]) -> Statements | None:
    """What a promise runs that is waited for or not; None for any other value."""
    if value.type == "await_expression":
        return translate_awaited(open_awaited(value), bodies)
    if value.type == "unary_expression" and read_text(value).startswith("void"):
        inner = value.named_children[0]
        return translate_unawaited(inner, bodies, later) or bodies.translate_block([inner])
    is_made = value.type in ("call_expression", "new_expression")
    return translate_unawaited(value, bodies, later) if is_made else None


def open_awaited(value: Node) -> Node:
    """What is waited for; a value itself where nothing is."""
    is_awaited = value.type == "await_expression" and value.named_children
    return value.named_children[0] if is_awaited else value


def _may_catch(chain: _Chain) -> bool:
    """Whether a promise does something where it fails."""
    return any(each.name == "catch" or len(each.given) > 1 for each in chain.steps)


def _is_kept(chain: _Chain) -> bool:
    """``Promise.resolve().then(…)`` beside other work: it runs in the state that the rest leaves,
    which may be what others give it.
    """
    is_made = read_text(chain.root.child_by_field_name("function")) == "Promise.resolve"
    is_bare = is_made and not list_inner(chain.root, "arguments")
    return is_bare and bool(chain.steps) and _goes_on(chain.root)


def _goes_on(node: Node) -> bool:
    """Whether anything follows a statement in its function."""
    while node.parent is not None and node.type != "statement_block":
        if node.type in ("assignment_expression", "variable_declarator"):
            return False  # others may wait for it
        if node.type.endswith("statement") and node.next_named_sibling is not None:
            return True
        node = node.parent
    outer = node.parent
    is_inner = outer is not None and outer.type.endswith(("statement", "clause", "switch_case"))
    return is_inner and outer is not None and _goes_on(outer)


def _is_last(node: Node) -> bool:
    """Whether a function has nothing more to do with its object behind a statement."""
    while node.parent is not None and not node.type.endswith(("statement", "declaration")):
        node = node.parent
    block = node.parent
    function = block.parent if block is not None and block.type == "statement_block" else None
    if block is None or function is None or function.type not in _WHOLE_FUNCTIONS:
        return False
    others = [each for each in block.named_children if each.start_byte > node.start_byte]
    return b"= this" not in (block.text or b"") and not any(map(names_this, others))


def _read_chain(value: Node) -> _Chain:
    steps: list[_Step] = []
    while value.type == "call_expression":
        called = value.child_by_field_name("function")
        if called is None or called.type != "member_expression":
            break
        name = read_text(called.child_by_field_name("property"))
        inner = called.child_by_field_name("object")
        if name not in _STEPS or inner is None:
            break
        steps.append(_Step(name, list_inner(value, "arguments")))
        value = inner
        while value.type == "parenthesized_expression" and value.named_children:
            value = value.named_children[0]
    return _Chain(value, steps[::-1])


def _read_own(root: Node) -> str:
    """The own method that a promise is a call of; "" for any other."""
    called = root.child_by_field_name("function") if root.type == "call_expression" else None
    if called is None or called.type != "member_expression":
        return ""
    owner = called.child_by_field_name("object")
    is_own = owner is not None and owner.type == "this"
    return read_text(called.child_by_field_name("property")).lstrip("#") if is_own else ""


def _run_root(root: Node, bodies: Bodies) -> Statements:
    return [ast.Expr(value=bodies.translate(root))]


def _make_promise(root: Node, bodies: Bodies, *, is_over: bool) -> Statements | None:
    """What runs to make a promise: the function that a new one is given, or each of several calls;
    None for any other. ``is_over`` where what leaves the function leaves the operation, too.
    """
    given = list_inner(root, "arguments")
    if root.type == "call_expression" and read_text(root.child_by_field_name("function")) in _ALL:
        calls = given[0].named_children if given and given[0].type == "array" else ()
        parts = [part for each in calls for part in _run_part(each, bodies)]
        return parts or None
    if find_run_function(root) is not None:
        return _run_part(root, bodies) or None
    if read_text(root.child_by_field_name("constructor")) != "Promise" or not given:
        return None
    if is_own_method(given[0]):
        return [call_handed(given[0], bodies)]
    body = translate_function(given[0], bodies) if given[0].type in FUNCTIONS else None
    if body is None:
        return None
    names = [
        read_text(each.child_by_field_name("pattern") or each)
        for each in list_inner(given[0], "parameters")
    ]
    if len(names) == 2:
        raise_failed(body, names[1])
    _drop_told(body, names)
    return body if is_over else go_on(body)


def _run_part(call: Node, bodies: Bodies) -> Statements:
    """What an own method does that is called, or a function that is made and run; nothing for any
    other call.
    """
    function = find_run_function(call)
    if function is None:
        return _run_root(call, bodies) if _read_own(call) else []
    body = translate_function(function, bodies)
    body = go_on(body) if body else []
    return body if names_own(body) else []


def raise_failed(body: Statements, rejecting: str = "") -> None:
    """Let ``callback(new Error()); return;`` be an error of what is given the callback, and so what
    rejects a promise that it makes.
    """
    for at, each in enumerate(body):
        match each:
            case ast.Return(value=ast.Call() as call) if _tells_error(call, rejecting):
                body[at] = _make_raise(call)
            case ast.Expr(value=ast.Call() as call) if _tells_error(call, rejecting):
                if _leaves(body[at + 1 :]):
                    body[at:] = [_make_raise(call)]
                    return
            case ast.If(body=inner, orelse=otherwise):
                raise_failed(inner, rejecting)
                raise_failed(otherwise, rejecting)


def _drop_told(body: Statements, names: Collection[str]) -> None:
    """Let what settles a promise be nothing that may fail."""
    for each in (part for statement in body for part in ast.walk(statement)):
        match each:
            case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=given)) if (
                name in names and not any(map(_calls_own, given))
            ):
                each.value = make_call(ast.Attribute(ast.Name("console"), "log"), [])


def _calls_own(value: ast.expr) -> bool:
    calls = (each.func for each in ast.walk(value) if isinstance(each, ast.Call))
    return any(spell_dotted(each).startswith("self.") for each in calls)


def _tells_error(call: ast.Call, rejecting: str) -> bool:
    match call:
        case ast.Call(func=ast.Name(id=name)) if name == rejecting:
            return True
        case ast.Call(func=ast.Name(id=name), args=[ast.Call(func=made), *_]):
            return name in _CALLBACKS and get_last(spell_dotted(made)).endswith("Error")
    return False


def _leaves(rest: Statements) -> bool:
    return bool(rest) and isinstance(rest[0], ast.Return) and rest[0].value is None


def _make_raise(call: ast.Call) -> ast.stmt:
    return ast.Raise(exc=call.args[0] if call.args else make_unknown())


def _follow_steps(body: Statements, steps: Sequence[_Step], bodies: Bodies) -> Statements:
    for at, (name, given) in enumerate(steps):
        # What leaves the last one that runs leaves all.
        is_last = all(each.name == "catch" for each in steps[at + 1 :])
        first, second = [*(_translate_step(each, bodies, is_last) for each in given), [], []][:2]
        if name == "catch":
            body = _catch(body, first, [])
        elif name == "finally":
            body = [
                ast.Try(
                    body=body or [ast.Pass()],
                    handlers=[],
                    orelse=[],
                    finalbody=first or [ast.Pass()],
                )
            ]
        elif second:
            body = _catch(body, second, first)
        else:
            body = [*body, *first]
    return body


def _catch(body: Statements, caught: Statements, otherwise: Statements) -> Statements:
    handlers = [ast.ExceptHandler(body=caught or [ast.Pass()])]
    return [ast.Try(body=body or [ast.Pass()], handlers=handlers, orelse=otherwise, finalbody=[])]


def _translate_step(node: Node, bodies: Bodies, is_last: bool) -> Statements:
    """What a function does that a promise hands its result to."""
    called = find_bound(node)
    if called.type in FUNCTIONS:
        body = translate_function(called, bodies) or []
        return body if is_last else go_on(body)
    if called.type not in ("identifier", "member_expression"):
        return []
    return [call_handed(called, bodies)]
