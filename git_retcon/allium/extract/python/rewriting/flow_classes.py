"""Transitions that a descriptor of viewflow guards, read as what its methods do.

::

    class ReviewFlow:
        stage = State(Stage, default=Stage.NEW)

        def __init__(self, review):
            self.review = review

        @stage.setter()
        def _set(self, value):
            self.review.stage = value

        @stage.transition(source=Stage.NEW, target=Stage.APPROVED)
        def approve(self): ...

``approve`` refuses a review that is not new, and approves it. The setter says where the state is:
in a field of the class itself, or of an object that it was made for; without one, the descriptor is
the field.
"""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.function_texts import forget_text
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.symbol_finder import AROUND

_FLOW = re.compile(r"(?<=[a-z0-9])(?:Flow|Workflow|StateMachine|Machine|FSM)$")
_MADE_FOR_ALL = "ANY"


class _Place(NamedTuple):
    """The field that has the state, of ``owner``: the class itself where this is ""."""

    owner: str
    field: str


def open_flows(content: bytes, classes: Iterable[ast.ClassDef], types: Collection[str]) -> None:
    """Write what the descriptors of classes demand and set into the methods that they are on.
    ``types`` are the names of a file that may be classes.
    """
    if b".transition(" not in content or b"State(" not in content:
        return
    for node in classes:
        for name in _list_descriptors(node):
            place = _find_place(node, name)
            if place is not None:
                _open_flow(node, name, place, types)
            elif not _has_marks(node, f"{name}.setter", f"{name}.getter"):
                # The class itself has the state, as a plain attribute would.
                _open_flow(node, name, _Place("", name), types)
                _open_descriptor(node, name)


def _list_descriptors(node: ast.ClassDef) -> Iterator[str]:
    for item in node.body:
        match item:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                if get_last(spell_dotted(call)) == "State":
                    yield name


def _list_methods(node: ast.ClassDef) -> Iterator[Function]:
    return (each for each in node.body if isinstance(each, Function))


def _find_mark(method: Function, name: str) -> ast.Call | None:
    """The call of this name, ``stage.transition``, that decorates a method."""
    for mark in method.decorator_list:
        if isinstance(mark, ast.Call) and spell_dotted(mark) == name:
            return mark
    return None


def _has_marks(node: ast.ClassDef, *names: str) -> bool:
    return any(_find_mark(each, name) for each in _list_methods(node) for name in names)


def _open_descriptor(node: ast.ClassDef, name: str) -> None:
    """``stage = State(Stage, default=Stage.NEW)`` as ``stage: Stage = Stage.NEW``."""
    for number, item in enumerate(node.body):
        match item:
            case ast.Assign(targets=[ast.Name(id=found)], value=ast.Call(args=[enum, *_])):
                if found == name and isinstance(enum, ast.Name | ast.Attribute):
                    plain = ast.AnnAssign(ast.Name(name, ast.Store()), enum, None, simple=1)
                    node.body[number] = ast.fix_missing_locations(ast.copy_location(plain, item))


def _find_place(node: ast.ClassDef, descriptor: str) -> _Place | None:
    """Where the only setter of a descriptor puts the state that it is given."""
    places = [
        place
        for each in _list_methods(node)
        if _find_mark(each, f"{descriptor}.setter") is not None and len(each.args.args) == 2
        for place in _list_set(each)
    ]
    return places[0] if len(places) == 1 else None


def _list_set(method: Function) -> Iterator[_Place]:
    own, given = (each.arg for each in method.args.args)
    for item in method.body:
        match item:
            case ast.Assign(targets=[ast.Attribute(value=owner, attr=field)], value=ast.Name(id=n)):
                parts = spell_dotted(owner).split(".")
                if n == given and parts[0] == own and len(parts) < 3:
                    yield _Place("".join(parts[1:]), field)


def _open_flow(node: ast.ClassDef, descriptor: str, place: _Place, types: Collection[str]) -> None:
    kind = _find_type(node, place.owner, types) if place.owner else None
    for method in _list_methods(node) if kind or not place.owner else ():
        mark = _find_mark(method, f"{descriptor}.transition")
        words = {each.arg: each.value for each in mark.keywords if each.arg} if mark else {}
        if "target" not in words or not method.args.args:
            continue
        own = method.args.args[0].arg
        if kind is not None and place.owner in {*_list_names(method)}:
            continue
        forget_text(method)
        method.decorator_list = [each for each in method.decorator_list if each is not mark]
        name = place.owner or own
        field = ast.Attribute(value=ast.Name(name), attr=place.field, ctx=ast.Load())
        body = method.body
        if kind is not None:
            body = [_Shortened(own, place.owner).visit(each) for each in body]
        method.body = [
            *([_annotate(name, kind)] if kind is not None else []),
            *_refuse(field, words.get("source")),
            *body,
            ast.Assign(targets=[_store(field)], value=copy_tree(words["target"])),
        ]
        ast.fix_missing_locations(method)


def _store(field: ast.Attribute) -> ast.Attribute:
    return ast.Attribute(value=field.value, attr=field.attr, ctx=ast.Store())


def _annotate(name: str, kind: ast.expr) -> ast.stmt:
    return ast.AnnAssign(target=ast.Name(name), annotation=copy_tree(kind), value=None, simple=1)


def _refuse(field: ast.Attribute, source: ast.expr | None) -> Iterator[ast.stmt]:
    """The guard that a transition has; none where it comes from any state."""
    if source is None or get_last(spell_dotted(source)) == _MADE_FOR_ALL or _is_star(source):
        return
    listed = isinstance(source, ast.List | ast.Tuple | ast.Set) or _names_list(source)
    test = ast.Compare(
        left=field,
        ops=[ast.NotIn() if listed else ast.NotEq()],
        comparators=[copy_tree(source)],
    )
    yield ast.If(test=test, body=[ast.Raise(exc=ast.Name("TransitionNotAllowed"))], orelse=[])


def _is_star(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == "*"


def _names_list(node: ast.expr) -> bool:
    """A constant of which nobody knows here whether it is one state or a list of some."""
    return isinstance(node, ast.Name)


def _find_type(node: ast.ClassDef, owner: str, types: Collection[str]) -> ast.expr | None:
    """The class of an object that ``__init__`` is given, by its annotation or a name."""
    start = next((each for each in _list_methods(node) if each.name == "__init__"), None)
    given = _find_given(start, owner) if start is not None else None
    if given is None:
        return None
    if given.annotation is not None:
        return given.annotation
    guess = "".join(word[:1].upper() + word[1:] for word in given.arg.split("_"))
    if guess in types:
        return ast.Name(guess)
    model = _FLOW.sub("", node.name)
    if model == node.name:
        return None
    return ast.Name(model) if model in types else ast.Attribute(value=ast.Name(AROUND), attr=model)


def _find_given(start: Function, owner: str) -> ast.arg | None:
    """The parameter that is kept as this attribute."""
    parameters: Mapping[str, ast.arg] = {each.arg: each for each in start.args.args[1:]}
    for item in start.body:
        match item:
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.Name(id=given)):
                if name == owner and given in parameters:
                    return parameters[given]
    return None


def _list_names(node: Function) -> Iterator[str]:
    return (each.id for each in walk_nodes(node) if isinstance(each, ast.Name))


class _Shortened(ast.NodeTransformer):
    """Code that calls an attribute of the object by its name alone."""

    def __init__(self, own: str, owner: str) -> None:
        self._own, self._owner = own, owner

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        match node:
            case ast.Attribute(value=ast.Name(id=own), attr=name):
                if own == self._own and name == self._owner:
                    return ast.Name(name, ctx=ast.Load())
        self.generic_visit(node)
        return node
