"""What is read from an answer about all hunks: what is clear, and nothing else."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.model.schema import fault_in
from git_retcon.retcon.engines.claude.placement_answer import (
    SCHEMA,
    Part,
    find_fault,
    read_placements,
)


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
        (answer(c1="4f2a1 1708f3 12345678901"), {}),
        (answer(c1="2", c2="4:1-2, 5"), {2: 0, 5: 1}),
        (answer(c1="1.5, 2.0", c2="-3, 4:1.5"), {}),
        (answer(c1="- 1\n- 2", c2="#3, hunk-4; (5)."), {1: 0, 2: 0, 3: 1, 4: 1, 5: 1}),
        (answer(c1="1..3", c2="٤, ５"), {1: 0, 2: 0, 3: 0, 4: 1, 5: 1}),
        (answer(), {}),
    ],
)
def test_only_what_is_clear_counts(said: dict[str, Any], read: dict[int, int]) -> None:
    assert fault_in(said, SCHEMA) is None
    assert read_placements(said, 5, 3).commits == read


def test_a_part_is_lines_of_one_hunk() -> None:
    found = read_placements(answer(c1="4:1-2, 2:9", c2="4 : 3 to 7"), 5, 3)
    assert found.parts == {Part(4, 1, 2): 0, Part(2, 9, 9): 0, Part(4, 3, 7): 1}
    assert found.commits == {}


@pytest.mark.parametrize("hunks", ["4, 4:1-2", "4:0-2", "4:2-1", "9:1-2", "4:1-2, 4:1-2, 4"])
def test_a_part_that_is_none_says_nothing(hunks: str) -> None:
    found = read_placements(answer(c1=hunks), 5, 3)
    assert (found.parts, found.commits) == ({}, {})


@pytest.mark.parametrize("said", [answer(c0="1, 2"), answer(c1="0-3"), answer(c1="2", c2="0")])
def test_an_answer_that_counts_from_zero_is_at_fault(said: dict[str, Any]) -> None:
    assert find_fault(said) == "commits and hunks are numbered from 1"


@pytest.mark.parametrize("said", [answer(c1="10, 4:0-2", unsure="0"), answer()])
def test_any_other_answer_is_read(said: dict[str, Any]) -> None:
    assert find_fault(said) is None


def test_what_an_answer_leaves_open_is_known() -> None:
    found = read_placements(answer(unsure="1, 7", c1="2, 3", c2="3", c9="4"), 5, 3)
    assert (sorted(found.unsure), sorted(found.silent)) == ([1], [3, 4, 5])


@given(
    st.lists(st.tuples(st.integers(-5, 9), st.text("0123456789-, to.x:", max_size=20)), max_size=5),
    st.text("0123456789-, ", max_size=10),
)
def test_any_answer_names_hunks_and_commits_that_there_are(
    parts: list[tuple[int, str]], unsure: str
) -> None:
    placements = [{"commit": commit, "hunks": text} for commit, text in parts]
    read = read_placements({"placements": placements, "unsure": unsure}, 7, 3)
    assert {*read.commits, *(part.hunk for part in read.parts)} <= set(range(1, 8))
    assert {*read.commits.values(), *read.parts.values()} <= {0, 1, 2}
    named = {*read.commits, *(part.hunk for part in read.parts)}
    assert named | read.unsure | read.silent == set(range(1, 8))
