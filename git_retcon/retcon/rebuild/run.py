"""``git retcon SPEC`` from start to end: find the branches, compare, loop, prove, report."""

import contextlib
import os
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon.errors import never_repeating
from git_retcon.git.commits import check_identity
from git_retcon.git.difference import Difference
from git_retcon.git.graph import read_commit, tree_of
from git_retcon.git.ref_updates import RefUpdater
from git_retcon.git.repository import Repository
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon import events
from git_retcon.retcon.branch.authors import Authors
from git_retcon.retcon.branch.branches import (
    Branches,
    find_publishing_remote,
    list_source_commits,
    require_movable,
)
from git_retcon.retcon.branch.progress import Position, ProgressTracker
from git_retcon.retcon.branch.reconcile import expand_recorded_ids
from git_retcon.retcon.branch.source_history import SourceHistory, read_source_history
from git_retcon.retcon.branch.spec_lock import lock_spec
from git_retcon.retcon.branch.squash import squash_wip
from git_retcon.retcon.branch.undo import save_undo_state
from git_retcon.retcon.branch.writer import Writer
from git_retcon.retcon.engine import Spent, read_case
from git_retcon.retcon.engines.choose import ChosenEngine
from git_retcon.retcon.events import Listener
from git_retcon.retcon.rebuild.hinted_files import check_hinted_files, find_taken_files
from git_retcon.retcon.rebuild.leftover import name_paths
from git_retcon.retcon.rebuild.loop import Loop, LoopParts
from git_retcon.retcon.rebuild.options import Decisions
from git_retcon.retcon.rebuild.pinned_hunks import check_pins
from git_retcon.retcon.rebuild.proof import (
    find_unproved,
    offer_rebuild,
    prove_again,
    refuse_failing_source,
)
from git_retcon.retcon.rebuild.start import Start, find_start
from git_retcon.retcon.rebuild.stuck import Memory
from git_retcon.retcon.rebuild.unmatched_patterns import check_patterns
from git_retcon.retcon.rebuild.warnings import find_warnings
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.history import Resolved, Status
from git_retcon.retcon.spec.model import Spec
from git_retcon.run.checks import Checks
from git_retcon.run.commands import Commands
from git_retcon.run.verdicts import Verdicts, open_verdicts
from git_retcon.run.worktree_place import WorktreePlace
from git_retcon.show.style import show_path

if TYPE_CHECKING:
    from git_retcon.run.confined_worktree import Guard

WORKTREE_ID = "retcon"


@dataclass(frozen=True)
class Result:
    """How a run ended.

    ``stuck`` is the index of the commit that the run stopped at. ``commands`` are those that
    proved a complete run.
    """

    specfile: SpecFile
    branches: Branches
    tip: str
    stuck: int | None
    build_seconds: float = 0.0
    spending: Spent = field(default_factory=Spent)
    remote: str | None = None  # where the branch would be pushed to
    commands: Commands = field(default_factory=Commands)
    left: Sequence[str] = ()  # paths of a working state with changes that no commit took
    untracked: Sequence[bytes] = ()  # paths of it that commits took and git does not track there


def rebuild(
    repository: Repository,
    path: Path,
    decide: Callable[[Spec], Decisions],
    open_engine: Callable[[], ChosenEngine],
    tell: Listener,
) -> Result:
    """Rebuild the branch a spec describes, or go on where an earlier run ended.

    The spec is read once, under the locks: ``decide`` takes the commands from the same text that
    is rebuilt, even when the file is edited meanwhile.

    Raises UserError, with nothing moved, for what the user has to fix first.
    """
    check_identity(repository)
    with lock_spec(repository, path) as specfile:
        decisions, chosen = decide(specfile.spec), open_engine()
        tell(events.EngineChosen(chosen.engine.name, chosen.description, chosen.hint))
        with RefUpdater(repository, lambda said: tell(events.Warned(said))) as updater:
            run = _Run(repository, decisions, chosen, tell, updater)
            return run.rebuild_branch(specfile)


@dataclass(frozen=True)
class _Run:
    repository: Repository
    decisions: Decisions
    chosen: ChosenEngine
    tell: Listener
    updater: RefUpdater

    def rebuild_branch(self, specfile: SpecFile) -> Result:
        spec = specfile.spec
        shown = str(specfile.path)
        self.tell(events.SpecLoaded(shown, spec.source, spec.remote, spec.cleaned, spec.worktree))
        with specfile.naming_lines():
            start = find_start(self.repository, specfile, restart=self.decisions.restart)
        require_movable(self.repository, start.branches)
        if start.branches.working is not None:
            start.branches.working.keep(self.repository)
        pending = expand_recorded_ids(self.repository, start.pending)
        for warned in find_warnings(
            self.repository, specfile, pending, start.branches, start.notes
        ):
            self.tell(warned)
        own = list_source_commits(self.repository, start.branches)
        writer = Writer(self.repository, start.branches, Authors(own), start.notes, self.updater)
        start = self._prove_again(specfile, start, writer)
        state = start.state
        if state.finished:
            # A run that changes nothing must not overwrite what ``undo`` goes back to.
            if self.decisions.squash_wip:
                save_undo_state(self.repository, specfile, start.branches)
            else:
                self.tell(events.NothingToDo(start.branches.cleaned_name))
            specfile = specfile.with_histories(start.histories)
            return self._finish_run(specfile, writer, state.tip, 0.0)
        with contextlib.ExitStack() as once_begun:
            return self._run_loop(specfile, start, writer, once_begun)

    def _prove_again(self, specfile: SpecFile, start: Start, writer: Writer) -> Start:
        """Check what other commands proved, or none. The start, perhaps from an earlier commit.

        Raises Refused where a commit fails, unless the user wants it built again.
        """
        unproved = find_unproved(start, writer, self.decisions.commands.digest)
        if not unproved:
            return start
        guard = self._make_guard(specfile, writer)
        with self._open_verdicts() as verdicts, self._make_checks(verdicts, guard) as checks:
            found = prove_again(unproved, start, writer, checks, self.tell)
            if found is not None:
                refuse_failing_source(start, checks, found[1])
        return start if found is None else offer_rebuild(start, *found, self.decisions.ask)

    def _announce_state(self, start: Start) -> None:
        """Tell what the comparison asks for."""
        branches, state = start.branches, start.state
        if branches.tip is None:
            self.tell(events.BranchCreated(branches.cleaned_name, branches.base.oid))
        elif state.rewind is not None and branches.tip != state.rewind.to:
            rewind = state.rewind
            self.tell(events.Rewound(rewind.index, rewind.to, branches.tip, rewind.why))
        for adoption in state.adoptions:
            commit = adoption.commit
            self.tell(
                events.Adopted(adoption.index, commit.oid, commit.subject, adoption.by_person)
            )
        if state.rewind is None:
            self._announce_resuming(start.pending)

    def _apply_state(self, start: Start, specfile: SpecFile, writer: Writer) -> SpecFile:
        """Bring branch and histories to the state that the comparison asks for."""
        branches, rewind = start.branches, start.state.rewind
        save_undo_state(self.repository, specfile, branches)
        if branches.tip is None:
            writer.create_branch()
        elif rewind is not None:
            writer.move_branch(branches.tip, rewind.to, rewind.why)
        return specfile.with_histories(start.histories)

    def _announce_resuming(self, spec: Spec) -> None:
        commits = spec.commits
        if not any(commit.history for commit in commits):
            return
        for index, commit in enumerate(commits):
            if commit.status is not Status.COMPLETE:
                last = commit.history[-1:]
                notes = [event.note for event in last if isinstance(event, Resolved)]
                self.tell(
                    events.Resuming(
                        index=index,
                        total=len(commits),
                        previously=commit.status.value,
                        summary=commit.last_summary or "",
                        note=notes[-1] if notes else "",
                    )
                )
                return

    def _warn_of_names(self, specfile: SpecFile, start: Start, difference: Difference) -> None:
        """Say which pins, patterns and hints name what is not there."""
        for warning in (
            *check_pins(specfile, difference),
            *check_patterns(specfile, difference, read_case(self.repository)),
            *check_hinted_files(self.repository, specfile, start.pending, difference),
        ):
            self._give_warning(warning)

    def _run_loop(
        self, specfile: SpecFile, start: Start, writer: Writer, once_begun: contextlib.ExitStack
    ) -> Result:
        branches = start.branches
        found = read_source_history(self.repository, branches, writer.authors.commits)
        tracker = ProgressTracker(self.repository, found.granularity, self.repository.trees)
        base = start.base_position(tracker)
        self._warn_of_names(specfile, start, base.difference)
        # Not before: pins that are refused rewind nothing.
        self._announce_state(start)
        position = start.position(tracker, base)
        for warning in find_taken_files(specfile, start.pending, position, start.state.rewind):
            self._give_warning(warning)
        guard = self._make_guard(specfile, writer) if self._needs_guard() else None

        def begin() -> SpecFile:
            # From here on the same command with it would throw away what this run makes.
            once_begun.enter_context(never_repeating("--restart"))
            return self._apply_state(start, specfile, writer)

        with self._open_verdicts() as verdicts, self._make_checks(verdicts, guard) as checks:
            self.chosen.attach(checks)
            memory = Memory(verdicts, self.decisions, self.chosen.engine.name)
            pending = replace(specfile, spec=start.pending)
            again = self._find_unchanged_stuck(pending, position, memory)
            if again is not None:
                return Result(begin(), branches, position.tip, again)
            parts = self._make_parts(writer, tracker, checks, found)
            loop = Loop(start.pending, begin, position, parts)
            stuck = loop.run()
            tip = loop.position.tip
            if stuck is None:
                left = name_paths(loop.position.left)
                return self._finish_run(loop.specfile, writer, tip, checks.seconds, left)
            memory.keep(loop.spec, loop.position, stuck)
            self._announce_stopped(loop.specfile, stuck)
            spent = self.chosen.spending()
            return Result(loop.specfile, branches, tip, stuck, checks.seconds, spent)

    def _make_parts(
        self, writer: Writer, tracker: ProgressTracker, checks: Checks, found: SourceHistory
    ) -> LoopParts:
        return LoopParts(
            writer.branches,
            tracker,
            writer,
            self.chosen.engine,
            checks,
            found,
            self.tell,
            leftover=self.decisions.leftover,
            spending=self.chosen.spending,
        )

    def _announce_stopped(self, specfile: SpecFile, index: int) -> None:
        self.tell(events.Stopped(index, len(specfile.spec.commits), str(specfile.path)))

    def _finish_run(
        self,
        specfile: SpecFile,
        writer: Writer,
        tip: str,
        seconds: float,
        left: Sequence[str] = (),
    ) -> Result:
        """Fold WIPs where that is wanted, and check that the tree is the source's.

        ``left`` are the paths of what a run was allowed to leave.
        """
        branches = writer.branches
        if self.decisions.squash_wip:
            before = _count_wips(specfile.spec)
            specfile, tip = squash_wip(self.repository, specfile, branches, tip, writer)
            self.tell(events.Folded(before - _count_wips(specfile.spec)))
        # The one promise that must never break; a bug is to be loud, not pushed.
        if not left and tree_of(self.repository, tip) != branches.source.tree:
            raise AssertionError(
                f"'{branches.cleaned_name}' differs from '{specfile.spec.source}' at the end"
            )
        spent = self.chosen.spending()
        remote = find_publishing_remote(self.repository, specfile.spec)
        commands = self.decisions.commands
        working = branches.working
        new: Sequence[bytes] = ()
        if working is not None:
            new = working.list_untracked(self.repository, tip)
            left = [*left, *map(show_path, working.specs)]
        return Result(specfile, branches, tip, None, seconds, spent, remote, commands, left, new)

    def _needs_guard(self) -> bool:
        # Offline and without commands nothing a model wrote is run, or written.
        return bool(self.decisions.commands.steps) or self.chosen.engine.name != "offline"

    def _make_guard(self, specfile: SpecFile, writer: Writer) -> "Guard":
        """Find by its notes what models wrote on this branch, also in earlier runs."""
        # Late: where no command is run, nothing has to be confined.
        from git_retcon.model.never_send import NeverSend
        from git_retcon.run.confined_worktree import Guard
        from git_retcon.run.consent import Consent
        from git_retcon.run.quarantine import Quarantine

        branches, trees = writer.branches, self.repository.trees
        quarantine = Quarantine(trees, branches.base.tree, branches.source.tree)
        full = expand_recorded_ids(self.repository, specfile.spec)
        for commit in full.commits:
            for oid, record in writer.records(commit.commits).items():
                if record.bridged:
                    made = read_commit(self.repository, oid)
                    before = tree_of(self.repository, made.parents[0])
                    quarantine.add(change.path for change in trees.changes(before, made.tree))
        consent = Consent(self.chosen.sandbox, self.decisions.ask, self._give_warning)
        never_send = NeverSend(self.chosen.never_send)
        withholds = never_send.matches if never_send.patterns else None
        return Guard(quarantine, consent, branches.source, withholds)

    def _give_warning(self, message: str) -> None:
        self.tell(events.Warned(message))

    def _make_checks(self, verdicts: Verdicts, guard: "Guard | None") -> Checks:
        return Checks(
            self.decisions.commands,
            WorktreePlace(self.repository, self.decisions.worktrees, WORKTREE_ID),
            verdicts,
            self.tell,
            _mask_secrets,
            guard,
        )

    def _open_verdicts(self) -> contextlib.AbstractContextManager[Verdicts]:
        path = self.repository.common_dir / "retcon" / "verdicts.db"
        return open_verdicts(path if self.decisions.cache else None, self._give_warning)

    def _find_unchanged_stuck(
        self, specfile: SpecFile, position: Position, memory: Memory
    ) -> int | None:
        """The index of the commit that an offline run is stuck at, if nothing changed since."""
        # A model may answer otherwise when it is asked again.
        if self.chosen.engine.name != "offline":
            return None
        index = memory.find_stuck(specfile.spec, position)
        if index is not None:
            self.tell(
                events.Warned(
                    "nothing has changed since; building again would end the same way",
                    "edit hints, merge or swap commits, commit a fix on the branch, or add "
                    "a note with 'git retcon resolve'; --no-cache builds again all the same",
                )
            )
            self._announce_stopped(specfile, index)
        return index


def _count_wips(spec: Spec) -> int:
    return sum(commit.wips for commit in spec.commits)


def _mask_secrets(output: bytes) -> bytes:
    """Mask the secrets of this process's environment in what a command printed."""
    # Late: a run whose commands all pass compiles none of these patterns.
    from git_retcon.model.known_secrets import secrets_in
    from git_retcon.model.redaction import Redactor

    return Redactor(secrets_in(os.environ)).redact_bytes(output)
