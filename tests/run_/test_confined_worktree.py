"""What a model wrote runs in a sandbox, on a worktree that only ever held confined runs."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from git_retcon.errors import Refused
from git_retcon.git.graph import read_commit
from git_retcon.run.confined_worktree import ConfinedWorktree, Guard
from git_retcon.run.consent import Consent
from git_retcon.run.prepared_worktree import PreparedWorktree
from git_retcon.run.quarantine import Quarantine
from git_retcon.run.sandbox.confinement import Confinement
from git_retcon.run.sandbox.level import Level, Policy, Sandbox
from git_retcon.run.worktree import Worktree, open_worktree
from tests.repository import TestRepository


@pytest.fixture
def worktree(repo: TestRepository, tmp_path: Path, sealed: Path) -> Iterator[Worktree]:
    (sealed / "licence").write_text("yes\n")
    repo.commit("source", {"a": "1\n"})
    repo.git("tag", "source")
    repo.commit("bridged", {"a": "model's\n"})
    with open_worktree(tmp_path / "worktrees", repo.open(), "check-confined") as worktree:
        yield worktree


WEAKNESS = "run what a model wrote all the same?"


def confined(
    repo: TestRepository,
    worktree: Worktree,
    sandbox: Sandbox,
    *,
    setup: str | None = None,
    yes: bool = False,
) -> ConfinedWorktree:
    repository = repo.open()
    source = read_commit(repository, repo.rev("source"))
    quarantine = Quarantine(repository.trees, source.tree, source.tree, {b"a"})
    ask = lambda question: yes or WEAKNESS in question  # noqa: E731
    consent = Consent(Policy.AUTO, ask, lambda line: None)
    place = PreparedWorktree(worktree, setup, lambda tree: "key", timeout=60, warn=pytest.fail)
    return ConfinedWorktree(place, sandbox, Guard(quarantine, consent, source))


def test_it_runs_inside(
    repo: TestRepository, worktree: Worktree, sandbox: Sandbox, sealed: Path
) -> None:
    place = confined(repo, worktree, sandbox)
    command = f"cat a; cat {sealed}/licence || true"
    outcome = place.run(command, repo.rev("HEAD"), repo.tree("HEAD"), lambda: True)
    assert outcome.passed
    assert outcome.output.startswith(b"model's\n") and b"yes" not in outcome.output
    assert place.record(command) == sandbox.record
    assert place.record("another") == ""


def test_what_cannot_be_sandboxed_is_refused_before_it_runs_on_a_models_bytes(
    repo: TestRepository, worktree: Worktree, sandbox: Sandbox, sealed: Path
) -> None:
    place = confined(repo, worktree, sandbox)
    command = f"cat a >>seen; cat {sealed}/licence"
    with pytest.raises(Refused, match="nobody agreed to run it outside"):
        place.run(command, repo.rev("HEAD"), repo.tree("HEAD"), lambda: True)
    assert (worktree.tree / "seen").read_text() == "1\n"


def test_what_was_allowed_runs_outside_and_is_recorded(
    repo: TestRepository, worktree: Worktree, sandbox: Sandbox, sealed: Path
) -> None:
    place = confined(repo, worktree, sandbox, yes=True)
    command = f"cat {sealed}/licence"
    outcome = place.run(command, repo.rev("HEAD"), repo.tree("HEAD"), lambda: True)
    assert outcome.output == b"yes\n"
    assert place.record(command) == "none (allowed)"


def test_a_command_is_tried_once(
    repo: TestRepository, worktree: Worktree, sandbox: Sandbox
) -> None:
    place = confined(repo, worktree, sandbox, yes=True)
    tried: list[bool] = []

    def passes_outside() -> bool:
        tried.append(True)
        return False

    for _ in range(2):
        outcome = place.run("exit 3", repo.rev("HEAD"), repo.tree("HEAD"), passes_outside)
        assert outcome.status == 3
    assert tried == [True]


@dataclass(frozen=True)
class Broken:
    """A bubblewrap that does not start."""

    def prefix(self, confinement: Confinement) -> list[str]:
        return ["sh", "-c", "echo 'bwrap: no user namespaces'; exit 1"]


def test_a_sandbox_that_does_not_start_is_no_verdict_on_the_command(
    repo: TestRepository, worktree: Worktree
) -> None:
    broken = Sandbox(Level.BUBBLEWRAP, "sandboxed by bubblewrap", "bubblewrap 1", Broken())
    place = confined(repo, worktree, broken)
    with pytest.raises(Refused, match="the sandbox did not start"):
        place.run("true", repo.rev("HEAD"), repo.tree("HEAD"), lambda: False)


def test_the_setup_runs_outside_while_only_the_users_bytes_are_there(
    repo: TestRepository, worktree: Worktree, sandbox: Sandbox, sealed: Path
) -> None:
    repo.write({".git/info/exclude": "ready\n"})
    setup = f"cat a {sealed}/licence >ready"
    place = confined(repo, worktree, sandbox, setup=setup)
    outcome = place.run("cat ready", repo.rev("source"), repo.tree("source"), lambda: True)
    assert outcome.output == b"1\nyes\n"
