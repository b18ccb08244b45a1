"""Strings and comments of a line are told from its code."""

import pytest

from git_retcon.heal.fixers.quoted_text import list_quoted


@pytest.mark.parametrize(
    ("path", "row", "quoted"),
    [
        (b"a.py", "f(a, 'b') # c", ["'b'", "# c"]),
        (b"a.py", 'f"a {b}" + a', ['f"a {', '}"']),
        (b"a.go", 'f("a\\"b", c)', ['"a\\"b"']),
        (b"a.txt", "a 'b'", []),
    ],
)
def test_the_quoted_parts_of_a_line(path: bytes, row: str, quoted: list[str]) -> None:
    parts = [row[at:end] for at, end in list_quoted([row], 1, path)]
    assert parts == [one.removeprefix("f") for one in quoted]


def test_a_line_inside_a_string_is_quoted_as_a_whole() -> None:
    assert list_quoted(['"""', "a b"], 2, b"a.py") == [(0, 3)]
