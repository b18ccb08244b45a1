"""Which removed line became which added line."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.code.alignment import align_lines, find_words

lines = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "1", "+", "{"]), max_size=5).map(
        lambda words: " ".join(words).encode()
    ),
    max_size=8,
)


def test_words_are_names_and_numbers_once_each() -> None:
    assert find_words(b"x1 = x1 + 20 * _y") == {b"x1", b"20", b"_y"}


def test_lines_pair_by_the_words_that_they_share() -> None:
    removed = [b"def run(a):\n", b"    return a\n"]
    added = [b"import os\n", b"def run(a, b):\n", b"    log(b)\n", b"    return a + b\n"]
    assert align_lines(removed, added) == [(0, 1), (1, 3)]


def test_lines_that_share_little_pair_with_nothing() -> None:
    assert align_lines([b"one two three four\n"], [b"one 2 3 4\n"]) == []
    assert align_lines([b"one two three\n"], [b"one two 3\n"]) == [(0, 0)]


def test_brackets_pair_with_the_same_brackets_and_blank_lines_with_nothing() -> None:
    assert align_lines([b"  }\n", b"\n"], [b"\n", b"}\n"]) == [(0, 1)]
    assert align_lines([b"}\n"], [b"]\n"]) == []


def test_of_equal_alignments_the_one_of_the_earliest_lines_is_taken() -> None:
    assert align_lines([b"x = 1\n"], [b"x = 1\n", b"x = 1\n"]) == [(0, 0)]
    assert align_lines([b"x = 1\n", b"x = 1\n"], [b"x = 1\n"]) == [(0, 0)]


def test_the_greatest_total_wins_over_the_best_single_pair() -> None:
    removed = [b"a b c\n", b"d e f\n"]
    added = [b"d e f\n", b"a b c x\n", b"d e f y\n"]
    assert align_lines(removed, added) == [(0, 1), (1, 2)]


@given(lines, lines)
def test_pairs_rise_on_both_sides(removed: list[bytes], added: list[bytes]) -> None:
    pairs = align_lines(removed, added)
    for (a, b), (c, d) in itertools.pairwise(pairs):
        assert a < c and b < d
    assert all(removed[a].strip() and added[b].strip() for a, b in pairs)


@given(lines)
def test_a_text_aligns_with_itself(text: list[bytes]) -> None:
    written = [at for at, line in enumerate(text) if line.strip()]
    assert align_lines(text, text) == [(at, at) for at in written]


def test_a_bracket_that_stays_open_is_opened_by_a_line_with_another_name() -> None:
    assert align_lines([b"return Line(\n"], [b"price = 0\n", b"return Item(\n"]) == [(0, 1)]
    # A whole statement of two words is a statement of its own.
    assert align_lines([b"self.size()\n"], [b"price = 0\n", b"self.name()\n"]) == []
