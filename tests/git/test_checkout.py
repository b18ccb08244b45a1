"""The state of a checkout is what git says of it."""

import pytest

from git_retcon.git.checkout import (
    find_ignored,
    list_changed,
    list_differing,
    list_present,
    list_submodules,
    list_tracked,
    list_unwatched,
    refresh_index,
    reset_index,
)
from git_retcon.git.process import Git, GitError
from tests.repository import TestRepository


@pytest.fixture
def git(repo: TestRepository) -> Git:
    return Git(repo.path / ".git", repo.path)


def test_tracked_paths_come_once_and_in_order(repo: TestRepository, git: Git) -> None:
    repo.commit("one", {"b": "1\n", "a/\xfc": "1\n", "a-b": "1\n", " x\ny": "1\n"})
    repo.write({"untracked": ""})
    assert list_tracked(git) == [b" x\ny", b"a-b", "a/\xfc".encode(), b"b"]
    assert list_tracked(git, b":(literal)a") == ["a/\xfc".encode()]


def test_what_is_new_and_not_ignored_is_present_too(repo: TestRepository, git: Git) -> None:
    repo.commit("one", {"b.x": "1\n", "a/c.x": "1\n", "gone.x": "1\n", ".gitignore": "/build\n"})
    repo.write({"new.x": "", "build/d.x": "", "new.y": "", "gone.x": None})
    assert list_present(git, b"*.x") == [b"a/c.x", b"b.x", b"gone.x", b"new.x"]


def test_a_path_in_conflict_is_one_path(repo: TestRepository, git: Git) -> None:
    repo.commit("base", {"f": "0\n"})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("one", {"f": "1\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("two", {"f": "2\n"})
    with pytest.raises(AssertionError):
        repo.git("merge", "topic")
    assert list_tracked(git) == list_present(git) == [b"f"]
    assert list_changed(git) == [b"f"]


def test_everything_uncommitted_has_changed(repo: TestRepository, git: Git) -> None:
    body = "".join(f"line {n}\n" for n in range(9))
    repo.write({".gitignore": "ignored\n"})
    repo.commit("one", {"same": "1\n", "edited": "1\n", "gone": "1\n", "old": body, "staged": ""})
    assert list_changed(git) == []
    repo.write({"edited": "2\n", "gone": None, "new/file": "", "ignored": "", "staged": "2\n"})
    repo.git("add", "staged")
    repo.git("mv", "old", "moved")
    repo.git("init", "-q", str(repo.path / "inner"))
    assert sorted(list_changed(git)) == [
        b"edited", b"gone", b"inner/", b"moved", b"new/file", b"old", b"staged",
    ]  # fmt: skip


def test_settings_of_the_user_hide_no_change(repo: TestRepository, git: Git) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.git("config", "status.showUntrackedFiles", "no")
    repo.git("config", "status.renames", "copies")
    repo.git("config", "status.relativePaths", "true")
    repo.git("mv", "a", "b")
    repo.write({"c/d": ""})
    assert sorted(list_changed(git)) == [b"a", b"b", b"c/d"]


def test_other_repositories_in_the_index_are_submodules(repo: TestRepository, git: Git) -> None:
    oid = repo.commit("one", {"160000": "1\n", "link": "1\n"})
    assert list_submodules(git) == []
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{oid},deep/inner module")
    assert list_submodules(git) == [b"deep/inner module"]


def test_paths_hidden_from_status_are_unwatched(repo: TestRepository, git: Git) -> None:
    repo.commit("one", {"assumed": "1\n", "skipped": "1\n", "plain": "1\n", "Sx": "1\n"})
    assert list_unwatched(git) == []
    repo.git("update-index", "--assume-unchanged", "assumed")
    repo.git("update-index", "--skip-worktree", "skipped")
    assert list_unwatched(git) == [b"assumed", b"skipped"]


def test_what_is_ignored_is_found_tracked_or_not(repo: TestRepository, git: Git) -> None:
    repo.write({"f.log": "", "sub/.gitignore": "!keep.log\n*.tmp\n"})
    repo.git("add", "-f", "f.log")
    repo.commit("one", {".gitignore": "*.log\n/build/\n"})
    paths = [b"f.log", b"sub/keep.log", b"sub/a.tmp", b"a.tmp", b"build/x", b"F.LOG", b"x\ny.log"]
    assert find_ignored(git, paths) == {b"f.log", b"sub/a.tmp", b"build/x", b"x\ny.log"}
    folded = find_ignored(git, paths, "core.ignoreCase=true")
    assert folded == {b"f.log", b"sub/a.tmp", b"build/x", b"x\ny.log", b"F.LOG"}
    assert find_ignored(git, [b"plain"]) == frozenset()
    assert find_ignored(git, []) == frozenset()


def test_a_path_that_git_does_not_take_is_an_error(repo: TestRepository, git: Git) -> None:
    repo.commit("one")
    with pytest.raises(GitError, match=r"git cannot say what is ignored: .*outside"):
        find_ignored(git, [b"../outside"])


def test_what_differs_from_a_commit_is_committed_changed_or_new(
    repo: TestRepository, git: Git
) -> None:
    old = repo.commit("one", {"a": "1\n", "b": "1\n", "c": "1\n", "moved": "a long line\n" * 9})
    repo.commit("two", {"b": "2\n", "moved": None, "d \ne": "a long line\n" * 9})
    repo.write({"a": "2\n", "new": "", "ignored": "", ".gitignore": "ignored\n"})
    repo.git("rm", "-q", "--cached", "c")
    assert list_differing(git, old) == [
        b".gitignore", b"a", b"b", b"c", b"d \ne", b"moved", b"new",
    ]  # fmt: skip
    assert list_differing(git, "HEAD") == [b".gitignore", b"a", b"c", b"new"]


def test_a_refreshed_index_tells_which_tracked_files_differ(repo: TestRepository, git: Git) -> None:
    names = ["same", "edited", "gone", "mode", "touched", "odd\nname", "b: needs update"]
    repo.commit("one", dict.fromkeys(names, "1\n"))
    known = frozenset(name.encode() for name in names)
    assert refresh_index(git, known) == []
    repo.write({"edited": "2\n", "gone": None, "touched": "1\n", "new": ""})
    (repo.path / "mode").chmod(0o755)
    assert sorted(refresh_index(git, known)) == [b"edited", b"gone", b"mode"]
    assert refresh_index(git, frozenset()) == refresh_index(git, known)
    repo.write({"odd\nname": "2\n", "b: needs update": "2\n"})
    assert sorted(refresh_index(git, known)) == [
        b"b: needs update", b"edited", b"gone", b"mode", b"odd\nname",
    ]  # fmt: skip
    # What is as it was is remembered: to compare needs no look at the content.
    repo.git("add", "-A")
    (repo.path / "touched").touch()
    assert refresh_index(git, known) == []
    assert repo.git("diff-files", "--name-only") == ""


def test_an_index_that_is_reset_to_a_tree_tells_which_files_differ_from_it(
    repo: TestRepository, git: Git
) -> None:
    repo.commit("one", {"same": "s\n", "edited": "1\n", "gone": "g\n", "odd\nname": "o\n"})
    one = repo.git("rev-parse", "HEAD^{tree}")
    repo.commit("two", {"edited": "2\n", "new": "n\n"})
    two = repo.git("rev-parse", "HEAD^{tree}")
    known = frozenset([b"same", b"edited", b"gone", b"new", b"odd\nname"])
    assert reset_index(git, two, known) == []
    assert reset_index(git, one, known) == [b"edited"]
    assert (repo.git("write-tree"), repo.git("rev-parse", "HEAD^{tree}")) == (one, two)
    assert sorted(reset_index(git, two, known - {b"edited"})) == []
    (repo.path / "gone").unlink()
    (repo.path / "odd\nname").write_text("other\n")
    repo.git("config", "reset.quiet", "true")
    assert sorted(reset_index(git, two, known)) == [b"gone", b"odd\nname"]
    assert (repo.path / "edited").read_text() == "2\n"
