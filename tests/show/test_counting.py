"""Numbers agree with their nouns, and what is left out of a list is counted."""

import pytest

from git_retcon.show.counting import all_of, count, inflect, list_some, some_of


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0 hunks"), (1, "1 hunk"), (2, "2 hunks"), (1234567, "1,234,567 hunks")],
)
def test_a_number_agrees_with_its_noun(number: int, said: str) -> None:
    assert count(number, "hunk") == said


def test_a_plural_can_be_given() -> None:
    assert (count(1, "entry", "entries"), count(2, "entry", "entries")) == ("1 entry", "2 entries")


def test_a_noun_agrees_without_its_number() -> None:
    assert [inflect(number, "commit") for number in (0, 1, 2)] == ["commits", "commit", "commits"]
    assert inflect(2, "entry", "entries") == "entries"


@pytest.mark.parametrize(
    ("names", "said"),
    [("", ""), ("a", "a"), ("ab", "a and b"), ("abcd", "a, b, c and d")],
)
def test_all_names_are_listed(names: str, said: str) -> None:
    assert all_of(iter(names)) == said


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (["a", "b", "c", "d"], "a, b and 2 more"),
        (["a", "b", *"x" * 1500], "a, b and 1,500 more"),
    ],
)
def test_the_first_names_and_how_many_more(names: list[str], said: str) -> None:
    assert some_of(names, 2) == said


def test_lines_beyond_the_most_are_counted() -> None:
    assert list(list_some(["a", "b", "c"], 3, "hunk")) == ["a", "b", "c"]
    assert list(list_some(["a", "b", "c"], 2, "hunk")) == ["a", "b", "and 1 more hunk"]
    assert list(list_some(["a", "b", "c"], 1, "hunk")) == ["a", "and 2 more hunks"]
