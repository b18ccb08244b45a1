"""What a class does with each kind of event that it is handed, as classes that are made of events
say it.

::

    def _when(self, event):
        if isinstance(event, OrderPaid):
            self.status = Status.PAID

A ``match`` of the event, handlers that are registered for classes or listed by them, and handlers
whose names begin alike, ``_on_OrderPaid``, say the same.
"""

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.guards import is_docstring, is_quiet
from git_retcon.allium.extract.python.syntax.function_texts import Function, may_have
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_MUTATING = ("apply", "mutate")
_PREFIX = re.compile(r"_*(?:apply|on|when|handle|mutate)_+")
# Most methods find none.
_MAY_FIND = re.compile(rb"\bgetattr\(|[A-Z]\w*[\"']?:\s")
_SUFFIX = re.compile(r"(?:Domain)?Event(?:V\d+)?$")
_HANDLES = re.compile(
    r"handles?|handler|on|when|applies|apply|(?:event|domain_event)_handler|on_event"
)


class Handler(NamedTuple):
    """What is done with one kind of event: a ``body`` that calls the object and the event by these
    names. ``method`` has the body alone, ``branch`` is what a method of several does for this kind.
    """

    owner: str
    event: str
    body: Sequence[ast.stmt]
    method: Function | None = None
    branch: list[ast.stmt] | None = None


def read_handlers(method: Function, methods: Mapping[str, Function]) -> Mapping[str, Handler]:
    """What a method does by the kind of the event that it is given, by the names of the kinds."""
    given = [each.arg for each in method.args.args]
    if len(given) != 2 or given[0] != "self" or isinstance(method, ast.AsyncFunctionDef):
        return {}
    body = [each for each in method.body if not is_docstring(each) and not is_quiet(each)]
    marks = {get_last(spell_dotted(each)) for each in method.decorator_list}
    if "singledispatchmethod" in marks:
        return dict(_list_registered(method.name, methods))
    listed = [*_list_branches(body, given[1])]
    branches = dict(listed)
    if len(branches) < len(listed):
        return {}  # which of two branches an event takes is up to something else
    if branches:
        return {kind: _open_called(each, methods) for kind, each in branches.items()}
    return dict(_list_named(method, methods))


def list_mutating(node: ast.ClassDef) -> Iterator[tuple[str, Handler]]:
    """Events that are classes inside of another one and change its objects themselves."""
    for kind in node.body:
        for each in kind.body if isinstance(kind, ast.ClassDef) else ():
            if isinstance(each, ast.FunctionDef) and each.name in _MUTATING:
                given = [one.arg for one in each.args.args]
                if len(given) == 2 and isinstance(kind, ast.ClassDef):
                    yield kind.name, Handler(given[1], given[0], each.body, each)


def list_announced(
    methods: Mapping[str, Function], kinds: Collection[str]
) -> Iterator[tuple[str, Handler]]:
    """The methods that say by a mark or their name which of these kinds of events they handle, as
    base classes of other files find them: ``_on_order_paid``, ``@handles(OrderPaid)``.
    """
    if not kinds:
        return
    named = {_spell_kind(_SUFFIX.sub("", each)): each for each in sorted(kinds)}
    found: dict[str, Handler] = {}
    prefixes: set[str] = set()
    for name, method in methods.items():
        handler, word = _own(method), _PREFIX.match(name)
        kind = named.get(_spell_kind(name[word.end() :])) if word is not None else None
        marked = [each for each in _list_marked(method) if each in kinds]
        if handler is not None and (kind or marked):
            found |= dict.fromkeys(marked or [f"{kind}"], handler)
            prefixes |= {word[0]} if word is not None and kind else set()
    run = {each for method in methods.values() for each in _list_run(method)} if prefixes else ()
    for name, method in methods.items():
        handler, word = _own(method), _PREFIX.match(name)
        is_like = word is not None and word[0] in prefixes and name not in run
        if is_like and handler is not None and handler not in found.values():
            found[name] = handler
    yield from found.items()


def _list_run(method: Function) -> Iterator[str]:
    for node in walk_nodes(method):
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                yield name


def _list_marked(method: Function) -> Iterator[str]:
    for mark in method.decorator_list:
        if isinstance(mark, ast.Call) and _HANDLES.fullmatch(get_last(spell_dotted(mark))):
            yield from (kind for each in mark.args for kind in _list_classes(each))


def _open_called(handler: Handler, methods: Mapping[str, Function]) -> Handler:
    """The method that a branch only hands its event to."""
    match [each for each in handler.body if not is_quiet(each)]:
        case [
            ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id="self"), attr=called),
                    args=[ast.Name(id=name)],
                    keywords=[],
                )
            )
        ] if name == handler.event and called in methods:
            own = _own(methods[called])
            return own._replace(branch=handler.branch) if own is not None else handler
    return handler


def _own(method: Function) -> Handler | None:
    given = [each.arg for each in method.args.args]
    if len(given) != 2 or given[0] != "self" or isinstance(method, ast.AsyncFunctionDef):
        return None
    return Handler(given[0], given[1], method.body, method)


def _list_branches(body: Sequence[ast.stmt], name: str) -> Iterator[tuple[str, Handler]]:
    """The branches for kinds of events, where a body has nothing beside them."""
    found: list[tuple[str, Handler]] = []
    for each in body:
        match each:
            case ast.If():
                inner = [*_list_asked(each, name)]
            case ast.Match(subject=ast.Name(id=asked)) if asked == name:
                inner = [*_list_cases(each, name)]
            case ast.Raise() | ast.Return(value=None) | ast.Expr() | ast.AugAssign():
                continue  # keeping the event, counting it
            case _:
                inner = []
        if not inner:
            return
        found += inner
    yield from found


def _list_asked(node: ast.If, name: str) -> Iterator[tuple[str, Handler]]:
    kinds = [*_list_kinds(node.test, name)]
    for each in kinds:
        yield each, Handler("self", name, node.body, branch=node.body)
    match node.orelse:
        case [ast.If() as other] if kinds:
            yield from _list_asked(other, name)


def _list_kinds(test: ast.expr, name: str) -> Iterator[str]:
    match test:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=asked), kinds]):
            yield from _list_classes(kinds) if asked == name else ()
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="type"), args=[ast.Name(id=asked)])
            | ast.Attribute(value=ast.Name(id=asked), attr="__class__"),
            ops=[ast.Is() | ast.Eq()],
            comparators=[kind],
        ):
            yield from _list_classes(kind) if asked == name else ()


def _list_classes(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Tuple):
        parts = [one for each in node.elts for one in _list_classes(each)]
        yield from parts if len(parts) == len(node.elts) else ()
        return
    last = get_last(spell_dotted(node)) if isinstance(node, ast.Name | ast.Attribute) else ""
    if last[:1].isupper():
        yield last


def _list_cases(node: ast.Match, name: str) -> Iterator[tuple[str, Handler]]:
    for case in node.cases:
        pattern = case.pattern
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
            pattern = pattern.pattern
        parts = pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]
        for each in parts if case.guard is None else ():
            if isinstance(each, ast.MatchClass) and not each.patterns:
                body = [*_list_captured(each, name), *case.body]
                handler = Handler("self", name, body, branch=case.body)
                yield from ((kind, handler) for kind in _list_classes(each.cls))


def _list_captured(pattern: ast.MatchClass, name: str) -> Iterator[ast.stmt]:
    for attr, each in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
        if isinstance(each, ast.MatchAs) and each.name is not None and each.pattern is None:
            value = ast.Attribute(ast.Name(name, ast.Load()), attr, ast.Load())
            yield ast.Assign([ast.Name(each.name, ast.Store())], value)


def _list_registered(name: str, methods: Mapping[str, Function]) -> Iterator[tuple[str, Handler]]:
    """``@apply.register`` on methods that say the kind of their event."""
    for method in methods.values():
        handler = _own(method)
        for mark in method.decorator_list if handler is not None else ():
            if spell_dotted(mark) != f"{name}.register":
                continue
            given = mark.args if isinstance(mark, ast.Call) else [method.args.args[1].annotation]
            kinds = [kind for each in given if each is not None for kind in _list_classes(each)]
            yield from ((kind, handler) for kind in kinds if handler is not None)


def _list_named(method: Function, methods: Mapping[str, Function]) -> Iterator[tuple[str, Handler]]:
    """Handlers that a method finds by a name, ``getattr(self, f"_on_{type(event).__name__}")``, or
    in a table, ``{OrderPaid: self._on_paid}``.
    """
    for node in walk_nodes(method) if may_have(method, _MAY_FIND) else ():
        match node:
            case ast.Call(
                func=ast.Name(id="getattr"),
                args=[
                    ast.Name(id="self"),
                    ast.JoinedStr(values=[ast.Constant(value=str(begin)), ast.FormattedValue()]),
                    *_,
                ],
            ):
                for name, each in methods.items():
                    handler = _own(each)
                    if name.startswith(begin) and handler is not None and each is not method:
                        yield _spell_kind(name.removeprefix(begin)), handler
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    kinds = [*_list_classes(key)] if key is not None else []
                    called = methods.get(get_last(spell_dotted(value)))
                    handler = _own(called) if called is not None else None
                    if kinds and handler is not None:
                        yield kinds[0], handler


def _spell_kind(name: str) -> str:
    """The class that a name is like: ``order_paid`` → ``OrderPaid``."""
    return "".join(each[:1].upper() + each[1:] for each in name.split("_"))
