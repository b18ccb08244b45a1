"""Lines and literals that belong together are read as one."""

import pytest

from git_retcon.model.secrets.joined_text import join_lines, join_literals
from git_retcon.model.secrets.readings import Reading

SPLITS = {
    "C and Python": '"abc-" "def"',
    "with a plus": "'abc-' + 'def'",
    "on two lines": '"abc-"\n    "def"',
    "on two lines, with a plus": '"abc-"\n    + "def"',
    "the plus first": '"abc-" +\n        "def"',
    "continued": '"abc-" \\\n  "def"',
    "in a diff": '+    "abc-"\n+    "def"',
    "PHP": "'abc-' . 'def'",
    "Lua": '"abc-" .. "def"',
    "SQL": "'abc-' || 'def'",
    "Visual Basic": '"abc-" & "def"',
    "Haskell": '"abc-" ++ "def"',
    "bytes": 'b"abc-" b"def"',
    "different quotes": "\"abc-\" 'def'",
    "no space": '"abc-""def"',
    "in a string": '\\"abc-\\" \\"def\\"',
}


@pytest.mark.parametrize("written", SPLITS.values(), ids=SPLITS.keys())
def test_adjacent_literals_are_one(written: str) -> None:
    text = f"key = {written}\n".encode()
    reading = join_literals(Reading(text))
    at = reading.data.index(b"abc-def")
    start, end = reading.find_in_text((at, at + 7))
    assert text[start:end].startswith(b"abc-") and text[start:end].endswith(b"def")


@pytest.mark.parametrize(
    "text", ['["abc", "def"]', 'f("abc", "def")', '"""Abc."""', 'x = "" + "abc"', "it's 'so'"]
)
def test_others_are_not(text: str) -> None:
    reading = Reading(text.encode())
    assert join_literals(reading) is reading


def test_lines_that_go_on_are_one() -> None:
    text = b"x = 1\nkey = abcd\n  ef01GH\n  ij23\nan end\n"
    (reading,) = join_lines(Reading(text))
    assert reading.data == b"key = abcdef01GHij23\n"
    at = reading.data.index(b"ef01GHij")
    assert text[slice(*reading.find_in_text((at, at + 8)))] == b"ef01GH\n  ij"


def test_the_marks_of_a_diff_are_left_out() -> None:
    (reading, *_) = join_lines(Reading(b"+key = abcd\n+ef01GH\n"))
    assert reading.data == b"key = abcdef01GH\n"


def test_a_value_may_begin_like_a_mark() -> None:
    readings = [reading.data for reading in join_lines(Reading(b"key = abcd\n-ef01GH\n"))]
    assert b"key = abcd-ef01GH\n" in readings


def test_prose_is_no_token() -> None:
    assert list(join_lines(Reading(b"one two\nthree\nfour five\n"))) == []
