"""Commits are built and tested on exactly their files; what passed is not run again."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from git_retcon.errors import Refused
from git_retcon.git.graph import read_commit
from git_retcon.run.checks import Checks
from git_retcon.run.commands import Commands
from git_retcon.run.confined_worktree import Guard
from git_retcon.run.consent import Consent
from git_retcon.run.events import (
    CheckEvent,
    Confined,
    Outcome,
    Output,
    StepEnded,
    StepStarted,
    Warned,
)
from git_retcon.run.failure import Failure
from git_retcon.run.quarantine import Quarantine
from git_retcon.run.sandbox.level import Level, Policy, choose
from git_retcon.run.verdicts import open_verdicts
from git_retcon.run.worktree_place import WorktreePlace
from tests.repository import TestRepository


class Scene:
    """A repository whose commits are checked; every command appends to ``ran``, outside of it."""

    def __init__(self, repo: TestRepository, top: Path, stack: ExitStack) -> None:
        self.repo = repo
        self.top = top
        self.ran = top / "ran"
        self.told: list[CheckEvent] = []
        self._stack = stack

    def checks(
        self, commands: Commands, guard: Guard | None = None, cache: str | None = None
    ) -> Checks:
        place = WorktreePlace(self.repo.open(), self.top / "worktrees", "check")
        path = None if cache is None else self.top / cache
        verdicts = self._stack.enter_context(open_verdicts(path, print))
        checks = Checks(commands, place, verdicts, self.told.append, _redact, guard)
        return self._stack.enter_context(checks)

    def log(self, word: str, then: str = "true") -> str:
        return f"echo {word} >>{self.ran}; {then}"

    @property
    def runs(self) -> list[str]:
        return self.ran.read_text().split() if self.ran.exists() else []


def _redact(output: bytes) -> bytes:
    return output.replace(b"hunter2", b"***")


@pytest.fixture
def scene(repo: TestRepository, tmp_path: Path) -> Iterator[Scene]:
    repo.commit("one", {"a": "1\n"})
    with ExitStack() as stack:
        yield Scene(repo, tmp_path, stack)


def check(checks: Checks, repo: TestRepository, commit: str = "HEAD") -> Failure | None:
    return checks.check_commit(repo.rev(commit), repo.tree(commit))


def shape(event: CheckEvent) -> tuple[object, ...]:
    """An event without its seconds."""
    match event:
        case StepStarted(step, _):
            return ("started", step)
        case StepEnded(step, outcome, cause, cached=cached):
            return (step, outcome, cause, cached)
        case Output(step, text):
            return ("printed", step, text)
        case Confined(level, _):
            return ("confined", level)
        case Warned(message):
            return ("warned", message)


def test_setup_build_and_test_run_in_this_order_and_are_reported(scene: Scene) -> None:
    commands = Commands(scene.log("setup"), scene.log("build"), scene.log("test", "cat a"))
    checks = scene.checks(commands)
    assert check(checks, scene.repo) is None
    assert scene.runs == ["setup", "build", "test"]
    assert [shape(event) for event in scene.told] == [
        ("started", "build"), ("build", Outcome.PASS, "", False),
        ("started", "test"), ("test", Outcome.PASS, "", False),
    ]  # fmt: skip
    assert [line.partition(" pass ")[0] for line in checks.verdict_lines] == ["build", "test"]
    assert checks.seconds > 0


def test_a_failed_build_ends_it_and_shows_no_secret(scene: Scene) -> None:
    build = "echo 'error: no hunter2 here'; exit 4"
    checks = scene.checks(Commands(build=build, test=scene.log("test")))
    failure = check(checks, scene.repo)
    assert failure is not None
    assert (failure.step, failure.status, failure.command) == ("build", 4, build)
    assert scene.runs == []
    assert [shape(event) for event in scene.told[1:]] == [
        ("build", Outcome.FAIL, "no *** here", False),
        ("printed", "build", "error: no *** here\n"),
    ]
    assert checks.verdict_lines[0].startswith("build fail ")


def test_a_failed_setup_is_called_the_setup(scene: Scene) -> None:
    checks = scene.checks(Commands(setup="echo offline; exit 7", build="true"))
    failure = checks.try_commit(scene.repo.rev("HEAD"), scene.repo.tree("HEAD"))
    assert failure is not None and (failure.step, failure.status) == ("setup", 7)
    check(checks, scene.repo)
    assert shape(scene.told[1]) == ("build", Outcome.FAIL, "setup: offline", True)


def test_a_step_without_a_command_is_skipped(scene: Scene) -> None:
    checks = scene.checks(Commands(test="true"))
    assert check(checks, scene.repo) is None
    assert shape(scene.told[1]) == ("build", Outcome.SKIPPED, "", False)
    with pytest.raises(KeyError):
        checks.try_step("build", scene.repo.tree("HEAD"))


def test_without_commands_no_worktree_is_made(scene: Scene) -> None:
    assert check(scene.checks(Commands()), scene.repo) is None
    assert not (scene.top / "worktrees").exists()


def test_the_same_tree_is_not_checked_twice(scene: Scene) -> None:
    commands = Commands(build=scene.log("build"), test=scene.log("test", "exit 1"))
    checks = scene.checks(commands)
    first = check(checks, scene.repo)
    again = scene.repo.commit("the same files")
    assert check(checks, scene.repo, again) is first
    assert scene.runs == ["build", "test"]
    assert [event.cached for event in scene.told if isinstance(event, StepEnded)] == [
        False, False, True, True,
    ]  # fmt: skip


def test_passes_are_kept_for_later_runs_and_failures_are_not(scene: Scene) -> None:
    commands = Commands(build=scene.log("build"), test=scene.log("test", "exit 1"))
    for _ in range(2):
        with scene.checks(commands, cache="verdicts.db") as checks:
            check(checks, scene.repo)
    assert scene.runs == ["build", "test", "test"]


def test_another_setup_is_another_question(scene: Scene) -> None:
    for setup in ("true", "true; true"):
        commands = Commands(setup, scene.log("build"))
        with scene.checks(commands, cache="verdicts.db") as checks:
            check(checks, scene.repo)
    assert scene.runs == ["build", "build"]


def test_a_trial_of_a_bare_tree_is_silent(scene: Scene) -> None:
    checks = scene.checks(Commands(build="cat a; false"))
    tree = scene.repo.tree("HEAD")
    failure = checks.try_commit(tree, tree)
    assert failure is not None and failure.output == b"1\n"
    assert scene.told == []
    assert [place.name for place in checks.places] == ["tree"]


def test_what_a_model_wrote_is_checked_in_the_sandbox_and_it_is_recorded(
    scene: Scene, sealed: Path
) -> None:
    if choose(Policy.AUTO).level is Level.NONE:
        pytest.skip("no sandbox works here")
    (sealed / "licence").write_text("yes\n")
    repo = scene.repo
    source = read_commit(repo.open(), repo.rev("HEAD"))
    bridged = repo.commit("bridged", {"a": "model's\n"})
    quarantine = Quarantine(repo.open().trees, source.tree, source.tree)
    # Nothing is asked but whether a weak sandbox is enough.
    is_weak = not choose(Policy.AUTO).level.is_strong
    consent = Consent(Policy.AUTO, lambda question: is_weak, print)
    checks = scene.checks(
        Commands(build=f"cat {sealed}/licence || true"), Guard(quarantine, consent, source)
    )
    checks.distrust([b"a"])
    assert check(checks, repo, source.oid) is None
    assert "sandbox" not in checks.verdict_lines[0]
    assert not any(isinstance(event, Confined) for event in scene.told)
    assert check(checks, repo, bridged) is None
    assert isinstance(scene.told[4], Confined)
    assert checks.verdict_lines[0].endswith(f", sandbox {choose(Policy.AUTO).record}")
    assert len(checks.places) == 2
    user = repo.commit("the user's", {"a": "1\n", "b": "user's\n"})
    assert check(checks, repo, user) is None
    assert "sandbox" not in checks.verdict_lines[0]


def test_what_a_model_left_in_its_worktree_is_gone_in_the_next_run(scene: Scene) -> None:
    repo = scene.repo
    source = read_commit(repo.open(), repo.commit("source", {".gitignore": "left\n"}))
    bridged = repo.commit("bridged", {"a": "model's\n"})
    consent = Consent(Policy.OFF, lambda question: False, print)
    for commands in (Commands(build="touch left"), Commands(build="ls left")):
        quarantine = Quarantine(repo.open().trees, source.tree, source.tree, {b"a"})
        with scene.checks(commands, Guard(quarantine, consent, source)) as checks:
            failure = check(checks, repo, bridged)
    assert failure is not None and b"left" in failure.output


def guarded(scene: Scene, source: str, paths: set[bytes]) -> Guard:
    """What a model wrote runs without a sandbox, as somebody switched it off."""
    repository = scene.repo.open()
    commit = read_commit(repository, source)
    quarantine = Quarantine(repository.trees, commit.tree, commit.tree, paths)
    return Guard(quarantine, Consent(Policy.OFF, lambda question: False, print), commit)


def test_what_a_trial_left_behind_proves_no_other_tree(scene: Scene) -> None:
    repo = scene.repo
    source = repo.commit("source", {".gitignore": "left\n", "build.txt": "true\n"})
    repo.commit("a trial", {"build.txt": "touch left\n"})
    trial = repo.tree("HEAD")
    bridged = repo.commit("bridged", {"build.txt": "test -e left\n"})
    with scene.checks(
        Commands(build="cat build.t* | sh"), guarded(scene, source, {b"build.txt"})
    ) as checks:
        assert checks.try_step("build", trial) is None
        assert checks.try_step("build", repo.tree(bridged)) is None  # by what the trial left
        assert check(checks, repo, bridged) is not None


def test_a_trial_of_the_very_tree_is_not_repeated(scene: Scene) -> None:
    repo = scene.repo
    source = repo.commit("source", {"a": "user's\n"})
    bridged = repo.commit("bridged", {"a": "model's\n"})
    with scene.checks(
        Commands(build=scene.log("$(cat a*)")), guarded(scene, source, {b"a"})
    ) as checks:
        assert checks.try_step("build", repo.tree(bridged)) is None
        assert check(checks, repo, bridged) is None
    assert scene.runs == ["model's"]


def test_a_commit_whose_judge_holds_a_models_line_is_not_judged(scene: Scene) -> None:
    repo = scene.repo
    source = repo.commit("source", {"Makefile": "test:\n\tfalse\n"})
    bridged = repo.commit("bridged", {"Makefile": "test:\n\ttrue\n"})
    with scene.checks(Commands(build=scene.log("x")), guarded(scene, source, {b"Makefile"})) as it:
        with pytest.raises(Refused, match="changed files that judge this commit: Makefile"):
            check(it, repo, bridged)
        assert check(it, repo, source) is None
    assert scene.runs == ["x"]


def test_a_required_sandbox_keeps_the_set_up_inside_too(scene: Scene, sealed: Path) -> None:
    sandbox = choose(Policy.AUTO)
    if not sandbox.level.is_strong:
        pytest.skip("no sandbox works here that can be required")
    (sealed / "licence").write_text("yes\n")
    repo = scene.repo
    source = repo.commit("source", {"a": "user's\n", ".gitignore": "seen\n"})
    bridged = repo.commit("bridged", {"a": "model's\n"})
    guard = guarded(scene, source, {b"a"})
    setup = f"cat {sealed}/licence >seen || echo no >seen"
    for policy, seen in ((Policy.REQUIRE, b"no"), (Policy.AUTO, b"yes")):
        required = replace(guard, consent=replace(guard.consent, policy=policy))
        commands = Commands(setup=f"{setup}; : {policy}", build="cat seen; grep -q user a*")
        with scene.checks(commands, required) as checks:
            failure = check(checks, repo, bridged)
            assert failure is not None and failure.output.strip() == seen
