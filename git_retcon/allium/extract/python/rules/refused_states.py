"""The states in which an operation leaves before it has done anything, whichever way it takes.

::

    def move_on(self):
        if self._state is State.CHOSEN:
            action = NEXT
        elif self._state is State.LOCKED:
            return
        else:
            action = FIRST
        self._view.run(action)

In ``LOCKED`` nothing is run. The method is followed once for each state: what its conditions say of
that state is known, and of anything else both ways may be taken.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from git_retcon.allium.extract.python.flow.answered_conditions import read_question
from git_retcon.allium.extract.python.flow.checking_steps import find_check, is_run
from git_retcon.allium.extract.python.flow.guards import is_asked, is_quiet, leaves_with_nothing
from git_retcon.allium.extract.python.flow.moves import Demand
from git_retcon.allium.extract.python.flow.narrowed_states import StateNarrowing
from git_retcon.allium.extract.python.flow.own_contexts import find_context
from git_retcon.allium.extract.python.flow.own_flags import is_setting
from git_retcon.allium.extract.python.flow.possible_states import NOWHERE
from git_retcon.allium.extract.python.flow.state_questions import StateQuestions
from git_retcon.allium.extract.python.rules.actions import gives
from git_retcon.allium.extract.python.syntax.conditions import Subject, find_field, find_property
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.names import get_last, is_private, spell_dotted
from git_retcon.allium.extract.python.syntax.own_attributes import list_attributes
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import list_set_names, reads_field

_DEEPEST = 2  # steps that run steps
_LOCKS = ("lock", "mutex", "guard")
_ON, _OFF = "on", "off"
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def find_refusal(node: _Function, subject: Subject) -> Demand | None:
    """The states in which an operation that others call may do something; None where that is in all
    of them, or in none.
    """
    if is_private(node.name):
        return None
    for name, states in subject.states.items():
        if not states.choices or name not in subject.fields or not may_ask(node, name, subject):
            continue
        every = [each.name for each in states.choices]
        asking = _answer_steps(node, subject)
        found = _list_working(node, asking, _States(asking, name, states), every)
        if found:
            place = f"{subject.variable}.{subject.fields[name].name}"
            refused = tuple(each for each in every if each not in found)
            return Demand(place, tuple(found), refused)
    return None


def list_refusing_flags(node: _Function, subject: Subject) -> Iterator[str]:
    """What has to hold of booleans for an operation that others call to do anything."""
    for symbol, field in subject.fields.items() if not is_private(node.name) else ():
        is_flag = field.type.name == "Boolean" and field.name in subject.flags
        if is_flag and not is_setting(field.name) and may_ask(node, symbol, subject):
            found = _list_working(node, subject, _Flag(subject, symbol), [_ON, _OFF])
            place = f"{subject.variable}.{field.name}"
            yield from [place if found == [_ON] else f"not {place}"] if found else []


def may_ask(node: _Function, symbol: str, subject: Subject) -> bool:
    """Whether an operation may ask for a field, by a property or a step as well: most ask for few,
    and following them takes long.
    """
    words = list_attributes(node)
    asked = (subject.properties[each] for each in words & subject.properties.keys())
    steps = (subject.methods[each] for each in words & subject.methods.keys())
    return (
        symbol in words
        or any(reads_field(each, symbol, subject) for each in asked)
        or any(symbol in list_attributes(each) for each in steps)
    )


def _answer_steps(node: _Function, subject: Subject) -> Subject:
    """The subject with what its steps answer that an operation asks, and gives something."""
    asked = {
        name: answer
        for name in list_attributes(node) & subject.methods.keys() - subject.properties.keys()
        if isinstance(step := subject.methods[name], ast.FunctionDef)
        and (answer := read_question(step)) is not None
    }
    return subject._replace(properties={**subject.properties, **asked}) if asked else subject


def _list_working(
    node: _Function, subject: Subject, asked: "_Asked", every: Sequence[str]
) -> Sequence[str]:
    """The states of ``every`` in which an operation may do something; none where that is in all."""
    walk = _Walk(subject, asked, is_giving=gives(node))
    found = [state for state in every if not walk.is_refused(node, state)]
    return found if walk.has_worked and len(found) < len(every) else []


class _Asked(Protocol):
    """What conditions say of one field."""

    def may_hold(self, test: ast.expr, state: str, holds: bool) -> bool:
        """Whether a condition may hold, or may not, where the field has a state."""

    def read_match(self, node: ast.Match) -> "Sequence[tuple[str, ...] | None] | None":
        """The states of each case, None for one that is open; None for other matches."""


class _States:
    """A field with named states."""

    def __init__(self, subject: Subject, field: str, states: States) -> None:
        self._asked = StateQuestions(subject, field, states, lambda each: each)
        self._narrowing = StateNarrowing(subject, field, states, self._asked, only_named=False)

    def may_hold(self, test: ast.expr, state: str, holds: bool) -> bool:
        return self._narrowing.narrow_states(test, frozenset([state]), holds) != NOWHERE

    def read_match(self, node: ast.Match) -> Sequence[tuple[str, ...] | None] | None:
        if not self._asked.is_field(node.subject):
            return None
        return [self._asked.read_pattern(each.pattern) for each in node.cases]


class _Flag:
    """A boolean."""

    def __init__(self, subject: Subject, symbol: str) -> None:
        self._subject = subject
        self._symbol = symbol

    def may_hold(self, test: ast.expr, state: str, holds: bool, deep: int = _DEEPEST) -> bool:
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.may_hold(operand, state, not holds, deep)
            case ast.BoolOp(op=op, values=values):
                ways = (self.may_hold(each, state, holds, deep) for each in values)
                return all(ways) if isinstance(op, ast.And) is holds else any(ways)
            case ast.Compare(
                left=asked,
                ops=[ast.Is() | ast.Eq()],
                comparators=[ast.Constant(value=bool() as value)],
            ):
                return self.may_hold(asked, state, holds is value, deep)
        field = find_field(test, self._subject)
        if field is not None:
            return field.symbol != self._symbol or (state == _ON) is holds
        returned = find_property(test, self._subject) if deep else None
        return returned is None or self.may_hold(returned, state, holds, deep - 1)

    def read_match(self, node: ast.Match) -> None:
        return None


class _Walk:
    """Follows one operation. One that ``is_giving`` is called for what it returns."""

    def __init__(self, subject: Subject, asked: _Asked, *, is_giving: bool) -> None:
        self._subject = subject
        self._asked = asked
        self._is_giving = is_giving
        self._state = ""
        self.has_worked = False  # in any state
        self._is_done = False
        self._has_given = False
        self._has_returned = False
        self._depth = 0

    def is_refused(self, node: _Function, state: str) -> bool:
        """Whether an operation does nothing, and gives nothing, where the field has a state."""
        self._state, self._is_done, self._has_given = state, False, False
        self._follow(node.body)
        return not (self._is_done or self._has_given)

    def _follow(self, body: Iterable[ast.stmt]) -> bool:
        """Whether what is behind the statements may run with nothing done before it."""
        return all(map(self._follow_statement, body))

    def _work(self) -> bool:
        self.has_worked = self._is_done = True
        return False

    def _follow_statement(self, node: ast.stmt) -> bool:
        match node:
            case ast.Return():
                return self._leave(node)
            case ast.Raise() | ast.Continue() | ast.Break():
                return False
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Import() | ast.ImportFrom():
                return True
            case ast.Assert(test=test):
                return self._may_hold(test, True)
            case ast.If():
                return self._follow_if(node)
            case ast.Match() if (named := self._asked.read_match(node)) is not None:
                return self._follow_match(node.cases, named)
            case ast.With(items=items) | ast.AsyncWith(items=items) if all(map(_is_lock, items)):
                return self._follow(node.body)
            case ast.With() | ast.AsyncWith() if context := find_context(node, self._subject):
                return self._follow(context.open_body(node.body))
            case ast.For(iter=asked) | ast.AsyncFor(iter=asked) | ast.While(test=asked):
                if self._acts(asked):
                    return self._work()
                self._follow([*node.body])
                return self._follow(node.orelse) and not self._is_done
            case ast.Try():
                return self._follow_try(node)
        check = find_check(node, self._subject)
        if check is not None and is_run(node, check) and self._depth < _DEEPEST:
            return self._follow_check(check)
        return (is_quiet(node) and not self._acts(node)) or self._work()

    def _leave(self, node: ast.Return) -> bool:
        self._has_returned = True
        value = node.value
        if value is None or leaves_with_nothing(node, self._subject.name):
            return False
        self._has_given = True
        hands_over = any(isinstance(each, ast.Call | ast.Await) for each in walk_nodes(value))
        return self._work() if hands_over or self._is_giving else False

    def _may_hold(self, test: ast.expr, holds: bool) -> bool:
        return self._asked.may_hold(test, self._state, holds)

    def _follow_if(self, node: ast.If) -> bool:
        if self._acts(node.test) or not self._only_asks(node.test):
            return self._work()
        ways = [
            body
            for body, holds in ((node.body, True), (node.orelse, False))
            if self._may_hold(node.test, holds)
        ]
        # What is behind runs if one of them lets it.
        ends = [self._follow(each) for each in ways]
        return any(ends) and not self._is_done

    def _follow_match(
        self, cases: Sequence[ast.match_case], named: Sequence[tuple[str, ...] | None]
    ) -> bool:
        ends: list[bool] = []
        for case, states in zip(cases, named, strict=True):
            is_any = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
            if states is not None and self._state not in states:
                continue
            ends.append(self._follow(case.body))
            if case.guard is None and (is_any or states is not None):
                return any(ends) and not self._is_done
        return not self._is_done

    def _follow_try(self, node: ast.Try) -> bool:
        end = self._follow([*node.body, *node.orelse])
        ends = [end, *(self._follow(each.body) for each in node.handlers)]
        is_over = not self._follow(node.finalbody)
        return any(ends) and not (is_over or self._is_done)

    def _follow_check(self, check: _Function) -> bool:
        """A step that is left goes on in the operation that runs it."""
        outer, self._has_returned = self._has_returned, False
        self._depth += 1
        is_through = self._follow(check.body) or self._has_returned
        self._depth -= 1
        self._has_returned = outer
        return is_through and not self._is_done

    def _only_asks(self, test: ast.expr) -> bool:
        """Whether a condition runs nothing that is not known to ask."""
        calls = (each for each in walk_nodes(test) if isinstance(each, ast.Call))
        return all(is_asked(e) or find_property(e, self._subject) is not None for e in calls)

    def _acts(self, node: ast.AST) -> bool:
        """Whether an expression, or a statement that keeps one, waits or changes the object."""
        is_waiting = any(
            isinstance(e, ast.Await | ast.Yield | ast.YieldFrom) for e in walk_nodes(node)
        )
        names = list_set_names(node, self._subject)
        return is_waiting or any(each.startswith(".") for each in names)


def _is_lock(item: ast.withitem) -> bool:
    name = get_last(spell_dotted(item.context_expr)).lower()
    return any(word in name for word in _LOCKS)
