"""Pages hold the hunks that are worth a question, and end when none is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.git.atoms import Atom, Kind, Span
from git_retcon.retcon.engine import Reason
from git_retcon.retcon.planner.pages import (
    LEAST_VALUE,
    MOST_LINES,
    Question,
    choose_page,
    count_pages,
    make_question,
)
from git_retcon.retcon.planner.plan import Placement


def question(number: int, path: bytes, lines: int, sure: float, *, done: bool = False) -> Question:
    added = tuple(b"x\n" for _ in range(lines))
    span = Span(number, number + lines)
    atom = Atom(f"{number:010x}", Kind.LINES, path, Span(0, 0), span, (), added)
    placement = Placement(0, Reason.in_words("", sure))
    return make_question(atom, placement, answered=done)


questions = st.lists(
    st.tuples(st.sampled_from([b"a", b"b"]), st.integers(1, 45), st.floats(0, 1), st.booleans()),
    max_size=12,
).map(
    lambda rows: [
        question(number, path, lines, sure, done=done)
        for number, (path, lines, sure, done) in enumerate(sorted(rows, key=lambda row: row[0]))
    ]
)


@given(questions)
def test_a_page_fits_and_is_in_the_order_of_the_difference(asked: list[Question]) -> None:
    page = choose_page(asked)
    if page is None:
        return
    assert sum(each.shown for each in page.questions) <= MOST_LINES
    assert page.value >= LEAST_VALUE
    left = [each for each in asked if not each.is_settled]
    numbers = [left.index(each) for each in page.questions]
    assert numbers == sorted(set(numbers))


@given(questions)
def test_what_is_left_off_a_page_has_less_at_stake_or_no_room(asked: list[Question]) -> None:
    page = choose_page(asked)
    on_page = page.questions if page is not None else ()
    room = MOST_LINES - sum(each.shown for each in on_page)
    for each in asked:
        if page is not None and not each.is_settled and each not in on_page:
            more = sum(one.shown for one in on_page if one.stake >= each.stake)
            assert each.shown > room and more + each.shown > MOST_LINES


@given(questions)
def test_no_page_is_asked_where_little_is_at_stake_in_all(asked: list[Question]) -> None:
    if sum(each.stake for each in asked if not each.is_settled) < LEAST_VALUE:
        assert choose_page(asked) is None


def test_what_has_most_at_stake_comes_first_from_any_file() -> None:
    sure = [question(at, b"a", 10, 0.9) for at in range(2)]
    asked = [*sure, question(2, b"b", 9, 0.1), question(3, b"c", 8, 0.2)]
    page = choose_page(asked)
    assert page is not None
    # One of those that the plan is sure of has room beside them.
    assert [each.atom.path for each in page.questions] == [b"a", b"b", b"c"]


def test_settled_hunks_are_left_out() -> None:
    asked = [
        question(0, b"a", 5, 0.2),
        question(1, b"a", 5, 0.0, done=True),
        question(2, b"a", 5, 0.2),
        question(3, b"a", 5, 1.0),
    ]
    page = choose_page(asked)
    assert page is not None
    assert [each.atom.id for each in page.questions] == [asked[at].atom.id for at in (0, 2)]
    assert page.value == pytest.approx(12.8)


def test_a_small_doubt_about_many_lines_is_asked_about() -> None:
    page = choose_page([question(0, b"a", 3, 0.97), question(1, b"a", 4000, 0.98)])
    assert page is not None
    assert [each.atom.size for each in page.questions] == [4000]


def test_sure_plans_ask_nothing() -> None:
    asked = [question(at, b"a", 3, 0.99) for at in range(9)]
    assert choose_page(asked) is None
    assert count_pages(asked) == 0


@given(questions)
def test_the_count_is_that_of_a_session_without_surprises(asked: list[Question]) -> None:
    expected = count_pages(asked)
    seen: set[str] = set()
    pages = 0
    while (page := choose_page(asked, seen)) is not None:
        seen.update(each.atom.id for each in page.questions)
        asked = [each._replace(stake=0) if each.atom.id in seen else each for each in asked]
        pages += 1
    assert pages == expected


def test_a_page_with_little_at_stake_is_not_worth_its_reader() -> None:
    """Eight, five lines and what a hunk counts, at a doubt of a tenth; then of a fifth."""
    assert choose_page([question(1, b"a.py", 5, 0.9)]) is None
    assert choose_page([question(1, b"a.py", 5, 0.8)]) is not None
