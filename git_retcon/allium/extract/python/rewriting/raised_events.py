"""Operations that raise an event for their own object, read as what this does with it.

::

    def pay(self):
        if self.status != Status.NEW:
            raise ValueError
        self._apply(OrderPaid(self.id))

pays the order where ``_apply`` hands events to handlers, and the one of ``OrderPaid`` sets the
state. Handlers are then no operations of their own. From where an event comes that the class never
raises itself, nobody can say, if others are replayed.
"""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.guards import is_docstring
from git_retcon.allium.extract.python.rewriting.event_handlers import (
    Handler,
    list_announced,
    list_mutating,
    read_handlers,
)
from git_retcon.allium.extract.python.rewriting.held_answers import list_blocks
from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    forget_text,
    may_have,
)
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import list_local_names
from git_retcon.allium.extract.source_facts import Import

# What base classes of other files call the step that handles an event and keeps it.
_RAISES = re.compile(
    r"_*(?:(?:apply|raise|emit|record|trigger|causes?|mutate|when)"
    r"(?:_(?:domain_)?(?:event|change|new)|_and_record|_change)?)_*"
)
# Most files raise none, or handle none that they raise.
_MAY_RAISE = re.compile(
    rb"\.\w+\(\s*\w*event\w*\b|\bself\.\w+\(\s*(?:\w+\.)*[A-Z]\w*|@\w*event|@triggers"
)
_MAY_HANDLE = re.compile(
    rb"singledispatchmethod|\bgetattr\(self,\s*f|\bdef _*(?:apply|on|when|handle|mutate)(?:_|\b)"
    rb"|\bisinstance\(\w+,\s*[A-Z]|\bcase [\w.]*[A-Z]\w*\(|[A-Z]\w*:\s*self\.\w|\btype\(\w+\)"
    rb"|@(?:\w+\.)*(?:handles?|handler|on|when|applies|apply|\w*event\w*|triggers)\b"
)
_LEAVING = ast.Return | ast.Yield | ast.YieldFrom
_MARKS = frozenset({"event", "triggers"})
_DEEPEST = 3  # steps that hand an event on


class _Raised(NamedTuple):
    """An event that a statement raises for an object: its kind, "" for any, and what it is made
    with.
    """

    owner: str
    kind: str
    given: Mapping[str, ast.expr]


def handle_events(
    functions: Collection[Function],
    classes: Sequence[ast.ClassDef],
    imports: Mapping[str, Import],
) -> None:
    """Write what is done with events in place of raising them. The classes are changed;
    ``functions`` are all of their file.
    """
    for pattern in (_MAY_RAISE, _MAY_HANDLE):
        if not any(may_have(each, pattern) for each in functions):
            return
    known = {each.name: each for each in classes}
    for node in classes if _imports_library(imports) else ():
        _open_marks(node)
    for node in classes:
        methods = dict(_list_methods(node, known))
        found = {name: read_handlers(each, methods) for name, each in methods.items()}
        found = {name: each for name, each in found.items() if each}
        handlers = dict(list_mutating(node))
        handlers |= {kind: one for each in found.values() for kind, one in each.items()}
        has_base = any(spell_dotted(each) not in known for each in node.bases)
        if has_base and not found:
            handlers |= dict(list_announced(methods, {*_list_raised(methods)}))
        if handlers:
            senders = {*found, *_list_senders(methods, {*found})}
            handling = _Handling(node, handlers, senders, has_base=has_base)
            handling.open()
            if handling.is_changed:
                for each in methods.values():
                    forget_text(each)


def _imports_library(imports: Mapping[str, Import]) -> bool:
    return any(each.full_name.startswith("eventsourcing.") for each in imports.values())


def _open_marks(node: ast.ClassDef) -> None:
    """``@event("Sent")`` of eventsourcing keeps what a method does, which it does as it is."""
    for item in node.body:
        if isinstance(item, Function):
            marks = [e for e in item.decorator_list if get_last(spell_dotted(e)) not in _MARKS]
            if marks != item.decorator_list:
                forget_text(item)
                item.decorator_list = marks


def _list_methods(
    node: ast.ClassDef, known: Mapping[str, ast.ClassDef], left: int = _DEEPEST
) -> Iterator[tuple[str, Function]]:
    """The methods of a class, behind those of its base classes of the file."""
    for each in node.bases if left else ():
        base = known.get(spell_dotted(each))
        if base is not None and base is not node:
            yield from _list_methods(base, known, left - 1)
    for number, item in enumerate(node.body):
        if isinstance(item, Function):
            yield (f"_{number}" if item.name == "_" else item.name), item


def _list_senders(methods: Mapping[str, Function], known: set[str]) -> set[str]:
    """The methods that hand on an event that they are given."""
    found: set[str] = set()
    for _ in range(_DEEPEST):
        for name, each in methods.items():
            given = {one.arg for one in each.args.args[1:]}
            for node in walk_nodes(each):
                match node:
                    case ast.Call(
                        func=ast.Attribute(value=ast.Name(id="self"), attr=called),
                        args=[ast.Name(id=event), *_],
                    ) if called in known | found and event in given:
                        found.add(name)
    return found


def _list_raised(methods: Mapping[str, Function]) -> Iterator[str]:
    """The kinds of the events that base classes of other files are handed."""
    for method in methods.values():
        if not may_have(method, _MAY_RAISE):
            continue
        made = dict(_list_made(method))
        for each in walk_nodes(method):
            match each:
                case ast.Call(func=ast.Attribute(value=ast.Name(), attr=called), args=[event, *_]):
                    if _RAISES.fullmatch(called):
                        event = made.get(event.id, event) if isinstance(event, ast.Name) else event
                        yield from filter(None, [_read_kind(event)])


class _Handling:
    """Opens the events of one class."""

    def __init__(
        self,
        node: ast.ClassDef,
        handlers: Mapping[str, Handler],
        senders: set[str],
        *,
        has_base: bool,
    ) -> None:
        self._node = node
        self._handlers = handlers
        self._senders = senders
        self._has_base = has_base
        self._used: set[str] = set()
        self._is_open = False  # an event may be of any kind
        self.is_changed = False

    def open(self) -> None:
        inner = {id(each.method) for each in self._handlers.values()}
        for item in [*self._node.body]:
            is_sender = isinstance(item, Function) and item.name in self._senders
            if isinstance(item, Function) and not is_sender and id(item) not in inner:
                self._open_method(item)
        self.is_changed = bool(self._used) or self._is_open or self._is_replayed()
        if self.is_changed:
            self._close_handlers()

    def _open_method(self, method: Function) -> None:
        made = dict(_list_made(method))
        for block in [*list_blocks(method)]:
            changed = [one for each in block for one in self._open_statement(each, method, made)]
            if changed != block:
                forget_text(method)
                block[:] = changed

    def _open_statement(
        self, node: ast.stmt, method: Function, made: Mapping[str, ast.Call]
    ) -> Sequence[ast.stmt]:
        raised = self._read_raised(node, made)
        if raised is None:
            return [node]
        if not raised.kind:
            self._is_open = True
            return [*_set_anything(raised.owner, self._handlers.values()), node]
        handler = self._handlers.get(raised.kind)
        if handler is None:
            return [ast.copy_location(ast.Pass(), node)]
        body = [each for each in handler.body if not is_docstring(each)]
        if not _fits(body, method):
            return [node]
        self._used.add(raised.kind)
        opened = [_Opened(handler, raised).visit(copy_tree(each)) for each in body]
        return [ast.fix_missing_locations(ast.copy_location(each, node)) for each in opened]

    def _read_raised(self, node: ast.stmt, made: Mapping[str, ast.Call]) -> _Raised | None:
        value = node.value if isinstance(node, ast.Expr) else None
        match value.value if isinstance(value, ast.Await) else value:
            case (
                ast.Call(
                    func=ast.Attribute(value=ast.Name(id=owner), attr=called), args=[event, *_]
                ) as call
            ):
                if not (called in self._senders or (self._has_base and _RAISES.fullmatch(called))):
                    return None
                event = made.get(event.id, event) if isinstance(event, ast.Name) else event
                kind = _read_kind(event)
                words = event.keywords if isinstance(event, ast.Call) else call.keywords
                is_own = called in self._senders or kind in self._handlers
                given = {each.arg: each.value for each in words if each.arg}
                # What a step makes may be any event that there is.
                is_any = isinstance(event, ast.Call) and not kind
                return _Raised(owner, kind, given) if is_any or (kind and is_own) else None
        return None

    def _is_replayed(self) -> bool:
        """Whether events that were kept are handed to an object again, or are made to be kept."""
        for method in (each for each in self._node.body if isinstance(each, Function)):
            for each in walk_nodes(method):
                match each:
                    case (
                        ast.For(target=ast.Name(id=event), body=body)
                        | ast.AsyncFor(target=ast.Name(id=event), body=body)
                    ):
                        calls = (part for one in body for part in walk_nodes(one))
                        if any(_hands(part, event, self._senders) for part in calls):
                            return True
                    case ast.Return(value=ast.Call() as made) if method.name not in self._senders:
                        if _read_kind(made) in self._handlers:
                            return True
        return False

    def _close_handlers(self) -> None:
        """Let handlers be no operations: those of events that the class raises are told there."""
        for kind, each in self._handlers.items():
            is_used = kind in self._used
            if each.branch is not None:
                doubted = [] if is_used else [*_doubt(), *each.branch]
                each.branch[:] = doubted or [ast.Pass()]
            if each.method is not None and is_used:
                if not self._is_run(each.method.name):
                    _remove(self._node, each.method)
            elif each.method is not None:
                asks = _asks_own(each.method)
                each.method.body = [*([] if asks else _doubt(each.owner)), *each.method.body]

    def _is_run(self, name: str) -> bool:
        """Whether anything but what hands on events runs a handler."""
        for item in self._node.body:
            if isinstance(item, Function) and item.name not in self._senders:
                for each in walk_nodes(item):
                    match each:
                        case ast.Attribute(value=ast.Name(id="self"), attr=called):
                            if called == name:
                                return True
        return False


def _set_anything(owner: str, handlers: Iterable[Handler]) -> Iterator[ast.stmt]:
    """What an event does that may be any of those that these handle."""
    names = {
        target.attr
        for each in handlers
        for part in walk_statements(each.body)
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Attribute) and spell_dotted(target.value) == each.owner
    }
    for name in sorted(names):
        yield from ast.parse(f"{owner}.{name} = getattr({owner}, unknown)").body


def _list_made(method: Function) -> Iterator[tuple[str, ast.Call]]:
    """The variables that are given one event, and nothing else."""
    names = [
        target.id
        for each in walk_statements(method.body)
        if isinstance(each, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name)
    ]
    for each in walk_statements(method.body):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                if names.count(name) == 1:
                    yield name, call


def _read_kind(node: ast.expr) -> str:
    """The class of an event, that is made or named; "" for anything else."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)):
            return owner if owner[:1].isupper() and name[:1].islower() else _keep_class(name)
        case ast.Call(func=func):
            return _keep_class(get_last(spell_dotted(func)))
        case ast.Name() | ast.Attribute():
            return _keep_class(get_last(spell_dotted(node)))
    return ""


def _keep_class(name: str) -> str:
    return name if name[:1].isupper() and not name.isupper() else ""


def _hands(node: ast.AST, event: str, senders: Iterable[str]) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=called), args=[ast.Name(id=given), *_]):
            return called in senders and given == event
    return False


def _fits(body: Sequence[ast.stmt], method: Function) -> bool:
    """Whether a method may do what a handler does where it is."""
    inner = ast.FunctionDef(
        name="_", args=method.args, body=[*body], decorator_list=[], returns=None
    )
    leaves = any(isinstance(each, _LEAVING) for one in body for each in walk_nodes(one))
    names = {each.id for each in walk_nodes(method) if isinstance(each, ast.Name)}
    return not leaves and list_local_names(inner).isdisjoint(names)


def _doubt(owner: str = "self") -> list[ast.stmt]:
    """What lets only pass what nobody can read."""
    return ast.parse(f"assert getattr({owner}, unknown)").body


def _asks_own(method: Function) -> bool:
    """Whether a handler itself asks for what it sets, and so says where it begins."""
    parts = [*walk_nodes(method)]
    tests = [each for node in parts if isinstance(node, ast.If) for each in walk_nodes(node.test)]
    asked = {each.attr for each in tests if isinstance(each, ast.Attribute)}
    stored = (each for each in parts if isinstance(each, ast.Attribute))
    return any(
        isinstance(getattr(each, "ctx", None), ast.Store) and each.attr in asked for each in stored
    )


def _remove(node: ast.ClassDef, method: Function) -> None:
    for each in (node, *(one for one in node.body if isinstance(one, ast.ClassDef))):
        if any(item is method for item in each.body):
            each.body = [item for item in each.body if item is not method] or [ast.Pass()]


class _Opened(ast.NodeTransformer):
    """What a handler does, with the names that the object and its event have elsewhere."""

    def __init__(self, handler: Handler, raised: _Raised) -> None:
        self._handler, self._raised = handler, raised

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name == self._handler.event:
                if attr in self._raised.given:
                    return copy_tree(self._raised.given[attr])
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id == self._handler.owner:
            return ast.Name(self._raised.owner, node.ctx)
        return ast.Name("event", node.ctx) if node.id == self._handler.event else node
