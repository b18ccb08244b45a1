"""What functions of a file answer, without the variables and constants of their own."""

import ast

import pytest

from git_retcon.allium.extract.python.rewriting.local_answers import (
    open_locals,
    spell_answer,
    spell_tables,
)
from git_retcon.allium.extract.python.syntax.constants import read_constants

CONSTANTS = read_constants(
    ast.parse(
        "NEXT = {A.NEW: {A.OLD}, A.OLD: set()}\nLISTED = [A.NEW]\nWORD = 'x'\nALL = {1: f()}"
    ).body
)


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("'''Text.'''\nfound = NEXT.get(a, [])\nreturn b in found", "return b in NEXT.get(a, [])"),
        ("one = {1: 2}\ntwo = one[a]\nreturn two", "return {1: 2}[a]"),
        ("found = run(a)\nreturn found", "found = run(a)\nreturn found"),
        ("found = NEXT[a]\nfound = 1\nreturn found", "found = NEXT[a]\nfound = 1\nreturn found"),
    ],
)
def test_what_variables_hold_is_where_it_is_asked(code: str, meant: str) -> None:
    assert "\n".join(map(ast.unparse, open_locals(ast.parse(code).body))) == meant


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("b in NEXT.get(a, set())", "lambda a, b: b in {A.NEW: {A.OLD}, A.OLD: ()}[a]"),
        ("a in LISTED", "lambda a, b: a in [A.NEW]"),
        ("a == A.NEW", "lambda a, b: a == A.NEW"),
        ("a == WORD", None),
        ("a in found", None),
        ("run(a)", None),
    ],
)
def test_other_files_are_told_what_they_can_read(answer: str, told: str | None) -> None:
    assert spell_answer(["a", "b"], ast.parse(answer, mode="eval").body, CONSTANTS) == told


def test_other_files_are_told_tables() -> None:
    assert spell_tables(CONSTANTS) == {"NEXT": "{A.NEW: {A.OLD}, A.OLD: ()}"}
