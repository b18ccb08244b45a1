"""What a model wrote runs in a sandbox, on a worktree that only ever held confined runs."""

from collections.abc import Callable, Iterator
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
from git_retcon.run.sandbox.level import Level, Policy, Sandbox, choose
from git_retcon.run.worktree import Worktree, open_worktree
from git_retcon.show.question import Asker
from tests.repository import TestRepository
from tests.sandboxes import sandbox_of


@pytest.fixture
def worktree(repo: TestRepository, tmp_path: Path, sealed: Path) -> Iterator[Worktree]:
    (sealed / "licence").write_text("yes\n")
    repo.commit("source", {"a": "1\n", "key": "never sent\n"})
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
    ask: Asker | None = None,
    withholds: Callable[[bytes], bool] | None = None,
) -> ConfinedWorktree:
    repository = repo.open()
    source = read_commit(repository, repo.rev("source"))
    quarantine = Quarantine(repository.trees, source.tree, source.tree, {b"a"})
    ask = ask or (lambda question: yes or WEAKNESS in question)
    consent = Consent(Policy.AUTO, ask, lambda line: None)
    place = PreparedWorktree(worktree, setup, lambda tree: "key", timeout=60, warn=pytest.fail)
    return ConfinedWorktree(place, sandbox, Guard(quarantine, consent, source, withholds))


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


def never_send(path: bytes) -> bool:
    return path == b"key"


def test_what_is_never_sent_is_covered_where_the_command_passes_so(
    repo: TestRepository, worktree: Worktree, strong_sandbox: Sandbox
) -> None:
    place = confined(repo, worktree, strong_sandbox, withholds=never_send)
    outcome = place.run("cat key a", repo.rev("HEAD"), repo.tree("HEAD"), pytest.fail)
    assert outcome.passed
    assert outcome.output == b"model's\n"


def test_what_a_command_needs_of_it_is_read_after_one_question(
    repo: TestRepository, worktree: Worktree, strong_sandbox: Sandbox
) -> None:
    asked: list[str] = []

    def agree(question: str) -> bool:
        asked.append(question)
        return True

    place = confined(repo, worktree, strong_sandbox, ask=agree, withholds=never_send)
    command = "test -s key && cat key a"
    for _ in range(2):
        outcome = place.run(command, repo.rev("HEAD"), repo.tree("HEAD"), pytest.fail)
        assert outcome.output == b"never sent\nmodel's\n"
    assert asked == [f"'{command}' does not pass without key; let it read that inside?"]
    assert place.record(command) == strong_sandbox.record


def test_it_stays_covered_where_nobody_agrees(
    repo: TestRepository, worktree: Worktree, strong_sandbox: Sandbox
) -> None:
    place = confined(repo, worktree, strong_sandbox, withholds=never_send)
    with pytest.raises(Refused, match="does not pass without key, which"):
        place.run("test -s key", repo.rev("HEAD"), repo.tree("HEAD"), lambda: True)


def test_a_sandbox_that_covers_nothing_says_so_beforehand(
    repo: TestRepository, worktree: Worktree
) -> None:
    with pytest.raises(
        Refused, match=r"cannot stop .*reading secrets .*what 'retcon.neverSend' nam"
    ):
        confined(
            repo, worktree, sandbox_of(Level.LANDLOCK),
            ask=lambda question: False, withholds=never_send,
        )  # fmt: skip


def test_a_secret_that_the_setup_left_in_the_tree_is_covered(
    repo: TestRepository, worktree: Worktree, strong_sandbox: Sandbox
) -> None:
    repo.write({".git/info/exclude": ".env\n"})
    place = confined(repo, worktree, strong_sandbox, setup="echo secret >.env")
    outcome = place.run("cat .env a", repo.rev("HEAD"), repo.tree("HEAD"), pytest.fail)
    assert outcome.output == b"model's\n"


WEAK = [Level.LANDLOCK, Level.NONE]


@pytest.mark.parametrize("level", WEAK)
def test_what_changes_the_users_git_is_put_back_and_has_failed(
    repo: TestRepository, worktree: Worktree, level: Level
) -> None:
    sandbox = choose(Policy.OFF) if level is Level.NONE else sandbox_of(level)
    config = repo.path / ".git/config"
    before = config.read_text()
    place = confined(repo, worktree, sandbox, yes=True)
    command = f"grep -q 1 a || echo '[core] fsmonitor = evil' >>{config}"
    outcome = place.run(command, repo.rev("HEAD"), repo.tree("HEAD"), lambda: True)
    assert config.read_text() == before
    assert not outcome.passed
    if level is Level.NONE:
        assert b"the command changed '.git/config', which was put back\n" in outcome.output
        kept = next((repo.path.parent / "home").rglob("replaced/*/.git/config"))
        assert f"what replaced it is kept in '{kept.parent.parent}'\n" in outcome.output.decode()


def test_what_it_changes_of_git_and_executes_nothing_is_named(
    repo: TestRepository, worktree: Worktree
) -> None:
    place = confined(repo, worktree, choose(Policy.OFF))
    command = f"git -C {repo.path} config user.nickname ada"
    outcome = place.run(command, repo.rev("HEAD"), repo.tree("HEAD"), lambda: True)
    assert outcome.passed
    assert outcome.output == b"it also changed, and this is left: user.nickname in .git/config\n"
    assert repo.git("config", "user.nickname") == "ada"
