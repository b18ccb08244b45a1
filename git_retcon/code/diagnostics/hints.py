"""Which literals are in a text: one automaton looks for all of them at once."""

import functools
from collections.abc import Sequence
from typing import Protocol


class _Set(Protocol):
    def Match(self, text: bytes) -> Sequence[int]: ...  # noqa: N802


class HintFinder:
    """Finds which of some literals are in a text.

    Hundreds of searches for one literal each cost more than the readers that they spare.
    """

    def __init__(self, hints: Sequence[str]) -> None:
        self._hints = tuple(dict.fromkeys(hints))
        self._known = frozenset(hints)

    def find(self, text: str) -> frozenset[str]:
        """The literals that the text holds."""
        found = self._automaton.Match(text.encode("utf-8", "surrogateescape"))
        return frozenset(self._hints[number] for number in found or ())

    def list_absent(self, present: frozenset[str]) -> frozenset[str]:
        """The literals that are not among these, which ``find`` found."""
        return self._known - present

    @functools.cached_property
    def _automaton(self) -> _Set:
        import re2  # late: as in matchers.py

        options = re2.Options()
        options.literal = True
        options.encoding = re2.Options.Encoding.LATIN1
        automaton = re2.Set.SearchSet(options)
        for hint in self._hints:
            automaton.Add(hint.encode())
        automaton.Compile()
        found: _Set = automaton
        return found
