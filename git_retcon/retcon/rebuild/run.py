"""``git retcon SPEC`` from start to end: find, compare, loop, prove, report."""

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from git_retcon.git.commits import check_identity
from git_retcon.git.graph import read_commit, tree_of
from git_retcon.git.ref_updates import RefUpdater
from git_retcon.git.repository import Repository
from git_retcon.retcon import events
from git_retcon.retcon.branch.authors import Authors
from git_retcon.retcon.branch.branches import (
    Branches,
    publishing_remote,
    refuse_checked_out,
    source_commits,
)
from git_retcon.retcon.branch.lock import lock_spec
from git_retcon.retcon.branch.progress import Position, ProgressTracker
from git_retcon.retcon.branch.reconcile import recorded_commits
from git_retcon.retcon.branch.source_history import read_source_history
from git_retcon.retcon.branch.squash import squash_wip
from git_retcon.retcon.branch.undo import save_undo_state
from git_retcon.retcon.branch.writer import Writer
from git_retcon.retcon.engine import Spending
from git_retcon.retcon.engines.choose import Engagement
from git_retcon.retcon.events import Listener
from git_retcon.retcon.rebuild.loop import Loop, LoopParts
from git_retcon.retcon.rebuild.options import Wishes
from git_retcon.retcon.rebuild.start import Start, find_start
from git_retcon.retcon.rebuild.stuck import Memory
from git_retcon.retcon.rebuild.warnings import find_warnings
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.history import Resolved, Status, Stuck
from git_retcon.retcon.spec.model import Spec
from git_retcon.run.checks import Checks, Commands, WorktreePlace
from git_retcon.run.confined_worktree import Guard
from git_retcon.run.consent import Consent
from git_retcon.run.quarantine import Quarantine
from git_retcon.run.verdicts import Verdicts, open_verdicts

WORKTREE_ID = "retcon"


@dataclass(frozen=True)
class Result:
    """How a run ended. ``stuck`` is the index of the commit it stopped at, ``commands`` are
    those that a complete run was built and tested with.
    """

    specfile: SpecFile
    branches: Branches
    tip: str
    stuck: int | None
    build_seconds: float = 0.0
    spending: Spending = field(default_factory=Spending)
    remote: str = "origin"  # where the branch would be pushed to
    commands: Commands = field(default_factory=Commands)


def rebuild(
    repository: Repository,
    path: Path,
    decide: Callable[[Spec], Wishes],
    engage: Callable[[], Engagement],
    tell: Listener,
) -> Result:
    """Rebuild the branch a spec describes, or go on where an earlier run ended.

    The spec is read once, under the locks, so that the commands that ``decide`` takes from it
    are those of the spec that is rebuilt, whoever edits it meanwhile.

    Raises UserError for what the user has to fix first; nothing has moved then.
    """
    check_identity(repository)
    with lock_spec(repository, path, "rebuilding") as specfile:
        wishes, engagement = decide(specfile.spec), engage()
        tell(events.EngineChosen(engagement.engine.name, engagement.description, engagement.hint))
        with RefUpdater(repository.git) as updater:
            run = _Run(repository, wishes, engagement, tell, updater)
            return run.from_spec(specfile)


@dataclass(frozen=True)
class _Run:
    repository: Repository
    wishes: Wishes
    engagement: Engagement
    tell: Listener
    updater: RefUpdater

    def from_spec(self, specfile: SpecFile) -> Result:
        spec = specfile.spec
        shown = str(specfile.path)
        self.tell(events.SpecLoaded(shown, spec.source, spec.remote, spec.cleaned))
        with specfile.naming_lines():
            start = find_start(self.repository, spec, restart=self.wishes.restart)
        refuse_checked_out(self.repository, start.branches)
        pending = recorded_commits(self.repository, start.pending)
        for warned in find_warnings(
            self.repository, specfile, pending, start.branches, start.notes
        ):
            self.tell(warned)
        state = start.state
        if not state.finished or self.wishes.squash_wip:
            save_undo_state(self.repository, specfile, start.branches)
        own = source_commits(self.repository, start.branches)
        writer = Writer(self.repository, start.branches, Authors(own), start.notes, self.updater)
        if state.finished:
            specfile = specfile.with_histories(start.histories)
            return self._finished(specfile, writer, state.tip, 0.0)
        return self._looped(self._applied(start, specfile, writer), start, writer)

    def _applied(self, start: Start, specfile: SpecFile, writer: Writer) -> SpecFile:
        """Do what the comparison found necessary before the loop goes on."""
        branches, state = start.branches, start.state
        if branches.tip is None:
            writer.create_branch()
            self.tell(events.BranchCreated(branches.cleaned_name, branches.base.oid))
        elif state.rewind is not None and branches.tip != state.rewind.to:
            rewind = state.rewind
            self.tell(events.Rewound(rewind.index, rewind.to, branches.tip, rewind.why))
            writer.move_branch(branches.tip, rewind.to, rewind.why)
        specfile = specfile.with_histories(start.histories)
        for adoption in state.adoptions:
            commit = adoption.commit
            self.tell(
                events.Adopted(adoption.index, commit.oid, commit.subject, adoption.by_person)
            )
        if state.rewind is None:
            self._tell_resuming(specfile)
        return specfile

    def _tell_resuming(self, specfile: SpecFile) -> None:
        commits = specfile.spec.commits
        if not any(commit.history for commit in commits):
            return
        for index, commit in enumerate(commits):
            if commit.status is not Status.COMPLETE:
                last = commit.history[-1:]
                stuck = [event.summary for event in commit.history if isinstance(event, Stuck)]
                notes = [event.note for event in last if isinstance(event, Resolved)]
                told = (stuck[-1] if stuck else "", notes[-1] if notes else "")
                self.tell(events.Resuming(index, len(commits), commit.status.value, *told))
                return

    def _looped(self, specfile: SpecFile, start: Start, writer: Writer) -> Result:
        branches = start.branches
        found = read_source_history(self.repository, branches, writer.authors.commits)
        tracker = ProgressTracker(self.repository, found.granularity, self.repository.trees)
        position = start.position(tracker)
        guard = self._guard(specfile, writer)
        with self._verdicts() as verdicts, self._checks(verdicts, guard) as checks:
            self.engagement.attach(checks)
            memory = Memory(verdicts, self.wishes, self.engagement.engine.name)
            again = self._same_as_before(specfile, position, memory)
            if again is not None:
                return Result(specfile, branches, position.tip, again)
            parts = LoopParts(
                branches,
                tracker,
                writer,
                self.engagement.engine,
                checks,
                found,
                self.tell,
                keep_leftover=self.wishes.keep_leftover,
                spending=self.engagement.spending,
            )
            loop = Loop(specfile, position, parts)
            stuck = loop.run()
            specfile, tip = loop.specfile, loop.position.tip
            if stuck is None:
                return self._finished(specfile, writer, tip, checks.seconds)
            memory.keep(specfile.spec, loop.position, stuck)
            self._tell_stopped(specfile, stuck)
            spent = self.engagement.spending()
            return Result(specfile, branches, tip, stuck, checks.seconds, spent)

    def _tell_stopped(self, specfile: SpecFile, index: int) -> None:
        self.tell(events.Stopped(index, len(specfile.spec.commits), str(specfile.path)))

    def _finished(self, specfile: SpecFile, writer: Writer, tip: str, seconds: float) -> Result:
        """Prove the promise, fold WIPs where asked, and say what to look at next."""
        branches = writer.branches
        if self.wishes.squash_wip:
            before = _wips(specfile.spec)
            specfile, tip = squash_wip(self.repository, specfile, branches, tip, writer)
            self.tell(events.Folded(before - _wips(specfile.spec)))
        if tree_of(self.repository, tip) != branches.source.tree:
            raise AssertionError(
                f"'{branches.cleaned_name}' differs from '{specfile.spec.source}' at the end"
            )
        spent = self.engagement.spending()
        remote = publishing_remote(self.repository, specfile.spec)
        commands = self.wishes.commands
        return Result(specfile, branches, tip, None, seconds, spent, remote, commands)

    def _guard(self, specfile: SpecFile, writer: Writer) -> Guard:
        """What a model wrote on this branch, as its commits say, in this run or an earlier one."""
        branches, trees = writer.branches, self.repository.trees
        quarantine = Quarantine(trees, branches.base.tree, branches.source.tree)
        full = recorded_commits(self.repository, specfile.spec)
        for commit in full.commits:
            for oid, record in writer.records(commit.commits).items():
                if record.bridged:
                    made = read_commit(self.repository, oid)
                    before = tree_of(self.repository, made.parents[0])
                    quarantine.add(change.path for change in trees.changes(before, made.tree))
        consent = Consent(
            self.engagement.sandbox, self.wishes.ask, lambda line: self.tell(events.Warned(line))
        )
        return Guard(quarantine, consent, branches.source)

    def _checks(self, verdicts: Verdicts, guard: Guard) -> Checks:
        return Checks(
            self.wishes.commands,
            WorktreePlace(self.repository, self.wishes.worktrees, WORKTREE_ID),
            verdicts,
            self.tell,
            _mask_secrets,
            guard,
        )

    def _verdicts(self) -> contextlib.AbstractContextManager[Verdicts]:
        path = self.repository.common_dir / "retcon" / "verdicts.db" if self.wishes.cache else None
        return open_verdicts(path, lambda message: self.tell(events.Warned(message)))

    def _same_as_before(self, specfile: SpecFile, position: Position, memory: Memory) -> int | None:
        """The commit an offline run is stuck at, when nothing has changed since it said so."""
        if self.engagement.engine.name != "offline":
            return None
        index = memory.stuck(specfile.spec, position)
        if index is not None:
            self.tell(
                events.Warned(
                    "nothing has changed since; building again would end the same way",
                    "edit hints, merge or swap commits, commit a fix on the branch, or add "
                    "a note with 'git retcon resolve'; --no-cache builds again all the same",
                )
            )
            self._tell_stopped(specfile, index)
        return index


def _wips(spec: Spec) -> int:
    return sum(max(0, len(commit.commits) - 1) for commit in spec.commits)


def _mask_secrets(output: bytes) -> bytes:
    """What a command printed, with the secrets of this process's environment masked."""
    # A run whose commands all pass needs none of these patterns.
    from git_retcon.model.known_secrets import secrets_in
    from git_retcon.model.redaction import Redactor

    return Redactor(secrets_in(os.environ)).data(output)
