"""``git heal``, from the state of a checkout to proved fixes in the database."""

import contextlib
import dataclasses
import functools
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from git_retcon.errors import UserError
from git_retcon.git.graph import resolve_commit
from git_retcon.git.repository import Repository
from git_retcon.heal.check_events import CheckBegan
from git_retcon.heal.check_jobs import SeenJob
from git_retcon.heal.check_situation import Checkout, CheckRequest, read_secrets, see_situation
from git_retcon.heal.engine import Engine
from git_retcon.heal.found_errors import Tree
from git_retcon.heal.healing.fix_proof import Proof, StepProof
from git_retcon.heal.healing.heal_bench import CONFINED_PURPOSE, PURPOSE, SIDE, HealBench
from git_retcon.heal.healing.heal_events import Tell, make_progress
from git_retcon.heal.healing.heal_flow import Benches, Healed, Healer, Outcome, Rules
from git_retcon.heal.healing.model_stage import Engines
from git_retcon.heal.healing.reported_errors import find_reported, fix_reported
from git_retcon.heal.healing.work_items import Aim, FailedJob, list_failed_jobs
from git_retcon.heal.lazy_bench import LazyBench
from git_retcon.heal.patches import FileChange, write_patch
from git_retcon.heal.recorded_check import run_to_heal
from git_retcon.heal.records.database import Database
from git_retcon.heal.records.heals import Decision, Heal, HealPart, HealVerdict
from git_retcon.heal.results import JobResult, Verdict
from git_retcon.heal.unparsed_scripts import make_suspicion
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.kept_worktrees import remove_worktree, repository_key
from git_retcon.run.working_state import WorkingState, open_state

OpenSide = Callable[[str], contextlib.AbstractContextManager[HealBench]]

_REFUSED = "nothing of its fix was chosen"


class HealRequest(NamedTuple):
    """What is asked for: which jobs are checked, which of their errors are healed, and how."""

    check: CheckRequest = CheckRequest()
    aim: Aim = Aim()
    rules: Rules = Rules()


class Checked(NamedTuple):
    """What a check found that can be healed; ``jobs`` are all that it spoke of, ``run`` is its
    number in the database, None where that refused it, ``branch`` what is checked out, empty where
    HEAD is detached.
    """

    state: WorkingState
    run: int | None
    jobs: tuple[JobResult, ...]
    seen: tuple[SeenJob, ...]
    failed: tuple[FailedJob, ...]
    branch: str

    @property
    def has_run(self) -> bool:
        """Whether any job ran: where none did, nothing is known to pass."""
        return any(job.verdict is not Verdict.NOT_RUN for job in self.jobs)

    @property
    def is_good(self) -> bool:
        return not any(job.verdict is Verdict.FAILED for job in self.jobs)


class HealRun:
    """A check that is known, and the bench to heal it on, which is opened when it is needed."""

    def __init__(
        self,
        checked: Checked,
        open_bench: Callable[[str], HealBench],
        open_side: OpenSide,
        tell: Tell,
    ) -> None:
        """``open_bench`` opens the one for a purpose, ``open_side`` one for another thread."""
        self.checked = checked
        self._open_bench = functools.cache(open_bench)
        self._open_side = open_side
        self._healer: Healer | None = None
        self._tell = tell

    @property
    def bench(self) -> HealBench:
        return self._open_bench(PURPOSE)

    def heal(self, engines: Engines, rules: Rules, most: int = 1) -> Healed:
        """Try to heal all that failed, at most so many parts of it side by side."""
        if not any(one.items for one in self.checked.failed):
            return Healed((), None)
        started = time.monotonic()
        benches = self._open_benches()
        remove_left_sides(self.bench.root.parent)
        self._healer = self._make_healer(benches, engines, rules)
        if most > 1:
            from git_retcon.heal.healing.side_healing import SideHealer, Sides

            sides = Sides(most, self._open_side, self.checked.state.run_id)
            beside = SideHealer(self._healer, sides, benches, engines, rules, self._tell)
            healed = beside.heal(self.checked.failed, self.checked.seen)
        else:
            healed = self._healer.heal(self.checked.failed, self.checked.seen)
        return healed._replace(seconds=time.monotonic() - started)

    def ask(self, engines: Engines, rules: Rules) -> None:
        """Try what needs no model, and give a model the rest, which may answer later."""
        if any(one.items for one in self.checked.failed):
            healer = self._make_healer(self._open_benches(), engines, rules)
            healer.find_fixes(self.checked.failed)

    def _open_benches(self) -> Benches:
        return Benches(self.bench, lambda: self._open_bench(CONFINED_PURPOSE))

    def _make_healer(self, benches: Benches, engines: Engines, rules: Rules) -> Healer:
        return Healer(benches, engines, rules, make_progress(self._tell), self._tell)

    def offer_reported(
        self, healed: Healed, database: Database, engine: Engine, aim: Aim
    ) -> Healed:
        """The same with what was reported of a run elsewhere and no step here names."""
        checked = self.checked
        reported = find_reported(database, checked.state.run_id, checked.failed, aim)
        if reported is None:
            return healed
        taken = {change.path for one in healed.outcomes for change in one.changes}
        more = fix_reported(reported, engine, self.bench, taken)
        return healed._replace(outcomes=(*healed.outcomes, *more))

    def offer_reverts(self, healed: Healed, repository: Repository, database: Database) -> Healed:
        """The same with a partial revert for what is left, where one helps."""
        if all(one.verdict is not HealVerdict.LEFT for one in healed.outcomes):
            return healed
        from git_retcon.heal.healing.partial_revert import RevertSearch

        search = RevertSearch(
            self.bench, repository, database, make_progress(self._tell), self._tell
        )
        return search.offer_reverts(healed, self.checked.failed)

    def prove(self, changes: Sequence[FileChange]) -> Proof:
        """Prove other changes than the engine's, such as a part of them."""
        if self._healer is None:  # nothing failed here, so there is nothing to prove
            return Proof(())
        return self._healer.prove(changes, self.checked.failed, self.checked.seen)


def remove_left_sides(folder: Path) -> None:
    """Remove the worktrees that runs of parts side by side left, such as killed ones."""
    for root in sorted(folder.glob(f"*{SIDE}*")):
        if root.is_dir():
            remove_side(root)


def remove_side(root: Path) -> None:
    """Remove the worktree of a part, unless another process uses it; the next run tries again."""
    with contextlib.suppress(UserError):
        remove_worktree(root)


@contextlib.contextmanager
def open_heal_run(checkout: Checkout, request: HealRequest, tell: Tell) -> Iterator[HealRun]:
    """Check the checkout, as far as its verdicts are not known, and hold its state.

    Raises Refused where the commands are not trusted, Fatal for names that mean nothing here.
    """
    secrets = read_secrets(request.check.secrets)
    head = resolve_commit(checkout.repository, "HEAD") or ""
    with (
        open_state(checkout.repository, checkout.top, head) as state,
        contextlib.ExitStack() as stack,
    ):
        situation = see_situation(checkout, state, secrets)
        tell(CheckBegan(state.run_id, state.commit, situation.branch.checkout.branch))
        jobs, number = run_to_heal(situation, request.check, time.time(), tell)
        root = situation.base / repository_key(checkout.repository) / state.run_id
        tree = Tree(state.list_paths, root / "tree", suspect=make_suspicion(situation))
        failed = list_failed_jobs(jobs.seen, request.aim, tree)

        def open_bench(purpose: str) -> HealBench:
            needs = jobs.needs._replace(purpose=purpose)
            return HealBench(needs, stack.enter_context(LazyBench(needs)))

        @contextlib.contextmanager
        def open_side(purpose: str) -> Iterator[HealBench]:
            # libgit2's and our own views of a repository are for one thread each.
            repository = dataclasses.replace(checkout.repository)
            needs = jobs.needs._replace(purpose=purpose, repository=repository)
            with LazyBench(needs) as lazy:
                yield HealBench(needs, lazy)
            remove_side(root.with_name(f"{state.run_id}{purpose}"))

        branch = situation.branch.checkout.branch
        checked = Checked(state, number, jobs.ended, jobs.seen, tuple(failed), branch)
        yield HealRun(checked, open_bench, open_side, tell)


class Proposal(NamedTuple):
    """A fix as people decide on it: outcomes that share files. ``number`` is its heal's, ``proof``
    how the steps ended that named its errors.
    """

    outcomes: tuple[Outcome, ...]
    changes: tuple[FileChange, ...]
    number: int = 0
    proof: tuple[StepProof, ...] = ()

    @property
    def verdict(self) -> HealVerdict:
        bad = any(one.verdict is HealVerdict.UNVERIFIED for one in self.outcomes)
        return HealVerdict.UNVERIFIED if bad else HealVerdict.HEALED

    @property
    def reason(self) -> str:
        taken = (one for one in self.outcomes if one.verdict is not HealVerdict.LEFT)
        return next((one.reason for one in taken if one.reason), "")

    @property
    def path(self) -> bytes | None:
        return next((one.item.path for one in self.outcomes if one.item.path), None)

    @property
    def how(self) -> str:
        return ", ".join(dict.fromkeys(one.how for one in self.outcomes if one.how))

    @property
    def suppressions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line for one in self.outcomes for line in one.suppressions))

    @property
    def fingerprints(self) -> tuple[str, ...]:
        every = (name for one in self.outcomes for name in one.item.fingerprints)
        return tuple(dict.fromkeys(every))


def group_outcomes(healed: Healed) -> list[Proposal]:
    """The outcomes that have changes, those that share a file together."""
    groups: list[list[Outcome]] = []
    for outcome in healed.outcomes:
        if not outcome.changes:
            continue
        paths = {change.path for change in outcome.changes}
        same = [
            group
            for group in groups
            if any(change.path in paths for one in group for change in one.changes)
        ]
        groups = [group for group in groups if group not in same]
        groups.append([one for group in same for one in group] + [outcome])
    return [_make_proposal(group, healed.proof) for group in groups]


def _make_proposal(group: Sequence[Outcome], proof: Proof | None) -> Proposal:
    changes = {change.path: change for one in group for change in one.changes}
    named = {(error.workflow, error.step) for one in group for error in one.item.errors}
    steps = proof.steps if proof is not None else ()
    own = tuple(step for step in steps if (step.identity.workflow, step.step) in named)
    return Proposal(tuple(group), tuple(changes[path] for path in sorted(changes)), proof=own)


def take_part(proposal: Proposal, changes: tuple[FileChange, ...], *, proved: bool) -> Proposal:
    """A proposal of which only some changes were chosen; what has none of them is left."""
    verdict = HealVerdict.HEALED if proved else HealVerdict.UNVERIFIED
    reason = "" if proved else "only a part was chosen, and that does not pass by itself"
    outcomes = []
    for one in proposal.outcomes:
        paths = {change.path for change in one.changes}
        own = tuple(change for change in changes if change.path in paths)
        made = one._replace(verdict=verdict, reason=reason, changes=own)
        if not own:
            made = one._replace(verdict=HealVerdict.LEFT, reason=_REFUSED, changes=())
        outcomes.append(made)
    return proposal._replace(outcomes=tuple(outcomes), changes=changes)


def describe_part(proposal: Proposal, proof: Proof) -> HealPart:
    """A part of a proposal as the database keeps it."""
    steps, patch = proof.as_json(), write_patch(proposal.changes)
    return HealPart(patch, steps, proposal.verdict, proposal.reason)


def describe_heal(
    proposal: Proposal,
    checked: Checked,
    engines: Engines,
    proof: Proof | None,
    times: tuple[float, float],
) -> Heal:
    """A proposal as the database keeps it; ``times`` are when it began and how long it took."""
    attempts = [attempt._asdict() for outcome in proposal.outcomes for attempt in outcome.attempts]
    models = [attempt.model for one in proposal.outcomes for attempt in one.attempts]
    return Heal(
        run=checked.run,
        run_id=checked.state.run_id,
        commit=checked.state.commit,
        path=proposal.path,
        engine=engines.name if any(models) else engines.offline.name,
        model=next(filter(None, reversed(models)), ""),
        patch=write_patch(proposal.changes),
        attempts=attempts,
        proof=proof.as_json() if proof else [],
        verdict=proposal.verdict,
        decision=Decision.OPEN,
        decided_by="",
        started=times[0],
        seconds=times[1],
        reason=proposal.reason,
        fingerprints=proposal.fingerprints,
    )
