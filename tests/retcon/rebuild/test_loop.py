"""The fix loop: what it does with a failure, and how often."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from dataclasses import replace
from types import FrameType

import pytest

from git_retcon.code.diagnostics.build_failures import read_failures
from git_retcon.options import Output, SharedOptions
from git_retcon.retcon.engine import Blocked, Bridge, Choice, Progress, Situation, Trial
from git_retcon.retcon.engines.choose import ChosenEngine
from git_retcon.retcon.events import CommitMade, DiffComputed, Extracted, Listener
from git_retcon.retcon.rebuild.command import run
from git_retcon.retcon.rebuild.options import Decisions, Request
from git_retcon.retcon.rebuild.run import Result, rebuild
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.history import Status
from git_retcon.run.commands import Commands
from git_retcon.run.failure import Failure
from git_retcon.run.sandbox.level import Policy
from git_retcon.run.stalled import IDLE_ATTEMPTS
from tests.repository import TestRepository
from tests.retcon.scene import BUILD, SPEC, Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


@contextmanager
def counted_parses() -> Iterator[Counter[bytes]]:
    """How often each output is parsed in this process, by any caller."""
    outputs: Counter[bytes] = Counter()

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is read_failures.__code__:
            outputs[frame.f_locals["output"]] += 1

    sys.setprofile(watch)
    try:
        yield outputs
    finally:
        sys.setprofile(None)


@pytest.mark.slow
def test_the_output_of_a_failed_build_is_parsed_once(scene: Scene) -> None:
    """The terminal's headline, the repair and the measure of headway read one value."""
    swapped = SPEC.replace('files = ["money.py"]', 'files = ["shop.py"]').replace(
        'files = ["price.py", "shop.py"]', 'files = ["money.py", "price.py"]'
    )
    swapped = swapped.replace(BUILD, f"echo $(ls); {BUILD}")  # no two trees print the same
    scene.write_spec(swapped)
    with chdir(scene.repo.path), counted_parses() as parses:
        assert run(Request(SharedOptions(Output(quiet=True), offline=True))).failure is None
    scene.promise()
    assert parses and set(parses.values()) == {1}


class ScriptedEngine:
    """Answers what a test tells it to; ``asked`` counts its assessments."""

    name = "scripted"

    def __init__(
        self,
        extract: Callable[[Situation], Choice],
        assess: Callable[[Situation], Progress | Blocked] = lambda _: Blocked("not asked"),
    ) -> None:
        self._extract, self._assess = extract, assess
        self.asked = 0

    def extract(self, situation: Situation) -> Choice:
        return self._extract(situation)

    def assess(
        self, situation: Situation, failure: Failure, attempt: int, trial: Trial
    ) -> Progress | Blocked:
        self.asked += 1
        return self._assess(situation)


def loop(
    scene: Scene,
    engine: ScriptedEngine,
    tell: Listener = lambda _: None,
    *,
    build: str | None = None,
    test: str | None = None,
) -> Result:
    commands = Commands(build=build, test=test)
    decisions = Decisions(commands, scene.repo.path / ".git/worktrees-of-ours")
    chosen = ChosenEngine(engine, "scripted", sandbox=Policy.OFF)
    path = scene.spec
    return rebuild(scene.repo.open(), path, lambda _: decisions, lambda: chosen, tell)


def take(*paths: str) -> Callable[[Situation], Choice]:
    """The hunks of some files that are left."""
    wanted = {path.encode() for path in paths}
    return lambda situation: Choice(
        frozenset(atom.id for atom in situation.left if atom.path in wanted)
    )


def take_one(situation: Situation) -> Progress:
    """One more hunk, whichever is next."""
    return Progress(Choice(frozenset({situation.left[0].id})), "add more")


def summary(scene: Scene) -> str:
    found = SpecFile.load(scene.spec).spec.commits[0].last_summary
    assert found is not None
    return found


def test_progress_that_changes_nothing_ends_the_loop(scene: Scene) -> None:
    engine = ScriptedEngine(take("money.py"), lambda _: Progress(Choice(frozenset()), "add x"))
    assert loop(scene, engine, build="test -f shop2.py || test -f price.py").stuck == 0
    assert summary(scene) == "the engine promised progress and changed nothing"


def test_a_loop_that_leads_nowhere_ends_after_a_few_attempts(repo: TestRepository) -> None:
    scene = messy_branch(repo)
    repo.git("checkout", "-q", "feature")
    repo.commit("more", {f"part{number}.py": f"P = {number}\n" for number in range(9)})
    repo.git("checkout", "-q", "main")
    engine = ScriptedEngine(take("money.py"), take_one)
    assert loop(scene, engine, build="test -f part8.py").stuck == 0
    assert engine.asked == IDLE_ATTEMPTS


def test_a_source_that_fails_the_same_step_is_blamed_and_no_engine_is_asked(scene: Scene) -> None:
    engine = ScriptedEngine(take("money.py"), take_one)
    assert loop(scene, engine, build="false").stuck == 0
    assert summary(scene).startswith("'feature' itself fails this build (exit status 1)")
    assert engine.asked == 0


def test_a_source_that_fails_another_step_is_not_blamed(scene: Scene) -> None:
    engine = ScriptedEngine(take("money.py"))
    assert loop(scene, engine, build="test -f price.py", test="false").stuck == 0
    assert (engine.asked, summary(scene)) == (1, "not asked")


def test_a_commit_is_complete_at_once_only_where_no_command_could_prove_it(scene: Scene) -> None:
    seen: list[Status] = []

    def look(event: object) -> None:
        if isinstance(event, CommitMade) and event.index == 0:
            seen.append(SpecFile.load(scene.spec).spec.commits[0].status)

    everything = ScriptedEngine(lambda situation: take("money.py")(situation))
    loop(scene, everything, look, build="true")
    assert seen == [Status.IN_PROGRESS]
    seen.clear()
    scene.write_spec(SPEC.replace('cleaned = "clean"', 'cleaned = "other"'))
    loop(scene, everything, look)
    assert seen == [Status.COMPLETE]


def test_what_is_left_counts_the_parts_of_a_hunk_that_is_divided(repo: TestRepository) -> None:
    scene = messy_branch(repo)
    repo.git("checkout", "-q", "feature")
    repo.commit("names", {"names.py": "def names():\n    a = 1\n    b = 2\n    return a + b\n"})
    repo.git("checkout", "-q", "main")

    def divide(situation: Situation) -> Choice:
        first = next(atom.id for atom in situation.left if atom.path == b"names.py")
        return Choice(frozenset({first if ":" in first else f"{first}:3"}))

    told: list[object] = []
    loop(scene, ScriptedEngine(divide), told.append, build="true")
    whole = next(one.atoms for one in told if isinstance(one, DiffComputed))
    first = next(one for one in told if isinstance(one, Extracted))
    # Of `names` the lines above and below it are left.
    assert (first.atoms, first.left) == (1, whole + 1)


def test_a_bridge_is_built_as_what_a_model_wrote(scene: Scene) -> None:
    def bridge(situation: Situation) -> Choice:
        return replace(take("money.py")(situation), bridges=(Bridge(b"between.py", b"B = 1\n"),))

    loop(scene, ScriptedEngine(bridge), build="true")
    note = scene.repo.git("notes", "--ref=retcon", "show", "clean~1")
    assert "Bridged: yes\n" in note
    assert "Verdict: build pass" in note
    assert ", sandbox " in note
