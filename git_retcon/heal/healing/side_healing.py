"""Healing side by side (``--jobs``): each part in a worktree of its own, then joined and proved.

Without a model, jobs that name no file in common go side by side; a model has the files that are
left dealt out. What is found is put together in the order of the errors, not of their ends.
"""

import functools
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

from git_retcon.errors import UserError
from git_retcon.files.beneath import File
from git_retcon.heal.check_events import StepBegan, StepEnded
from git_retcon.heal.check_jobs import SeenJob
from git_retcon.heal.engine import Engine, ModelEngine
from git_retcon.heal.healing.draft import Draft
from git_retcon.heal.healing.failing_job import StepRun
from git_retcon.heal.healing.fix_proof import Proof
from git_retcon.heal.healing.heal_bench import CONFINED_PURPOSE, PURPOSE, SIDE, HealBench
from git_retcon.heal.healing.heal_events import (
    HealEvent,
    ProofBegan,
    StepTried,
    Tell,
    make_progress,
)
from git_retcon.heal.healing.heal_flow import Benches, Healed, Healer, Rules
from git_retcon.heal.healing.item_work import Work
from git_retcon.heal.healing.joined_fixes import join_units, make_units
from git_retcon.heal.healing.model_stage import Engines, ModelStage, OpenModel, leaves_file
from git_retcon.heal.healing.shares import Group, Share, deal_works, group_jobs
from git_retcon.heal.healing.work_items import FailedJob
from git_retcon.heal.patches import FileChange
from git_retcon.interrupts import raise_if_halted
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.side_work import run_side_by_side


class Sides(NamedTuple):
    """How many go side by side at most, and what opens a worktree for one of them, by its purpose,
    for the thread that asks. ``run_id`` is of the state.
    """

    most: int
    open_bench: Callable[[str], AbstractContextManager[HealBench]]
    run_id: str


class _Found(NamedTuple):
    """What came out of a group of jobs in a worktree of its own."""

    works: tuple[Work, ...]
    changes: tuple[FileChange, ...]
    last: dict[int, StepRun]


class SideHealer:
    """Heals as ``Healer`` does, through one, which has what was joined so far."""

    def __init__(
        self,
        healer: Healer,
        sides: Sides,
        benches: Benches,
        engines: Engines,
        rules: Rules,
        tell: Tell,
    ) -> None:
        self._healer = healer
        self._sides = sides
        self._benches = benches
        self._engines = engines
        self._rules = rules
        self._tell = tell

    def heal(self, failed: Sequence[FailedJob], seen: Sequence[SeenJob]) -> Healed:
        """Try all, join what was found, and prove that."""
        healer = self._healer
        works = self._heal_offline(failed)
        healer.drop_hopeless(works)
        self._ask_model(failed, works)

        def prove(paths: frozenset[bytes]) -> Proof:
            changes = [change for change in healer.draft.changes if change.path in paths]
            self._tell(ProofBegan(len(changes), len(seen)))
            return healer.prove(changes, failed, seen)

        joined = join_units(make_units(works), prove)
        for unit, why in joined.left_out:
            for work in unit.works:
                healer.draft.go_back({}, work.paths)
                work.paths.clear()
                work.notes.append(f"left out, as with the other fixes it fails: {why}")
        return healer.conclude(works, joined.proof)

    def _heal_offline(self, failed: Sequence[FailedJob]) -> list[Work]:
        groups = group_jobs([one for one in failed if one.items])
        found = self._heal_groups(groups) if len(groups) > 1 else {}
        works: list[Work] = []
        for at, group in enumerate(groups):
            one = found.get(at)
            if one is None or self._clashes(one.changes):
                works += [work for job in group for work in self._healer.heal_job(job)]
                continue
            for change in one.changes:
                self._healer.draft.put(change.path, change.new)
            self._healer.last.update(one.last)
            works += one.works
        order = {id(one): at for at, one in enumerate(failed)}
        return sorted(works, key=lambda work: order[id(work.failed)])

    def _heal_groups(self, groups: Sequence[Group]) -> dict[int, _Found]:
        """What each group comes to by itself; one whose worktree fails is not there."""
        pending = deque(enumerate(groups))
        found: dict[int, _Found] = {}
        tell = _speak_alone(self._tell)

        def heal_pending(number: int) -> None:
            with (
                self._sides.open_bench(f"{PURPOSE}{SIDE}{number}") as bench,
                self._open_offline() as engine,
            ):
                own = _number_progress(number, tell)
                while pending:
                    try:
                        at, group = pending.popleft()
                    except IndexError:  # another thread took the last
                        return
                    found[at] = self._heal_group(group, bench, engine, own)

        self._run_sides(heal_pending, min(self._sides.most, len(groups)))
        return found

    def _heal_group(self, group: Group, bench: HealBench, engine: Engine, tell: Tell) -> _Found:
        benches = Benches(bench, lambda: bench)
        healer = Healer(benches, Engines(engine), self._rules, make_progress(tell), tell)
        works = tuple(work for one in group for work in healer.heal_job(one))
        return _Found(works, tuple(healer.draft.changes), healer.last)

    def _clashes(self, changes: Sequence[FileChange]) -> bool:
        """Whether a file was fixed otherwise already."""
        drafted = {change.path: change.new for change in self._healer.draft.changes}
        return any(one.path in drafted and drafted[one.path] != one.new for one in changes)

    def _ask_model(self, failed: Sequence[FailedJob], works: Sequence[Work]) -> None:
        """Give a model what the offline fixes leave, file by file."""
        left = [one for one in failed if self._healer.is_left(one)]
        if self._engines.model is None or not left:
            return
        opened = self._engines.model()
        if opened is None:
            return
        own = [work for one in left for work in works if work.failed is one]
        shares = deal_works(own, self._sides.most)
        try:
            opened.sandbox.admit()  # before threads begin: somebody may be asked
        except UserError as refusal:
            for work in own:
                work.notes.append(str(refusal))
            return
        trusted = self._healer.draft.changes
        found = self._ask_shares(left, shares, opened, trusted)
        if not found:
            return
        draft = Draft(self._benches.open_confined())
        for change in trusted:
            draft.put(change.path, change.new)
        taken: dict[bytes, File | None] = {}
        for at, share in enumerate(shares):
            _take_changes(draft, share, found.get(at, ()), taken)
        self._healer.adopt_confined(draft, opened.sandbox)
        self._healer.drop_hopeless(works)

    def _ask_shares(
        self,
        left: Sequence[FailedJob],
        shares: Sequence[Share],
        opened: OpenModel,
        trusted: Sequence[FileChange],
    ) -> dict[int, tuple[FileChange, ...]]:
        """What each share changes, by its number; those that change nothing are not there."""
        explain = {id(one): self._healer.explain_with(one) for one in left}
        tell = _speak_alone(self._tell, opened.sandbox.speaking)
        found: dict[int, tuple[FileChange, ...]] = {}

        def ask(number: int) -> None:
            with (
                self._sides.open_bench(f"{CONFINED_PURPOSE}{SIDE}{number}") as bench,
                self._open_model(opened) as engine,
            ):
                own = _number_progress(number, tell)
                stage = ModelStage(
                    bench, engine, opened.sandbox, make_progress(own), own, trusted,
                    leaves_file,
                )  # fmt: skip
                for one in left:
                    mine = [work for work in shares[number - 1] if work.failed is one]
                    if mine:
                        stage.heal_job(one, mine, self._healer.last[id(one)], explain[id(one)])
                if stage.has_written:
                    fresh = [one for one in stage.draft.changes if one not in trusted]
                    found[number - 1] = tuple(fresh)

        faults = self._run_sides(ask, len(shares))
        for number, fault in faults.items():
            for work in shares[number]:
                work.notes.append(str(fault))
        return found

    def _run_sides(self, run: Callable[[int], None], number: int) -> dict[int, UserError]:
        """Run it for each number from 1, side by side; the faults, from 0."""
        return run_side_by_side([functools.partial(run, at + 1) for at in range(number)])

    def _open_offline(self) -> AbstractContextManager[Engine]:
        beside = self._engines.beside
        return nullcontext(self._engines.offline) if beside is None else beside()

    def _open_model(self, opened: OpenModel) -> AbstractContextManager[ModelEngine]:
        if opened.beside is None:
            return nullcontext(opened.engine)
        return opened.beside(self._sides.run_id)


def _take_changes(
    draft: Draft, share: Share, changes: Sequence[FileChange], taken: dict[bytes, File | None]
) -> None:
    """Put to a draft what a share changed. A work is left out where another share, of those
    ``taken``, changed a file of its otherwise.
    """
    own = {one.path: one.new for one in changes}
    for work in share:
        paths = sorted(work.paths & own.keys())
        bad = next((path for path in paths if taken.get(path, own[path]) != own[path]), None)
        if bad is not None:
            work.paths.clear()
            name = bad.decode("utf-8", "replace")
            work.notes.append(f"left out: another fix changes {name} otherwise")
            continue
        for path in paths:
            draft.put(path, own[path])
            taken[path] = own[path]


def _speak_alone(tell: Tell, lock: "threading.RLock | None" = None) -> Tell:
    """The same for several threads, of which one speaks at a time, and one that is to end not."""
    held = lock or threading.RLock()

    def tell_alone(event: HealEvent) -> None:
        raise_if_halted()
        with held:
            tell(event)

    return tell_alone


def _number_progress(number: int, tell: Tell) -> Tell:
    """The same with the number of the worktree before the names of steps."""

    def tell_numbered(event: HealEvent) -> None:
        match event:
            case StepBegan(step):
                event = StepBegan(f"[{number}] {step}")
            case StepEnded(step, line, verdict, reason, seconds):
                event = StepEnded(f"[{number}] {step}", line, verdict, reason, seconds)
            case StepTried(step, passed, left, seconds):
                event = StepTried(f"[{number}] {step}", passed, left, seconds)
        tell(event)

    return tell_numbered
