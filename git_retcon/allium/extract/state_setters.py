"""Methods that an operation of another file runs, as it is known there.

``build.transition(State.DONE, reason)`` moves a build where ``transition`` sets the state to what
it is given: of such methods the file of the class keeps the code.
"""

import ast
import functools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set

from git_retcon.allium.extract.assigned_properties import open_assignments, read_setter
from git_retcon.allium.extract.found_objects import assume_found
from git_retcon.allium.extract.python.classes.classes import ReadClass
from git_retcon.allium.extract.python.flow.given_states import find_given_states
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.lone_functions import keep_answers
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_node, copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import ServiceOperation, Shape
from git_retcon.allium.extract.traced_tree import SourceTree

_SELF = "self"
# What is asked at each step of a history is for the most part what was asked at the one before.
_MOST = 1 << 9


def list_setters(
    classes: Mapping[str, tuple[ast.ClassDef, ReadClass]],
) -> Mapping[str, Sequence[str]]:
    """The methods of classes that set a state to what they are given, as Python, by the symbols of
    the classes.
    """
    found: dict[str, Sequence[str]] = {}
    for symbol, (node, read) in classes.items():
        stateful = {name for name, each in read.states.items() if each.enum or each.choices}
        listed = [each for each in node.body if stateful and isinstance(each, Function)]
        if any(sets_given(each, stateful) for each in listed):
            methods = {each.name: each for each in listed}
            setters = [
                ast.unparse(each) for each in listed if _moves_given(each, stateful, methods)
            ]
            found[symbol] = setters
    return found


def _moves_given(
    node: Function, stateful: Collection[str], methods: Mapping[str, Function]
) -> bool:
    """Whether a method sets one of these fields to what it is given, or has others do so."""

    def is_field(target: ast.expr) -> bool:
        match target:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                return name == _SELF and attribute in stateful
        return False

    return bool(_list_given(node) and find_given_states(node, is_field, methods))


def sets_given(node: Function, stateful: Collection[str]) -> bool:
    """Whether a method sets one of these fields to what it is given."""
    return not _list_set_to_given(node).isdisjoint(stateful)


@answer_once
def _list_set_to_given(node: Function) -> frozenset[str]:
    given = _list_given(node)
    return frozenset(
        target.attr
        for each in walk_statements(node.body)
        if isinstance(each, ast.Assign)
        if isinstance(each.value, ast.Name) and each.value.id in given
        for target in each.targets
        if isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == _SELF
    )


def sets_field(node: Function, field: str) -> bool:
    """Whether a function sets an attribute of this name, of any object."""
    return any(
        isinstance(target, ast.Attribute) and target.attr == field
        for each in walk_nodes(node)
        if isinstance(each, ast.Assign)
        for target in each.targets
    )


def refuses_given(node: Function, stateful: Set[str]) -> bool:
    """Whether a method only raises an error where one of these fields is not as it is told:
    ``if (!allowed.includes(this.state)) throw new Error()``.
    """
    given = _list_given(node)
    return any(
        isinstance(each, ast.If)
        and isinstance(each.body[-1], ast.Raise)
        and given & {part.id for part in walk_nodes(each.test) if isinstance(part, ast.Name)}
        and stateful
        & {part.attr for part in walk_nodes(each.test) if isinstance(part, ast.Attribute)}
        for each in node.body
    )


def _list_given(node: Function) -> set[str]:
    """The parameters of a method behind its object."""
    if node.args.args[:1] != [_find_self(node)]:
        return set()
    return {each.arg for each in (*node.args.args[1:], *node.args.kwonlyargs)}


def _find_self(node: Function) -> ast.arg | None:
    first = node.args.args[0] if node.args.args else None
    return first if first is not None and first.arg == _SELF else None


def find_methods(
    tree: SourceTree, operation: ServiceOperation, shape: Shape, name: str
) -> Mapping[str, Function]:
    """The methods that an operation runs of an object with this name, by their names: those of its
    own class, and those that set a state of the object's.
    """
    found: dict[str, Function] = {}
    for code in (*_list_setters(tree, shape), *operation.called):
        is_called = code in operation.called
        node = parse_function(code) if is_called else _parse_setter(code, name)
        if node is not None and not node.decorator_list:
            found[node.name] = name_accessed(tree, node, shape, name)
    return found


def find_runners(
    tree: SourceTree, operation: ServiceOperation, shape: Shape, name: str
) -> Iterator[Function]:
    """The methods that run a step of an object's own class, or hand it on."""
    for node in map(parse_function, (*operation.runners, *operation.handers)):
        if node is not None and not node.decorator_list:
            yield name_accessed(tree, node, shape, name)


def name_accessed(tree: SourceTree, node: Function, shape: Shape, name: str) -> Function:
    """A function that sets the fields of an object themselves where it sets them by accessors, and
    does what these do.
    """
    listed = [each for each in _list_setters(tree, shape) if each.startswith("@")]
    if not listed:
        return node
    accessed = dict(_list_accessed(listed))
    found = copy_tree(node)
    for each in walk_nodes(found):
        match each:
            case ast.Attribute(value=ast.Name(id=owner), attr=attr, ctx=ast.Store()):
                if owner in (name, _SELF):
                    each.attr = accessed.get(attr, attr)
    known = (read for code in listed if (read := parse_function(code)) is not None)
    others = {each.name: read_setter(each) for each in known if each.name not in accessed}
    setters = {member: each for member, each in others.items() if each is not None}
    for owner in sorted({name, _SELF}) if setters else ():
        open_assignments(found, owner, setters)
    return keep_answers(found)


def open_tables(node: Function, constants: Mapping[str, ast.expr]) -> Function:
    """A method that names no tables of its file: other files do not have them, nor what it calls
    their entries.
    """
    tables = {name: each for name, each in constants.items() if isinstance(each, ast.Dict)}
    if not any(isinstance(each, ast.Name) and each.id in tables for each in walk_nodes(node)):
        return node
    opened = copy_node(node)
    opened.body = [_Opened(tables).visit(copy_tree(each)) for each in node.body]
    entries: dict[str, ast.expr] = {}
    for each in opened.body:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(value=ast.Dict())):
                entries[name] = each.value
            case ast.If():
                each.test = _Opened(entries).visit(each.test)
    return opened


class _Opened(ast.NodeTransformer):
    """Names as what they mean."""

    def __init__(self, meanings: Mapping[str, ast.expr]) -> None:
        self._meanings = meanings

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = self._meanings.get(node.id)
        return copy_tree(found) if found is not None else node


def spell_accessor(name: str, field: str) -> str:
    """An accessor that sets a field to what it is given, as Python."""
    return f"@{name}.setter\ndef {name}(self, value):\n    self.{field} = value"


def _list_accessed(setters: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The accessors among these that do nothing but set a field, each with the field."""
    for code in setters:
        node = parse_function(code) if code.startswith("@") else None
        match node:
            case ast.FunctionDef(
                args=ast.arguments(args=[_, ast.arg(arg=given)]),
                body=[ast.Assign(targets=[ast.Attribute(attr=field)], value=ast.Name(id=value))],
            ) if given == value:
                yield node.name, field


def _list_setters(tree: SourceTree, shape: Shape) -> Iterator[str]:
    for place in reversed(shape.evidence):
        facts = tree.read(tree.locate(place))
        yield from facts.setters.get(place.symbol, ()) if facts is not None else ()


@functools.lru_cache(maxsize=_MOST)
def _parse_setter(code: str, name: str) -> Function | None:
    """A method of a class, of an object with this name; nobody changes it."""
    node = _parse_body(code)
    if node is not None and node.args.args:
        node.args.args[0].arg = name
    for each in walk_nodes(node) if node is not None else ():
        if isinstance(each, ast.Name) and each.id == _SELF:
            each.id = name
    return keep_answers(node) if node is not None else None


@functools.lru_cache(maxsize=_MOST)
def parse_operation(code: str, name: str) -> Function | None:
    """A function of an operation, of which the object with this name is there; None where a name
    of another language is none in Python. Nobody changes it.
    """
    node = _parse_body(code)
    return keep_answers(assume_found(node, name)) if node is not None else None


@functools.lru_cache(maxsize=_MOST)
def parse_function(code: str) -> Function | None:
    """A function of an operation, as it is; nobody changes it."""
    node = _parse_body(code)
    return keep_answers(node) if node is not None else None


def _parse_body(code: str) -> Function | None:
    try:
        node = ast.parse(code).body[0]
    except SyntaxError:
        return None
    return node if isinstance(node, Function) else None


@functools.lru_cache(maxsize=_MOST)
def parse_value(code: str) -> ast.expr:
    """A constant that an operation names; nobody changes it."""
    return ast.parse(code, mode="eval").body


@functools.lru_cache(maxsize=_MOST)
def parse_answer(code: str, name: str) -> ast.expr | None:
    """An expression of a class about itself, for an object outside of it; nobody changes it."""
    try:
        found = copy_tree(parse_value(code))
    except SyntaxError:
        return None  # a name of another language that Python does not have
    for each in walk_nodes(found):
        if isinstance(each, ast.Name) and each.id == "self":
            each.id = name
    return found
