"""After any build, the next checkout is what a fresh clone would show."""

import os
import random
import subprocess
from pathlib import Path

import pytest

from git_retcon.git.process import GitError
from git_retcon.run.environment import command_environment
from git_retcon.run.worktree import Worktree, open_worktree
from tests.repository import TestRepository


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path / "worktrees"


def run(worktree: Worktree, command: str) -> None:
    done = worktree.run(command, env=command_environment())
    assert done.passed, done.output


def snapshot(top: Path) -> dict[str, tuple[str, bytes]]:
    """Every file and link by path: its kind and mode, and its content or target."""
    found: dict[str, tuple[str, bytes]] = {}
    for directory, directories, files in os.walk(top):
        for name in [*directories, *files]:
            path = Path(directory) / name
            where = str(path.relative_to(top))
            if where == ".git":
                continue
            if path.is_symlink():
                found[where] = ("link", os.fsencode(path.readlink()))
            elif path.is_dir():
                found[where] = ("directory", b"")
            else:
                found[where] = (oct(path.stat().st_mode & 0o100), path.read_bytes())
        if ".git" in directories:
            directories.remove(".git")
    return found


def fresh(repo: TestRepository, commit: str, where: Path) -> dict[str, tuple[str, bytes]]:
    """The files of a commit as git's own clone and checkout write them."""
    subprocess.run(["git", "clone", "-q", "-n", "-s", repo.path, where], check=True)
    subprocess.run(["git", "-C", where, "checkout", "-q", commit], check=True)
    return snapshot(where)


def test_links_out_of_the_tree_are_never_followed(
    repo: TestRepository, base: Path, tmp_path: Path
) -> None:
    commit = repo.commit("one", {"d/x": "x\n", "e/f/y": "y\n", "z": "z\n"})
    outside = tmp_path / "outside"
    (outside / "f").mkdir(parents=True)
    (outside / "x").write_text("mine")
    (outside / "f/y").write_text("mine")
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(commit)
        run(worktree, f"rm -r d e z; ln -s '{outside}' d; ln -s '{outside}' e; ln -s /etc/passwd z")
        run(worktree, f"mkdir new; ln -s '{outside}' new/link")
        worktree.checkout(commit)
        assert snapshot(worktree.tree) == fresh(repo, commit, tmp_path / "fresh")
    assert {path: content for path, (_, content) in snapshot(outside).items()} == {
        "f": b"",
        "f/y": b"mine",
        "x": b"mine",
    }


def test_files_directories_and_links_replace_one_another(
    repo: TestRepository, base: Path, tmp_path: Path
) -> None:
    first = repo.commit("one", {"a": "file\n", "b/x": "x\n", "b/y/z": "z\n"})
    repo.git("rm", "-rq", ".")
    (repo.path / "b").symlink_to("a")
    second = repo.commit("two", {"a/deep/er": "1\n"})
    with open_worktree(base, repo.open(), "build") as worktree:
        for number, commit in enumerate([first, second, first, second]):
            worktree.checkout(commit)
            expected = fresh(repo, commit, tmp_path / f"fresh{number}")
            assert snapshot(worktree.tree) == expected


def test_ignored_files_give_way_to_tracked_ones(repo: TestRepository, base: Path) -> None:
    first = repo.commit("one", {".gitignore": "out\nlib\n"})
    repo.write({"out": "tracked\n", "lib/a/b": "tracked\n"})
    repo.git("add", "-f", "out", "lib")
    second = repo.commit("two")
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(first)
        run(worktree, "mkdir -p out/deep; touch out/deep/f; echo x >lib")
        worktree.checkout(second)
        assert (worktree.tree / "out").read_text() == "tracked\n"
        assert (worktree.tree / "lib/a/b").read_text() == "tracked\n"


def test_a_file_that_only_looks_unchanged_is_put_back(repo: TestRepository, base: Path) -> None:
    commit = repo.commit("one", {"a": "1234\n"})
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(commit)
        run(worktree, "touch -r a stamp; echo 4321 >a; touch -r stamp a")
        worktree.checkout(commit)
        assert (worktree.tree / "a").read_text() == "1234\n"


def test_unchanged_files_keep_their_times(repo: TestRepository, base: Path) -> None:
    first = repo.commit("one", {"a": "1\n", "b": "1\n"})
    second = repo.commit("two", {"b": "2\n"})
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(first)
        before = (worktree.tree / "a").stat().st_mtime_ns
        worktree.checkout(second)
        worktree.checkout(first)
        assert (worktree.tree / "a").stat().st_mtime_ns == before
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(second)
        assert (worktree.tree / "a").stat().st_mtime_ns == before


def test_line_ends_and_filters_are_as_in_the_users_checkout(
    repo: TestRepository, base: Path, tmp_path: Path
) -> None:
    repo.git("config", "--global", "core.autocrlf", "true")
    repo.git("config", "--global", "filter.shout.smudge", "tr a-z A-Z")
    repo.git("config", "filter.local.smudge", "sed s/x/y/")
    repo.git("config", "filter.local.clean", "cat")
    files = {"a": "one\n", "b.loud": "two\n", "c.local": "x\n", ".gitattributes": "*.bin -text\n"}
    first = repo.commit("one", files)
    attributes = "*.loud filter=shout\n*.local filter=local\n"
    second = repo.commit("two", {".gitattributes": attributes})
    third = repo.commit("three", {".gitattributes": "a -text\n"})
    with open_worktree(base, repo.open(), "build") as worktree:
        for number, commit in enumerate([first, second, third, first]):
            worktree.checkout(commit)
            expected = fresh_with_local_filter(repo, commit, tmp_path / f"fresh{number}")
            assert snapshot(worktree.tree) == expected
        worktree.checkout(second)
        assert (worktree.tree / "b.loud").read_bytes() == b"TWO\r\n"
        assert (worktree.tree / "c.local").read_bytes() == b"y\r\n"


def fresh_with_local_filter(
    repo: TestRepository, commit: str, where: Path
) -> dict[str, tuple[str, bytes]]:
    subprocess.run(["git", "clone", "-q", "-n", "-s", repo.path, where], check=True)
    for key, value in (("smudge", "sed s/x/y/"), ("clean", "cat")):
        subprocess.run(["git", "-C", where, "config", f"filter.local.{key}", value], check=True)
    subprocess.run(["git", "-C", where, "checkout", "-q", commit], check=True)
    return snapshot(where)


def test_neither_hooks_nor_the_file_system_monitor_run(
    repo: TestRepository, base: Path, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    script = tmp_path / "hooks/post-checkout"
    script.parent.mkdir()
    script.write_text(f"#!/bin/sh\ntouch '{ran}'\n")
    script.chmod(0o755)
    for name in ("post-index-change", "reference-transaction"):
        (script.parent / name).symlink_to(script)
    commit = repo.commit("one", {"a": "1\n"})
    repo.git("config", "--global", "core.hooksPath", str(script.parent))
    repo.git("config", "--global", "core.fsmonitor", str(script))
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(commit)
        worktree.git.run("status", "--porcelain")
    assert not ran.exists()


@pytest.mark.slow
def test_a_damaged_index_or_git_directory_is_made_again(repo: TestRepository, base: Path) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    with open_worktree(base, repo.open(), "build") as worktree:
        for harm in (
            "echo garbage >../index",
            "touch ../index.lock ../git/index.lock ../git/HEAD.lock ../git/packed-refs.lock",
            "rm -rf ../git",
            "rm -rf ../git/refs ../git/HEAD",
            "echo garbage >../git/HEAD",
            "rm -rf ../tree",
            "cd ..; rm -rf tree; ln -s /tmp tree",
        ):
            worktree.checkout(commit)
            run(worktree, harm)
            worktree.checkout(commit)
            assert (worktree.tree / "a").read_text() == "1\n"
            assert worktree.git.line("rev-parse", "HEAD") == commit
            assert not worktree.tree.is_symlink()


def test_an_unknown_object_is_said_and_changes_nothing(repo: TestRepository, base: Path) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(commit)
        with pytest.raises(GitError):
            worktree.checkout("0123456789" * 4)
        assert (worktree.tree / "a").read_text() == "1\n"


@pytest.mark.slow
def test_it_works_for_every_kind_of_repository(
    repo: TestRepository, tmp_path: Path, base: Path
) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "bare.git"))
    repo.git("clone", "-q", "-s", str(repo.path), str(tmp_path / "borrowing"))
    repo.git("clone", "-q", "-s", str(tmp_path / "borrowing"), str(tmp_path / "twice"))
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    depth = ["clone", "-q", "--depth=1", f"file://{repo.path}"]
    repo.commit("two", {"a": "2\n"})
    repo.git("reset", "-q", "--hard", commit)
    repo.git(*depth, str(tmp_path / "shallow"))
    for name in ("bare.git", "borrowing", "twice", "linked", "shallow", "odd"):
        if name == "odd":
            (tmp_path / 'a"b\nc').mkdir()
            repo.git("clone", "-q", str(repo.path), str(tmp_path / 'a"b\nc/odd'))
            name = 'a"b\nc/odd'
        repository = TestRepository(tmp_path / name).open()
        with open_worktree(base, repository, "build") as worktree:
            worktree.checkout(commit)
            assert (worktree.tree / "a").read_text() == "1\n"
            run(worktree, "git log --oneline && git status --porcelain")


def test_objects_of_a_quarantine_are_found(
    repo: TestRepository, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("one", {"a": "1\n"})
    quarantine = tmp_path / "quarantine"
    (quarantine / "pack").mkdir(parents=True)
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(quarantine))
    monkeypatch.setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", str(repo.path / ".git/objects"))
    commit = repo.commit("two", {"a": "2\n"})
    with open_worktree(base, repo.open(), "build") as worktree:
        worktree.checkout(commit)
        assert (worktree.tree / "a").read_text() == "2\n"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_after_any_mess_a_checkout_is_a_fresh_one(
    repo: TestRepository, base: Path, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    names = ["a", "b", "d/a", "d/b", "d/e/f", "g/h", "b/c"]
    commits = []
    for number in range(4):
        repo.git("rm", "-rqf", "--ignore-unmatch", ".")
        chosen: list[str] = []
        for name in chance.sample(names, 4):
            clash = any(o.startswith(f"{name}/") or name.startswith(f"{o}/") for o in chosen)
            if not clash:
                chosen.append(name)
        commits.append(
            repo.commit(str(number), {name: f"{chance.randrange(3)}\n" for name in chosen})
        )
    harms = ["rm -rf {}", "rm -rf {0}; mkdir -p {0}; touch {0}/x", "rm -rf {0}; ln -s /tmp {0}"]
    with open_worktree(base, repo.open(), "build") as worktree:
        for turn in range(6):
            commit = chance.choice(commits)
            worktree.checkout(commit)
            assert snapshot(worktree.tree) == fresh(repo, commit, tmp_path / f"fresh{turn}")
            for name in chance.sample(names, 3):
                worktree.run(chance.choice(harms).format(name), env=command_environment())
