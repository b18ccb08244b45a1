"""Operations that hand a state to a function of their file, which gives it to an object.

::

    def fail(self, number):
        self._update(number, State.FAILED)

    def _update(self, number, state):
        order = self.find(number)
        order.state = state

``fail`` does what ``_update`` does with that state: it is read as if it had this code.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.call_arguments import bind_arguments
from git_retcon.allium.extract.python.syntax.function_texts import forget_text
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_node, copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import list_local_names
from git_retcon.allium.extract.row_queries import make_doubt
from git_retcon.allium.extract.touched_objects import is_member

# A member of an enum that a call is given; most files have none. What begins with a text is
# searched for fast.
_MEMBER = re.compile(rb"\.[A-Z][A-Z0-9_]*\s*[,)]")
_GIVES = re.compile(rb"[(,=]\s*(?:\w+\.)*_?[A-Z]\w*\.[A-Z][A-Z0-9_]*\s*[,)]")
_GIVES_STATE = (
    re.compile(rb"Sta(?:te|tus|ge)(?:s|es)?\.[a-z]\w*\s*[,)]"),
    re.compile(rb"Phase(?:s|es)?\.[a-z]\w*\s*[,)]"),
)
_LONGEST = 40  # statements


class _Setter(NamedTuple):
    """A function that gives a field of an object what a parameter of its own is."""

    node: Function
    parameter: str
    owner: str
    field: str


def inline_handed(
    content: bytes, functions: Iterable[Function], classes: Iterable[ast.ClassDef]
) -> None:
    """Write the code of functions in place of the calls that hand them a state."""
    is_given = _MEMBER.search(content) is not None and _GIVES.search(content) is not None
    if not is_given and not any(each.search(content) for each in _GIVES_STATE):
        return
    functions = [*functions]
    known = _find_setters(functions, None)
    for each in functions if known else ():
        _inline(each, known)
    for owner in classes:
        methods = [each for each in owner.body if isinstance(each, Function)]
        own = _find_setters(methods, "self")
        for each in methods if own or known else ():
            _inline(each, {**known, **own})


def _find_setters(functions: Sequence[Function], own: str | None) -> Mapping[str, _Setter]:
    """The setters among functions, or methods, as calls name them, with those that hand on what
    they are given to another one.
    """
    prefix = f"{own}." if own is not None else ""
    found: dict[str, _Setter] = {}
    left = [*functions]
    while left:
        read = {f"{prefix}{e.name}": setter for e in left if (setter := _read_setter(e, own))}
        found |= read
        left = [each for each in left if f"{prefix}{each.name}" not in found]
        left = [each for each in left if read and _inline(each, read, hands_on=True)]
    return found


def _read_setter(node: Function, own: str | None) -> _Setter | None:
    """The only field that a function sets to what it is given."""
    parameters = [each.arg for each in (*node.args.args, *node.args.kwonlyargs)]
    if node.decorator_list or (own is not None and parameters[:1] != [own]):
        return None
    found: set[tuple[str, str, str]] = set()
    count = 0
    for each in walk_statements(node.body):
        count += 1
        match each:
            case ast.Assign(targets=targets, value=ast.Name(id=name)) if name in parameters:
                found |= {
                    (name, target.value.id, target.attr)
                    for target in targets
                    if isinstance(target, ast.Attribute)
                    and isinstance(target.value, ast.Name)
                    and target.value.id != own
                }
    if not found or count > _LONGEST or len({(n, field) for n, _, field in found}) > 1:
        return None
    parameter, owner, field = min(found)
    is_reset = not list_local_names(node).isdisjoint(parameters)
    return None if is_reset else _Setter(node, parameter, owner, field)


def _inline(node: Function, setters: Mapping[str, _Setter], *, hands_on: bool = False) -> bool:
    """Write what setters do in place of their calls; ``hands_on`` those that are given what the
    function itself is given. Whether there was any.
    """
    names = {each.arg for each in (*node.args.args, *node.args.kwonlyargs)} if hands_on else set()
    if hands_on and not names:
        return False
    calls = [
        call
        for each in walk_statements(node.body)
        if (call := _find_call(each, setters, names)) is not None
    ]
    if calls:
        forget_text(node)
        node.body = _Inlined(node, setters, calls, names).open(node.body, is_last=True)
        ast.fix_missing_locations(node)
    return bool(calls)


def _find_call(node: ast.stmt, setters: Mapping[str, _Setter], names: Set[str]) -> ast.Call | None:
    """The call by which a statement hands on a state, or, if there are any, one of these names."""
    value = node.value if isinstance(node, ast.Expr | ast.Return) else None
    is_awaited = isinstance(value, ast.Await)
    call = value.value if isinstance(value, ast.Await) else value
    if not isinstance(call, ast.Call):
        return None
    setter = setters.get(spell_dotted(call.func))
    if setter is None or is_awaited is not isinstance(setter.node, ast.AsyncFunctionDef):
        return None
    given = _bind(setter, call).get(setter.parameter)
    if names:
        return call if isinstance(given, ast.Name) and given.id in names else None
    return call if given is not None and is_member(given) else None


def _bind(setter: _Setter, call: ast.Call) -> Mapping[str, ast.expr]:
    method = setter.node
    if isinstance(call.func, ast.Name):
        # What a method has before its parameters, a function has not.
        method = copy_node(setter.node)
        method.args = copy_node(setter.node.args)
        method.args.args = [ast.arg(arg="self"), *setter.node.args.args]
    names = {each.arg for each in (*method.args.args, *method.args.kwonlyargs)}
    return {name: each for name, each in bind_arguments(method, call).items() if name in names}


class _Inlined:
    """The statements of a function with what its calls do."""

    def __init__(
        self,
        node: Function,
        setters: Mapping[str, _Setter],
        calls: Sequence[ast.Call],
        handed: Set[str],
    ) -> None:
        self._node = node
        self._handed = handed
        self._setters = setters
        within = {id(part) for call in calls for part in walk_nodes(call)}
        parts = [part for part in walk_nodes(node) if id(part) not in within]
        self._names = {part.id for part in parts if isinstance(part, ast.Name)}
        self._names |= {part.arg for part in parts if isinstance(part, ast.arg)}
        self._read = {part.attr for part in parts if isinstance(part, ast.Attribute)}
        expressions = (part for part in parts if isinstance(part, ast.expr))
        self._members = {_spell_owner(part) for part in expressions if is_member(part)}

    def open(self, body: Sequence[ast.stmt], *, is_last: bool) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for number, each in enumerate(body):
            is_end = is_last and number == len(body) - 1
            match each:
                case ast.If():
                    each.body = self.open(each.body, is_last=is_end)
                    each.orelse = self.open(each.orelse, is_last=is_end)
                case ast.With() | ast.AsyncWith():
                    each.body = self.open(each.body, is_last=is_end)
                case ast.Try():
                    each.body = self.open(each.body, is_last=False)
                    for handler in each.handlers:
                        handler.body = self.open(handler.body, is_last=False)
                    each.orelse = self.open(each.orelse, is_last=is_end and not each.finalbody)
                case ast.Expr() | ast.Return():
                    found += self._do(each, is_last=is_end or isinstance(each, ast.Return))
            found.append(each)
        return found

    def _do(self, node: ast.stmt, *, is_last: bool) -> Iterator[ast.stmt]:
        """What a call does, where all of it can be told in its place."""
        call = _find_call(node, self._setters, self._handed)
        if call is None:
            return
        setter = self._setters[spell_dotted(call.func)]
        body = setter.node.body
        leaves = any(isinstance(each, ast.Return) for each in walk_statements(body))
        given = {**_bind(setter, call)}
        local = list_local_names(setter.node)
        if (leaves and not is_last) or not local.isdisjoint(self._names):
            return
        state = given[setter.parameter]
        # It may have asked the same object for its state, under another name.
        is_asked = setter.field in self._read or _spell_owner(state) in self._members
        if is_asked and setter.owner not in given:
            yield ast.Assert(test=make_doubt(setter.owner, setter.field))
        opener = _Given(given, setter)
        for each in body:
            copied = opener.visit(copy_tree(each))
            yield from copied if isinstance(copied, list) else [copied]


def _spell_owner(node: ast.expr) -> str:
    return spell_dotted(node).rpartition(".")[0]


class _Given(ast.NodeTransformer):
    """Code with what its parameters are given."""

    def __init__(self, given: Mapping[str, ast.expr], setter: _Setter) -> None:
        self._given = given
        self._parameter = setter.parameter

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        """A state that is given is there."""
        match node.test:
            case ast.Name(id=name) if name == self._parameter:
                chosen = node.body
            case ast.Compare(
                left=ast.Name(id=name), ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]
            ) if name == self._parameter:
                chosen = node.body
            case ast.Compare(
                left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]
            ) if name == self._parameter:
                chosen = node.orelse
            case _:
                return self.generic_visit(node)
        return [self.visit(each) for each in chosen] or [ast.Pass()]

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self._given:
            return copy_tree(self._given[node.id])
        return node
