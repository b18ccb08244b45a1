"""Healing one check: each failed step's files in turn, then one proof of all that was found."""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from git_retcon.files.beneath import File
from git_retcon.heal.check_jobs import SeenJob
from git_retcon.heal.engine import Attempt, Engine, Item
from git_retcon.heal.execution.step_runner import Progress
from git_retcon.heal.found_errors import Tree
from git_retcon.heal.healing.draft import Draft
from git_retcon.heal.healing.failing_job import FailingJob, StepRun, open_failing_job
from git_retcon.heal.healing.fix_proof import Proof, Prover
from git_retcon.heal.healing.heal_bench import HealBench
from git_retcon.heal.healing.heal_events import (
    HealEvent,
    ItemTried,
    ProofBegan,
    StepHealed,
    StepTried,
)
from git_retcon.heal.healing.item_work import Work, begin_work, note_end
from git_retcon.heal.healing.model_stage import MOST_ATTEMPTS, Engines, ModelStage
from git_retcon.heal.healing.silenced import list_silenced
from git_retcon.heal.healing.tampering import explain_frozen, find_frozen
from git_retcon.heal.healing.work_items import FailedJob, is_of_machine, make_items, names_file
from git_retcon.heal.patches import FileChange, write_patch
from git_retcon.heal.records.heals import HealVerdict
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.judges import Judges

if TYPE_CHECKING:
    from git_retcon.heal.healing.step_sandbox import StepSandbox

Tell = Callable[[HealEvent], None]


class Outcome(NamedTuple):
    """What came out for the errors of one file. ``changes`` are to files as they were checked,
    ``suppressions`` what of them could hide an error instead of answering it.
    """

    item: Item
    verdict: HealVerdict
    reason: str
    attempts: tuple[Attempt, ...] = ()
    changes: tuple[FileChange, ...] = ()
    suppressions: tuple[str, ...] = ()

    @property
    def how(self) -> str:
        return ", ".join(dict.fromkeys(one.how for one in self.attempts if one.how))


class Healed(NamedTuple):
    """All of a heal. ``proof`` is None where nothing was changed."""

    outcomes: tuple[Outcome, ...]
    proof: Proof | None
    seconds: float = 0.0


class Rules(NamedTuple):
    """What is allowed to a fix. ``allow_tests``: it may change tests."""

    allow_tests: bool = False


class Benches(NamedTuple):
    """Where fixes are tried: with the user's own tools; and what opens the place for what a model
    wrote.
    """

    own: HealBench
    open_confined: Callable[[], HealBench]


class Healer:
    """Heals the failed jobs of one check: without a model first, then with one if there is any."""

    def __init__(
        self, benches: Benches, engines: Engines, rules: Rules, progress: Progress, tell: Tell
    ) -> None:
        self.draft = Draft(benches.own)
        self._bench = benches.own
        self._benches = benches
        self._engines = engines
        self._engine: Engine = engines.offline
        self._rules = rules
        self._progress = progress
        self._tell = tell
        self._sandbox: StepSandbox | None = None
        self.last: dict[int, StepRun] = {}  # how the step of a job ended, by its identity

    def heal(self, failed: Sequence[FailedJob], seen: Sequence[SeenJob]) -> Healed:
        """Try all, then prove what there is."""
        works = self.find_fixes(failed)
        if not self.draft.changes:
            return self.conclude(works, None)
        self._tell(ProofBegan(len(self.draft.changes), len(seen)))
        proof = self.prove(self.draft.changes, failed, seen)
        return self.conclude(works, proof)

    def find_fixes(self, failed: Sequence[FailedJob]) -> list[Work]:
        """Try all, and prove nothing."""
        works = [work for one in failed for work in self.heal_job(one)]
        self.drop_hopeless(works)
        self._ask_model(failed, works)
        return works

    def conclude(self, works: Sequence[Work], proof: Proof | None) -> Healed:
        """What a proof of the fixes says of all works; None where nothing was changed."""
        return Healed(tuple(self._conclude_work(work, proof) for work in works), proof)

    def prove(
        self, changes: Sequence[FileChange], failed: Sequence[FailedJob], seen: Sequence[SeenJob]
    ) -> Proof:
        """Prove some changes: in the sandbox where a model may have written them."""
        tree = self._bench.make_tree(changes)
        paths = self._bench.paths | {change.path for change in changes}
        if self._sandbox is not None:
            from git_retcon.heal.healing.confined_proof import ConfinedProver

            bench = self._benches.open_confined()
            seen_at = Tree(lambda: paths, bench.worktree.tree)
            prover = ConfinedProver(seen, failed, bench, self._sandbox, self._progress, seen_at)
            return prover.prove(changes)._replace(tree=tree)
        base = self._bench.at(self._bench.make_tree(()))
        seen_at = Tree(lambda: paths, self._bench.worktree.tree)
        proof = Prover(seen, failed, base, self._progress, seen_at).prove(self._bench.at(tree))
        return proof._replace(tree=tree)

    def _ask_model(self, failed: Sequence[FailedJob], works: Sequence[Work]) -> None:
        """Give a model what the offline fixes leave, job by job."""
        left = [one for one in failed if self.is_left(one)]
        if self._engines.model is None or not left:
            return
        opened = self._engines.model()
        if opened is None:
            return
        stage = ModelStage(
            self._benches.open_confined(), opened.engine, opened.sandbox, self._progress,
            self._tell, self.draft.changes, attempts=opened.attempts,
        )  # fmt: skip
        for one in left:
            own = [work for work in works if work.failed is one]
            stage.heal_job(one, own, self.last[id(one)], self.explain_with(one))
        if stage.has_written:
            self.adopt_confined(stage.draft, opened.sandbox)
            self.drop_hopeless(works)

    def adopt_confined(self, draft: Draft, sandbox: "StepSandbox") -> None:
        """Take fixes that a model may have written: all that runs with them runs confined."""
        self.draft = draft
        self._sandbox = sandbox

    def is_left(self, failed: FailedJob) -> bool:
        """Whether the step of a job still fails with the fixes so far."""
        last = self.last.get(id(failed))
        return last is not None and not last.passed

    def explain_with(self, failed: FailedJob) -> Callable[[FileChange, Item], str]:
        """What says why a change is not allowed to a fix of an item of a job; empty where it is."""
        judges = self._find_judges(failed)

        def explain(change: FileChange, item: Item) -> str:
            named = (change.path,) if names_file(item, change.path) else ()
            return explain_frozen(change, judges, allow_tests=self._rules.allow_tests, named=named)

        return explain

    def heal_job(self, failed: FailedJob) -> list[Work]:
        """Try what the offline engine knows for the errors of a job."""
        works = [begin_work(item, failed) for item in failed.items]
        if not works:
            return []
        with open_failing_job(failed, self._bench, self.draft, self._progress) as job:
            obstacle = job.begin()
            if obstacle:
                for work in works:
                    work.notes.append(obstacle)
                return works
            run = self._run_step(job)
            if run.passed and not self.draft.changes:
                for work in works:
                    work.notes.append("the step passes when it runs again: it fails at times")
                return works
            judges = functools.cache(lambda: self._find_judges(failed))
            for turn in range(MOST_ATTEMPTS):
                if run.passed:
                    break
                after = self._try_all(works, job, run, judges, turn)
                if after is None:
                    break
                run = after
            self.last[id(failed)] = run
            if run.passed:
                self._tell_healed(run, works)
            for work in works:
                note_end(work, make_items(run.errors), passed=run.passed)
        return works

    def _tell_healed(self, run: StepRun, works: Sequence[Work]) -> None:
        """Show a fix at once: the proof behind it may take as long as all jobs do."""
        paths = {path for work in works for path in work.paths}
        changes = [one for one in self.draft.changes if one.path in paths]
        if changes:
            files = tuple(one.path.decode("utf-8", "replace") for one in changes)
            patch = write_patch(changes).decode("utf-8", "replace")
            self._tell(StepHealed(run.result.name, files, patch))

    def _try_all(
        self,
        works: list[Work],
        job: FailingJob,
        run: StepRun,
        judges: Callable[[], Judges],
        turn: int,
    ) -> StepRun | None:
        """One attempt at each file that has errors; None where nothing was tried."""
        failed = job.failed
        meant = [one for one in run.errors if failed.aim.means(one) and not is_of_machine(one)]
        left = {item.path: item for item in make_items(meant)}
        # A fix reveals what a tool had not come to, in other files too.
        known = {work.item.path for work in works}
        works += [begin_work(item, failed) for path, item in left.items() if path not in known]
        job.items = tuple(left.values())
        before = self.draft.keep()
        tried: list[tuple[Work, Mapping[bytes, File | None]]] = []
        for work in works:
            item = left.get(work.item.path)
            if item is None:
                continue
            kept = self.draft.keep()
            attempt = self._engine.attempt(item, job, work.notes)
            path = (work.item.path or b"").decode("utf-8", "replace")
            self._tell(ItemTried(path, len(item.errors), turn + 1, attempt.how, attempt.reason))
            work.attempts.append(attempt)
            self._refuse_frozen(work, kept, judges)
            if attempt.how:
                tried.append((work, kept))
        if not self.draft.list_since(before):
            return None
        after = self._run_step(job)
        if not after.passed:
            self._take_back_useless(tried, before, run, after)
        return after

    def _refuse_frozen(
        self, work: Work, kept: Mapping[bytes, File | None], judges: Callable[[], Judges]
    ) -> None:
        """Take back what a fix may not change. Most fixes need no look at what else is frozen."""
        since = self.draft.list_since(kept)
        for change in self.draft.changes:
            if change.path not in since:
                continue
            own = self._engine.is_trusted and change.path == work.item.path
            allowed = Judges() if own else judges()
            tests = self._rules.allow_tests
            # A fixer may reach what another item is about; it follows the user's own settings.
            named = (change.path,) if self._engine.is_trusted else (work.item.path or b"",)
            why = explain_frozen(change, allowed, allow_tests=tests, named=named)
            if why:
                self.draft.go_back(kept, [change.path])
                work.notes.append(f"{change.path.decode('utf-8', 'replace')} stays: {why}")
        work.paths.update(self.draft.list_since(kept))
        # A fixer that ran for another file of the step may have changed this one.
        if work.item.path in {change.path for change in self.draft.changes}:
            work.paths.add(work.item.path or b"")

    def _take_back_useless(
        self,
        tried: Sequence[tuple[Work, Mapping[bytes, File | None]]],
        before: Mapping[bytes, File | None],
        run: StepRun,
        after: StepRun,
    ) -> None:
        """Take back the changes of files all of whose errors are still there."""
        still = {error.finding.fingerprint for error in after.errors}
        had = {item.path: set(item.fingerprints) for item in make_items(run.errors)}
        for work, _ in tried:
            known = had.get(work.item.path, set())
            if known and known <= still:
                self.draft.go_back(before, work.paths & set(self.draft.list_since(before)))
                work.paths.clear()
                work.notes.append(f"{work.attempts[-1].how}: its errors are still there")

    def _find_judges(self, failed: FailedJob) -> Judges:
        commands = [one.command for one in failed.seen.finished.steps if one.command]
        # A fix that changes a script must not decide what else that script names.
        before = {change.path: change.old for change in self.draft.changes}

        def read(path: bytes) -> File | None:
            return before[path] if path in before else self._bench.files.read(path)

        return find_frozen(commands, read, self._bench.paths)

    def _run_step(self, job: FailingJob) -> StepRun:
        run = job.run_step()
        seconds = run.result.seconds
        self._tell(StepTried(run.result.name, run.passed, len(run.errors), seconds))
        return run

    def drop_hopeless(self, works: Sequence[Work]) -> None:
        """Take back fixes of files that have as many errors as before, or more."""
        for work in works:
            left = sum(len(item.errors) for item in work.left)
            if work.paths and left and left >= len(work.item.errors):
                shared = {path for one in works if one is not work for path in one.paths}
                self.draft.go_back({}, self._keep_drafted(work.paths - shared))
                work.paths.clear()
                work.notes.append("as many errors are left as there were")

    def _keep_drafted(self, paths: set[bytes]) -> list[bytes]:
        return [path for path in paths if path in {one.path for one in self.draft.changes}]

    def _conclude_work(self, work: Work, proof: Proof | None) -> Outcome:
        attempts = tuple(work.attempts)
        changes = tuple(one for one in self.draft.changes if one.path in work.paths)
        if proof is not None and proof.broken:
            reason = f"its fix makes fail what passed before: {proof.broken[0]}"
            return Outcome(work.item, HealVerdict.LEFT, reason, attempts)
        if (
            proof is not None
            and not changes
            and self._judge_proof(work, proof)[0] is HealVerdict.HEALED
        ):
            reason = "answered by the fix of another file"
            return Outcome(work.item, HealVerdict.HEALED, reason, attempts)
        if proof is None or not changes:
            reasons = [*(one.reason for one in attempts if one.reason), *work.notes]
            reason = reasons[-1] if reasons else "nothing was tried"
            return Outcome(work.item, HealVerdict.LEFT, reason, attempts)
        silenced = tuple(line for one in changes for line in list_silenced(one, [work.item]))
        verdict, reason = self._judge_proof(work, proof)
        if verdict is HealVerdict.HEALED and silenced:
            verdict, reason = HealVerdict.UNVERIFIED, f"it could hide the error: {silenced[0]}"
        return Outcome(work.item, verdict, reason, attempts, changes, silenced)

    def _judge_proof(self, work: Work, proof: Proof) -> tuple[HealVerdict, str]:
        if proof.unproved:
            return HealVerdict.UNVERIFIED, f"cannot be proved: {proof.unproved[0]}"
        if not proof.passes(work.failed):
            left = sum(len(item.errors) for item in work.left)
            said = f"{left} of its errors are left" if left else "its errors are gone"
            return HealVerdict.UNVERIFIED, f"{said}; the step still fails"
        if not all(work.ends):
            return HealVerdict.UNVERIFIED, "with it the step failed once and passed once"
        return HealVerdict.HEALED, ""
