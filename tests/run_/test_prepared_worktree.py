"""A worktree is set up when what the set-up depends on has changed, and no more often."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from git_retcon.run.prepared_worktree import PreparedWorktree, forget_worktree, setup_key
from git_retcon.run.shell import open_shell
from git_retcon.run.worktree import open_worktree
from tests.repository import TestRepository

Prepare = Callable[[str | None], PreparedWorktree]


@pytest.fixture
def prepare(repo: TestRepository, tmp_path: Path) -> Iterator[Prepare]:
    """Makes the worktree with a set-up command; files named ``*.made`` are ignored."""
    repo.commit("one", {".gitignore": "*.made\n", "package.json": "{}\n", "a": "1\n"})
    repository = repo.open()
    with open_worktree(tmp_path / "worktrees", repository, "check") as worktree:

        def make(setup: str | None) -> PreparedWorktree:
            def key(tree: str) -> str:
                return setup_key(setup or "", "tools", repository.trees, tree)

            return PreparedWorktree(worktree, setup, key, timeout=60)

        yield make


def run(place: PreparedWorktree, repo: TestRepository, command: str, commit: str = "HEAD") -> bytes:
    return place.run(command, repo.rev(commit), repo.tree(commit), open_shell()).output


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
    outcome = place.run("echo ran", repo.rev("HEAD"), repo.tree("HEAD"), open_shell())
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


def test_a_forgotten_worktree_begins_with_no_file(repo: TestRepository, tmp_path: Path) -> None:
    repo.commit("one", {".gitignore": "*.made\n"})
    repository, base = repo.open(), tmp_path / "worktrees"
    forget_worktree(base, repository, "check")  # there is none yet
    with open_worktree(base, repository, "check") as worktree:
        worktree.checkout(repo.rev("HEAD"))
        (worktree.tree / "left.made").touch()
        root = worktree.root
    forget_worktree(base, repository, "check")
    assert not root.exists()
