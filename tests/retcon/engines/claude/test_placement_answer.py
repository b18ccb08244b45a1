"""What is read from an answer about all hunks: what is clear, and nothing else."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.model.schema import fault_in
from git_retcon.retcon.engines.claude.placement_answer import SCHEMA, read_placements


def answer(unsure: str = "", **hunks: str) -> dict[str, Any]:
    placements = [{"commit": int(name[1:]), "hunks": text} for name, text in hunks.items()]
    return {"placements": placements, "unsure": unsure}


@pytest.mark.parametrize(
    ("said", "read"),
    [
        (answer(c1="1-3, 5", c2="4"), {1: 0, 2: 0, 3: 0, 5: 0, 4: 1}),
        (answer(c1="hunks 1 to 2 and 4"), {1: 0, 2: 0, 4: 0}),
        (answer(c1="1", c2="1, 2"), {2: 1}),
        (answer(unsure="2", c1="1-3"), {1: 0, 3: 0}),
        (answer(c0="1", c4="2", c3="6, 99"), {}),
        (answer(c1="1-999999999"), dict.fromkeys(range(1, 6), 0)),
        (answer(c1="3-1"), {}),
        (answer(), {}),
    ],
)
def test_only_what_is_clear_counts(said: dict[str, Any], read: dict[int, int]) -> None:
    assert fault_in(said, SCHEMA) is None
    assert read_placements(said, 5, 3) == read


@given(
    st.lists(st.tuples(st.integers(-5, 9), st.text("0123456789-, to.x", max_size=20)), max_size=5),
    st.text("0123456789-, ", max_size=10),
)
def test_any_answer_names_hunks_and_commits_that_there_are(
    parts: list[tuple[int, str]], unsure: str
) -> None:
    placements = [{"commit": commit, "hunks": text} for commit, text in parts]
    read = read_placements({"placements": placements, "unsure": unsure}, 7, 3)
    assert set(read) <= set(range(1, 8))
    assert set(read.values()) <= {0, 1, 2}
