"""``git retcon SPEC`` from beginning to end: find, compare, mend, loop, prove, report."""

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from git_retcon.files.lock import locked
from git_retcon.git.commits import check_identity
from git_retcon.git.graph import read_commit, tree_of
from git_retcon.git.notes import Notes
from git_retcon.git.repository import Repository
from git_retcon.git.trees import Trees
from git_retcon.retcon import events
from git_retcon.retcon.authors import Authors
from git_retcon.retcon.branches import (
    Branches,
    find_branches,
    refuse_checked_out,
    source_commits,
)
from git_retcon.retcon.checks import Checks
from git_retcon.retcon.confining import Guard
from git_retcon.retcon.engine import Engine, Failure
from git_retcon.retcon.events import Listener
from git_retcon.retcon.history import CommitCreated, Event, Resolved, Status, Stuck
from git_retcon.retcon.loop import Loop, Spending
from git_retcon.retcon.position import Mapper, Position
from git_retcon.retcon.quarantine import Quarantine
from git_retcon.retcon.record import NOTES_REF
from git_retcon.retcon.request import Wishes
from git_retcon.retcon.spec import Spec
from git_retcon.retcon.specfile import SpecFile
from git_retcon.retcon.squash import squash_wip
from git_retcon.retcon.standing import Standing, compare, recorded_commits
from git_retcon.retcon.surveying import Survey, survey
from git_retcon.retcon.undo import remember
from git_retcon.retcon.writing import Writer
from git_retcon.run.sandbox.level import Policy
from git_retcon.run.verdicts import Verdicts, open_verdicts


def _unattached(checks: Checks) -> None:
    pass


@dataclass(frozen=True)
class Engagement:
    """The engine of a run, and what to call it.

    ``hint`` says what the user could do for another one. ``sandbox`` is for whatever holds bytes
    that a model wrote, in an earlier run perhaps. ``attach`` is given what builds, once it is
    there, for an engine that builds by itself.
    """

    engine: Engine
    description: str
    explain: Callable[[Failure], str]
    spending: Callable[[], Spending] = Spending
    hint: str = ""
    sandbox: Policy = Policy.AUTO
    attach: Callable[[Checks], None] = _unattached


@dataclass(frozen=True)
class Result:
    """How a run ended. ``stuck`` is the index of the commit it stopped at."""

    specfile: SpecFile
    branches: Branches
    tip: str
    stuck: int | None
    build_seconds: float = 0.0
    spending: Spending = field(default_factory=Spending)


def rebuild(
    repository: Repository,
    path: Path,
    wishes: Wishes,
    engage: Callable[[Spec], Engagement],
    tell: Listener,
) -> Result:
    """Rebuild the branch a spec describes, or go on where an earlier run ended.

    Raises UserError for whatever the user has to mend first; nothing has moved then.
    """
    check_identity(repository)
    with _alone(repository, path) as specfile:
        engagement = engage(specfile.spec)
        tell(events.EngineChosen(engagement.engine.name, engagement.description, engagement.hint))
        run = _Run(repository, wishes, engagement, tell)
        return run.from_spec(specfile)


@contextlib.contextmanager
def _alone(repository: Repository, path: Path) -> Iterator[SpecFile]:
    """Hold the locks of the spec and of its cleaned branch, and read the spec under them."""
    locks = repository.common_dir / "retcon" / "locks"
    with locked(locks / _name("spec", os.path.realpath(path)), f"rebuilding from '{path}'"):
        specfile = SpecFile.load(path)
        cleaned = specfile.spec.cleaned.removeprefix("refs/heads/")
        with locked(locks / _name("branch", cleaned), f"rebuilding '{cleaned}'"):
            yield specfile


def _name(kind: str, what: str) -> str:
    return f"{kind}-{hashlib.sha256(os.fsencode(what)).hexdigest()[:16]}.lock"


@dataclass(frozen=True)
class _Run:
    repository: Repository
    wishes: Wishes
    engagement: Engagement
    tell: Listener

    def from_spec(self, specfile: SpecFile) -> Result:
        spec = specfile.spec
        shown = str(specfile.path)
        self.tell(events.SpecLoaded(shown, spec.source, spec.remote, spec.cleaned))
        full = recorded_commits(self.repository, spec)
        recorded = frozenset(oid for commit in full.commits for oid in commit.commits)
        branches = find_branches(self.repository, spec, recorded)
        refuse_checked_out(self.repository, branches)
        writer = self._writer(branches)
        remember(self.repository, specfile, branches)
        if self.wishes.restart:
            specfile, branches = self._restarted(specfile, branches, writer)
            full = specfile.spec
        notes = Notes(self.repository, NOTES_REF)
        standing = compare(self.repository, full, branches, notes)
        if standing.finished:
            return self._finished(specfile, branches, standing.tip, 0.0)
        specfile = self._applied(standing, specfile, branches, writer)
        return self._looped(specfile, branches, standing.tip, writer)

    def _writer(self, branches: Branches) -> Writer:
        authors = Authors(source_commits(self.repository, branches))
        return Writer(self.repository, branches, authors)

    def _restarted(
        self, specfile: SpecFile, branches: Branches, writer: Writer
    ) -> tuple[SpecFile, Branches]:
        """Forget every history and go back to the base; the reflog keeps the old tip."""
        empty: dict[int, tuple[Event, ...]] = dict.fromkeys(range(len(specfile.spec.commits)), ())
        specfile = specfile.with_histories(empty)
        fresh = find_branches(self.repository, specfile.spec, frozenset())
        if branches.tip is not None:
            writer.move_branch(branches.tip, fresh.base.oid, "restart")
        return specfile, find_branches(self.repository, specfile.spec, frozenset())

    def _applied(
        self, standing: Standing, specfile: SpecFile, branches: Branches, writer: Writer
    ) -> SpecFile:
        """Do what the comparison found necessary before the loop goes on."""
        if branches.tip is None:
            writer.create_branch()
            self.tell(events.BranchCreated(branches.cleaned_name, branches.base.oid))
        elif standing.rewind is not None:
            rewind = standing.rewind
            self.tell(events.Rewound(rewind.index, rewind.to, branches.tip, rewind.why))
            writer.move_branch(branches.tip, rewind.to, "the spec changed")
            dropped = range(rewind.index, len(specfile.spec.commits))
            return specfile.with_histories(dict.fromkeys(dropped, ()))
        for adoption in standing.adoptions:
            commit = adoption.commit
            specfile = specfile.append(adoption.index, CommitCreated(commit.oid))
            self.tell(
                events.Adopted(adoption.index, commit.oid, commit.subject, adoption.by_person)
            )
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

    def _looped(self, specfile: SpecFile, branches: Branches, tip: str, writer: Writer) -> Result:
        found = survey(self.repository, branches)
        mapper = Mapper(self.repository, found.granularity, Trees(self.repository.objects))
        start = mapper.start(branches.base.tree, branches.source.tree, branches.base.oid)
        position = mapper.resume(start, tip, self._taken(specfile, writer))
        guard = self._guard(specfile, branches, mapper.trees, writer)
        with self._verdicts() as verdicts, self._checks(verdicts, guard) as checks:
            self.engagement.attach(checks)
            again = self._same_as_before(specfile, position, verdicts)
            if again is not None:
                return Result(specfile, branches, tip, again)
            loop = self._loop(specfile, branches, position, mapper, writer, checks, found)
            stuck = loop.run()
            if stuck is not None:
                verdicts.keep_memo(*self._memo(loop.specfile, loop.position, stuck))
                self.tell(
                    events.Stopped(stuck, len(loop.specfile.spec.commits), str(specfile.path))
                )
                spent = self.engagement.spending()
                return Result(
                    loop.specfile, branches, loop.position.tip, stuck, checks.seconds, spent
                )
            return self._finished(loop.specfile, branches, loop.position.tip, checks.seconds)

    def _loop(
        self,
        specfile: SpecFile,
        branches: Branches,
        position: Position,
        mapper: Mapper,
        writer: Writer,
        checks: Checks,
        found: Survey,
    ) -> Loop:
        return Loop(
            specfile,
            branches,
            position,
            mapper=mapper,
            writer=writer,
            engine=self.engagement.engine,
            checks=checks,
            survey=found,
            tell=self.tell,
            keep_leftover=self.wishes.keep_leftover,
            spending=self.engagement.spending,
        )

    def _taken(self, specfile: SpecFile, writer: Writer) -> Mapping[str, int]:
        full = recorded_commits(self.repository, specfile.spec)
        taken: dict[str, int] = {}
        for index, commit in enumerate(full.commits):
            for record in writer.records(commit.commits).values():
                taken.update(dict.fromkeys(record.atoms, index))
        return taken

    def _finished(self, specfile: SpecFile, branches: Branches, tip: str, seconds: float) -> Result:
        """Prove the promise, fold WIPs where asked, and say what to look at next."""
        if self.wishes.squash_wip:
            specfile, tip = squash_wip(
                self.repository, specfile, branches, tip, self._writer(branches)
            )
        if tree_of(self.repository, tip) != branches.source.tree:
            raise AssertionError(
                f"'{branches.cleaned_name}' differs from '{specfile.spec.source}' at the end"
            )
        return Result(specfile, branches, tip, None, seconds, self.engagement.spending())

    def _guard(self, specfile: SpecFile, branches: Branches, trees: Trees, writer: Writer) -> Guard:
        """What a model wrote on this branch, as its commits say, in this run or an earlier one."""
        quarantine = Quarantine(trees, branches.base.tree, branches.source.tree)
        full = recorded_commits(self.repository, specfile.spec)
        for commit in full.commits:
            for oid, record in writer.records(commit.commits).items():
                if record.bridged:
                    made = read_commit(self.repository, oid)
                    before = tree_of(self.repository, made.parents[0])
                    quarantine.add(change.path for change in trees.changes(before, made.tree))
        return Guard(quarantine, self.engagement.sandbox, branches.source)

    def _checks(self, verdicts: Verdicts, guard: Guard) -> Checks:
        return Checks(
            self.repository,
            self.wishes.commands,
            self.wishes.worktrees,
            verdicts,
            self.tell,
            self.engagement.explain,
            guard,
        )

    def _verdicts(self) -> contextlib.AbstractContextManager[Verdicts]:
        path = self.repository.common_dir / "retcon" / "verdicts.db" if self.wishes.cache else None
        return open_verdicts(path, lambda message: self.tell(events.Warned(message)))

    def _memo(self, specfile: SpecFile, position: Position, index: int) -> tuple[str, str]:
        """The name of "stuck here, exactly like this", and the summary it had."""
        commit = specfile.spec.commits[index]
        summaries = [event.summary for event in commit.history if isinstance(event, Stuck)]
        wishes = [commit.digest for commit in specfile.spec.commits]
        resolved = [event for event in commit.history if not isinstance(event, Stuck)]
        parts = (
            position.tip, position.difference.target, *wishes, *self.wishes.commands.all,
            self.engagement.engine.name, repr(resolved),
        )  # fmt: skip
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
        return f"stuck {digest}", summaries[-1] if summaries else ""

    def _same_as_before(
        self, specfile: SpecFile, position: Position, verdicts: Verdicts
    ) -> int | None:
        """The commit an offline run is stuck at, when nothing has changed since it said so."""
        if self.engagement.engine.name != "offline":
            return None
        for index, commit in enumerate(specfile.spec.commits):
            if commit.status is Status.STUCK:
                name, _ = self._memo(specfile, position, index)
                if verdicts.memo(name) is None:
                    return None
                self.tell(
                    events.Warned(
                        "nothing has changed since; building again would end the same way",
                        "edit hints, merge or swap commits, commit a fix on the branch, or add "
                        "a note with 'git retcon resolve'",
                    )
                )
                self.tell(events.Stopped(index, len(specfile.spec.commits), str(specfile.path)))
                return index
            if commit.status is not Status.COMPLETE:
                return None
        return None
