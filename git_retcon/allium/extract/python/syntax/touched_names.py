"""Which names and attributes a statement may set, itself or by the methods that it calls."""

import ast
import functools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from git_retcon.allium.extract.python.syntax.conditions import Subject, find_field
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.own_attributes import list_attributes
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes, walk_own

_Method: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
# Names that are set, and the methods that are called of objects, with the names of these.
_Own: TypeAlias = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]
# The nodes that set something.
_SETTERS = frozenset({
    ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.Delete, ast.For, ast.AsyncFor,
    ast.withitem,
})  # fmt: skip
# What asks, or checks, an object that it is handed: is_satisfied_by(order), can_pay(order).
_ASKING = re.compile(
    r"(?:can|may|must|allow|permit|accept|check|ensure|require|verify|validate|enforce"
    r"|is_?(?:satisfied|allowed|permitted|valid))"
)


class _Reached(NamedTuple):
    """What methods of one class set, by themselves and by others, as far as it was asked."""

    methods: Mapping[str, _Method]
    name: str
    found: dict[str, frozenset[str]]
    set_by: dict[_Method, frozenset[str]]  # of any object


_REACHED: list[_Reached] = []  # of the class that was asked last


class TouchedNames:
    """The names that the statements so far may have set; they are only read where it matters."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._waiting: list[ast.stmt] = []
        self._blocks: dict[int, ast.stmt] = {}
        self._names: set[str] = set()

    def enter(self, blocks: Iterable[ast.stmt]) -> None:
        """The blocks that the next statement is in."""
        self._blocks |= {id(each): each for each in blocks}

    def add(self, node: ast.stmt) -> None:
        """A statement that has run."""
        self._waiting.append(node)

    def find(self) -> set[str]:
        """All names, as ``list_set_names`` spells them."""
        self._names |= set(_list_entered_names(self._blocks.values(), self._subject))
        for node in self._waiting:
            self._names |= set(list_set_names(node, self._subject))
        self._waiting.clear()
        self._blocks.clear()
        return self._names


def _list_entered_names(blocks: Iterable[ast.stmt], subject: Subject) -> Iterator[str]:
    """The same of what blocks give names to where they begin: ``with open() as file``."""
    for block in blocks:
        if isinstance(block, ast.With | ast.AsyncWith):
            for item in block.items:
                yield from list_set_names(item, subject)


def may_set(method: _Method, symbol: str, subject: Subject) -> bool:
    """Whether a method, or any that it may run, sets a field: a first look."""
    known = _open_reached(subject)
    if method not in known.set_by:
        known.set_by[method] = _list_set_by(method, subject)
    fields = map(subject.fields.get, known.set_by[method])
    return any(each is not None and each.symbol == symbol for each in fields)


def _list_set_by(method: _Method, subject: Subject) -> frozenset[str]:
    found: set[str] = set()
    seen: set[str] = set()
    waiting = [method]
    while waiting:
        each = waiting.pop()
        found |= list_set(each)
        run = (list_attributes(each) & subject.methods.keys()) - seen
        seen |= run
        waiting += map(subject.methods.__getitem__, run)
    return frozenset(found)


@answer_once
def list_set(method: _Method) -> frozenset[str]:
    """The attributes of any object that a method sets."""
    setters = (each for each in walk_nodes(method) if each.__class__ in _SETTERS)
    targets = (target for each in setters for target in _list_targets(each))
    return frozenset(each.attr for each in targets if isinstance(each, ast.Attribute))


def list_set_names(node: ast.AST, subject: Subject) -> Iterator[str]:
    """The names that a statement may set, and the attributes with a dot before them; with those of
    own methods that it calls.
    """
    names, calls = _list_own(node)
    yield from names
    for owner, attribute in calls:
        if owner == subject.name and attribute in subject.methods:
            yield from _list_reached(attribute, subject)


def _list_reached(method: str, subject: Subject) -> frozenset[str]:
    """What a method sets, and those that it calls; of one class this is asked again and again."""
    known = _open_reached(subject)
    if method not in known.found:
        names: set[str] = set()
        called, waiting = {method}, [method]
        while waiting:
            own, calls = _list_of_method(subject.methods[waiting.pop()])
            names.update(own)
            for owner, attribute in calls:
                is_own = owner == subject.name and attribute in subject.methods
                if is_own and attribute not in called:
                    called.add(attribute)
                    waiting.append(attribute)
        known.found[method] = frozenset(names)
    return known.found[method]


def _open_reached(subject: Subject) -> _Reached:
    known = _REACHED[0] if _REACHED else None
    if known is None or known.methods is not subject.methods or known.name != subject.name:
        known = _Reached(subject.methods, subject.name, {}, {})
        _REACHED[:] = [known]
    return known


@answer_once
def _list_of_method(method: _Method) -> _Own:
    parts = [_list_own(each) for each in method.body]
    return (
        tuple(dict.fromkeys(name for names, _ in parts for name in names)),
        tuple(dict.fromkeys(call for _, calls in parts for call in calls)),
    )


def _list_own(node: ast.AST) -> _Own:
    """The names that a statement itself sets, and what it calls of an object."""
    names: list[str] = []
    calls: list[tuple[str, str]] = []
    for each in walk_own(node):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attribute)):
                calls.append((name, attribute))
            case _ if each.__class__ in _SETTERS:  # as few
                names += map(_spell_place, _list_targets(each))
    return tuple(names), tuple(calls)


# A method that others call is asked for in each of their states.
@functools.lru_cache(maxsize=64)
def list_local_names(method: _Method) -> frozenset[str]:
    """The names that a method itself gives something to."""
    return frozenset(
        target.id
        for statement in method.body
        for node in walk_own(statement)
        if node.__class__ in _SETTERS
        for target in _list_targets(node)
        if isinstance(target, ast.Name)
    )


def list_names(node: ast.AST) -> Iterator[str]:
    """The names that an expression has."""
    return (each.id for each in walk_nodes(node) if isinstance(each, ast.Name))


def list_assigned(node: ast.stmt) -> Iterator[str]:
    """The variables that a statement, or those in it, sets by themselves."""
    for each in walk_statements([node]):
        if isinstance(each, ast.Assign):
            yield from (target.id for target in each.targets if isinstance(target, ast.Name))


def _list_targets(node: ast.AST) -> Iterator[ast.expr]:
    targets: list[ast.expr] = []
    match node:
        case ast.Assign(targets=listed) | ast.Delete(targets=listed):
            targets += listed
        case ast.AugAssign(target=target) | ast.NamedExpr(target=target):
            targets.append(target)
        case ast.AnnAssign(target=target, value=ast.expr()):
            targets.append(target)
        case ast.For(target=target) | ast.AsyncFor(target=target):
            targets.append(target)
        case ast.withitem(optional_vars=ast.expr() as target):
            targets.append(target)
    while targets:
        each = targets.pop()
        match each:
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                targets += elements
            case ast.Starred(value=value):
                targets.append(value)
            case _:
                yield each


def reads_names(test: ast.expr, names: Collection[str], subject: Subject) -> bool:
    """Whether a condition is about any of these names, itself or by a property."""
    waiting: list[ast.expr] = [test] if names else []
    seen: set[str] = set()
    while waiting:
        for each in walk_nodes(waiting.pop()):
            if isinstance(each, ast.Name | ast.Attribute) and _spell_place(each) in names:
                return True
            word = getattr(each, "attr", "")
            if word in subject.properties and word not in seen:
                seen.add(word)
                waiting.append(subject.properties[word])
    return False


def reads_field(test: ast.AST, symbol: str, subject: Subject) -> bool:
    """Whether an expression is about a field, itself or by methods and properties."""
    waiting: list[ast.AST] = [test]
    seen: set[str] = set()
    while waiting:
        for each in walk_nodes(waiting.pop()):
            match each:
                # What another object answers is about that one.
                case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in (
                    subject.name,
                    "self",
                    "cls",
                ):
                    found = find_field(each, subject)
                    if found is not None and found.symbol == symbol:
                        return True
                    if name in subject.methods and name not in seen:
                        seen.add(name)
                        waiting += subject.methods[name].body
                    elif name in subject.properties and name not in seen:
                        seen.add(name)
                        waiting.append(subject.properties[name])
                # What is handed the object may ask it anything; beside others it asks for rights.
                case ast.Call(func=func, args=args) if _asks_about(func):
                    is_alone = subject.name == "self" or len(args) == 1
                    if is_alone and any(
                        isinstance(e, ast.Name) and e.id == subject.name for e in args
                    ):
                        return True
                # Where its name is not known here, any attribute may be meant.
                case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name(id=owner), asked, *_]):
                    if owner == subject.name and not isinstance(asked, ast.Constant):
                        return True
    return False


def _asks_about(func: ast.expr) -> bool:
    """Whether a function is called after a question, or a check, of what it is given."""
    name = getattr(func, "attr", getattr(func, "id", ""))
    return _ASKING.match(name.lstrip("_")) is not None


def _spell_place(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(attr=name):
            return f".{name}"
        case ast.Subscript(value=value):
            return _spell_place(value)
    return ""
