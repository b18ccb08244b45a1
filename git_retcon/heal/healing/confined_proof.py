"""Proof of a fix that holds what a model wrote: every job again, in the sandbox.

Each job begins in a worktree that is made for it, on the files as they were checked: what comes
before the failed step runs there as the check ran it, with the network. Then the fix is written,
and everything that it can change runs again without. What fails is run without the fix as well: a
step that fails in the sandbox either way proves nothing.
"""

from collections.abc import Sequence

from git_retcon.errors import Refused
from git_retcon.heal.check_jobs import SeenJob
from git_retcon.heal.execution.job_runner import open_job
from git_retcon.heal.execution.step_runner import Progress
from git_retcon.heal.found_errors import Tree
from git_retcon.heal.healing.copied_packages import (
    prepare_copied_packages,
    require_copied_packages,
)
from git_retcon.heal.healing.draft import Draft
from git_retcon.heal.healing.drafted_job import NO_FILES, Confine, DraftedJob, went_well
from git_retcon.heal.healing.fix_proof import (
    Complaint,
    Proof,
    StepProof,
    list_complaints,
    runs_tests,
)
from git_retcon.heal.healing.heal_bench import HealBench
from git_retcon.heal.healing.step_sandbox import StepSandbox, run_free
from git_retcon.heal.healing.tree_watch import TreeWatch
from git_retcon.heal.healing.work_items import FailedJob
from git_retcon.heal.patches import FileChange
from git_retcon.heal.results import GOOD, StepResult, StepVerdict
from git_retcon.heal.workflows.workflow import Step
from git_retcon.lazy_named_tuple import NamedTuple


class ConfinedProver:
    """Proves fixes of one check, in the worktree of ``bench``."""

    def __init__(
        self,
        seen: Sequence[SeenJob],
        failed: Sequence[FailedJob],
        bench: HealBench,
        sandbox: StepSandbox,
        progress: Progress,
        tree: Tree,
    ) -> None:
        self._seen = seen
        self._failed = {id(one.seen): one for one in failed}
        self._bench = bench
        self._sandbox = sandbox
        self._progress = progress
        self._tree = tree

    def prove(self, changes: Sequence[FileChange]) -> Proof:
        """Prove some changes to the state."""
        proof = Proof(())
        for seen in self._seen:
            made = self._prove_job(seen, changes)
            proof = Proof(
                proof.steps + made.steps,
                proof.broken + made.broken,
                proof.unproved + made.unproved,
                proof.behind + made.behind,
                left=proof.left + made.left,
            )
        return proof

    def _prove_job(self, seen: SeenJob, changes: Sequence[FileChange]) -> Proof:
        self._bench.renew()
        failed = self._failed.get(id(seen))
        steps = seen.ready.job.steps
        at = failed.position if failed is not None else len(steps)
        tree = self._bench.make_tree(())
        draft = Draft(self._bench)
        with open_job(seen.ready, self._bench.at(tree), self._progress) as opened:
            job = DraftedJob(opened, self._bench, draft, tree)
            first = job.begin(steps[:at])
            if not went_well(first):
                return Proof((), unproved=(f"{seen.ready.plan.name}: a step before fails now",))
            if not job.has_files:
                return Proof((), unproved=(f"{failed.step.name}: {NO_FILES}",) if failed else ())
            copied = prepare_copied_packages(job, first)
            confine = self._sandbox.confine(self._bench, job.folders)
            job.confine(confine)
            try:
                require_copied_packages(job, copied)
            except Refused as refusal:
                return Proof((), unproved=(f"{seen.ready.plan.name}: {refusal}",))
            for change in changes:
                draft.put(change.path, change.new)
            confined = _Confined(job, self._sandbox, confine, copied.steps)
            return _JobProof(seen, failed, confined, self._tree).prove(first, changes)


class _Confined(NamedTuple):
    """An open job, and what confines its steps but those that somebody let out. ``copying`` are
    the numbers of steps that others do again, each for itself.
    """

    job: DraftedJob
    sandbox: StepSandbox
    confine: Confine
    copying: frozenset[int]

    def run_step(self, step: Step, before: StepResult) -> StepResult:
        """Run a step; ``before`` is its result in the check."""
        self.job.confine(run_free if self.sandbox.has_left(before) else self.confine)
        return self.job.run_step(step)


class _Judged(NamedTuple):
    """The last run of the step that failed, and how often it passed."""

    result: StepResult
    runs: int


class _JobProof:
    """The proof of one job, step by step."""

    def __init__(
        self, seen: SeenJob, failed: FailedJob | None, confined: _Confined, tree: Tree
    ) -> None:
        self._seen = seen
        self._failed = failed
        self._confined = confined
        self._tree = tree
        self._watch = TreeWatch(confined.job)
        self._broken: list[str] = []
        self._unproved: list[str] = []
        self._behind: list[str] = []

    def prove(self, first: Sequence[StepResult], changes: Sequence[FileChange]) -> Proof:
        """``first`` are the results of the steps before, which ran on the state as it was."""
        proved: tuple[StepProof, ...] = ()
        left: tuple[Complaint, ...] = ()
        before = self._seen.finished.steps
        for position, step in enumerate(self._seen.ready.job.steps):
            if self._failed is not None and position == self._failed.position:
                judged = self._run_judge(step, before[position], twice=runs_tests(self._failed))
                proved = (self._describe_proof(judged),)
                left = list_complaints(self._failed, judged.result, self._tree)
                continue
            if position < len(first) and (
                self._confined.job.keeps_result(first[position], changes)
                or first[position].number in self._confined.copying
            ):
                continue
            self._compare_step(step, before[position], self._run_step(step, before[position]))
        name = self._seen.ready.plan.name
        broken, unproved, behind = (
            tuple(f"{name}: {one}" for one in found)
            for found in (self._broken, self._unproved, self._behind)
        )
        return Proof(proved, broken, unproved, behind, left=left)

    def _run_judge(self, step: Step, before: StepResult, *, twice: bool) -> _Judged:
        runs = 0
        for number in range(2 if twice else 1):
            if number:
                # The second run judges the fix, not what the first left.
                self._watch.remove_new()
            result = self._run_step(step, before)
            if result.verdict not in GOOD:
                break
            runs += 1
        return _Judged(result, runs)

    def _run_step(self, step: Step, before: StepResult) -> StepResult:
        result = self._confined.run_step(step, before)
        self._unproved += (f"{result.name}: {one}" for one in self._watch.find_tampering(before))
        return result

    def _compare_step(self, step: Step, old: StepResult, new: StepResult) -> None:
        """Note what a step says that is not the one to be healed."""
        if new.verdict is StepVerdict.SKIPPED and old.verdict in (*GOOD, StepVerdict.FAILED):
            self._unproved.append(new.name)
        if new.verdict is not StepVerdict.FAILED or old.verdict is StepVerdict.FAILED:
            return
        if self._passes_without(step, old):
            self._broken.append(new.name)
        elif old.verdict in GOOD:
            self._unproved.append(f"'{new.name}' fails in the sandbox, with and without the fix")
        else:
            self._behind.append(new.name)

    def _passes_without(self, step: Step, before: StepResult) -> bool:
        """Whether a step passes here on the files as they were checked."""
        draft = self._confined.job.draft
        fixed = draft.keep()
        draft.go_back({}, list(fixed))
        try:
            return self._confined.run_step(step, before).verdict in GOOD
        finally:
            for path, file in fixed.items():
                draft.put(path, file)

    def _describe_proof(self, judged: _Judged) -> StepProof:
        failed = self._failed
        assert failed is not None, "only what failed is judged"
        after = judged.result
        wanted = 2 if runs_tests(failed) else 1
        passed = after.verdict in GOOD and judged.runs == wanted
        return StepProof(
            failed.identity, self._seen.ready.plan.name, failed.step.name, failed.step.status,
            after.status, after.seconds, passed, judged.runs, self._confined.sandbox.record,
        )  # fmt: skip
