"""Values that an object loses at once where it got them, as something failed.

::

    try:
        self.socket = connect()
        self.status = Status.OPEN
    except OSError:
        self.socket = None
        raise

What runs only without such a value has found its object without it.
"""

import ast
from collections.abc import Iterable, Sequence, Set

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.possible_states import NOWHERE, Possible, join_states
from git_retcon.allium.extract.python.flow.state_flow import StateFlow
from git_retcon.allium.extract.python.flow.unset_paths import Lasting
from git_retcon.allium.extract.python.lifetimes.given_places import list_given
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements


def find_taker(
    block: Sequence[ast.stmt], subject: Subject, symbol: str, value: Lasting
) -> Function | None:
    """The method that takes a value away in a block for an error, where it has given it itself, and
    does nothing if there is one already; None where that is not so.
    """
    for method in subject.methods.values():
        for each in walk_statements(method.body):
            if isinstance(each, ast.Try) and any(e.body is block for e in each.handlers):
                given = [
                    e for one in walk_statements(each.body) for e in list_given(one, value.name)
                ]
                flow = _make_flow(subject, symbol, value, is_set=True)
                flow.run_method(method, flow.find_every())
                return method if given and each.body[0] not in flow.begun_at else None
    return None


def list_retaken(
    blocks: Iterable[Sequence[ast.stmt]],
    subject: Subject,
    symbol: str,
    value: Lasting,
    unset: Set[str],
) -> Set[str]:
    """The states in which these blocks take a value away that an object got in one of ``unset``."""
    found: set[str] = set()
    for block in blocks:
        method = find_taker(block, subject, symbol, value)
        if method is not None:
            flow = _make_flow(subject, symbol, value, is_set=False)
            flow.run_method(method, frozenset(unset))
            found |= flow.begun_at.get(block[0]) or frozenset()
    return found


class _BlockFlow(StateFlow):
    """Notes in which states each block begins, by its first statement."""

    def __init__(self, subject: Subject, symbol: str) -> None:
        self._choices = subject.states[symbol].choices
        self.begun_at: dict[ast.stmt, Possible] = {}
        super().__init__(subject, symbol, subject.states[symbol])

    def find_every(self) -> Possible:
        return frozenset(each.name for each in self._choices) or None

    def follow(self, body: Iterable[ast.stmt], before: Possible) -> Possible:
        listed = [*body]
        if listed and before != NOWHERE:
            known = self.begun_at.get(listed[0], NOWHERE)
            self.begun_at[listed[0]] = join_states(known, before)
        return super().follow(listed, before)


def _make_flow(subject: Subject, symbol: str, value: Lasting, *, is_set: bool) -> _BlockFlow:
    truths = value.list_truths(is_set=is_set)
    return _BlockFlow(subject._replace(fixed={**subject.fixed, **truths}), symbol)
