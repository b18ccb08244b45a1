"""What conditions ask of a field that has states."""

import ast
from collections.abc import Callable, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.allowed_states import (
    find_entry,
    read_containing,
    read_pairs,
    read_sources,
)
from git_retcon.allium.extract.python.flow.given_constants import compare_constants
from git_retcon.allium.extract.python.syntax.conditions import (
    Subject,
    face_field,
    find_field,
    find_property,
    read_ordered,
    read_states,
    split_chain,
)
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.touched_names import reads_field, reads_names

_TURNED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE,
}  # fmt: skip
_EVEN = ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn

# Answers of others that are read for one condition: what asks more, perhaps in a circle, is open.
MOST_ASKED = 200


class AskedStates(NamedTuple):
    """States that a variable is asked for; ``is_named`` where it has the name of the field."""

    states: frozenset[str]
    is_named: bool


def _is_null(node: ast.expr) -> bool:
    """Whether an expression is no value."""
    return isinstance(node, ast.Constant) and node.value is None


class StateQuestions:
    """Reads the conditions about one field. ``resolve`` gives what a parameter is given,
    ``find_held`` the states that a variable may hold.
    """

    def __init__(
        self,
        subject: Subject,
        field: str,
        states: States,
        resolve: Callable[[ast.expr], ast.expr],
        find_held: Callable[[ast.expr], Set[str]] = lambda _: frozenset(),
    ) -> None:
        self._subject = subject
        self._field = field
        self._states = states
        self._resolve = resolve
        self._find_held = find_held
        self._entered: list[ast.expr] = []  # what properties return that are being read
        self._left = MOST_ASKED

    def is_field(self, node: ast.expr) -> bool:
        """Whether an expression is the field itself."""
        found = find_field(node, self._subject)
        return found is not None and found.symbol == self._field

    def is_part(self, node: ast.expr) -> bool:
        """Whether an expression is something that the field has: ``self.state.value``."""
        while isinstance(node, ast.Attribute | ast.Call):
            node = node.func if isinstance(node, ast.Call) else node.value
            if self.is_field(node):
                return True
        return False

    def has_field(self, node: ast.AST) -> bool:
        """Whether an expression names the field anywhere in it."""
        if isinstance(node, ast.Name | ast.Constant):  # as most
            return False
        return any(isinstance(e, ast.Attribute) and self.is_field(e) for e in walk_nodes(node))

    def asks_part(self, test: ast.Compare) -> bool:
        """Whether a comparison is of what the field becomes part of: ``self.state & MASK``."""
        sides = (test.left, *test.comparators)
        made = (each for each in sides if not isinstance(each, ast.List | ast.Tuple))
        return any(map(self.has_field, made)) and not any(map(self.is_field, sides))

    def understands(self, test: ast.expr) -> bool:
        """Whether all that a condition says of the field is known, or it says nothing of it."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.understands(operand)
            case ast.BoolOp():
                return all(map(self.understands, self.list_open(test)))
            case ast.Compare(ops=[_, _, *_]):
                return self.understands(split_chain(test))
            case ast.IfExp(test=asked, body=body, orelse=orelse):
                return all(map(self.understands, (asked, body, orelse)))
            case ast.Compare(ops=[_]):
                if self.read_compared(test) is not None or self.read_null(test) is not None:
                    return True
            case ast.Attribute() if self.asks_any(test):
                return True
            case ast.Attribute() | ast.Call():
                returned = find_property(test, self._subject)
                if returned is not None and returned not in self._entered:
                    return self._understands_returned(returned)
        return not reads_field(test, self._field, self._subject)

    def asks_any(self, test: ast.expr) -> bool:
        """Whether a condition asks that the field has any value, where all of them are true."""
        stored = [each.stored for each in self._states.choices]
        return self.is_field(test) and bool(stored) and all(stored)

    def _understands_returned(self, returned: ast.expr) -> bool:
        self._left = self._left - 1 if self._entered else MOST_ASKED
        if self._left < 0:
            return False
        self._entered.append(returned)
        try:
            return self.understands(returned)
        finally:
            self._entered.pop()

    def read_given(self, node: ast.expr) -> bool | None:
        """The truth of a constant or a list, or of one that a parameter is given; None where that
        is open.
        """
        match given := self._resolve(node):
            case ast.Constant(value=value):
                return bool(value)
            case ast.List() | ast.Tuple() | ast.Set() if _is_filled(given):
                return True
        return None

    def list_open(self, test: ast.BoolOp) -> Sequence[ast.expr]:
        """The parts that decide on a condition: not those whose answer what is given has."""
        known = {each: self._decide_part(each) for each in test.values}
        rules = isinstance(test.op, ast.Or)
        if rules in known.values():
            return [ast.Constant(rules)]
        return [each for each in test.values if known[each] is None] or [ast.Constant(not rules)]

    def _decide_part(self, node: ast.expr) -> bool | None:
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                truth = self._decide_part(operand)
                return None if truth is None else not truth
            case ast.Name():
                return self.read_given(node)
            case ast.Compare(left=ast.Name(), ops=[_]):
                return self._decide_null(node)
        return None

    def _decide_null(self, test: ast.Compare) -> bool | None:
        """What a question says whether a parameter is given anything."""
        op, given = test.ops[0], self._resolve(test.left)
        is_even = isinstance(op, ast.Eq | ast.Is | ast.NotEq | ast.IsNot)
        is_known = isinstance(given, ast.Constant) or _is_filled(given)
        if not (is_even and _is_null(test.comparators[0])):
            return None
        if not is_known and self._states.read(given) is None:
            return None
        return _is_null(given) is isinstance(op, ast.Eq | ast.Is)

    def decide(self, test: ast.Compare) -> bool | None:
        """What a comparison of two known states says: of what a parameter is given."""
        if isinstance(test.left, ast.Name) and (told := self._decide_null(test)) is not None:
            return told
        state = self._states.read(self._resolve(test.left))
        known = self._find_held(test.left) if state is None else {state}
        right, op = self._resolve(test.comparators[0]), test.ops[0]
        named = read_states(right, self._states, self._subject.constants)
        if not known or named is None or not isinstance(op, _EVEN):
            return self._compare_given(test)
        if not (known <= {*named} or known.isdisjoint(named)):
            return None
        return (known <= {*named}) is isinstance(op, ast.Eq | ast.Is | ast.In)

    def _compare_given(self, test: ast.Compare) -> bool | None:
        """What a comparison says of a constant that a parameter is given."""
        given, right = self._resolve(test.left), self._resolve(test.comparators[0])
        if given is test.left:
            return None
        return compare_constants(given, test.ops[0], right, self._subject.constants)

    def is_told(self, test: ast.expr, answers: Set[str]) -> bool:
        """Whether a condition asks variables that say something of the field, and what they hold
        does not decide on it.
        """
        if not reads_names(test, answers, self._subject):
            return False
        match test.operand if isinstance(test, ast.UnaryOp) else test:
            case ast.Compare(ops=[_]) as asked if self.read_compared(asked) is None:
                return self.decide(asked) is None
        return True

    def names_constant(self, test: ast.Compare) -> bool:
        """Whether a comparison is of the field with something that has the name of a constant, or
        lists any.
        """
        left, op, right = face_field(test, self._subject)
        is_listed = isinstance(op, ast.In | ast.NotIn)
        return self.is_field(left) and (is_listed or get_last(spell_dotted(right)).isupper())

    def asks_order(self, test: ast.Compare) -> bool:
        """Whether a comparison asks if the field comes before or after something."""
        left, op, right = face_field(test, self._subject)
        is_order = isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
        return is_order and (self.is_field(left) or self.is_field(right))

    def read_asked_states(self, test: ast.expr) -> "AskedStates":
        """The states that a condition asks of variables: these may hold the state of the field."""
        names: set[str] = set()
        found: set[str] = set()
        for each in walk_nodes(test):
            match each:
                case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq() | ast.Is() | ast.In()]):
                    right = self._resolve(each.comparators[0])
                    states = self._read_named(right)
                    is_known = self._states.read(self._resolve(each.left)) is not None
                    if states and not is_known and not self._find_held(each.left):
                        names.add(name)
                        found |= {*states}
        return AskedStates(frozenset(found), names == {self._field.strip("_")})

    def read_demanded(self, test: ast.expr) -> tuple[Sequence[ast.expr], frozenset[str]]:
        """The variable that a condition demands a state of, where it holds, and these states."""
        refused = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        match test.operand if isinstance(test, ast.UnaryOp) and refused else test:
            case ast.Compare(left=ast.Name() as name, ops=[op], comparators=[right]):
                wanted = ast.NotEq | ast.NotIn if refused else ast.Eq | ast.In
                found = self._read_named(self._resolve(right))
                if isinstance(op, wanted) and found:
                    return [name], frozenset(found)
        return [], frozenset()

    def _read_named(self, node: ast.expr) -> tuple[str, ...] | None:
        """The states that a variable is compared with; a number alone may be of anything where the
        states have names.
        """
        value = node.value if isinstance(node, ast.Constant) else None
        has_names = bool(self._states.enum) or any(each.symbol for each in self._states.choices)
        if isinstance(value, int | float) and has_names:
            return None
        return read_states(node, self._states, self._subject.constants)

    def read_compared(self, test: ast.Compare) -> tuple[str, ...] | None:
        """The states that a comparison of the field is about."""
        left, op, right = face_field(test, self._subject)
        if isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
            if self.is_field(right):
                left, op, right = right, _TURNED[type(op)](), left
            ordered = read_ordered(op, right, self._states) if self.is_field(left) else None
            # What is left where it does not hold is what a comparison of others is about.
            return ordered if ordered is None else self._list_others(ordered)
        if isinstance(op, ast.In | ast.NotIn) and self.is_field(right):
            return read_containing(left, self._states)
        if isinstance(op, ast.In | ast.NotIn) and isinstance(left, ast.Tuple):
            pair = ast.Tuple([self._resolve_stored(each) for each in left.elts])
            return read_pairs(pair, right, self.is_field, self._states, self._subject)
        if isinstance(op, ast.In | ast.NotIn):
            target = self._states.read(self._resolve(left))
            table = find_property(right, self._subject) or right
            if target is not None:
                return read_sources(target, table, self._field, self._states, self._subject)
        if not self.is_field(left):
            return None
        return read_states(self._resolve_parts(right), self._states, self._subject.constants)

    def _resolve_stored(self, node: ast.expr) -> ast.expr:
        """What a parameter is given, for it or what it is stored as: ``new.value``."""
        match node:
            case ast.Attribute(value=ast.Name() as name, attr="value"):
                return self._resolve(name)
        return self._resolve(node)

    def _list_others(self, states: Sequence[str]) -> tuple[str, ...]:
        return tuple(each.name for each in self._states.choices if each.name not in states)

    def read_null(self, test: ast.Compare) -> bool | None:
        """Whether a comparison says that the field has no value, or that it has one; else None."""
        left, op, right = test.left, test.ops[0], test.comparators[0]
        is_even = isinstance(op, ast.Eq | ast.Is | ast.NotEq | ast.IsNot)
        if not (is_even and _is_null(right) and self.is_field(left)):
            return None
        return isinstance(op, ast.Eq | ast.Is)

    def allows_null(self, test: ast.Compare) -> bool:
        """Whether a comparison names states, or no value, of a field that may have none."""
        match test.comparators[0]:
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                field = self._subject.fields.get(self._field)
                return field is not None and field.type.is_optional and any(map(_is_null, parts))
        return False

    def _resolve_parts(self, node: ast.expr) -> ast.expr:
        """What is given for a parameter, or for those in a list; no value is no state."""
        match node:
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                given = [self._resolve(each) for each in parts]
                return ast.Tuple(elts=[each for each in given if not _is_null(each)])
        return find_entry(self._resolve(node), self._resolve, self._subject)

    def read_pattern(self, pattern: ast.pattern) -> tuple[str, ...] | None:
        """The states that a pattern is for; None where that is open."""
        match pattern:
            case ast.MatchValue(value=value):
                return read_states(value, self._states, self._subject.constants)
            case ast.MatchOr(patterns=patterns):
                found = [self.read_pattern(each) for each in patterns]
                known = [each for each in found if each is not None]
                return (
                    tuple(one for each in known for one in each)
                    if len(known) == len(found)
                    else None
                )
        return None


def _is_filled(node: ast.expr) -> bool:
    """Whether a list has something in it in any case."""
    parts = getattr(node, "elts", ())
    return any(not isinstance(each, ast.Starred) for each in parts)
