"""A worktree is set up when what the set-up depends on has changed, and no more often."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from git_retcon.run.command_shell import open_shell
from git_retcon.run.prepared_worktree import PreparedWorktree, setup_key
from git_retcon.run.worktree import open_worktree
from tests.repository import TestRepository

Prepare = Callable[[str | None], PreparedWorktree]


@pytest.fixture
def told() -> list[str]:
    """What is said meanwhile."""
    return []


@pytest.fixture
def prepare(repo: TestRepository, tmp_path: Path, told: list[str]) -> Iterator[Prepare]:
    """Makes the worktree with a set-up command; files named ``*.made`` are ignored."""
    repo.commit("one", {".gitignore": "*.made\n", "package.json": "{}\n", "a": "1\n"})
    repository = repo.open()
    with open_worktree(tmp_path / "worktrees", repository, "check") as worktree:

        def make(setup: str | None) -> PreparedWorktree:
            def key(tree: str) -> str:
                return setup_key(setup or "", "tools", repository.trees, tree)

            return PreparedWorktree(worktree, setup, key, timeout=60, warn=told.append)

        yield make


def run(place: PreparedWorktree, repo: TestRepository, command: str, commit: str = "HEAD") -> bytes:
    return place.run(command, repo.rev(commit), repo.tree(commit), open_shell).output


def test_a_command_sees_the_commit_and_what_the_setup_made(
    repo: TestRepository, prepare: Prepare
) -> None:
    assert run(prepare("cp a ready.made"), repo, "cat a ready.made") == b"1\n1\n"


def test_what_the_setup_ignores_is_made_once_until_a_manifest_changes(
    repo: TestRepository, prepare: Prepare
) -> None:
    place = prepare("echo x >>count.made")
    assert run(place, repo, "cat count.made") == b"x\n"
    repo.commit("no manifest", {"a": "2\n"})
    assert run(place, repo, "cat count.made a") == b"x\n2\n"
    repo.commit("a manifest", {"package.json": '{"name": "x"}\n'})
    assert run(place, repo, "cat count.made") == b"x\nx\n"
    assert run(prepare("echo x >>count.made"), repo, "cat count.made") == b"x\nx\n"  # kept
    assert run(prepare("echo x >>count.made; true"), repo, "cat count.made") == b"x\nx\nx\n"


def test_a_setup_that_a_checkout_takes_away_runs_for_each_commit(
    repo: TestRepository, prepare: Prepare
) -> None:
    place = prepare("echo x >>count.made; touch untracked")
    first = repo.rev("HEAD")
    assert run(place, repo, "cat count.made; ls untracked", first) == b"x\nuntracked\n"
    assert run(place, repo, "cat count.made", first) == b"x\n"
    repo.commit("two", {"a": "2\n"})
    assert run(place, repo, "cat count.made; ls untracked") == b"x\nx\nuntracked\n"


def test_a_setup_that_fails_is_the_outcome_and_is_tried_again(
    repo: TestRepository, prepare: Prepare
) -> None:
    place = prepare("echo broken; test -e let.made")
    outcome = place.run("echo ran", repo.rev("HEAD"), repo.tree("HEAD"), open_shell)
    assert (outcome.passed, outcome.command) == (False, "echo broken; test -e let.made")
    assert outcome.output == b"broken\n"
    (place.worktree.tree / "let.made").touch()
    assert run(place, repo, "echo ran") == b"ran\n"


def test_a_setup_that_failed_half_way_leaves_nothing_to_rely_on(
    repo: TestRepository, prepare: Prepare
) -> None:
    place = prepare("echo x >>count.made; grep -q ok package.json")
    repo.commit("fine", {"package.json": "ok\n"})
    assert run(place, repo, "cat count.made") == b"x\n"
    repo.commit("broken", {"package.json": "odd\n"})
    assert run(place, repo, "cat count.made") == b""
    assert run(place, repo, "cat count.made", "HEAD~1") == b"x\nx\nx\n"


def test_a_setup_that_failed_elsewhere_is_no_proof_that_an_earlier_one_is_still_there(
    repo: TestRepository, prepare: Prepare
) -> None:
    place = prepare("grep -q 1 a && touch untracked")
    first = repo.rev("HEAD")
    assert run(place, repo, "ls untracked", first) == b"untracked\n"
    repo.commit("broken", {"a": "2\n"})
    assert run(place, repo, "ls untracked") == b""
    assert run(place, repo, "ls untracked", first) == b"untracked\n"


def test_without_a_setup_nothing_is_prepared(repo: TestRepository, prepare: Prepare) -> None:
    assert run(prepare(None), repo, "ls") == b"a\npackage.json\n"


def test_an_emptied_worktree_begins_with_no_file(repo: TestRepository, prepare: Prepare) -> None:
    place = prepare("touch ready.made")
    assert run(place, repo, "touch left.made; ls *.made") == b"left.made\nready.made\n"
    place.empty()
    assert run(place, repo, "ls *.made") == b"ready.made\n"


# Half of a removal, as a command sees it that is under way meanwhile; ``$1`` is the worktree.
REMOVALS = [
    'rm -rf "$1"; exit 1',
    'rm -rf "$1"',
    'rm "$1/tree/a"; exit 1',
    'rm -rf "$1/git"; exit 1',
]


@pytest.mark.parametrize("removal", REMOVALS)
def test_a_worktree_removed_during_a_command_is_made_again(
    repo: TestRepository, prepare: Prepare, told: list[str], tmp_path: Path, removal: str
) -> None:
    place, mark = prepare("touch ready.made"), tmp_path / "removed"
    root = place.worktree.root
    command = f"set -- '{root}'; if ! test -e '{mark}'; then touch '{mark}'; {removal}; fi; cat *"
    outcome = place.run(command, repo.rev("HEAD"), repo.tree("HEAD"), open_shell)
    assert (outcome.status, outcome.output) == (0, b"1\n{}\n")
    (said,) = told
    assert "removed" in said
    assert run(place, repo, "ls") == b"a\npackage.json\nready.made\n"


def test_a_worktree_removed_between_two_commands_is_made_again(
    repo: TestRepository, prepare: Prepare, told: list[str]
) -> None:
    place = prepare(None)
    run(place, repo, "true")
    shutil.rmtree(place.worktree.root)
    assert run(place, repo, "ls") == b"a\npackage.json\n"
    (said,) = told
    assert said.endswith("was removed while it was in use; it is made again")


def test_a_command_that_removes_files_and_fails_has_failed(
    repo: TestRepository, prepare: Prepare, told: list[str]
) -> None:
    outcome = prepare(None).run("rm a; exit 3", repo.rev("HEAD"), repo.tree("HEAD"), open_shell)
    assert outcome.status == 3
    assert len(told) == 1


def test_a_command_that_removes_files_and_passes_has_passed(
    repo: TestRepository, prepare: Prepare, told: list[str]
) -> None:
    assert run(prepare(None), repo, "rm a; ls") == b"package.json\n"
    assert told == []
