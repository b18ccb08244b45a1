"""A run of ``git allium evolve``: from the command line to the spec branch."""

import contextlib
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from git_retcon import settings
from git_retcon.allium.engine import Engine, Reconciler
from git_retcon.allium.evolve import events
from git_retcon.allium.evolve.agenda import Agenda
from git_retcon.allium.evolve.events import Listener
from git_retcon.allium.evolve.memory import Memory
from git_retcon.allium.evolve.schedule import Schedule
from git_retcon.allium.evolve.source_files import SourceFiles
from git_retcon.allium.evolve.step_writer import GroundedStep, Layout, Result, StepWriter
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.allium.reconcile.change_size import SelectSource, count_change_tokens
from git_retcon.allium.reconcile.checkpoints import Checkpoints, Goal
from git_retcon.allium.reconcile.hand_edits import find_hand_edits
from git_retcon.allium.reconcile.scheduler import Scheduler
from git_retcon.allium.store.source_map import SourceRoot, parse_root
from git_retcon.allium.store.spec_tree import SpecTrees
from git_retcon.files.lock import hold_lock
from git_retcon.files.path_digest import digest_name
from git_retcon.git.graph import Commit, is_ancestor, is_commit, tree_of
from git_retcon.git.kept_refs import KeptRefs
from git_retcon.git.ref_updates import RefUpdate, RefUpdater
from git_retcon.git.refs import refuse_checked_out
from git_retcon.git.repository import Repository, explain_libgit2
from git_retcon.interrupts import Interrupts
from git_retcon.settings import Settings
from git_retcon.show.events import Warned
from git_retcon.show.notices import say_line
from git_retcon.show.style import show_path

_REPLACED = "refs/allium/replaced"
# What a crash costs at most: of steps that cost nothing, and of those that somebody paid for. Of
# the latter nothing waits for an answer either (see ``Schedule``).
_MOST_UNSAVED = 500  # steps
_LONGEST_UNSAVED = 5.0  # seconds
_LONGEST_UNSAVED_PAID = 0.5  # seconds


class Limits(NamedTuple):
    """What the configuration says of a run (git-allium(1), CONFIGURATION)."""

    root: SourceRoot | None
    ignored: Sequence[str]
    window: int
    concurrency: int
    most_module_tokens: int
    depth: int = 1

    @classmethod
    def of(cls, chosen: Settings) -> "Limits":
        """Those that options, environment and git's configuration ask for."""
        return cls(
            parse_root(chosen.get(settings.ALLIUM_ROOT)),
            chosen.all(settings.ALLIUM_IGNORE),
            max(1, chosen.whole_number(settings.ALLIUM_WINDOW_SIZE)),
            max(1, chosen.whole_number(settings.ALLIUM_MAX_CONCURRENCY)),
            chosen.whole_number(settings.ALLIUM_MAX_MODULE_TOKENS),
            max(1, chosen.whole_number(settings.ALLIUM_PROCESS_DEPTH)),
        )


class Grounds(NamedTuple):
    """When a run compares the specification with the source, and who does it."""

    scheduler: Scheduler
    open_reconciler: Callable[[SelectSource], Reconciler]


class Outcome(NamedTuple):
    """How a run ended. ``tip`` is where the spec branch is, "" where there is none yet."""

    done: int
    tip: str
    cost: float
    incomplete: int
    reconciliations: int = 0


@contextlib.contextmanager
def read_branch(branch: SpecBranch) -> Iterator[SpecBranch]:
    """A spec branch that is loaded for a run that writes nothing, and so is in nobody's way."""
    branch.load()
    yield branch


@contextlib.contextmanager
def lock_branch(repository: Repository, branch: SpecBranch) -> Iterator[SpecBranch]:
    """One run at a time for a spec branch, which is loaded. It was read before: where another run
    has moved it since, this one will be refused to.

    Raises Fatal where another one is at work, and where the branch is checked out.
    """
    name = branch.name
    # A branch name may hold slashes and be longer than a file name.
    digest = digest_name(name)
    path = Path(repository.common_dir) / "allium" / "locks" / f"branch-{digest}.lock"
    short = name.removeprefix("refs/heads/")
    with hold_lock(path, f"describing '{short}'"):
        refuse_checked_out(repository, name)
        branch.load()
        yield branch


def run(
    repository: Repository,
    branch: SpecBranch,
    agenda: Agenda,
    engine: Engine,
    limits: Limits,
    tell: Listener,
    grounds: Grounds | None = None,
) -> Outcome:
    """Describe every commit of the agenda and move the branch; where ``grounds`` says so, compare
    the specification with the source.

    A first Ctrl-C lets the steps that are begun be finished and saved. Raises KeyboardInterrupt
    after that, and at once for a second one; what was described until then is saved too.
    """
    checkpoints, schedule = _open_schedule(repository, branch, agenda, engine, limits, grounds)
    progress = _Progress(agenda, tell)

    def warn(message: str) -> None:
        tell(Warned(message))

    # Steps that somebody pays for are saved too soon to be many, and described by several threads.
    collecting = (
        contextlib.nullcontext()
        if engine.is_slow
        else repository.new_objects.collect(repository.objects.odb)
    )
    with RefUpdater(repository, warn) as updater, _Stop() as stop, explain_libgit2(), collecting:
        longest = _LONGEST_UNSAVED_PAID if engine.is_slow else _LONGEST_UNSAVED
        recorder = _Recorder(repository, branch, agenda, updater, longest, checkpoints, tell)
        try:
            for source, result in schedule.describe_all(stop.may_go_on, recorder.save_rest):
                progress.note(source, result)
                recorder.note(source.oid)
        finally:
            with Interrupts():  # a second Ctrl-C does not cost what was described
                recorder.save()
        if progress.done < len(agenda.graph):
            # Steps are left only where somebody asked to stop.
            raise KeyboardInterrupt
        recorder.finish()
    tip = branch.tip.commit if branch.tip else ""
    return Outcome(progress.done, tip, progress.cost, progress.incomplete, progress.reconciliations)


def _open_schedule(
    repository: Repository,
    branch: SpecBranch,
    agenda: Agenda,
    engine: Engine,
    limits: Limits,
    grounds: Grounds | None,
) -> tuple[Checkpoints | None, Schedule]:
    files = SourceFiles(repository, limits.ignored)
    steps = StepWriter(
        repository, engine.name, files, Layout(limits.root, limits.most_module_tokens, limits.depth)
    )
    # What costs nothing is described again rather than looked up.
    memory = Memory.of(repository, branch, agenda.tip) if engine.is_slow else Memory(repository, {})
    checkpoints = None
    if grounds is not None and len(agenda.graph):
        checkpoints = plan_checkpoints(repository, branch, agenda, files, grounds.scheduler)
    schedule = Schedule(
        repository, branch, agenda, steps, engine, limits.window, limits.concurrency, memory,
        checkpoints, grounds.open_reconciler(files.select) if grounds else None,
        find_hand_edits(repository, sorted(branch.heads.values()))
        if checkpoints and checkpoints.plan.due else frozenset(),
    )  # fmt: skip
    return checkpoints, schedule


def count_specification(repository: Repository, tip: str) -> tuple[int, int]:
    """How many modules and how many tokens the specification of a spec commit has."""
    store = SpecTrees(repository).read(tree_of(repository, tip)).store
    return len(store.all_modules()), store.total_tokens()


def plan_checkpoints(
    repository: Repository,
    branch: SpecBranch,
    agenda: Agenda,
    files: SourceFiles,
    scheduler: Scheduler,
) -> Checkpoints:
    """Which steps of a run are followed by a reconciliation. The branch is loaded."""
    return Checkpoints.of(
        repository,
        branch,
        Goal(agenda.graph, agenda.tips, agenda.known),
        scheduler,
        lambda commit: count_change_tokens(repository, files.select, commit),
    )


def _describe_reconciliation(grounded: GroundedStep) -> events.Reconciled:
    grounding, record, _ = grounded
    skipped = tuple(show_path(path) for path, _ in grounding.skipped_files)
    return events.Reconciled(
        record.at_step, record.at_sha, record.findings, skipped, grounding.skipped, record.cost,
        tuple(grounding.failures),
    )  # fmt: skip


class _Progress:
    """Counts what is described, and says each step as it ends."""

    def __init__(self, agenda: Agenda, tell: Listener) -> None:
        self.done, self.incomplete, self.reconciliations = 0, 0, 0
        self.cost = 0.0
        self._tell = tell
        self._segment_of = {commit: each.id for each in agenda.segments for commit in each.commits}

    def note(self, source: Commit, result: Result) -> None:
        """A commit is described."""
        update = result.update
        self.done += 1
        self.cost += result.cost
        self.incomplete += bool(update.incomplete)
        changed = tuple(each.decode("utf-8", "replace") for each in result.changed)
        self._tell(
            events.StepDescribed(
                source.oid, source.subject, result.spec, self._segment_of[source.oid], changed,
                self.done, update.cost, update.incomplete,
            )
        )  # fmt: skip
        if result.grounded is not None:
            self.reconciliations += 1
            self._tell(_describe_reconciliation(result.grounded))


class _Recorder:
    """Saves the spec commits now and then, and moves the branch as far as they reach."""

    def __init__(
        self,
        repository: Repository,
        branch: SpecBranch,
        agenda: Agenda,
        updater: RefUpdater,
        longest_unsaved: float,
        checkpoints: Checkpoints | None,
        tell: Listener,
    ) -> None:
        self._repository = repository
        self._checkpoints = checkpoints
        self._branch = branch
        self._pending = agenda
        self._updater = updater
        self._longest_unsaved = longest_unsaved
        self._tell = tell
        self._trunk = agenda.trunk
        self._old = branch.tip
        self._target: str | None = None
        self._follows = branch.tip is None
        self._unsaved = 0
        self._noted = 0
        self._saved_at = time.monotonic()

    def note(self, source: str) -> None:
        """A commit is described; save where much is not, or for long."""
        if source in self._trunk:
            self._target = source
        self._unsaved += 1
        self._noted += 1
        waited = time.monotonic() - self._saved_at
        is_much = self._unsaved >= _MOST_UNSAVED or self._repository.new_objects.is_full
        if is_much or waited > self._longest_unsaved:
            self.save_rest()

    def save_rest(self) -> None:
        """Save what is not saved, if anything is."""
        if self._unsaved:
            self.save()
            tip = self._branch.tip
            self._tell(events.Saved(self._noted, tip.commit if tip else ""))

    def save(self) -> None:
        """Save what was described until now."""
        target = self._target if self._may_move() else None
        self._save_counters()
        self._branch.save(target, (), self._updater)
        self._unsaved, self._saved_at = 0, time.monotonic()

    def finish(self) -> None:
        """Move the branch to the tip, also where that is no descendant; the old tip is kept."""
        tip, old = self._pending.tip, self._old
        if old is None or self._may_move():
            self._branch.save(tip, (), self._updater)
            return
        if is_ancestor(self._repository, tip, old.source):
            self._branch.save(None, (), self._updater)  # an older commit: described, and passed
            return
        along: list[RefUpdate] = []
        if not self._is_on_a_ref(old.source):
            kept = KeptRefs(self._repository.git, _REPLACED)
            short = self._branch.name.removeprefix("refs/heads/")
            along.append(kept.prepare_keeping(short, old.commit))
            self._branch.heads.pop(old.source, None)
        self._branch.save(tip, along, self._updater)

    def _save_counters(self) -> None:
        """With the last step its counters are saved, so that no crash comes in between."""
        if self._checkpoints is None:
            return
        if self._noted < len(self._pending.graph):
            self._checkpoints.save_start(self._branch)
            return
        # Where the branch stays behind, its own tip keeps the counters too.
        old = self._old
        stays = [] if old is None or self._may_move() else [old.source]
        self._checkpoints.save_end(self._branch, [self._pending.tip, *stays])

    def _may_move(self) -> bool:
        """Whether the branch only goes forward when it moves to what was described of the trunk."""
        if not self._follows and self._old is not None and self._target is not None:
            record = self._branch.find(self._target)
            assert record is not None
            objects = self._repository.objects
            self._follows = objects.descendant_of(record.last, self._old.commit)
        return self._follows

    def _is_on_a_ref(self, source: str) -> bool:
        """Whether a branch or a tag still holds a source commit: the work may go on from there."""
        # What a force-push took away may be gone for good, as in a fresh clone.
        if not is_commit(self._repository, source):
            return False
        found = self._repository.git.run(
            "for-each-ref", "--count=1", f"--contains={source}", "--format=%(refname)",
            "refs/heads", "refs/remotes", "refs/tags",
        )  # fmt: skip
        return bool(found.strip())


class _Stop:
    """Ctrl-C once: finish the steps that are begun. Twice: stop now."""

    def __init__(self) -> None:
        self._is_asked = False
        self._before: signal.Handlers | object = None

    def may_go_on(self) -> bool:
        """Whether nobody has asked to stop."""
        return not self._is_asked

    def __enter__(self) -> "_Stop":
        self._before = signal.signal(signal.SIGINT, self._take_signal)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)  # type: ignore[arg-type]

    def _take_signal(self, number: int, frame: FrameType | None) -> None:
        if self._is_asked:
            raise KeyboardInterrupt
        self._is_asked = True
        say_line("finishing this step; press Ctrl-C again to stop now")
