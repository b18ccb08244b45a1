"""A page as its reader sees it."""

import dataclasses

from git_retcon.git.atoms import Atom, Kind, Span
from git_retcon.retcon.engine import Reason
from git_retcon.retcon.planner.pages import Page, make_question
from git_retcon.retcon.planner.plan import Placement
from git_retcon.retcon.review.screen import moved_lines, page_lines, whole_lines
from git_retcon.retcon.review.session import Moved
from git_retcon.show.style import Style


def atom(lines: int) -> Atom:
    added = tuple(b"line %d\n" % number for number in range(lines))
    return Atom("1f3a000000", Kind.LINES, b"a.py", Span(0, 0), Span(4, 4 + lines), (), added)


def page(lines: int, sure: float) -> Page:
    placement = Placement(1, Reason.in_words("nothing names it", sure))
    return Page((make_question(atom(lines), placement, answered=False),))


def test_a_doubtful_hunk_shows_its_reason() -> None:
    assert list(page_lines(page(2, 0.4), 3, Style(False), 80)) == [
        "a.py  (about 2 more pages)",
        "  1 -> 2  line 5  ? 40%",
        "        nothing names it",
        "        +line 0",
        "        +line 1",
    ]


def test_a_sure_hunk_shows_only_its_text() -> None:
    assert list(page_lines(page(1, 0.9), 1, Style(False), 80)) == [
        "a.py  (the last page)",
        "  1 -> 2  line 5  90%",
        "        +line 0",
    ]


def test_a_long_hunk_is_cut_in_the_middle_and_says_so() -> None:
    lines = list(page_lines(page(50, 0.9), 1, Style(False), 80))
    assert lines[2:] == [
        *(f"        +line {number}" for number in range(7)),
        "        … 41 more lines (v 1 shows all)",
        "        +line 48",
        "        +line 49",
    ]
    assert len(list(whole_lines(atom(50), Style(False)))) == 50


def test_hunks_are_shown_below_their_files() -> None:
    one, two = page(1, 0.9).questions[0], page(1, 0.9).questions[0]
    other = two._replace(atom=dataclasses.replace(two.atom, path=b"b.py"))
    assert list(page_lines(Page((one, one, other)), 2, Style(False), 80)) == [
        "a.py  (about 1 more page)",
        "  1 -> 2  line 5  90%",
        "        +line 0",
        "  2 -> 2  line 5  90%",
        "        +line 0",
        "b.py",
        "  3 -> 2  line 5  90%",
        "        +line 0",
    ]


def test_a_few_moves_are_named_and_the_rest_counted() -> None:
    moves = [Moved(atom(1), 0, 1)] * 7
    lines = list(moved_lines(moves))
    assert lines[:2] == ["That moves 7 hunks more:", "  1f3a000000  a.py:5  1 -> 2"]
    assert lines[-1] == "  and 2 more"
    assert list(moved_lines([])) == []
