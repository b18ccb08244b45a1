"""Hints are read clause by clause: what is asked for, and what is not."""

import pytest

from git_retcon.retcon.hints.clauses import read_clauses


@pytest.mark.parametrize(
    ("hints", "wanted", "excluded"),
    [
        # what begins an exclusion
        ("All. Does NOT include half.", ["All."], ["half."]),
        ("It does not yet contain half", ["It"], ["half"]),
        ("a.py, but doesn't cover half", ["a.py, but"], ["half"]),
        ("Not included: half, main", [""], ["half, main"]),
        ("Out of scope: half", [""], ["half"]),
        ("For later: half", [""], ["half"]),
        ("Skip half", [""], ["half"]),
        ("a.py, excluding half", ["a.py,"], ["half"]),
        ("a.py excluding half", ["a.py"], ["half"]),
        ("All of a.py except half", ["All of a.py"], ["half"]),
        ("a.py - not half_it", ["a.py -"], ["half_it"]),
        ("a.py, not half", ["a.py,"], ["half"]),
        ("a.py but not half", ["a.py"], ["half"]),
        ("a.py, without half", ["a.py,"], ["half"]),
        ("Extract it from net.py, but not retry_loop", None, ["retry_loop"]),
        ("No half_it", [""], ["half_it"]),
        ("a.py (not half)", ["a.py"], ["half"]),
        ("Leave half out", [""], ["half"]),
        ("Leave half_it for the next commit", [""], ["half_it"]),
        ("half comes later", [""], ["half"]),
        ("half is not part of this commit", [""], ["half"]),
        # what is about the code
        ("It crashes when it does not include half", None, []),
        ("Use sub, not the old one", None, []),
        ("No behaviour changes", None, []),
        ("Skip empty lines in parse()", None, []),
        ("Retry on every error except those of the network", None, []),
        ("Now excluding the header by default", None, []),
        ("Not only half", None, []),
        # where an exclusion ends
        ("Does NOT include half - just main", ["just main"], ["half"]),
        ("Does NOT include half, but main", ["main"], ["half"]),
        ("Does NOT include half: main() needs it", [""], ["half"]),
        ("All but half, which is in cli.py", None, ["half"]),
        ("a.py, without half, and b.py", ["a.py, and b.py"], ["half"]),
        ("a.py, not half, not main", ["a.py,"], ["half", "main"]),
        ("net.py (without half) and b.py", ["net.py and b.py"], ["half"]),
        # where one goes on
        ("Does NOT include half; main()", [""], ["half", "main()"]),
        ("Does NOT include:\n- half\n- main", None, ["half", "main"]),
        ("Does NOT include\nhalf.", [""], ["half."]),
        ("Does NOT include:\nhalf\n\nmain in a.py", None, ["half"]),
        ("- not half\n- main in a.py", None, ["half"]),
    ],
)
def test_wishes_and_exclusions(hints: str, wanted: list[str] | None, excluded: list[str]) -> None:
    found = read_clauses(hints)
    assert [text.strip() for text in found.excluded] == excluded
    if wanted is not None:
        lines = [" ".join(line.split()) for line in found.wanted.split("\n")]
        assert [line for line in lines if line] == [line for line in wanted if line]
    elif not excluded:
        assert found.wanted == hints


def test_wrapped_lines_are_one() -> None:
    long = "The configuration of the server, with all its settings,"
    assert read_clauses(f"{long}\nand more of it").wanted == f"{long} and more of it"
    assert read_clauses(f"{long[:-1]}\nmore of it").wanted == f"{long[:-1]} more of it"
    assert read_clauses("Short\nmore of it").wanted == "Short\nmore of it"
    assert read_clauses(f"{long[:-1]}\n- more of it").wanted == f"{long[:-1]}\nmore of it"
    assert read_clauses(f"{long[:-1]}.\nmore of it").wanted == f"{long[:-1]}.\nmore of it"


def test_a_paragraph_ends_a_list() -> None:
    assert read_clauses("Does NOT include:\n\nhalf").excluded == ()


def test_without_in_prose_asks_for_nothing_and_excludes_nothing() -> None:
    found = read_clauses("It works without a header: f_a in a.c")
    assert found.excluded == ()
    assert "header" not in found.wanted
    assert "f_a" in found.wanted


@pytest.mark.parametrize(
    ("hints", "claims"),
    [
        ("Everything else.", True),
        ("and all the rest", True),
        ("Everything else: docs, CI.", True),
        ("whatever is left of the branch", True),
        ("The rest of the parser", False),
        ("Everything.", False),
        ("a.py. Everything else.", True),
        ("a.py and everything else in it", False),
    ],
)
def test_the_rest_is_claimed_by_a_clause_of_its_own(hints: str, claims: bool) -> None:
    assert read_clauses(hints).claims_rest is claims


def test_a_clause_that_no_person_writes_is_not_searched() -> None:
    text = "a.py, not half_it, " + "x" * 2_000
    assert read_clauses(text) == (text, (), False)
