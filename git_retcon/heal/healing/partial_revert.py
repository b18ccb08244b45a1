"""What is left of a failed step, answered by taking back some of what changed since it passed.

No fix: it takes a person's work away. So it is offered under its own name, as unverified.
The hunks are found by trying, with the step as judge, in a bounded number of runs.
"""

import time
from collections.abc import Callable, Iterator, Sequence

from git_retcon.files.beneath import File
from git_retcon.git.repository import Repository
from git_retcon.git.short_ids import shorten_id
from git_retcon.heal.engine import Attempt
from git_retcon.heal.execution.step_runner import Progress
from git_retcon.heal.healing.draft import Draft
from git_retcon.heal.healing.failing_job import FailingJob, open_failing_job
from git_retcon.heal.healing.heal_bench import HealBench
from git_retcon.heal.healing.heal_events import HealEvent, RevertBegan, StepTried
from git_retcon.heal.healing.heal_flow import Healed, Outcome
from git_retcon.heal.healing.tampering import explain_frozen, find_frozen
from git_retcon.heal.healing.work_items import FailedJob
from git_retcon.heal.patches import FileChange, list_hunks, take_hunks
from git_retcon.heal.records.database import Database
from git_retcon.heal.records.heals import HealVerdict
from git_retcon.heal.records.runs import StoredRun, list_passed_runs
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.smallest_set import find_smallest
from git_retcon.show.counting import count

HOW = "partial revert"
_MOST_RUNS = 20  # of the step, for one job
_MOST_SECONDS = 300.0
_MOST_HUNKS = 1000

Tell = Callable[[HealEvent], None]


class RevertSearch:
    """Looks for partial reverts of what one state changed. ``database`` knows what passed."""

    def __init__(
        self,
        bench: HealBench,
        repository: Repository,
        database: Database,
        progress: Progress,
        tell: Tell,
    ) -> None:
        self._bench = bench
        self._repository = repository
        self._database = database
        self._progress = progress
        self._tell = tell

    def offer_reverts(self, healed: Healed, failed: Sequence[FailedJob]) -> Healed:
        """The outcomes, with a partial revert for each job of which errors are left."""
        outcomes = list(healed.outcomes)
        taken = {change.path for one in outcomes for change in one.changes}
        for job in failed:
            at = _find_left(outcomes, job)
            offered = None if at is None else self._find_revert(job, outcomes[at])
            # A file has one fix: what it shares with a healed one could not be decided apart.
            if offered is not None and taken.isdisjoint(one.path for one in offered.changes):
                outcomes[at or 0] = offered
                taken |= {one.path for one in offered.changes}
        return healed._replace(outcomes=tuple(outcomes))

    def _find_revert(self, failed: FailedJob, left: Outcome) -> Outcome | None:
        run = self._find_green_run(failed)
        if run is None:
            return None
        changes = self._list_changes(failed, run.begin.tree)
        trials = _Trials(changes, {error.path for item in failed.items for error in item.errors})
        if not trials.groups or len(trials.groups) > _MOST_HUNKS:
            return None
        self._tell(RevertBegan(run.number, run.begin.commit, len(trials.groups)))
        chosen = self._search_parts(failed, trials)
        if not chosen:
            return None
        hunks = count(sum(len(list_hunks(one)) or 1 for one in chosen), "hunk")
        since = f"since check {run.number} ({shorten_id(run.begin.commit)})"
        reason = f"no fix: takes back {hunks} that came {since}; without them the step passes"
        attempts = (*left.attempts, Attempt(HOW))
        return left._replace(
            verdict=HealVerdict.UNVERIFIED, reason=reason, attempts=attempts, changes=chosen
        )

    def _find_green_run(self, failed: FailedJob) -> StoredRun | None:
        """The last check in which the job passed, of what is still known to git."""
        ready = failed.seen.ready
        for run in list_passed_runs(self._database, ready.file, ready.job.id, ready.plan.name):
            if run.begin.tree in self._repository.objects:
                return run
        return None

    def _list_changes(self, failed: FailedJob, tree: str) -> list[FileChange]:
        """From the state to what passed, without what judges the step."""
        bench, state = self._bench, self._bench.make_tree(())
        commands = [one.command for one in failed.seen.finished.steps if one.command]
        judges = find_frozen(commands, bench.files.read, bench.paths)
        found = []
        for entry in bench.worktree.repository.trees.changes(state, tree):
            if all(one is None or one.is_file for one in (entry.old, entry.new)):
                new = bench.read_file(tree, entry.path)
                change = FileChange(entry.path, bench.read_base(entry.path), new)
                if change.old != new and not explain_frozen(change, judges, allow_tests=False):
                    found.append(change)
        return found

    def _search_parts(self, failed: FailedJob, trials: "_Trials") -> tuple[FileChange, ...]:
        draft = Draft(self._bench)
        try:
            with open_failing_job(failed, self._bench, draft, self._progress) as job:
                if job.begin():
                    return ()
                judge = _Judge(job, draft, trials, self._tell)
                if not judge(frozenset().union(*trials.groups)):
                    return ()
                return trials.make_changes(find_smallest(trials.groups, judge))
        finally:
            draft.go_back({}, [change.path for change in draft.changes])


def _find_left(outcomes: Sequence[Outcome], job: FailedJob) -> int | None:
    """The position of the first outcome of a job that left its errors."""
    for at, one in enumerate(outcomes):
        if one.verdict is HealVerdict.LEFT and one.item in job.items:
            return at
    return None


class _Trials(NamedTuple):
    """Sets of hunks to try, each named by its path and its position. ``named`` are the files that
    errors are in.
    """

    changes: Sequence[FileChange]
    named: set[bytes | None]

    @property
    def groups(self) -> list[frozenset[str]]:
        """Each hunk alone, those of files that errors name first."""
        ordered = sorted(self.changes, key=lambda one: (one.path not in self.named, one.path))
        return [frozenset({name}) for one in ordered for name in _name_hunks(one)]

    def make_changes(self, chosen: frozenset[str]) -> tuple[FileChange, ...]:
        """The changes with these hunks alone."""
        found = []
        for change in self.changes:
            names = list(_name_hunks(change))
            taken = {at for at, name in enumerate(names) if name in chosen}
            if len(taken) == len(names):
                found.append(change)
            elif taken:
                found.append(take_hunks(change, taken))
        return tuple(found)


def _name_hunks(change: FileChange) -> Iterator[str]:
    """One name for what comes or goes whole."""
    whole = change.old is None or change.new is None
    number = 1 if whole else len(list_hunks(change)) or 1
    for at in range(number):
        yield f"{change.path.decode('utf-8', 'surrogateescape')}\0{at}"


class _Judge:
    """Whether the step passes without some hunks; always no when runs or time are used up."""

    def __init__(self, job: FailingJob, draft: Draft, trials: _Trials, tell: Tell) -> None:
        self._job = job
        self._draft = draft
        self._trials = trials
        self._tell = tell
        self._runs = 0
        self._deadline = time.monotonic() + _MOST_SECONDS

    def __call__(self, chosen: frozenset[str]) -> bool:
        if self._runs >= _MOST_RUNS or time.monotonic() > self._deadline:
            return False
        self._runs += 1
        wanted: dict[bytes, File | None] = {
            one.path: one.new for one in self._trials.make_changes(chosen)
        }
        written = {change.path for change in self._draft.changes}
        self._draft.go_back({}, written - wanted.keys())
        for path, file in wanted.items():
            self._draft.put(path, file)
        run = self._job.run_step()
        self._tell(StepTried(run.result.name, run.passed, len(run.errors), run.result.seconds))
        return run.passed
