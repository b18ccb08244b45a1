"""What is left after the offline fixes, given to a model: file by file, in the sandbox.

This has a worktree of its own, made again for each job and for the proof: what a model's bytes do
while they run must decide nothing that runs later without a sandbox.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from git_retcon.errors import UserError
from git_retcon.heal.engine import Engine, Item, ModelEngine, ModelTask, PastAttempt
from git_retcon.heal.execution.step_runner import Progress
from git_retcon.heal.found_errors import FoundError
from git_retcon.heal.healing.draft import Draft
from git_retcon.heal.healing.failing_job import FailingJob, StepRun, open_failing_job
from git_retcon.heal.healing.heal_bench import HealBench
from git_retcon.heal.healing.heal_events import HealEvent, ItemTried, StepTried
from git_retcon.heal.healing.item_work import Work, note_end
from git_retcon.heal.healing.work_items import FailedJob, is_of_machine, make_items
from git_retcon.heal.patches import FileChange, write_patch
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.show.counting import count

if TYPE_CHECKING:
    from git_retcon.heal.healing.step_sandbox import StepSandbox

MOST_ATTEMPTS = 2  # at the errors of one file

Tell = Callable[[HealEvent], None]
ExplainFrozen = Callable[[FileChange, Item], str]


class OpenModel(NamedTuple):
    """A model that can be asked, and what confines what it writes. ``beside`` opens an engine of
    the same budget for another thread, which keeps what it answers about the state of a run id.
    ``attempts`` is how often it may try to answer the errors of one file.
    """

    engine: ModelEngine
    sandbox: "StepSandbox"
    beside: "Callable[[str], AbstractContextManager[ModelEngine]] | None" = None
    attempts: int = MOST_ATTEMPTS


class Engines(NamedTuple):
    """The engines of a heal. ``model`` opens the one that is asked for what the offline one
    leaves; it is None, or gives None, where no model may be asked. ``beside`` opens an offline
    engine for another thread.
    """

    offline: Engine
    model: Callable[[], OpenModel | None] | None = None
    beside: "Callable[[], AbstractContextManager[Engine]] | None" = None

    @property
    def name(self) -> str:
        """The stronger one, for records of the whole run."""
        return "claude" if self.model is not None else self.offline.name


def passes_step(run: StepRun, work: Work) -> bool:
    """Whether the step passes."""
    return run.passed


def leaves_file(run: StepRun, work: Work) -> bool:
    """Whether the step complains of the file of a work no more, though perhaps of others."""
    return run.passed or all(error.path != work.item.path for error in run.errors)


class ModelStage:
    """Asks a model for the errors that are left of some jobs. ``trusted`` are the fixes that no
    model wrote.
    """

    def __init__(
        self,
        bench: HealBench,
        engine: ModelEngine,
        sandbox: "StepSandbox",
        progress: Progress,
        tell: Tell,
        trusted: Sequence[FileChange],
        answers: Callable[[StepRun, Work], bool] = passes_step,
        attempts: int = MOST_ATTEMPTS,
    ) -> None:
        """``answers`` says whether a run of the step shows that the errors of a work are gone."""
        self._bench = bench
        self._engine = engine
        self._sandbox = sandbox
        self._progress = progress
        self._tell = tell
        self._trusted = trusted
        self._answers = answers
        self._attempts = attempts
        self.draft = Draft(bench)
        for change in trusted:
            self.draft.put(change.path, change.new)

    @property
    def has_written(self) -> bool:
        """Whether the fixes hold anything that a model wrote."""
        return self.draft.changes != list(self._trusted)

    def heal_job(
        self, failed: FailedJob, works: Sequence[Work], outside: StepRun, explain: ExplainFrozen
    ) -> None:
        """Try what is left of a job; ``outside`` is how its step ended without a sandbox."""
        self._bench.renew()
        tree = self._bench.make_tree(self._trusted)
        with open_failing_job(failed, self._bench, self.draft, self._progress, tree) as job:
            obstacle = job.begin()
            if obstacle:
                _note_all(works, obstacle)
                return
            run = self._run_inside(job, outside, works)
            if run is None or run.passed:
                return
            for work in works:
                run = self._heal_item(work, job, run, explain)
                if run.passed:
                    break
            left = make_items(run.errors)
            for work in works:
                work.ends.clear()
                note_end(work, left, passed=self._answers(run, work))

    def _run_inside(
        self, job: FailingJob, outside: StepRun, works: Sequence[Work]
    ) -> StepRun | None:
        """The first run in the sandbox; None where the step cannot be judged there."""
        try:
            job.confine(self._sandbox.confine(self._bench, job.folders))
            job.find_repeated()
            run = self._run_step(job)
            if not self._sandbox.fits(outside, run):
                job.confine(self._sandbox.leave(job.failed.step, run, self._bench))
                run = self._run_step(job)
        except UserError as refusal:
            _note_all(works, str(refusal))
            return None
        if run.passed:
            _note_all(works, "the step passes in the sandbox, and fails outside")
        return run

    def _heal_item(
        self, work: Work, job: FailingJob, run: StepRun, explain: ExplainFrozen
    ) -> StepRun:
        """Try the errors of one file. Returns how the step ended with what is kept of it."""
        for number in range(1, self._attempts + 1):
            item = _find_item(run, work.item.path)
            if item is None:
                break
            kept = self.draft.keep()
            frozen = _explain_for(item, explain)
            attempt = self._engine.attempt(ModelTask(item, job, run, tuple(work.past), frozen))
            path = (item.path or b"").decode("utf-8", "replace")
            self._tell(
                ItemTried(path, len(item.errors), number, attempt.how, attempt.reason,
                          attempt.tokens, attempt.dollars)
            )  # fmt: skip
            work.attempts.append(attempt)
            since = self.draft.list_since(kept)
            if not since:
                work.notes.append(attempt.reason)
                work.past.append(PastAttempt(b"", attempt.reason))
                continue
            patch = write_patch(one for one in self.draft.changes if one.path in since)
            after = self._run_step(job)
            ended = _describe_end(after)
            if _is_better(item, run, after):
                work.paths.update(since)
                run = after
            else:
                self.draft.go_back(kept, since)
                ended += "; it was taken back"
                work.notes.append(f"{attempt.how}: {_describe_end(after)}")
            work.past.append(PastAttempt(patch, ended))
            if run.passed:
                break
        return run

    def _run_step(self, job: FailingJob) -> StepRun:
        run = job.run_step()
        self._tell(StepTried(run.result.name, run.passed, len(run.errors), run.result.seconds))
        return run


def _find_item(run: StepRun, path: bytes | None) -> Item | None:
    errors = (one for one in run.errors if one.path == path and not is_of_machine(one))
    return next(iter(make_items(errors)), None)


def _note_all(works: Sequence[Work], note: str) -> None:
    for work in works:
        work.notes.append(note)


def _describe_end(run: StepRun) -> str:
    if run.passed:
        return "the step passes"
    return f"the step still fails, with {count(len(run.errors), 'error')}"


def _is_better(item: Item, before: StepRun, after: StepRun) -> bool:
    """Whether a change that does not make the step pass is worth keeping."""
    from git_retcon.code.diagnostics.diagnostic import Category

    if after.passed or len(after.errors) < len(before.errors):
        return True
    if item.path is None or not _list_marks(item.errors).isdisjoint(_list_marks(after.errors)):
        return False
    # What did not compile hid the rest of its file; a test may get further before it fails.
    is_syntax = item.errors[0].finding.diagnostic.category is Category.COMPILE
    return is_syntax or len(after.errors) == len(before.errors)


def _list_marks(errors: Sequence[FoundError]) -> set[object]:
    """What errors are known by again: the same place may complain in other words."""
    marks: set[object] = {one.finding.fingerprint for one in errors}
    return marks | {(one.path, one.finding.line, one.finding.diagnostic.rule) for one in errors}


def _explain_for(item: Item, explain: ExplainFrozen) -> Callable[[FileChange], str]:
    return lambda change: explain(change, item)
