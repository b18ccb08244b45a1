"""Atoms as values: what they are worth before anything reads their file."""

from git_retcon.git.atoms import Atom, FileText, Hunk, Kind, Span, WholeHunks

SPAN = Span(2, 5)
HUNK = Hunk(SPAN, Span(2, 2))


def test_a_span_is_as_long_as_its_lines() -> None:
    assert (len(SPAN), len(Span(3, 3))) == (3, 0)


def test_the_scope_is_found_when_it_is_asked_for_and_once() -> None:
    asked: list[str] = []

    def find_scope() -> str:
        asked.append("scope")
        return "Shop.total"

    atom = Atom("id", Kind.LINES, b"f", SPAN, SPAN, (), (), find_scope)
    assert asked == []
    assert (atom.scope, atom.scope) == ("Shop.total", "Shop.total")
    assert asked == ["scope"]


def test_how_a_scope_is_found_makes_no_other_atom() -> None:
    plain = Atom("id", Kind.LINES, b"f", SPAN, SPAN, (), ())
    assert plain == Atom("id", Kind.LINES, b"f", SPAN, SPAN, (), (), lambda: "elsewhere")
    assert plain != Atom("other", Kind.LINES, b"f", SPAN, SPAN, (), ())
    assert plain.scope == ""


def test_whole_hunks_are_left_whole_and_in_no_definition() -> None:
    text = FileText(b"f", b"f", (b"a\n",) * 9, (b"a\n",) * 6)
    assert WholeHunks().split(text, HUNK) == (HUNK,)
    assert WholeHunks().scope(text, HUNK) == ""
