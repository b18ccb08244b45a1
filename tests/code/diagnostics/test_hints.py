"""One automaton finds what single searches find."""

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.code.diagnostics.hints import HintFinder

_HINTS = ("error: ", "[E", " ● ", ".py:", "(", "a", "E   ")


@given(st.lists(st.sampled_from([*_HINTS, "b", "\n", "\udcff", "é", "rror"]), max_size=12))
def test_the_same_as_searching_for_each(parts: list[str]) -> None:
    text = "".join(parts)
    assert HintFinder(_HINTS).find(text) == {hint for hint in _HINTS if hint in text}
