"""Ids of hunks and of parts of them are read as they are written."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.retcon.spec.hunk_parts import (
    Abbreviations,
    HunkId,
    Lines,
    find_hunks,
    is_hunk_id,
    join_numbers,
    names_lines_of,
    read_hunk_id,
)


@pytest.mark.parametrize("text", ["1f3a", "1f3a.2", "1f3a9c20aa:1-22", "1f3a:7", "1f3a.2:2,5-7"])
def test_an_id_is_written_as_it_was_read(text: str) -> None:
    assert str(read_hunk_id(text)) == text


@pytest.mark.parametrize(
    "text", ["", "1f3", "1f3g", "1f3a:", "1f3a:0", "1f3a:1-", "1f3a:1,2,3", "1f3a:1-2-3", " 1f3a"]
)
def test_anything_else_is_no_id(text: str) -> None:
    assert not is_hunk_id(text)
    with pytest.raises(ValueError, match="not the id of a hunk"):
        read_hunk_id(text)


@given(st.sets(st.integers(1, 40), min_size=1))
def test_runs_have_the_numbers_that_they_were_made_of(numbers: set[int]) -> None:
    runs = join_numbers(sorted(numbers))
    assert HunkId("1f3a", runs).numbers == numbers
    assert all(a.last + 1 < b.first for a, b in itertools.pairwise(runs))


def test_a_whole_id_is_not_ambiguous() -> None:
    assert find_hunks("1f3a", ["1f3a", "1f3a.2"]) == ["1f3a"]
    assert find_hunks("1f3", ["1f3a", "1f3a.2"]) == ["1f3a", "1f3a.2"]
    assert join_numbers([2, 5, 6]) == (Lines(2, 2), Lines(5, 6))


_IDS = st.from_regex(r"[0-9a-b]{10}(?:\.[2-4])?", fullmatch=True)


@given(st.sets(_IDS, min_size=1, max_size=60), st.sampled_from(["", ":1-22"]))
def test_an_abbreviated_id_means_the_hunk_it_was_made_of(ids: set[str], lines: str) -> None:
    known = Abbreviations(ids)
    for each in ids:
        short = known.shorten(f"{each}{lines}")
        assert is_hunk_id(short) and f"{each}{lines}".endswith(lines)
        assert list(known.find(short)) == [f"{each}{lines}"]


def test_an_id_is_as_short_as_the_others_let_it_be() -> None:
    known = Abbreviations(["1f3a9c20aa", "1f3a9c77bb", "2222222222", "2222222222.2"])
    assert known.shorten("1f3a9c20aa:1-2") == "1f3a9c2:1-2"
    assert known.shorten("2222222222") == "2222222222"
    assert known.shorten("2222222222.2") == "2222222222.2"
    assert Abbreviations(["1f3a9c20aa"]).shorten("1f3a9c20aa") == "1f3a9"
    assert list(known.find("1f3a9c")) == ["1f3a9c20aa", "1f3a9c77bb"]
    assert list(known.find("3")) == []


def test_pins_name_what_shares_a_line_with_them() -> None:
    assert names_lines_of("1f3a", "1f3a9c20:1-2")
    assert names_lines_of("1f3a:2-9", "1f3a9c20:1-2")
    assert names_lines_of("1f3a:2-9", "1f3a9c20")
    assert not names_lines_of("1f3a:3-9", "1f3a9c20:1-2")
    assert not names_lines_of("2222", "1f3a9c20")


def test_a_pin_names_none_of_the_hunks_that_equal_its_own() -> None:
    assert names_lines_of("1f3a9c20", "1f3a9c20:1-2")
    assert not names_lines_of("1f3a9c20", "1f3a9c20.2")
    assert not names_lines_of("1f3a9c20:1", "1f3a9c20.2:1-2")
    assert names_lines_of("1f3a9c20.2", "1f3a9c20.2")


def test_a_pin_of_any_number_of_lines_costs_no_memory() -> None:
    assert names_lines_of("1f3a:1-999999999", "1f3a9c20:1-2")
    assert not names_lines_of("1f3a:3-999999999", "1f3a9c20:1-2")
    assert not names_lines_of("1f3a:9-2", "1f3a9c20:1-20")
