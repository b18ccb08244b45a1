"""Renames as people write them."""

import pytest

from git_retcon.retcon.hints.rename_words import find_renames


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Line → Item, `parse_line` -> `parse_item`", ["Line Item", "parse_line parse_item"]),
        ("-Old +New", ["Old New"]),
        ("Rename Line to Item", ["Line Item"]),
        ("Renamed the class `Line` as `Item`.", ["Line Item"]),
        ("Renaming only: Line is Item, run() becomes start()", ["Line Item", "run start"]),
        # Without a word of renaming, "is" and "to" say nothing.
        ("The first line is blank, from a to b", []),
        ("git-retcon -n a +b", []),
    ],
)
def test_renames_are_found(text: str, names: list[str]) -> None:
    assert [f"{old} {new}" for old, new in find_renames(text)] == names
