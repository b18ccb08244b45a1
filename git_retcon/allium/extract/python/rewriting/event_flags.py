"""Events of threads and of asyncio, read as the booleans that they are.

``self._stopped = Event()`` begins as false, ``self._stopped.set()`` makes it true, and
``self._stopped.is_set()`` asks for it.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping

from git_retcon.allium.extract.python.flow.guards import is_docstring
from git_retcon.allium.extract.python.syntax.function_texts import forget_text
from git_retcon.allium.extract.python.syntax.names import expand, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.source_facts import Import

_EVENTS = frozenset(
    {"threading.Event", "asyncio.Event", "multiprocessing.Event", "anyio.Event", "trio.Event",
     "gevent.event.Event"}
)  # fmt: skip
# Each with all that leads to it: what is imported may be any of these.
_MAKERS = frozenset(
    ".".join(parts[:end])
    for parts in (each.split(".") for each in _EVENTS)
    for end in range(1, len(parts) + 1)
)
_SWITCHES = {"set": True, "clear": False}
_QUESTIONS = frozenset({"is_set", "isSet"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def replace_events(classes: Iterable[ast.ClassDef], imports: Mapping[str, Import]) -> None:
    """Write what the methods of classes do with their events as what it does to a boolean."""
    if not any(each.full_name in _MAKERS for each in imports.values()):
        return
    for node in classes:
        names = frozenset(_list_events(node, imports))
        for method in node.body if names else ():
            if isinstance(method, _Function):
                forget_text(method)
                _Switched(names, imports).visit(method)


def _makes_event(value: ast.expr | None, imports: Mapping[str, Import]) -> bool:
    match value:
        case ast.Call(func=func, args=[], keywords=[]):
            return expand(spell_dotted(func), imports) in _EVENTS
    return False


def _list_events(node: ast.ClassDef, imports: Mapping[str, Import]) -> Iterator[str]:
    """The attributes that ``__init__`` gives an event; what only hands an event's operations on is
    one itself.
    """
    wrapped = {*_list_wrapped(node)}
    for method in node.body:
        if isinstance(method, _Function) and method.name == "__init__":
            for each in walk_statements(method.body):
                match each:
                    case (
                        ast.Assign(targets=[ast.Attribute(value=owner, attr=name)], value=value)
                        | ast.AnnAssign(target=ast.Attribute(value=owner, attr=name), value=value)
                    ) if _makes_event(value, imports) and spell_dotted(owner) == "self":
                        yield from [name] if name not in wrapped else []


def _list_wrapped(node: ast.ClassDef) -> Iterator[str]:
    """The attributes of which the class has the operation that sets them under the same name."""
    for method in node.body:
        match method:
            case ast.FunctionDef(
                name=outer,
                body=[
                    *others,
                    ast.Expr(
                        value=ast.Call(
                            func=ast.Attribute(
                                value=ast.Attribute(value=ast.Name(id="self"), attr=name),
                                attr=verb,
                            )
                        )
                    ),
                ],
            ) if outer == verb and verb in _SWITCHES and all(map(is_docstring, others)):
                yield name


class _Switched(ast.NodeTransformer):
    def __init__(self, names: frozenset[str], imports: Mapping[str, Import]) -> None:
        self._names = names
        self._imports = imports

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        self.generic_visit(node)
        match node.value:
            case ast.Call(func=ast.Attribute(value=owner, attr=verb), args=[], keywords=[]):
                if verb in _SWITCHES and self._is_event(owner):
                    return _assign(owner, _SWITCHES[verb], node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        # A new event is not set yet.
        if len(node.targets) == 1 and self._is_event(node.targets[0]):
            return _assign(node.targets[0], False, node) if self._makes(node.value) else node
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        is_made = self._is_event(node.target) and self._makes(node.value)
        return _assign(node.target, False, node) if is_made else node

    def _makes(self, value: ast.expr | None) -> bool:
        return _makes_event(value, self._imports)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[]):
                if name in _QUESTIONS and self._is_event(owner):
                    return owner
        return node

    def _is_event(self, node: ast.expr) -> bool:
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                return name in self._names
        return False


def _assign(target: ast.expr, value: bool, node: ast.stmt) -> ast.stmt:
    given = ast.Constant(value=value)
    return ast.copy_location(ast.Assign(targets=[target], value=given), node)
