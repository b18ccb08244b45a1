"""What a reader is told of a hunk that has no lines of its own to show."""

import pytest

from git_retcon.retcon.branch.whole_entries import describe_entry
from tests.git.differences import find, plain
from tests.git.hostile import Leaf
from tests.repository import TestRepository

TEXT = b"one\ntwo\nthree\nfour\nfive\n"
FIRST, SECOND = (b"160000", b"1" * 40), (b"160000", b"2" * 40)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (plain(TEXT), (b"100755", TEXT), "mode 100644 to 100755"),
        (plain(TEXT), None, "delete"),
        (None, plain(b""), "add"),
        (plain(b"\0a"), plain(b"\0b"), "binary"),
        (None, (b"120000", b"t"), "symlink"),
        ((b"120000", b"t"), (b"120000", b"u"), "symlink"),
        (plain(TEXT), (b"120000", b"t"), "symlink, mode 100644 to 120000"),
        (None, FIRST, "submodule at 1111111111"),
        (FIRST, SECOND, "submodule 1111111111 to 2222222222"),
        (FIRST, plain(TEXT), "submodule 1111111111 to a file"),
        ((b"120000", b"t"), SECOND, "submodule a symlink to 2222222222"),
        (plain(TEXT), plain(b"zero\n" + TEXT), ""),
    ],
)
def test_a_change_in_words(
    repo: TestRepository, before: Leaf | None, after: Leaf | None, words: str
) -> None:
    other = plain(b"stays\n")
    found = find(
        repo,
        {b"keep": other} | ({b"f": before} if before else {}),
        {b"keep": other} | ({b"f": after} if after else {}),
    )
    assert [describe_entry(atom) for atom in found.atoms] == [words]


def test_a_rename_names_where_it_came_from_and_its_mode(repo: TestRepository) -> None:
    moved = find(repo, {b"old": plain(TEXT)}, {b"new": plain(TEXT)})
    assert [describe_entry(atom) for atom in moved.atoms] == ["rename from old"]
    runs = find(repo, {b"old": plain(TEXT)}, {b"new": (b"100755", TEXT)})
    assert [describe_entry(atom) for atom in runs.atoms] == [
        "rename from old, mode 100644 to 100755"
    ]


def test_a_strange_path_is_printable(repo: TestRepository) -> None:
    moved = find(repo, {b"o\nld": plain(TEXT)}, {b"new": plain(TEXT)})
    assert [describe_entry(atom) for atom in moved.atoms] == [r"rename from o\nld"]
