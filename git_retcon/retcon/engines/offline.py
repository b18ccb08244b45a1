"""The engine that needs no model: one plan for all pending commits, and repairs by evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from git_retcon.retcon.engine import Blocked, Choice, Progress, Situation, Trial
from git_retcon.retcon.planner.plan import PINNED, Plan, PlanMaker, Task
from git_retcon.retcon.spec.history import Status
from git_retcon.retcon.spec.model import LogicalCommit
from git_retcon.run.failure import Failure


class OfflineEngine:
    """Plans once for one difference and spec, then hands out the plan commit by commit."""

    name = "offline"

    def __init__(self) -> None:
        self._planned: tuple[Situation, Plan] | None = None
        self._by_commit: dict[int, list[str]] = {}  # the hunks of that plan
        self._maker = PlanMaker()

    def extract(self, situation: Situation) -> Choice:
        """The atoms planned for the commit in work, and those left over from earlier ones."""
        planned = self.plan(situation)
        # Also what was planned for a commit before: its hunks are late, but not lost.
        chosen = {
            atom: planned.placements[atom]
            for commit in range(situation.index + 1)
            for atom in self._by_commit.get(commit, ())
            if atom not in situation.taken
        }
        here = situation.spec.commits[situation.index]
        if here.files or here.exclude:
            # a plan places every atom; where no commit may have a path, it is left over
            chosen = {
                atom: placement
                for atom, placement in chosen.items()
                if placement.reason is PINNED
                or here.may_hold(situation.difference[atom].path, situation.case)
            }
        reasons = {atom: placement.reason for atom, placement in chosen.items()}
        return Choice(
            frozenset(chosen),
            remarks=planned.remarks.get(situation.index, ()),
            warnings=planned.warnings.get(situation.index, ()),
            reasons=reasons,
        )

    def plan(self, situation: Situation) -> Plan:
        """The plan for a situation: made once for a difference, a spec and what came from where."""
        if self._planned is None or not _plan_alike(self._planned[0], situation):
            plan = self._maker.make_plan(_read_task(situation))
            self._planned, self._by_commit = (situation, plan), {}
            for atom, placement in plan.placements.items():
                self._by_commit.setdefault(placement.commit, []).append(atom)
        # The last situation is the most like the next one: most commits are the same object.
        self._planned = situation, self._planned[1]
        return self._planned[1]

    def weigh_judged(self, situation: Situation) -> Mapping[str, Sequence[float]]:
        """How likely each commit is for every atom, 0 to 1, with what a model said, by atom id."""
        return self._maker.weigh_judged(_read_task(situation))

    def assess(
        self, situation: Situation, failure: Failure, attempt: int, trial: Trial
    ) -> Progress | Blocked:
        """After a failure: what else to take, found by reading the errors and by search."""
        from git_retcon.retcon.repair.repair import find_repair

        # As before the commit was made: what it took is weighed too.
        own = {atom: at for atom, at in situation.taken.items() if at != situation.index}
        before = {atom: at for atom, at in situation.released.items() if at != situation.index}
        placements = self.plan(replace(situation, taken=own, released=before)).placements
        planned = {atom: placement.commit for atom, placement in placements.items()}
        sure = {atom: placement.reason.confidence for atom, placement in placements.items()}
        weighed = replace(situation, planned=planned, sure=sure)
        return find_repair(weighed, failure, attempt, trial)


def _plan_alike(one: Situation, other: Situation) -> bool:
    """Whether the plan for one is the plan for the other, too."""
    return (
        one.difference is other.difference
        and one.origin == other.origin
        and one.subjects == other.subjects
        and (one.judged, one.confirmed) == (other.judged, other.confirmed)
        and one.released == other.released
        and len(one.spec.commits) == len(other.spec.commits)
        and all(map(_wants_same, one.spec.commits, other.spec.commits))
    )


def _wants_same(one: LogicalCommit, other: LogicalCommit) -> bool:
    # Digests of all commits at every turn would make a run quadratic in its commits.
    return one is other or one.digest == other.digest


def _read_task(situation: Situation) -> Task:
    commits = situation.spec.commits
    pending = [
        index
        for index, commit in enumerate(commits)
        if index >= situation.index and commit.status is not Status.COMPLETE
    ]
    if len(pending) > 1 and situation.spec.is_leftover(pending[-1]):
        pending.pop()  # it is for what nothing else takes, and may stay empty
    return Task(
        difference=situation.difference,
        commits=commits,
        pending=pending or [situation.index],
        taken=situation.taken,
        origin=situation.origin,
        subjects=situation.subjects,
        judged=situation.judged,
        confirmed=situation.confirmed,
        released=situation.released,
        case=situation.case,
    )
