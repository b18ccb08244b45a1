"""Which tables of transitions the operations of a class ask before they set its state.

::

    def move(self, status):
        if status not in NEXT[self.status]:
            raise ValueError
        self.status = status

asks ``NEXT``. What sets any state without a table, or may leave the question out, is open.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.assigned_states import ANY_STATE
from git_retcon.allium.extract.python.flow.entered_states import is_none
from git_retcon.allium.extract.python.flow.given_states import read_kept_name
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.possible_states import NOWHERE, Possible, join_states
from git_retcon.allium.extract.python.flow.state_flow import StateFlow
from git_retcon.allium.extract.python.machines.table_guards import TableGuards
from git_retcon.allium.extract.python.machines.table_names import TableNames
from git_retcon.allium.extract.python.syntax.conditions import Subject, find_field
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import get_last, is_private, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import BLOCKS, walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Asked, Evidence, Rule, TableMoves

_DEEPEST = 9  # methods that run each other
_MOST = 50  # statements of a method that set a state; more are data
_BEGINNINGS = frozenset({"__init__", "__post_init__", "__new__", "__setstate__", "__copy__"})


class TableQuestions(NamedTuple):
    """What asks about one field: the ``names`` of what may be a table, or may ask one; in the
    states ``left`` some methods may set any other, and ``setters`` is what each of these asks for
    certain; ``guards`` are what each method asks before the statements that set a state.
    """

    names: tuple[str, ...]
    setters: tuple[tuple[str, ...], ...]
    guards: Mapping[str, Set[frozenset[str]]]
    left: tuple[str, ...]


def list_asked(
    place: Evidence,
    subject: Subject,
    rules: Iterable[Rule],
    tables: Collection[str],
    imports: Collection[str],
) -> Iterator[Asked]:
    """What the class at a place asks of tables, of each of its fields that has states. ``rules``
    are those of its operations, ``tables`` what may be asked in its file.
    """
    known = {name.partition(".")[0] for name in tables} | {*imports}
    stateful = (name for name, each in subject.states.items() if each.enum or each.choices)
    for symbol in (each for each in stateful if each in subject.fields):
        found = read_questions(place.symbol, symbol, subject, known)
        if found.names or found.left:
            name = subject.fields[symbol].name
            moves = (
                TableMoves(
                    _spell_guards(found.guards.get(get_last(symbol), frozenset())), each.edges
                )
                for each in rules
                if each.field == name and each.edges
                for symbol in [each.evidence[0].symbol]
            )
            yield Asked(name, place, found.names, found.setters, tuple(moves), found.left)


def _spell_guards(guards: Set[frozenset[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted(tuple(sorted(each)) for each in guards)) or ((),)


def read_questions(
    owner: str, field: str, subject: Subject, known: Collection[str]
) -> TableQuestions:
    """What a class asks about a field. ``known`` are the names that may be or have tables."""
    return _Reader(owner, field, subject, known).read()


@answer_once
def list_run(method: Function) -> Collection[str]:
    """The methods of its object that a method runs."""
    return {name for each in walk_statements(method.body) for name in _list_own_calls(each)}


@answer_once
def list_set(method: Function) -> Collection[str]:
    """The attributes of its object that a method sets."""
    first = method.args.args[0].arg if method.args.args else ""
    found: list[str] = []
    for each in walk_statements(method.body):
        for target in _list_targets(each):
            match target:
                case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == first:
                    found.append(attribute)
    return found


def _list_targets(node: ast.stmt) -> Sequence[ast.expr]:
    match node:
        case ast.Assign(targets=targets):
            return targets
        case ast.AnnAssign(target=target, value=ast.expr()):
            return [target]
    return []


class _Reader:
    """Reads the methods of a class with one field in mind."""

    def __init__(self, owner: str, field: str, subject: Subject, known: Collection[str]) -> None:
        self._field = field
        self._subject = subject
        self._states = subject.states.get(field, States())
        self._methods = {
            name: each
            for name, each in subject.methods.items()
            if each.args.args
            and name not in _BEGINNINGS
            and not (is_private(name) and each.decorator_list)  # another one runs it
        }
        self._names = TableNames(owner, field, subject, self._methods, known)
        self._guards = TableGuards(self._names, field)
        self._runs: Mapping[str, Sequence[tuple[str, ast.stmt]]] = {}  # what runs methods
        self._setting = self._find_setting()
        self._told: dict[str, Set[frozenset[str]]] = {}  # what methods ask
        self._left: Possible = NOWHERE  # where any other state may be set

    def read(self) -> TableQuestions:
        setters = [
            self._guards.find(method, statement)
            for name in self._setting
            for method, statement in self._list_open(name)
        ]
        may_ask = self._names.may_ask()
        guards = {name: self._list_guards(name) for name in (self._setting if may_ask else ())}
        names = {each for guard in setters for each in guard.names}
        names |= {each for found in guards.values() for guard in found for each in guard}
        names |= {*self._names.list_asked()} if may_ask and not setters else set()
        sure = tuple(tuple(sorted(each.names)) if each.is_sure else () for each in setters)
        opened = join_states(self._left, self._find_emptied())
        left = {ANY_STATE} if opened is None else opened
        return TableQuestions(tuple(sorted(names)), sure, guards, tuple(sorted(left)))

    def _find_setting(self) -> Mapping[str, Sequence[ast.stmt]]:
        """The statements of each method that set the field, by themselves or by another method."""
        direct = {
            name: [each for each in walk_statements(method.body) if self._sets(each, method)]
            for name, method in self._methods.items()
            if self._field in list_set(method)
        }
        found = {name: each for name, each in direct.items() if each}
        self._runs = self._list_calls() if found else {}
        waiting = [*found]
        while waiting:
            run = waiting.pop()
            for name, call in self._runs.get(run, ()):
                if name != run:
                    waiting += [] if name in found else [name]
                    found.setdefault(name, []).append(call)
        return found

    def _list_calls(self) -> Mapping[str, Sequence[tuple[str, ast.stmt]]]:
        """The statements that run each method, with the methods that have them."""
        found: dict[str, list[tuple[str, ast.stmt]]] = {}
        for name, method in self._methods.items():
            if not self._methods.keys().isdisjoint(list_run(method)):
                for each in walk_statements(method.body):
                    for run in dict.fromkeys(_list_own_calls(each)):
                        found.setdefault(run, []).append((name, each))
        return found

    def _list_guards(self, name: str, left: int = _DEEPEST) -> Set[frozenset[str]]:
        """What a method, or one that it runs, asks for certain before each statement that sets a
        state.
        """
        statements = self._setting.get(name, ())
        if not left or len(statements) > _MOST:
            return frozenset([frozenset()])
        if name not in self._told:
            self._told[name] = frozenset()  # what runs itself asks nothing else
            found: set[frozenset[str]] = set()
            for each in statements:
                guard = self._guards.find(self._methods[name], each)
                runs = [run for run in _list_own_calls(each) if run in self._setting]
                if guard.is_sure or not runs:
                    found.add(guard.names if guard.is_sure else frozenset())
                else:
                    found |= {asked for run in runs for asked in self._list_guards(run, left - 1)}
            self._told[name] = found
        return self._told[name]

    def _sets(self, node: ast.stmt, method: Function) -> bool:
        targets = _list_targets(node)
        if not targets:  # as most
            return False
        subject = self._subject._replace(name=method.args.args[0].arg)
        fields = (find_field(each, subject) for each in targets)
        return any(each is not None and each.symbol == self._field for each in fields)

    def _sets_unnamed(self, node: ast.stmt, method: Function) -> bool:
        value = getattr(node, "value", None)
        return self._sets(node, method) and (value is None or self._states.read(value) is None)

    def _list_open(self, name: str) -> Iterator[tuple[Function, ast.stmt]]:
        """The statements of a method that may set the field to anything. What a private one is
        given, those say that run it.
        """
        method = self._methods[name]
        given = {each.arg for each in (*method.args.args, *method.args.kwonlyargs)}
        unnamed = [e for e in self._setting.get(name, ()) if self._sets_unnamed(e, method)]
        opened = self._find_opened(method) if unnamed else NOWHERE
        for each in unnamed if opened != NOWHERE else ():
            value = getattr(each, "value", None)
            is_given = isinstance(value, ast.expr) and read_kept_name(value) in given
            runs = [*self._list_runs(name, each)] if is_given else [(method, each)]
            if _is_accessor(method) and not self._guards.find(method, each).names:
                continue  # as open as any attribute is
            self._left = join_states(self._left, opened if runs else NOWHERE)
            yield from runs

    def _list_runs(
        self, step: str, statement: ast.stmt, left: int = _DEEPEST
    ) -> Iterator[tuple[Function, ast.stmt]]:
        """The statements that run a step that sets the field to what it is given, unless that is a
        state by name. What the class runs nowhere, others do.
        """
        if not self._runs.get(step) or self._guards.find(self._methods[step], statement).is_sure:
            yield self._methods[step], statement
            return
        for name, each in self._runs[step]:
            method = self._methods[name]
            calls = [e for e in walk_nodes(each) if _names_call(e, step)]
            words = [word for call in calls for word in _list_words(call)]
            if any(map(self._names_states, words)):
                continue
            given = {e.arg for e in (*method.args.args, *method.args.kwonlyargs)}
            hands_on = any(isinstance(word, ast.Name) and word.id in given for word in words)
            if hands_on and left and is_private(name):
                yield from self._list_runs(name, each, left - 1)
            else:
                yield method, each

    def _names_states(self, node: ast.expr) -> bool:
        """Whether an expression is a state by its name, or one of two."""
        if isinstance(node, ast.IfExp):
            return self._names_states(node.body) and self._names_states(node.orelse)
        return self._states.read(node) is not None

    def _find_emptied(self) -> Possible:
        """The states in which methods may take the field's away, where others give it one again."""
        found = NOWHERE
        for name, statements in self._setting.items():
            if any(is_none(getattr(each, "value", None)) for each in statements):
                every = frozenset(each.name for each in self._states.choices)
                found = join_states(found, self._follow(self._methods[name], every).gets.emptied)
        methods = (self._methods[name] for name in self._setting)
        return found if found != NOWHERE and any(map(self._begins_again, methods)) else NOWHERE

    def _begins_again(self, method: Function) -> bool:
        """Whether a method gives the field a state where it has none."""
        flow = self._follow(method, frozenset([""]))
        if any(each.source == "" for each in flow.edges):
            return True
        for each in walk_nodes(method):
            match each:
                case (
                    ast.Compare(left=asked, comparators=[ast.Constant(value=None)])
                    | ast.If(test=asked)
                    | ast.UnaryOp(op=ast.Not(), operand=asked)
                ) if flow.is_field(asked):
                    return True
        return False

    def _find_opened(self, method: Function) -> Possible:
        """The states in which a method gives the field what may be any."""
        every = frozenset(each.name for each in self._states.choices)
        return self._follow(method, every).gets.opened

    def _follow(self, method: Function, states: Set[str]) -> StateFlow:
        subject = self._subject._replace(name=method.args.args[0].arg)
        flow = StateFlow(subject, self._field, self._states)
        flow.run(method.body, frozenset(states) or None)
        return flow


def _is_accessor(method: Function) -> bool:
    marks = (spell_dotted(each) for each in method.decorator_list)
    return any(get_last(each) == "setter" for each in marks)


def _list_own_calls(node: ast.stmt) -> Collection[str]:
    """The methods of its object that a statement itself runs."""
    found: list[str] = []
    for part in _list_heads(node):
        for each in walk_nodes(part):
            match each:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                    found.append(name)
    return found


def _list_heads(node: ast.stmt) -> Iterable[ast.AST]:
    """A statement without its blocks."""
    if node.__class__ not in BLOCKS:
        return [] if isinstance(node, Function | ast.ClassDef) else [node]
    return (each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr))


def _names_call(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and spell_dotted(node) == f"self.{name}"


def _list_words(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Call(args=arguments, keywords=keywords):
            yield from arguments
            yield from (each.value for each in keywords)
