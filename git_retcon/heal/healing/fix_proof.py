"""Proof of a fix: every job that ran in the check runs again, on the state with the fix.

What passed before must pass, and the step that failed must pass, twice where it runs tests: one
that fails at times would pass by chance.
"""

from collections.abc import Sequence

from git_retcon.heal.check_jobs import SeenJob
from git_retcon.heal.execution.job_runner import OpenJob, open_job
from git_retcon.heal.execution.ready_job import ReadyJob, Workbench
from git_retcon.heal.execution.step_runner import Progress
from git_retcon.heal.found_errors import Tree
from git_retcon.heal.healing.work_items import FailedJob, StepIdentity, read_step
from git_retcon.heal.results import GOOD, StepResult, StepVerdict
from git_retcon.heal.workflows.nodes import Scalar
from git_retcon.lazy_named_tuple import NamedTuple

_BAD = StepVerdict.FAILED


class StepProof(NamedTuple):
    """One step that failed, and how it ended with the fix. ``job`` and ``step`` are their names for
    people. ``runs`` is how often it passed; ``sandbox`` is what confined it, empty where nothing
    did.
    """

    identity: StepIdentity
    job: str
    step: str
    before: int | None  # exit status
    after: int | None
    seconds: float
    passed: bool
    runs: int
    sandbox: str = ""

    def as_json(self) -> dict[str, object]:
        """For people and programs that look it up later."""
        said = self._asdict()
        identity = said.pop("identity")
        return {"file": identity.workflow.decode("utf-8", "replace"), **said}


class Complaint(NamedTuple):
    """A file that a step complains of; None where that names no file."""

    step: StepIdentity
    path: bytes | None


class Proof(NamedTuple):
    """What was proved. ``broken`` names steps that passed before and fail now, ``unproved`` says
    what could not be found out; both are empty for a whole proof. ``behind`` names steps behind
    the healed ones that fail with and without the fix. ``tree`` is what it was proved of. ``left``
    are the files that healed steps still complain of.
    """

    steps: tuple[StepProof, ...]
    broken: tuple[str, ...] = ()
    unproved: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    tree: str = ""
    left: tuple[Complaint, ...] = ()

    def as_json(self) -> list[dict[str, object]]:
        """The steps as the database keeps them, each with the tree."""
        return [{**step.as_json(), "tree": self.tree} for step in self.steps]

    def passes(self, failed: FailedJob) -> bool:
        """Whether the step that made a job fail passes now."""
        own = [one.passed for one in self.steps if one.identity == failed.identity]
        return bool(own) and all(own)


class Prover:
    """Proves fixes of one check. ``base`` is the bench on the state as it is."""

    def __init__(self, seen: Sequence[SeenJob], failed: Sequence[FailedJob], base: Workbench,
                 progress: Progress, tree: Tree) -> None:  # fmt: skip
        """``tree`` is where its tools see the files."""
        self._seen = seen
        self._failed = {id(one.seen): one for one in failed}
        self._base = base
        self._progress = progress
        self._tree = tree

    def prove(self, bench: Workbench) -> Proof:
        """Prove the tree of a bench."""
        proof = Proof(())
        for seen in self._seen:
            proof = self._prove_job(seen, bench, proof)
        return proof

    def _prove_job(self, seen: SeenJob, bench: Workbench, proof: Proof) -> Proof:
        failed = self._failed.get(id(seen))
        twice = failed is not None and runs_tests(failed)
        steps, runs = replay_steps(seen.ready, bench, self._progress, failed, twice=twice)
        name = seen.ready.plan.name
        compared = _compare_results(seen.finished.steps, steps)
        proof = proof._replace(
            broken=(*proof.broken, *(f"{name}: {one}" for one in compared.broken))
        )
        if compared.revealed:
            broken, behind = self._judge_revealed(seen, failed, compared.revealed)
            proof = proof._replace(
                broken=(*proof.broken, *(f"{name}: {one}" for one in broken)),
                behind=(*proof.behind, *(f"{name}: {one}" for one in behind)),
            )
        if compared.skipped:
            said = tuple(f"{name}: {one}" for one in compared.skipped)
            proof = proof._replace(unproved=(*proof.unproved, *said))
        if failed is None:
            return proof
        after = steps[failed.position]
        passed = after.verdict in GOOD and runs == (2 if twice else 1)
        made = StepProof(
            failed.identity, name, failed.step.name, failed.step.status, after.status,
            after.seconds, passed, runs,
        )  # fmt: skip
        left = list_complaints(failed, after, self._tree)
        return proof._replace(steps=(*proof.steps, made), left=(*proof.left, *left))

    def _judge_revealed(
        self, seen: SeenJob, failed: FailedJob | None, names: Sequence[str]
    ) -> tuple[list[str], list[str]]:
        """Which of the steps that had not run before pass without the fix, and which do not."""
        if failed is None:
            return list(names), []
        ready = _forgive_step(seen.ready, failed.position)
        steps, _ = replay_steps(ready, self._base, self._progress, None, twice=False)
        good = {one.name for one in steps if one.verdict in GOOD}
        return [one for one in names if one in good], [one for one in names if one not in good]


def list_complaints(failed: FailedJob, step: StepResult, tree: Tree) -> tuple[Complaint, ...]:
    """The files that the step which failed complains of in another run of it."""
    paths = dict.fromkeys(error.path for error in read_step(failed.seen, step, tree))
    return tuple(Complaint(failed.identity, path) for path in paths)


def replay_steps(
    ready: ReadyJob, bench: Workbench, progress: Progress, failed: FailedJob | None, *, twice: bool
) -> tuple[tuple[StepResult, ...], int]:
    """The steps of a job, run from the first to the last; how often the one that failed passed."""
    with open_job(ready, bench, progress) as job:
        if failed is None:
            return job.run(ready.job.steps), 0
        at = failed.position
        first = job.run(ready.job.steps[:at])
        judged, runs = _run_judge(job, ready, at, twice=twice)
        return (*first, judged, *job.run(ready.job.steps[at + 1 :])), runs


def _run_judge(job: OpenJob, ready: ReadyJob, at: int, *, twice: bool) -> tuple[StepResult, int]:
    runs = 0
    for _ in range(2 if twice else 1):
        (judged,) = job.run((ready.job.steps[at],))
        if judged.verdict not in GOOD:
            break
        runs += 1
    return judged, runs


def runs_tests(failed: FailedJob) -> bool:
    """Whether the step that failed runs tests."""
    from git_retcon.code.diagnostics.diagnostic import Category

    tests = (Category.TEST, Category.RUNTIME)
    errors = [error for item in failed.items for error in item.errors]
    return any(error.finding.diagnostic.category in tests for error in errors)


class _Compared(NamedTuple):
    broken: list[str]
    revealed: list[str]
    skipped: list[str]


def _compare_results(before: Sequence[StepResult], after: Sequence[StepResult]) -> _Compared:
    """Names of steps that failed though they passed before, that failed and had not run before,
    and that did not run though they had.
    """
    found = _Compared([], [], [])
    for old, new in zip(before, after, strict=True):
        ran = old.verdict in (*GOOD, _BAD)
        if new.verdict is _BAD and old.verdict in GOOD:
            found.broken.append(new.name)
        elif new.verdict is _BAD and old.verdict is not _BAD:
            found.revealed.append(new.name)
        # A step for failures alone, which has nothing to do any more, is none of these.
        elif ran and new.verdict is StepVerdict.SKIPPED:
            found.skipped.append(new.name)
    return found


def _forgive_step(ready: ReadyJob, at: int) -> ReadyJob:
    """The job in which the failure of one step stops nothing."""
    steps = list(ready.job.steps)
    steps[at] = steps[at]._replace(continue_on_error=Scalar(True, "", steps[at].line, 1))
    return ready._replace(job=ready.job._replace(steps=tuple(steps)))
