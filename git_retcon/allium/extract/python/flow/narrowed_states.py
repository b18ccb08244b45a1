"""The states that are possible where a condition holds, or does not."""

import ast
import functools
from collections.abc import Collection, Mapping, Sequence

from git_retcon.allium.extract.python.flow.allowed_states import split_condition
from git_retcon.allium.extract.python.flow.possible_states import (
    NOWHERE,
    Possible,
    join_states,
    keep_states,
)
from git_retcon.allium.extract.python.flow.renewed_states import find_renewed
from git_retcon.allium.extract.python.flow.state_questions import MOST_ASKED, StateQuestions
from git_retcon.allium.extract.python.syntax.conditions import (
    Flag,
    Subject,
    answer_call,
    find_property,
    split_chain,
)
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.touched_names import list_set_names


class StateNarrowing:
    """Reads conditions about one field of an object.

    ``is_doubtful``: whether a guard that cannot be read let only some states pass. ``unless`` are
    conditions, as text, that mean other states than these where they hold alone. ``decided`` counts
    the statements that failed, or gave the field something.
    """

    def __init__(
        self,
        subject: Subject,
        field: str,
        states: States,
        asked: StateQuestions,
        *,
        only_named: bool,
    ) -> None:
        self._subject = subject
        self._field = field
        self._states = states
        self._asked = asked
        self._only_named = only_named
        self._entered: list[ast.expr] = []  # what properties return that are being read
        self._left = MOST_ASKED
        self._told = subject.fixed  # what holds, by its text; so does what else has to hold
        self.kept = subject.kept.get(field, {})  # the states that other fields have for this one
        self.is_doubtful = False
        self.decided = 0
        self.unless: list[tuple[str, tuple[str, ...]]] = []

    def go_on(self, node: ast.stmt, doubted: bool) -> frozenset[str]:
        """Leave what was in doubt in a statement behind; what this sets, if any, tells of it."""
        is_told, self.is_doubtful = self.is_doubtful and not doubted, doubted
        names = list_set_names(node, self._subject) if is_told else ()
        return frozenset(names) - {f".{self._field}"}

    def open_answer(self, value: ast.expr) -> ast.expr:
        """What a constant answers that a field is given the answer of, or the value itself."""
        found = answer_call(value, self._subject.constants) if isinstance(value, ast.Call) else None
        return found or value

    def add_unless(self, test: ast.expr) -> None:
        """Behind "a and state is X", "a" alone means another state."""
        self.unless += split_condition(test, self._field, self._states, self._subject)

    def narrow_states(self, test: ast.expr, before: Possible, holds: bool) -> Possible:
        """The states that are possible where a condition holds, or does not."""
        if self._told and self._told.get(_spell(test), holds) is not holds:
            return NOWHERE
        if self.unless and holds and not isinstance(test, ast.BoolOp):
            text = _spell(test)
            for other, found in self.unless:
                before = self.exclude_states(before, found) if other == text else before
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.narrow_states(operand, before, not holds)
            case ast.BoolOp():
                return self._narrow_parts(test, before, holds)
            case ast.Constant() | ast.Name():
                given = self._asked.read_given(test)
                return before if given is None or given is holds else NOWHERE
            case ast.IfExp(test=asked, body=body, orelse=orelse):
                yes = self.narrow_states(asked, before, True)
                no = self.narrow_states(asked, before, False)
                yes, no = (
                    each if each == NOWHERE else self.narrow_states(way, each, holds)
                    for way, each in ((body, yes), (orelse, no))
                )
                return join_states(yes, no)
            case ast.Compare():
                return self._narrow_compared(test, before, holds)
            case ast.Attribute() if self._asked.asks_any(test):
                return self._narrow_null(before, not holds)
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if (
                owner == self._subject.name and self._is_flag(name, not holds)
            ):
                return self._leave_companions(Flag(name, not holds), before)
            case ast.Attribute() | ast.Call():
                return self._narrow_returned(test, before, holds)
        self.is_doubtful |= self._asked.has_field(test)
        return before

    def end_loop(self, test: ast.expr | None, head: Possible) -> Possible:
        """The states where the condition of a loop, if it has one, no longer holds."""
        if test is None:
            return head
        end = self.narrow_states(test, head, False)
        if end == NOWHERE and not isinstance(test, ast.Constant):
            others = find_renewed(self._subject, self._field, self._states)
            end = self.narrow_states(test, others or None, False)  # others set it
        return end

    def _leave_companions(self, flag: Flag, before: Possible) -> Possible:
        """Where a flag is off, so are the states that it comes with."""
        others = self._subject.companions.get(flag, ())
        absent = [each.state for each in others if each.field == self._field]
        return self.exclude_states(before, absent) if absent else before

    def _is_flag(self, name: str, holds: bool) -> bool:
        """Whether it is a field, or a part of which states are known that come with or without."""
        subject = self._subject
        return name in subject.fields or Flag(name, holds) in subject.companions

    def _narrow_parts(self, test: ast.BoolOp, before: Possible, holds: bool) -> Possible:
        if isinstance(test.op, ast.And) is holds:
            known, self._told = self._told, {**_tell_parts(test.values, holds), **self._told}
            for each in self._asked.list_open(test):
                before = self.narrow_states(each, before, holds)
            self._told = known
            return before
        joined = NOWHERE
        for each in self._asked.list_open(test):
            joined = join_states(joined, self.narrow_states(each, before, holds))
        return joined

    def _narrow_returned(
        self, test: ast.Attribute | ast.Call, before: Possible, holds: bool
    ) -> Possible:
        """By what a property or a method of the class returns; not by one that returns itself."""
        returned = find_property(test, self._subject)
        if returned is None or returned in self._entered:
            self.is_doubtful |= self._asked.is_part(test)
            return before
        self._left = self._left - 1 if self._entered else MOST_ASKED
        if self._left < 0:
            self.is_doubtful = True
            return before
        self._entered.append(returned)
        try:
            return self.narrow_states(returned, before, holds)
        finally:
            self._entered.pop()

    def _narrow_compared(self, test: ast.Compare, before: Possible, holds: bool) -> Possible:
        if len(test.ops) > 1:
            return self.narrow_states(split_chain(test), before, holds)
        is_null = self._asked.read_null(test)
        if is_null is not None:
            return self._narrow_null(before, is_null is holds)
        part = _find_part(test, self._subject.name)
        if part and (before is not None or self._states.choices):
            is_there = isinstance(test.ops[0], ast.IsNot | ast.NotEq) is holds
            before = self._leave_companions(Flag(part, not is_there), before)
        named = self._asked.read_compared(test)
        if named is None:
            decided = self._asked.decide(test)
            self.is_doubtful |= decided is None and self._is_open(test)
            return before if decided is None or decided is holds else NOWHERE
        if isinstance(test.ops[0], ast.Eq | ast.In | ast.Is) is holds:
            if self._asked.allows_null(test):
                self.is_doubtful = True
                return before
            return keep_states(before, named)
        return self.exclude_states(before, named)

    def _is_open(self, test: ast.Compare) -> bool:
        """Whether a comparison lets only some states pass, as one with a constant of another file
        does, or one for an order.
        """
        asked = self._asked
        return asked.names_constant(test) or asked.asks_order(test) or asked.asks_part(test)

    def _narrow_null(self, before: Possible, is_null: bool) -> Possible:
        """Where the field has no value, it is in none of its states."""
        if before is None:
            # No transition begins where there was no state.
            self.is_doubtful |= is_null
            return before
        return NOWHERE if is_null else before

    def exclude_states(self, before: Possible, found: Collection[str]) -> Possible:
        if before is not None:
            return before - frozenset(found)
        every = [] if self._only_named else [each.name for each in self._states.choices]
        if not every and found:
            # Which states are left is not known: no transition begins here for certain.
            self.is_doubtful = True
        return frozenset(every) - frozenset(found) if every else None


def _find_part(test: ast.Compare, owner: str) -> str:
    """The part of an object that is compared with nothing; "" where none is."""
    match test:
        case ast.Compare(
            left=ast.Attribute(value=ast.Name(id=name), attr=part),
            ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()],
            comparators=[ast.Constant(value=None)],
        ) if name == owner:
            return part
    return ""


def _tell_parts(values: Sequence[ast.expr], holds: bool) -> Mapping[str, bool]:
    """The truths of names and attributes that have to hold, or not to, all at once: of "(a or
    state is X) and not a", a is not the part that holds.
    """
    found: dict[str, bool] = {}
    for each in values:
        truth = holds
        while isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Not):
            each, truth = each.operand, not truth
        if isinstance(each, ast.Name | ast.Attribute):
            found[_spell(each)] = truth
    return found


# A condition is followed in each state that a method may begin in.
@functools.lru_cache(maxsize=512)
def _spell(test: ast.expr) -> str:
    return ast.unparse(test)
