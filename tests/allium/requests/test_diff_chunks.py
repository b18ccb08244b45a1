"""The changes of a commit, in parts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.requests.diff_chunks import FileDiff, divide, find_group, read_diffs
from git_retcon.git.graph import read_commit
from git_retcon.model.never_send import NeverSend
from tests.repository import TestRepository


@pytest.mark.parametrize(
    ("path", "group"),
    [
        (b"a.py", b"."),
        (b"src/a.py", b"src"),
        (b"src/x/a.py", b"src"),
        (b"packages/core/a.py", b"packages/core"),
        (b"packages/core/src/a.py", b"packages/core"),
        (b"crates/a.rs", b"crates"),
    ],
)
def test_files_are_grouped_by_their_first_folder_or_project(path: bytes, group: bytes) -> None:
    assert find_group(path) == group


def diff(path: str, tokens: int) -> FileDiff:
    return FileDiff(path.encode(), "abc\n" * tokens)


def names(chunks: object) -> list[list[str]]:
    assert isinstance(chunks, list)
    return [[each.path.decode() for each in chunk] for chunk in chunks]


def test_what_fits_is_one_part() -> None:
    assert names(divide([diff("b/x", 3), diff("a/y", 3)], 6)) == [["b/x", "a/y"]]
    assert divide([], 6) == []


def test_folders_stay_together_and_a_large_one_is_split_below() -> None:
    diffs = [diff("b/x", 2), diff("a/one/x", 3), diff("a/two/y", 3), diff("a/z", 1), diff("b/y", 2)]
    assert names(divide(diffs, 4)) == [["a/z", "a/one/x"], ["a/two/y"], ["b/x", "b/y"]]


def test_a_large_file_is_cut_by_its_lines() -> None:
    parts = divide([FileDiff(b"a.py", "".join(f"{n:07}\n" for n in range(20)))], 20)
    text = "".join(each.text for chunk in parts for each in chunk)
    assert "(lines of the change of a.py:1-9)\n0000000\n" in text
    assert [line for line in text.splitlines() if line.isdigit()] == [f"{n:07}" for n in range(20)]


def test_of_a_line_that_is_too_large_the_head_is_shown() -> None:
    ((part,),) = divide([FileDiff(b"a.js", "+" + "x" * 10_000 + "\n")], 100)
    assert part.tokens <= 100
    assert "+xxxx" in part.text


paths = st.lists(st.sampled_from(["a/b/c", "a/b/d", "a/e", "packages/x/y", "z", "q/w/e/r"]))


@given(paths, st.integers(1, 30), st.integers(1, 40))
def test_nothing_is_lost_or_shown_twice(found: list[str], size: int, limit: int) -> None:
    diffs = [diff(path, size) for path in dict.fromkeys(found)]
    chunks = divide(diffs, limit)
    lines = sum(each.text.count("abc") for chunk in chunks for each in chunk)
    assert lines == size * len(diffs)
    if size <= limit:
        assert all(sum(each.tokens for each in chunk) <= limit for chunk in chunks)


def test_changes_are_unified_diffs(repo: TestRepository) -> None:
    repo.commit("a", {"src/a.py": "1\n2\n3\n", "src/gone.py": "x\n", "src/old.py": "same\n"})
    base = repo.tree("HEAD")
    files = {"src/a.py": "1\n2\n4\n", "src/gone.py": None, "src/bin.py": b"\0", "src/old.py": None}
    repo.commit("b", {**files, "src/new.py": "same\nmore\n"})
    repository = repo.open()
    commit = read_commit(repository, repo.rev("HEAD"))
    changes = repository.trees.changes(base, commit.tree)
    renames = {b"src/new.py": b"src/old.py"}
    diffs = read_diffs(repository, changes, NeverSend(), renames)
    shown = {each.path.decode(): each.text for each in diffs}
    assert shown == {
        "src/a.py": "--- src/a.py\n+++ src/a.py\n@@ -1,3 +1,3 @@\n 1\n 2\n-3\n+4\n",
        "src/gone.py": "--- src/gone.py\n+++ (removed)\n@@ -1 +0,0 @@\n-x\n",
        "src/bin.py": "--- src/bin.py changed; it is no text\n",
        "src/new.py": "--- src/old.py\n+++ src/new.py\n@@ -1 +1,2 @@\n same\n+more\n",
    }


def test_what_was_withheld_under_its_old_name_stays_so(repo: TestRepository) -> None:
    repo.commit("a", {"secret/key.py": "hunter22\n"})
    base = repo.tree("HEAD")
    repo.commit("b", {"secret/key.py": None, "src/key.py": "hunter22\nx\n"})
    repository = repo.open()
    changes = repository.trees.changes(base, repo.tree("HEAD"))
    renames = {b"src/key.py": b"secret/key.py"}
    (found,) = read_diffs(repository, changes, NeverSend(["secret/"]), renames)
    assert found.text == "--- src/key.py changed; its content is withheld\n"
