"""The user's bytes run outside, what a model wrote inside; a worktree is made when it is needed."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from git_retcon.git.graph import read_commit
from git_retcon.run.commands import Commands
from git_retcon.run.confined_worktree import Guard
from git_retcon.run.consent import Consent
from git_retcon.run.events import CheckEvent, Confined
from git_retcon.run.executor import Executor
from git_retcon.run.quarantine import Quarantine
from git_retcon.run.sandbox.level import Policy
from git_retcon.run.worktree import open_worktree
from git_retcon.run.worktree_place import WorktreePlace
from tests.repository import TestRepository


class Scene:
    """The user's commit, one with a model's bytes in ``a``, and what is told of running them."""

    def __init__(self, repo: TestRepository, executor: Executor, told: list[CheckEvent]) -> None:
        self.user, self.models = repo.rev("HEAD~"), repo.rev("HEAD")
        self.told = told
        self.executor = executor
        self._trees = {oid: repo.tree(oid) for oid in (self.user, self.models)}

    def run(self, command: str, oid: str) -> bytes:
        return self.executor.run(command, oid, self._trees[oid], lambda: True).output

    def describe(self, command: str, oid: str) -> str:
        return self.executor.describe_sandbox(command, self._trees[oid])


@pytest.fixture
def scene(repo: TestRepository, tmp_path: Path) -> Iterator[Scene]:
    source = read_commit(repo.open(), repo.commit("source", {"a": "user's\n"}))
    repo.commit("bridged", {"a": "model's\n"})
    quarantine = Quarantine(repo.open().trees, source.tree, source.tree, {b"a"})
    guard = Guard(quarantine, Consent(Policy.OFF, lambda question: False, print), source)
    place = WorktreePlace(repo.open(), tmp_path / "worktrees", "check")
    told: list[CheckEvent] = []
    with closing(Executor(Commands(build="cat a"), place, guard, told.append)) as executor:
        yield Scene(repo, executor, told)


def test_no_worktree_is_made_before_a_command_runs(scene: Scene) -> None:
    assert list(scene.executor.places) == []
    assert scene.run("cat a", scene.user) == b"user's\n"
    (place,) = scene.executor.places
    assert place.is_dir()


def test_what_a_model_wrote_runs_elsewhere_and_in_the_sandbox(scene: Scene) -> None:
    outside = scene.run("pwd", scene.user)
    assert scene.told == []
    assert scene.run("cat a", scene.models) == b"model's\n"
    assert scene.run("pwd", scene.models) != outside
    assert [type(each) for each in scene.told] == [Confined]
    assert len(scene.executor.places) == 2


def test_the_sandbox_is_recorded_of_what_ran_there_alone(scene: Scene) -> None:
    scene.run("cat a", scene.user)
    assert scene.describe("cat a", scene.models) == ""
    scene.run("cat a", scene.models)
    assert scene.describe("cat a", scene.models) == "none (off)"
    assert scene.describe("cat a", scene.user) == ""


def test_the_sandbox_is_reported_before_anything_runs(scene: Scene, repo: TestRepository) -> None:
    scene.executor.prepare(repo.tree(scene.user))
    assert scene.told == []
    scene.executor.prepare(repo.tree(scene.models))
    assert len(scene.told) == 1


def test_the_tools_are_those_of_the_path(
    repo: TestRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = WorktreePlace(repo.open(), tmp_path, "check")
    before = Executor(Commands(build="mytool"), place, None, print).tools
    tool = tmp_path / "mytool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert Executor(Commands(build="mytool"), place, None, print).tools != before


def test_one_worktree_serves_all_runs_and_is_free_after_them(
    scene: Scene, repo: TestRepository, tmp_path: Path
) -> None:
    first = scene.run("pwd", scene.user)
    assert scene.run("pwd # again", scene.user) == first
    scene.executor.close()
    with open_worktree(tmp_path / "worktrees", repo.open(), "check") as worktree:
        assert f"{worktree.tree}\n".encode() == first
