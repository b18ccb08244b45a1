"""Runs of characters are those that a regular expression finds."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.model.secrets.character_runs import DIGITS, LETTERS, find_runs, has_run, make_kind

WORD = make_kind(LETTERS + DIGITS)


@given(st.lists(st.sampled_from([b"a", b"Zz", b"9", b"-", b"\0", b"\n", b"\xff"])).map(b"".join))
def test_runs_are_whole_and_long_enough(data: bytes) -> None:
    expected = [found.span() for found in re.finditer(rb"[A-Za-z0-9]{3,}", data)]
    assert list(find_runs(data, WORD, 3)) == expected


@pytest.mark.parametrize(("text", "holds"), [("1, 2, 3", True), ("1, 2, x3", False), ("", False)])
def test_what_is_between_does_not_end_a_run(text: str, holds: bool) -> None:
    assert has_run(text.encode(), make_kind(DIGITS), 3, b", ") == holds
