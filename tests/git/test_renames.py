"""Which changed entries belong together, beside what git says of them."""

import pytest

from git_retcon.git.atoms import Kind
from tests.git.differences import find, kinds, plain, raw
from tests.repository import TestRepository


def test_a_rename_is_one_atom_with_its_edits(repo: TestRepository) -> None:
    body = b"".join(b"line %d\n" % number for number in range(20))
    found = find(repo, {b"old": plain(body)}, {b"new": plain(body + b"more\n")})
    (atom,) = found.atoms
    assert (atom.kind, atom.path, atom.added) == (Kind.RENAME, b"new", (b"more\n",))
    assert found.texts[b"new"].old_path == b"old"
    (line,) = raw(repo, found)
    assert line.startswith("R09")
    assert line.endswith("\told\tnew")


def test_a_change_of_case_is_a_rename_with_any_content(repo: TestRepository) -> None:
    found = find(repo, {b"Read/Me": plain(b"a\n")}, {b"read/me": plain(b"z\n" * 9)})
    assert kinds(found) == [(Kind.RENAME, b"read/me")]
    assert raw(repo, found) == ["D\tRead/Me", "A\tread/me"]


def test_a_change_of_case_comes_before_what_git_calls_a_rename(repo: TestRepository) -> None:
    body = b"".join(b"line %d\n" % number for number in range(20))
    found = find(
        repo,
        {b"Read": plain(body), b"other": plain(b"o\n")},
        {b"read": plain(b"z\n"), b"copy": plain(body)},
    )
    assert raw(repo, found) == ["R100\tRead\tcopy", "D\tother", "A\tread"]
    assert kinds(found) == [
        (Kind.LINES, b"copy"),
        (Kind.DELETE, b"other"),
        (Kind.RENAME, b"read"),
    ]


def test_a_file_that_becomes_a_directory_is_one_atom(repo: TestRepository) -> None:
    found = find(
        repo,
        {b"a": plain(b"x\n"), b"a.c": plain(b"s\n")},
        {b"a/b/c": plain(b"y\n"), b"a/d": plain(b"z\n"), b"a.c": plain(b"S\n")},
    )
    assert kinds(found) == [(Kind.REPLACE, b"a"), (Kind.LINES, b"a.c")]
    assert (found.atoms[0].removed, found.atoms[0].added) == ((b"x\n",), (b"y\n", b"z\n"))
    assert raw(repo, found) == ["D\ta", "M\ta.c", "A\ta/b/c", "A\ta/d"]


def test_an_unlike_file_below_its_own_name_is_a_replacement(repo: TestRepository) -> None:
    found = find(repo, {b"a": plain(b"x\n")}, {b"a/b": plain(b"y\n")})
    assert kinds(found) == [(Kind.REPLACE, b"a")]


def test_a_directory_that_becomes_a_file_takes_its_renames_along(repo: TestRepository) -> None:
    body = b"".join(b"line %d\n" % number for number in range(20))
    found = find(
        repo,
        {b"a/b": plain(body), b"a/c": plain(b"c\n")},
        {b"a": plain(b"x\n"), b"moved": plain(body), b"n": plain(b"n\n")},
    )
    assert kinds(found) == [(Kind.REPLACE, b"a"), (Kind.LINES, b"n")]
    assert [entry.path for entry in found.atoms[0].entries] == [b"a", b"a/b", b"a/c", b"moved"]


def test_a_large_blob_that_only_moved_is_a_rename(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("git_retcon.git.difference.LARGEST_TEXT", 100)
    body = b"".join(b"line %d\n" % number for number in range(50))
    moved, other = plain(body), plain(body + b"x")
    assert kinds(find(repo, {b"a": moved}, {b"b": moved})) == [(Kind.RENAME, b"b")]
    small = plain(b"small\n")
    found = find(repo, {b"a": moved, b"s1": small}, {b"*": other, b"s2": small})
    assert kinds(found) == [(Kind.LINES, b"*"), (Kind.DELETE, b"a"), (Kind.RENAME, b"s2")]


BODY = b"".join(b"line %d\n" % number for number in range(20))
# Eight lines of twenty are others: git calls it 60 % similar.
EDITED = b"".join(b"other %d\n" % number for number in range(8)) + BODY.split(b"line 8\n")[1]


def test_a_change_of_case_keeps_no_other_rename_from_being_found(repo: TestRepository) -> None:
    found = find(
        repo,
        {b"Read": plain(b"a\n"), b"old": plain(BODY)},
        {b"read": plain(b"z\n"), b"new": plain(EDITED)},
    )
    assert kinds(found) == [(Kind.RENAME, b"new"), (Kind.RENAME, b"read")]


def test_a_file_that_is_half_the_same_is_renamed_beside_a_large_one_too(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kinds(find(repo, {b"a": plain(BODY)}, {b"b": plain(EDITED)})) == [(Kind.RENAME, b"b")]
    monkeypatch.setattr("git_retcon.git.difference.LARGEST_TEXT", 500)
    found = find(
        repo,
        {b"a": plain(BODY), b"large 1": plain(b"large\n" * 200)},
        {b"b": plain(EDITED), b"large 2": plain(b"large\n" * 201)},
    )
    assert (Kind.RENAME, b"b") in kinds(found)
    assert (Kind.RENAME, b"large 2") not in kinds(found)


def test_a_file_makes_room_for_files_far_below(repo: TestRepository) -> None:
    found = find(repo, {b"a": plain(b"x\n")}, {b"a/b/c/d/e": plain(b"y\n")})
    assert kinds(found) == [(Kind.REPLACE, b"a")]
