"""Decorators that refuse, or move before, read as guards of the methods that they are on.

::

    def open_required(method):
        def wrapper(self, *args, **kwargs):
            if self._status == "closed":
                raise Closed
            return method(self, *args, **kwargs)
        return wrapper

A method with ``@open_required`` demands that it is open. A decorator may have parameters of its
own, as in ``@requires(Status.OPEN)``, may give the object its next state, and may have it checked
by a step of its own. What one demands that is called so and cannot be read, some states may not
pass.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.checking_steps import CHECKING
from git_retcon.allium.extract.python.flow.guards import is_docstring
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.call_arguments import bind_arguments
from git_retcon.allium.extract.python.syntax.function_texts import forget_text
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_node
from git_retcon.allium.extract.python.syntax.replaced_names import replace_names
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

# Words in the names of decorators that refuse.
_REFUSING = frozenset({
    "require", "requires", "required", "ensure", "ensures", "only", "guard", "guarded", "assert",
    "asserts", "when", "unless", "allowed", "forbidden",
})  # fmt: skip
_SHORT = 2  # letters
_STATES = re.compile(r"(?:^|_)(?:states?|status|phase|stage)(?:_|$)")


class _Refusal(NamedTuple):
    """What a decorator checks of the object that it calls ``name``. ``maker`` is the function
    whose parameters it uses as well, if there is one.
    """

    name: str
    guards: Sequence[ast.stmt]
    maker: ast.FunctionDef | None = None


def inline_decorators(functions: Iterable[Function], classes: Iterable[ast.ClassDef]) -> None:
    """Write what decorators of a file check at the beginning of the methods that they are on."""
    refusals = {each.name: found for each in functions if (found := _read_maker(each)) is not None}
    for owner in classes:
        inner = (each for each in owner.body if isinstance(each, Function))
        own = {each.name: found for each in inner if (found := _read_maker(each)) is not None}
        known = {**refusals, **own}
        for method in owner.body:
            if isinstance(method, Function) and method.name not in own and method.args.args:
                _write_guards(method, known, owner)


def _write_guards(method: Function, known: Mapping[str, _Refusal], owner: ast.ClassDef) -> None:
    name = method.args.args[0].arg
    # The innermost one is asked last.
    for mark in reversed(method.decorator_list):
        guards = _list_guards(mark, known, name)
        if not guards and _may_refuse(mark, owner):
            guards = ast.parse(f"if not getattr({name}, unknown): return").body
        if guards:
            forget_text(method)
            method.body = [*guards, *method.body]


def _list_guards(mark: ast.expr, refusals: Mapping[str, _Refusal], name: str) -> Sequence[ast.stmt]:
    match mark:
        case ast.Name(id=known) if known in refusals and refusals[known].maker is None:
            refusal, given = refusals[known], {}
        case ast.Call(func=ast.Name(id=known)) if known in refusals:
            refusal = refusals[known]
            if refusal.maker is None:
                return ()
            given = {**bind_arguments(_add_owner(refusal.maker), mark)}
        case _:
            return ()
    names = {**given, refusal.name: ast.Name(id=name, ctx=ast.Load())}
    return [replace_names(each, names) for each in refusal.guards]


def _may_refuse(mark: ast.expr, owner: ast.ClassDef) -> bool:
    """Whether a decorator is called after a state that it demands, or is given one."""
    name = get_last(spell_dotted(mark)).lower()
    is_demand = not _REFUSING.isdisjoint(name.split("_"))
    if is_demand and _STATES.search(name) is not None:
        return True
    given = (
        [*mark.args, *(each.value for each in mark.keywords)] if isinstance(mark, ast.Call) else []
    )
    parts = (part for each in given for part in walk_nodes(each))
    members = {spell_dotted(part) for part in parts if isinstance(part, ast.Attribute)} - {""}
    if not (is_demand or members):
        return False
    named = {spell_dotted(each) for each in _list_constants(owner)}
    owners = {each.rpartition(".")[0] for each in named}
    if any(each.rpartition(".")[0] in owners - {"", "self", "cls"} for each in members):
        return True
    words = {get_last(each).lower() for each in named}
    texts = {e.value for e in given if isinstance(e, ast.Constant) and isinstance(e.value, str)}
    words |= {each.name for each in owner.body if isinstance(each, Function)}
    is_named = any(_is_near(one, each) for one in name.split("_") for each in words)
    return is_demand and (is_named or not words.isdisjoint(map(str.lower, texts)))


def _is_near(word: str, state: str) -> bool:
    """Whether a word is a state, or a form of it: running of run."""
    return word.startswith(state) and len(state) > _SHORT


def _list_constants(owner: ast.ClassDef) -> Iterator[ast.Attribute]:
    """The constants that the methods of a class give attributes, or compare these with."""
    for node in (part for item in owner.body for part in _walk_body(item)):
        match node:
            case ast.Assign(value=ast.Attribute() as value) if value.attr.isupper():
                yield value
            case ast.Compare(comparators=[ast.Attribute() as value]) if value.attr.isupper():
                yield value


def _walk_body(node: ast.stmt) -> Iterator[ast.AST]:
    return (part for each in getattr(node, "body", ()) for part in walk_nodes(each))


def _add_owner(maker: ast.FunctionDef) -> ast.FunctionDef:
    """A function with the first parameter that a method has."""
    own = copy_node(maker)
    own.args = copy_node(maker.args)
    own.args.args = [ast.arg(arg="self"), *maker.args.args]
    return own


def _read_maker(node: Function) -> _Refusal | None:
    """What a function that is a decorator, or that makes one, lets its methods check."""
    inner = _read_only_function(node)
    if inner is None or not isinstance(node, ast.FunctionDef):
        return None
    found = _read_decorator(node, inner)
    if found is not None:
        return found
    wrapper = _read_only_function(inner)
    made = _read_decorator(inner, wrapper) if wrapper is not None else None
    return made._replace(maker=node) if made is not None else None


def _read_only_function(node: Function) -> Function | None:
    """The function that another one makes and returns, if it does nothing else."""
    match [each for each in node.body if not is_docstring(each)]:
        case [
            ast.FunctionDef() | ast.AsyncFunctionDef() as inner,
            ast.Return(value=ast.Name(id=i)),
        ]:
            return inner if i == inner.name else None
    return None


def _read_decorator(node: Function, wrapper: Function) -> _Refusal | None:
    names = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    own = [each.arg for each in (*wrapper.args.posonlyargs, *wrapper.args.args)]
    body = _refuse_first([each for each in wrapper.body if not is_docstring(each)])
    if len(names) != 1 or not own or len(body) < 2 or not _calls(body[-1], names[0], own[0]):
        return None
    guards = body[:-1]
    others = {*own[1:], names[0]}
    others |= {each.arg for each in (wrapper.args.vararg, wrapper.args.kwarg) if each is not None}
    guards = [_hide_names(each, others) if _checks(each, own[0]) else each for each in guards]
    steps = [*_open_contexts(guards)]
    is_known = all(
        _is_guard(each) or _sets_own(each, own[0]) or _checks(each, own[0]) for each in steps
    )
    if not is_known or not others.isdisjoint(_list_read(steps)):
        return None
    return _Refusal(own[0], guards)


def _checks(node: ast.stmt, name: str) -> bool:
    """Whether a statement has the object checked by a step of its own."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=step))):
            return owner == name and step.startswith(("_", *CHECKING))
    return False


def _hide_names(node: ast.stmt, names: Set[str]) -> ast.stmt:
    """A check that is told of the method, as errors are, with no word of it."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return node
    hidden = ast.Call(func=ast.Name("_"), args=[ast.Constant(0)], keywords=[])
    told = [hidden if _names_any(each, names) else each for each in call.args]
    words = [
        ast.keyword(each.arg, hidden if _names_any(each.value, names) else each.value)
        for each in call.keywords
    ]
    return ast.copy_location(ast.Expr(value=ast.Call(call.func, told, words)), node)


def _names_any(node: ast.expr, names: Set[str]) -> bool:
    return any(isinstance(each, ast.Name) and each.id in names for each in walk_nodes(node))


def _refuse_first(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """``if test: return method(self)`` as ``if not test: return`` and what goes on then."""
    for number, each in enumerate(body):
        match each:
            case ast.If(test=test, body=[ast.Return(value=ast.expr()) as going], orelse=orelse):
                left = [*orelse, *body[number + 1 :]] or [ast.Return(value=None)]
                if len(left) == 1 and isinstance(left[0], ast.Raise | ast.Return):
                    refused = ast.If(ast.UnaryOp(ast.Not(), test), left, [])
                    return [*body[:number], ast.copy_location(refused, each), going]
    return body


def _calls(node: ast.stmt, method: str, name: str) -> bool:
    """Whether a statement returns what the method does with the object."""
    value = node.value if isinstance(node, ast.Return) else None
    match value.value if isinstance(value, ast.Await) else value:
        case ast.Call(func=ast.Name(id=called), args=[ast.Name(id=first), *_]):
            return called == method and first == name
    return False


def _open_contexts(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body, those in ``with self.lock`` as well."""
    for each in body:
        if isinstance(each, ast.With | ast.AsyncWith):
            yield from _open_contexts(each.body)
        else:
            yield each


def _sets_own(node: ast.stmt, name: str) -> bool:
    """Whether a statement gives an attribute of the object what has a name, or a constant."""
    match node:
        case ast.Assign(
            targets=[ast.Attribute(value=ast.Name(id=owner))],
            value=ast.Name() | ast.Attribute() | ast.Constant(),
        ):
            return owner == name
    return False


def _is_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assert) or (
        isinstance(node, ast.If)
        and not node.orelse
        and isinstance(node.body[-1], ast.Raise | ast.Return)
        and _leaves_empty(node.body[-1])
    )


def _leaves_empty(node: ast.stmt) -> bool:
    """Whether a statement leaves without an answer of its own."""
    value = node.value if isinstance(node, ast.Return) else None
    return value is None or isinstance(value, ast.Constant)


def _list_read(nodes: Iterable[ast.stmt]) -> set[str]:
    """The names that steps need to know; what an error says of them does not matter."""
    tests = [
        each.test if isinstance(each, ast.If | ast.Assert) else each.value
        for each in nodes
        if isinstance(each, ast.If | ast.Assert | ast.Assign)
    ]
    return {each.id for test in tests for each in walk_nodes(test) if isinstance(each, ast.Name)}
