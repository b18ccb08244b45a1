"""What the methods of a class do with its attributes: which they set, to what, and which they
compare.
"""

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.spelling import is_value

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@answer_once
def list_attributes(node: _Function) -> frozenset[str]:
    """The names of all attributes that a function has, of any object."""
    return frozenset(each.attr for each in walk_nodes(node) if each.__class__ is ast.Attribute)


@answer_once
def list_own_names(node: _Function) -> Sequence[str]:
    """What a function names of its object, or of its class, once for each time."""
    found: list[str] = []
    for each in walk_nodes(node):
        match each:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                found.append(name)
    return found


_LISTED = ast.In | ast.NotIn
# The nodes that set something, or compare.
_TOUCHING = frozenset({
    ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.AsyncFor, ast.withitem, ast.Delete,
    ast.Compare,
})  # fmt: skip


class Touch(NamedTuple):
    """What one node of a method does with the attributes of its object: what it gives them, as
    ``list_set_values`` has it, and what it compares them with, as ``list_asked`` does.
    """

    given: Sequence[tuple[str, ast.expr | None]]
    asked: Sequence[tuple[str, ast.expr]]


class Touched(NamedTuple):
    """All touches of a method, in its order, and the attributes that it compares."""

    touches: Sequence[Touch]
    compared: Collection[str]


@answer_once
def list_touches(method: _Function) -> Sequence[Touch]:
    """All that a method gives and compares, before it becomes anything else by itself."""
    return _read_touched(method).touches


@answer_once
def read_touched(method: _Function) -> Touched:
    """All that a method gives and compares, behind what it becomes by itself."""
    return _read_touched(method)


def list_compared(method: _Function) -> Collection[str]:
    """The attributes that a method compares, behind what it becomes by itself."""
    return read_touched(method).compared


def _read_touched(method: _Function) -> Touched:
    touches: list[Touch] = []
    compared: set[str] = set()
    for each in walk_nodes(method):
        if isinstance(each, ast.Match):
            compared |= {*_list_attribute(each.subject)}
        elif each.__class__ in _TOUCHING:
            touch = Touch([*list_set_values(each)], [*list_asked(each)])
            compared |= {name for name, _ in touch.asked}
            touches += [touch] if touch.given or touch.asked else []
    return Touched(touches, compared)


def list_set_values(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The attributes of ``self`` that a statement sets, each with its value, None where that is
    open.
    """
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                match target:
                    case ast.Attribute(value=ast.Name(id="self"), attr=name):
                        yield name, value
                    case ast.Name():  # as most
                        pass
                    case _:
                        yield from ((name, None) for name in _list_targets(target))
        case ast.AnnAssign(
            target=ast.Attribute(value=ast.Name(id="self"), attr=name), value=ast.expr() as value
        ):
            yield name, value
        case ast.AugAssign(target=target) | ast.For(target=target) | ast.AsyncFor(target=target):
            yield from ((name, None) for name in _list_targets(target))
        case ast.withitem(optional_vars=ast.expr() as target):
            yield from ((name, None) for name in _list_targets(target))
        case ast.Delete(targets=targets):
            yield from ((name, None) for target in targets for name in _list_targets(target))


def _list_targets(node: ast.expr) -> Iterator[str]:
    for each in walk_nodes(node):
        match each:
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                yield name


def list_asked(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The attributes that a comparison is about, with all that it asks for; ``*ALL`` where that is
    in a list by this name.
    """
    match node:
        case ast.Compare(left=left, comparators=others):
            parts = (left, *others)
            names = [name for each in parts for name in _list_attribute(each)]
            if not names:  # as most
                return
            whole = {e for op, e in zip(node.ops, others, strict=True) if isinstance(op, _LISTED)}
            listed = [
                ast.Starred(each) if each in whole and not hasattr(each, "elts") else part
                for each in parts
                for part in (getattr(each, "elts", None) or [each])
            ]
            for name in names:
                yield from ((name, each) for each in listed)


def _list_attribute(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            yield name
        # What a method answers may be an attribute.
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=[], keywords=[]
        ):
            yield name


def list_read(methods: Iterable[_Function]) -> Mapping[str, str]:
    """The attributes that methods give, and do nothing else: ``return self._state``."""
    named = ((each.name, _name_read(each)) for each in methods)
    return {name: attribute for name, attribute in named if attribute}


@answer_once
def _name_read(method: _Function) -> str:
    """The attribute that a method gives, "" where it does anything else."""
    match method.body[-1]:
        case ast.Return(value=ast.Attribute(value=ast.Name(id="self"), attr=name)):
            body = method.body
            is_all = len(body) == 1 or (len(body) == 2 and bool(ast.get_docstring(method)))
            return name if is_all else ""
    return ""


@answer_once
def list_texts(method: _Function) -> Collection[str]:
    """The attributes that a method sets to a text."""
    found: list[str] = []
    for each in walk_statements(method.body):
        match each:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)],
                value=ast.Constant(value=str(text)),
            ) if is_value(text):
                found.append(name)
    return found


def read_own_constants(methods: Sequence[_Function]) -> Mapping[str, ast.expr]:
    """The constants that ``__init__`` gives its object, and nothing gives it again; those of others
    as what nobody can read.
    """
    start = next((each for each in reversed(methods) if each.name == "__init__"), None)
    begun: dict[str, ast.expr] = {}
    for node in start.body if start is not None else ():
        match node:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value
            ) if name.isupper():
                is_plain = isinstance(value, ast.Constant | ast.UnaryOp)
                begun[name] = value if is_plain else ast.Call(ast.Name("object"), [], [])
    touches = (e for method in methods for e in read_touched(method).touches) if begun else ()
    given = Counter(name for each in touches for name, _ in each.given)
    return {name: value for name, value in begun.items() if given[name] == 1}


@answer_once
def list_owned(method: _Function) -> Collection[tuple[str, str]]:
    """The attributes that a method sets to what may be a constant, and its dotted name."""
    found: list[tuple[str, str]] = []
    for each in walk_statements(method.body):
        match each:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)],
                value=ast.Attribute() | ast.Name() as value,
            ) if get_last(dotted := spell_dotted(value)).isupper():
                found.append((name, dotted))
    return found


def list_begun(methods: Sequence[_Function]) -> Iterator[str]:
    """The attributes that ``__init__`` sets, itself or by a method that does nothing else."""
    setters = {each.name: each for each in methods}
    start = setters.get("__init__")
    for name, is_run in _list_begun_by(start) if start is not None else ():
        if not is_run:
            yield name
        elif name in setters:
            yield from (each for each, runs in _list_begun_by(setters[name]) if not runs)


@answer_once
def _list_begun_by(method: _Function) -> Sequence[tuple[str, bool]]:
    """The attributes that the statements of a method set, and the methods that they run, each with
    whether it is one of these.
    """
    found: list[tuple[str, bool]] = []
    for node in method.body:
        found += ((name, False) for name, _ in list_set_values(node))
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name))):
                found.append((name, True))
    return found
