"""The caret is below the column, for any content of the line."""

import pytest

from git_retcon.show.excerpts import quote_line


@pytest.mark.parametrize(
    ("line", "column", "shown"),
    [
        (b"ab cd\n", 4, ["  ab cd", "     ^"]),
        (b"ab\r\n", 3, ["  ab", "    ^"]),
        (b"\tab\n", 2, ["   ab", "   ^"]),
        ("语 x".encode(), 3, ["  语 x", "     ^"]),
        ("\uff21 x".encode(), 3, ["  \uff21 x", "     ^"]),
        ("e\u0301x".encode(), 3, ["  e\u0301x", "   ^"]),
        (b"\x1b[31mx", 6, ["  \\x1b[31mx", "          ^"]),
        (b"\xffx", 2, ["  \ufffdx", "   ^"]),
        (b"  \t\n", 1, []),
        (b"", 1, []),
    ],
)
def test_the_caret_is_below_the_column(line: bytes, column: int, shown: list[str]) -> None:
    assert list(quote_line(line, column)) == shown


@pytest.mark.parametrize("column", [1, 61, 500, 1000, 1001])
def test_a_long_line_is_cut_around_the_caret(column: int) -> None:
    line = b"." * (column - 1) + b"X" + b"." * (1000 - column)
    quoted, caret = quote_line(line, column)
    assert quoted[len(caret) - 1] == "X"
    assert len(quoted) <= 2 + 120 + 2
    assert quoted.startswith("  …") == (column > 61)
    assert quoted.endswith("…") == (column < 940)
