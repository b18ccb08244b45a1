"""Methods that let a base class of their file do what they override, read as if they did it.

::

    class Client(Connection):
        def set_state(self, state):
            Connection.set_state(self, state)
            self.tell(state)

``super().set_state(state)`` says the same. What is more than a statement, or leaves early, stays.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.guards import is_docstring
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.call_arguments import bind_arguments
from git_retcon.allium.extract.python.syntax.function_texts import answer_once, forget_text
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.replaced_names import replace_names
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import list_local_names

_LONGEST = 20  # statements
_DEEPEST = 3  # classes that are heirs of heirs
_LEAVING = ast.Return | ast.Yield | ast.YieldFrom


class _BaseCall(NamedTuple):
    """A statement that has a base class do what a method overrides."""

    method: Function
    call: ast.Call


def open_base_calls(classes: Iterable[ast.ClassDef]) -> None:
    """Write what base classes do in place of these calls. The methods are changed."""
    known = {each.name: each for each in classes}
    for owner in known.values():
        bases = [*_list_bases(owner, known, _DEEPEST)]
        for node in owner.body if bases else ():
            if isinstance(node, Function) and not node.name.startswith("__"):
                _open(node, bases)


def _list_bases(
    node: ast.ClassDef, known: Mapping[str, ast.ClassDef], left: int
) -> Iterator[ast.ClassDef]:
    """The base classes in the file, where a class has one alone: there no other comes between."""
    base = known.get(spell_dotted(node.bases[0])) if len(node.bases) == 1 else None
    if base is not None and base is not node and left:
        yield base
        yield from _list_bases(base, known, left - 1)


def _open(node: Function, bases: Sequence[ast.ClassDef]) -> None:
    if not _may_call(node):
        return
    body: list[ast.stmt] = []
    for each in node.body:
        found = _find_call(each, node, bases)
        opened = _write(found, node) if found is not None else None
        body += opened if opened is not None else [each]
    if body != node.body:
        forget_text(node)
        node.body = body


@answer_once
def _may_call(node: Function) -> bool:
    """Whether a method calls one of its name of another class."""
    calls = (each.value for each in node.body if isinstance(each, ast.Expr))
    return any(_name_called(each) == node.name for each in calls)


def _name_called(value: ast.expr) -> str:
    match value.value if isinstance(value, ast.Await) else value:
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr=name)):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name)):
            return name
    return ""


def _find_call(node: ast.stmt, method: Function, bases: Sequence[ast.ClassDef]) -> _BaseCall | None:
    value = node.value if isinstance(node, ast.Expr) else None
    match value.value if isinstance(value, ast.Await) else value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=named), attr=name)) as call:
            bases = [each for each in bases if each.name == named]
            own = method.args.args[:1]
            if not (own and call.args and spell_dotted(call.args[0]) == own[0].arg):
                return None
            call = ast.Call(call.func, call.args[1:], call.keywords)
        case (
            ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr=name)
            ) as call
        ):
            pass
        case _:
            return None
    if name != method.name:
        return None
    methods = (each for base in bases for each in base.body if isinstance(each, Function))
    found = next((each for each in methods if each.name == name), None)
    is_awaited = isinstance(value, ast.Await)
    if found is None or is_awaited is not isinstance(found, ast.AsyncFunctionDef):
        return None
    return _BaseCall(found, call)


def _write(found: _BaseCall, node: Function) -> list[ast.stmt] | None:
    """What the base class does, with the names of the method; None where that cannot be told."""
    method = found.method
    arguments = [*method.args.args, *method.args.kwonlyargs]
    given = dict(bind_arguments(method, found.call))
    own = (method.args.args[:1], node.args.args[:1])
    if method.decorator_list or not all(own) or own[0][0].arg != own[1][0].arg:
        return None
    parts = [*walk_statements(method.body)]
    is_whole = given.keys() == {each.arg for each in arguments[1:]}
    is_plain = all(isinstance(each, ast.Name | ast.Constant) for each in given.values())
    leaves = any(isinstance(each, _LEAVING) or _is_super(each) for each in walk_nodes(method))
    local = list_local_names(method)
    names = {each.id for each in walk_nodes(node) if isinstance(each, ast.Name)}
    names |= {each.arg for each in (*node.args.args, *node.args.kwonlyargs, *arguments)}
    if not (is_whole and is_plain) or leaves or local & names or len(parts) > _LONGEST:
        return None
    body = [replace_names(each, given) for each in method.body if not is_docstring(each)]
    return body or [ast.Pass()]


def _is_super(node: ast.AST) -> bool:
    """Whether a name means what is above its own class."""
    return isinstance(node, ast.Name) and node.id == "super"
