"""A worktree of ours holds a commit exactly, and nothing done in it reaches the user."""

import os
import subprocess
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.run.environment import command_environment
from git_retcon.run.removal import remove
from git_retcon.run.worktree import Worktree, open_free_worktree, open_worktree
from tests.repository import TestRepository


def contents(worktree: Worktree) -> dict[str, bytes]:
    """Every file of the tree but its ``.git``, by path."""
    return {
        str(path.relative_to(worktree.tree)): path.read_bytes()
        for path in sorted(worktree.tree.rglob("*"))
        if path.is_file() and path != worktree.tree / ".git"
    }


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path / "worktrees"


def test_checkout_shows_one_commit_after_another(repo: TestRepository, base: Path) -> None:
    first = repo.commit("one", {"a": "1\n", "d/x": "x\n", "gone": "bye\n"})
    second = repo.commit("two", {"a": "2\n", "d/x": None, "d/y": "y\n", "gone": None})
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(first)
        assert contents(worktree) == {"a": b"1\n", "d/x": b"x\n", "gone": b"bye\n"}
        worktree.checkout(second)
        assert contents(worktree) == {"a": b"2\n", "d/y": b"y\n"}
        assert worktree.git.line("rev-parse", "HEAD") == second
        worktree.checkout(repo.tree(first))
        assert contents(worktree) == {"a": b"1\n", "d/x": b"x\n", "gone": b"bye\n"}
        assert worktree.git.line("rev-parse", "HEAD") == second


def test_only_ignored_files_survive_a_checkout(repo: TestRepository, base: Path) -> None:
    commit = repo.commit("one", {"a": "1\n", ".gitignore": "*.o\n", "sub/f": "f\n"})
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(commit)
        done = worktree.run(
            "echo 2 >a; rm sub/f; touch keep.o new; mkdir -p empty/er sub/deep; touch sub/deep/n;"
            "git init -q nested; touch nested/file",
            env=command_environment(),
        )
        assert done.passed, done.output
        worktree.checkout(commit)
        assert contents(worktree) == {
            "a": b"1\n",
            ".gitignore": b"*.o\n",
            "sub/f": b"f\n",
            "keep.o": b"",
        }
        assert {path.name for path in worktree.tree.iterdir()} == {
            ".git",
            ".gitignore",
            "a",
            "keep.o",
            "sub",
        }


def test_builds_see_the_users_tags(repo: TestRepository, base: Path) -> None:
    repo.commit("one", {"a": "1\n"})
    repo.git("tag", "-a", "-m", "first", "v1.0")
    second = repo.commit("two", {"a": "2\n"})
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(second)
        done = worktree.run("git describe && git status --porcelain", env=command_environment())
    assert done.output.decode() == f"v1.0-1-g{second[:7]}\n"


def test_a_second_process_learns_who_holds_it(repo: TestRepository, base: Path) -> None:
    repo.commit("one", {"a": "1\n"})
    with (
        open_worktree(base, repo.open(), "build"),
        pytest.raises(Fatal, match=rf"another process is using .*pid {os.getpid()}"),
        open_worktree(base, repo.open(), "build"),
    ):
        pass


def test_a_place_that_cannot_be_made_is_said_to_be_just_that(repo: TestRepository) -> None:
    with (
        pytest.raises(Fatal, match=r"^cannot make '/proc/nobody/.*No such file") as caught,
        open_worktree(Path("/proc/nobody"), repo.open(), "build"),
    ):
        pass
    assert "set HOME or XDG_DATA_HOME" in str(caught.value.hint)


def test_a_process_that_finds_it_busy_takes_the_next_one(repo: TestRepository, base: Path) -> None:
    repo.commit("one", {"a": "1\n"})
    with (
        open_free_worktree(base, repo.open(), "build") as first,
        open_free_worktree(base, repo.open(), "build") as second,
        open_free_worktree(base, repo.open(), "build") as third,
    ):
        names = [each.root.name for each in (first, second, third)]
        assert names == ["build", "build-2", "build-3"]
    with open_free_worktree(base, repo.open(), "build") as again:
        assert again.root == first.root


def test_what_git_commands_of_a_build_do_stays_in_the_worktree(
    repo: TestRepository, base: Path
) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    before = repo.git("for-each-ref"), (repo.path / ".git/config").read_bytes()
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(commit)
        done = worktree.run(
            "set -e; echo 2 >a; git stash; git checkout -q -b evil; echo 3 >b; git add b;"
            "git commit -q -m evil; git tag evil; git update-ref refs/notes/x HEAD;"
            "git config core.autocrlf true; git config core.hooksPath /evil;"
            "git update-index --assume-unchanged a; echo 4 >a; git branch -D main || true",
            env=command_environment(extra=dict(os.environ)),
        )
        assert done.passed, done.output
        worktree.checkout(commit)
        assert contents(worktree) == {"a": b"1\n"}
        assert worktree.git.line("for-each-ref") == ""
        assert worktree.git.line("status", "--porcelain", "-b") == "## HEAD (no branch)"
    assert (repo.git("for-each-ref"), (repo.path / ".git/config").read_bytes()) == before
    assert repo.git("stash", "list") == ""


@pytest.mark.parametrize(
    "harm",
    [
        "rm .git",
        "rm .git; git init -q",
        "echo 'gitdir: /nowhere' >.git",
        "rm .git; ln -s /etc/passwd .git",
    ],
)
def test_the_link_to_the_git_directory_is_put_back(
    repo: TestRepository, base: Path, harm: str
) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(commit)
        link = (worktree.tree / ".git").read_bytes()
        assert worktree.run(harm, env=command_environment()).passed
        assert not (worktree.tree / ".git").is_symlink()
        assert (worktree.tree / ".git").read_bytes() == link
        head = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=worktree.tree, capture_output=True, check=True
        )
        assert head.stdout.decode().strip() == commit


def test_a_worktree_that_is_removed_meanwhile_is_said(repo: TestRepository, base: Path) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    with (
        pytest.raises(Fatal, match="was removed while it was in use") as caught,
        open_worktree(base, repo.open(), "build") as worktree,
    ):
        worktree.checkout(commit)
        worktree.run(f"rm -rf {worktree.root}", env=command_environment())
    assert caught.value.hint == "run the same command again: it is made again"


@pytest.mark.parametrize("part", ["", "tree", "git", "index", "repository", "config"])
def test_nothing_behind_a_link_is_touched(repo: TestRepository, base: Path, part: str) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    theirs = base.parent / "theirs"
    for name in ("mine", "tree/mine", "git/mine"):
        (theirs / name).parent.mkdir(parents=True, exist_ok=True)
        (theirs / name).write_text("mine\n")
    with open_worktree(base, repo.open(), "build") as worktree:
        place = worktree.root / part
    remove(place)
    place.symlink_to(theirs if part in ("", "tree", "git") else theirs / "mine")
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(commit)
        assert contents(worktree) == {"a": b"1\n"}
    kept = {str(path.relative_to(theirs)): path for path in theirs.rglob("*") if path.is_file()}
    assert kept.keys() == {"mine", "tree/mine", "git/mine"}
    assert {path.read_text() for path in kept.values()} == {"mine\n"}


def test_files_that_git_cannot_write_have_a_remedy(repo: TestRepository, base: Path) -> None:
    repo.git("config", "filter.broken.clean", "cat")
    repo.git("config", "filter.broken.smudge", "false")
    repo.git("config", "filter.broken.required", "true")
    commit = repo.commit("one", {"a": "1\n", ".gitattributes": "a filter=broken\n"})
    with (
        pytest.raises(Fatal, match="smudge filter broken failed") as caught,
        open_worktree(base, repo.open(), "build") as worktree,
    ):
        worktree.checkout(commit)
    assert "repair the filter it names" in str(caught.value.hint)
