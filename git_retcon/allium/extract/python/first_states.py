"""The states in which what an object does only once may begin.

::

    def __init__(self):
        self._state = State.IDLE
        self._count = None

    def add(self, count):
        if self._count is None:
            self._count = count
            self._state = State.LOADING

Nothing takes the count away again: an object begins to load in ``IDLE``, or in what operations lead
to that never count. Only what is private says so; anything else others may set.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from git_retcon.allium.extract.python.conditions import Subject
from git_retcon.allium.extract.python.constants import States
from git_retcon.allium.extract.python.function_texts import answer_once
from git_retcon.allium.extract.python.guards import open_blocks
from git_retcon.allium.extract.python.names import is_private
from git_retcon.allium.extract.python.own_attributes import list_set_values
from git_retcon.allium.extract.python.possible_states import NOWHERE, Possible, keep_states
from git_retcon.allium.extract.python.renewed_states import BEGINNINGS, Function
from git_retcon.allium.extract.python.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.touched_names import list_set_names
from git_retcon.allium.extract.source_facts import Edge

_MOST = 12  # operations that move a field


class Question(NamedTuple):
    """A condition that asks whether an attribute has what it began with: nothing, or false."""

    name: str
    is_unset: bool  # whether it holds where that is so


class Followed(Protocol):
    """A field that is followed through methods: where one leads, and by which states."""

    def run_method(self, node: Function, before: Possible) -> Possible: ...

    @property
    def edges(self) -> Mapping[Edge, None]: ...


class _Known(NamedTuple):
    """Of one class, the attributes that are kept, the operations, and the states that are found by
    the field and the attribute; ``followed`` is the attribute for which methods are followed now.
    """

    methods: Mapping[str, Function]
    kept: frozenset[str]
    operations: Sequence[Function]
    found: dict[tuple[str, str], Possible]
    followed: list[str]


_KNOWN: list[_Known] = []  # that of the class that was asked last


def _read_class(methods: Mapping[str, Function]) -> _Known:
    if not _KNOWN or _KNOWN[0].methods is not methods:
        _KNOWN[:] = [_Known(methods, _list_kept(methods), [*_list_operations(methods)], {}, [])]
    return _KNOWN[0]


def asks_once(node: Function, methods: Mapping[str, Function]) -> bool:
    """Whether an operation asks for what objects of its class get once and keep."""
    asked = {each.name for each in _list_questions(node)}
    return bool(asked) and not asked.isdisjoint(_list_kept(methods))


@answer_once
def _list_questions(node: Function) -> Sequence[Question]:
    conditions = (each for each in walk_nodes(node) if isinstance(each, ast.expr))
    asked = (_read_question(each, "self") for each in conditions)
    return [each for each in asked if each is not None]


class FirstStates:
    """Of one field of a class; ``begin`` follows it through methods."""

    def __init__(
        self,
        begin: Callable[[Subject, str, States], Followed],
        subject: Subject,
        field: str,
        states: States,
    ) -> None:
        self._start = begin
        self._subject = subject
        self._field = field
        self._states = states

    def _begin(self) -> Followed:
        return self._start(self._subject, self._field, self._states)

    def keep(self, test: ast.expr, before: Possible, holds: bool) -> Possible:
        """The states that are left where a condition holds, or does not."""
        asked = _read_question(test, self._subject.name) if is_private(self._field) else None
        if asked is None or asked.is_unset is not holds or before == NOWHERE:
            return before
        first = self._find(asked.name, _read_class(self._subject.methods))
        return before if first is None else keep_states(before, first)

    def _find(self, name: str, known: _Known) -> Possible:
        place = (self._field, name)
        # What is followed for one attribute asks for no other: that would be all of them together.
        if name in known.kept and place not in known.found and not known.followed:
            known.followed.append(name)
            try:
                known.found[place] = self._follow(name, known.operations)
            finally:
                known.followed.clear()
        return None if known.followed else known.found.get(place)

    def _follow(self, name: str, operations: Sequence[Function]) -> Possible:
        """What a new object comes to without the operations that set an attribute; None where that
        is not known.
        """
        methods = self._subject.methods
        start = next((methods[each] for each in sorted(BEGINNINGS & methods.keys())), None)
        reached = self._begin().run_method(start, None) if start is not None else None
        moving = f".{self._field}"
        others = [
            each
            for each in operations
            if any(moving in list_set_names(part, self._subject) for part in each.body)
            and not self._sets(each, name)
        ]
        if len(others) > _MOST:
            return None
        for _ in range(len(others) + 1):
            before = reached
            for each in others:
                flow = self._begin()
                end = flow.run_method(each, reached) if reached is not None else None
                if reached is None or end is None:
                    return None
                reached |= end | {edge.target for edge in flow.edges}
            if reached == before:
                break
        return reached

    def _sets(self, method: Function, name: str) -> bool:
        """Whether an operation always sets an attribute that is not, before it moves the state."""
        for node in open_blocks(method.body):
            if _gives(node, name):
                return True
            if isinstance(node, ast.If):
                asked = _read_question(node.test, self._subject.name)
                if asked == (name, True) and _gives_first(node, name):
                    return True
            is_moved = f".{self._field}" in list_set_names(node, self._subject)
            if is_moved or any(isinstance(each, ast.Await) for each in walk_nodes(node)):
                return False
        return False


def _read_question(test: ast.expr, own: str) -> Question | None:
    is_unset = False
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, is_unset = test.operand, not is_unset
    match test:
        case ast.Compare(
            left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]
        ):
            test, is_unset = left, isinstance(op, ast.Is) is not is_unset
    match test:
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            if owner == own and is_private(name):
                return Question(name, is_unset)
    return None


def _list_kept(methods: Mapping[str, Function]) -> frozenset[str]:
    """The private attributes that objects begin without, or with false, and never lose again."""
    begun: set[str] = set()
    given: set[str] = set()
    lost: set[str] = set()
    for method in methods.values():
        is_start = method.name in BEGINNINGS
        for name, value in _list_values(method):
            is_unset = value is not None and _is_unset(value)
            lost |= {name} if value is None or is_unset is not is_start else set()
            (begun if is_start else given).add(name)
    return frozenset((begun & given) - lost)


@answer_once
def _list_values(method: Function) -> Sequence[tuple[str, ast.expr | None]]:
    """The private attributes that a method sets, each with its value, None where that is open."""
    found = (pair for each in walk_nodes(method) for pair in list_set_values(each))
    return [(name, value) for name, value in found if is_private(name)]


def _is_unset(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and (value.value is None or value.value is False)


def _gives(node: ast.stmt, name: str) -> bool:
    return any(name == each for each, _ in list_set_values(node))


def _gives_first(node: ast.If, name: str) -> bool:
    """Whether a block gives an attribute something before it waits for anything."""
    for each in open_blocks(node.body):
        if _gives(each, name):
            return True
        if any(isinstance(inner, ast.Await) for inner in walk_nodes(each)):
            return False
    return False


def _list_operations(methods: Mapping[str, Function]) -> Iterator[Function]:
    """The methods but for beginnings and steps that are only called by others of them."""
    called: set[str] = set()
    handed: set[str] = set()
    for method in methods.values():
        functions = {id(e.func) for e in walk_nodes(method) if isinstance(e, ast.Call)}
        for each in walk_nodes(method):
            if isinstance(each, ast.Attribute) and each.attr in methods:
                (called if id(each) in functions else handed).add(each.attr)
    for name, method in methods.items():
        is_step = is_private(name) and name in called - handed
        if method.name not in BEGINNINGS and not is_step:
            yield method
