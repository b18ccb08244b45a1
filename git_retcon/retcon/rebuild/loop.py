"""The reconstruction loop (reconstruction-loop.md, "Algorithm" and "The Fix Loop").

Each step is saved before the next begins: object, then branch and note in one transaction, then
the spec. Killed anywhere, the same command goes on (see ``branch.reconcile``).
"""

import time
from collections.abc import Callable, Collection
from dataclasses import replace

from git_retcon.git.graph import is_commit, read_commit, resolve_commit
from git_retcon.git.provenance import Provenance
from git_retcon.git.short_ids import TO_READ, shorten_id
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon import events
from git_retcon.retcon.branch.branches import Branches
from git_retcon.retcon.branch.note import PERSON, SKIPPED, Record
from git_retcon.retcon.branch.progress import Position, ProgressTracker
from git_retcon.retcon.branch.source_history import SourceHistory
from git_retcon.retcon.branch.user_commits import find_commits_touching
from git_retcon.retcon.branch.writer import Writer
from git_retcon.retcon.engine import (
    UNSURE,
    Blocked,
    Choice,
    Engine,
    Progress,
    Situation,
    Spent,
    read_case,
)
from git_retcon.retcon.events import Listener
from git_retcon.retcon.rebuild.leftover import Leftover, Leftovers, is_outgrown, name_paths
from git_retcon.retcon.rebuild.stuck import blame_source
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.history import CommitCreated, Complete, Resolved, Status, Stuck
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from git_retcon.run.checks import Checks
from git_retcon.run.failure import Failure
from git_retcon.run.stalled import Headway

# Trials of one assessment: enough to halve a few hundred candidates, then to shrink what helps.
TRIALS = 24


@dataclass(frozen=True)
class LoopParts:
    """What a loop works with, the same from the first commit to the last."""

    branches: Branches
    tracker: ProgressTracker
    writer: Writer
    engine: Engine
    checks: Checks
    source_history: SourceHistory
    tell: Listener
    leftover: Leftovers = Leftovers.COMMIT
    spending: Callable[[], Spent] = Spent


class Loop:
    """One run over one spec; ``run`` does it all.

    ``begin`` brings branch and spec to the state that the run starts from, which ``spec`` and
    ``position`` describe. It is called before the first write and not earlier: an engine that
    cannot be reached has then raised, and nothing has moved.
    """

    def __init__(
        self, spec: Spec, begin: Callable[[], SpecFile], position: Position, parts: LoopParts
    ) -> None:
        self.position = position
        self._begin = begin
        self._pending = spec
        self._saved: SpecFile | None = None
        self._parts = parts
        self._tell = parts.tell
        self._origin = parts.source_history.of(position.difference)
        self._origin_of = position.difference
        self._started = time.monotonic()
        self._spent = Spent()
        # Only found out at the first failure: most runs never need that build.
        self._source_failure: Failure | str | None = "unknown"

    @property
    def spec(self) -> Spec:
        """The spec with its histories so far."""
        return self._pending if self._saved is None else self._saved.spec

    @property
    def specfile(self) -> SpecFile:
        """The file of the spec, to write to: the run has begun then."""
        if self._saved is None:
            self._saved = self._begin()
        return self._saved

    def run(self) -> int | None:
        """Go on until everything is complete (None) or one commit is stuck (its index)."""
        for index, commit in enumerate(self.spec.commits):
            if commit.status is not Status.COMPLETE and not self._build_commit(index):
                return index
        stuck = self._find_leftover()
        if stuck is None:
            self._leave_uncommitted()
        return stuck

    def _build_commit(self, index: int) -> bool:
        """Bring one logical commit from the state in its history to complete; False when stuck."""
        self._started = time.monotonic()
        commit = self._find_commit(index)
        self._tell(events.CommitStarted(index, self._total, commit.subject))
        if not self._is_written(commit):
            answer = self._extract_choice(index)
            if isinstance(answer, Blocked):
                return self._record_stuck(index, answer)
            if answer is None:
                return self._complete_commit(index)
            self._create_commit(index, answer, commit.message, "commit")
        blocked = self._check_and_fix(index)
        return self._record_stuck(index, blocked) if blocked else self._complete_commit(index)

    def _is_written(self, commit: LogicalCommit) -> bool:
        """Whether its first version is there; a person's own commit does not count as that."""
        repository = self._parts.tracker.repository
        ids = (resolve_commit(repository, oid) for oid in commit.commits)
        # By subject, as an amended commit has another id.
        return any(read_commit(repository, oid).subject == commit.subject for oid in ids if oid)

    def _extract_choice(self, index: int) -> Choice | Blocked | None:
        """What goes into a commit's first version; None when there is nothing for it."""
        whole = self.position.left
        self._tell(events.DiffComputed(sum(atom.size for atom in whole), len(whole)))
        if self.position.is_complete:
            self._tell(events.NothingLeft(self._find_commit(index).subject))
            return None
        self._tell(events.Extracting())
        # No engine is asked: the commit for leftovers takes all that may not be left.
        if self.spec.is_leftover(index):
            return self._take_leftover()
        choice = self._parts.engine.extract(self._make_situation(index))
        self.position = self.position.divide(choice.atoms)
        left = len(self.position.left)  # with the parts of hunks that were divided
        if self._parts.tracker.tree(self.position, choice) == self.position.tree:
            self._tell(events.NothingLeft(self._find_commit(index).subject, left))
            return None
        for warning in choice.warnings:
            self._tell(
                events.Warned(warning, "the pin wins; unpin one of them to let us order them")
            )
        unsure = sum(reason.confidence < UNSURE for reason in choice.reasons.values())
        self._tell(events.Extracted(len(choice.atoms), unsure, left - len(choice.atoms)))
        return choice

    def _create_commit(self, index: int, choice: Choice, message: str, part: str) -> None:
        self._tell(events.CommitCreating(wip=part == "wip"))
        specfile = self.specfile
        record = replace(
            self._make_record(index, part, self._parts.engine.name),
            atoms=tuple(sorted(choice.atoms)),
            released=tuple(sorted(choice.released)),
            bridged=bool(choice.bridges),
        )
        # With no command to prove it, a commit is complete once it exists: one save is enough.
        unproved = not self._parts.checks.commands.steps
        if unproved:
            record = self._complete_record(record)
        # Before the commit exists: its very first build must be in the sandbox.
        self._parts.checks.distrust(bridge.path for bridge in choice.bridges)
        tree = self._parts.tracker.tree(self.position, choice)
        origin = self._find_provenance().origin
        # Branch and note, then the spec: killed in between, the note tells the next run.
        oid = self._parts.writer.commit(self.position.tip, tree, message, record, origin)
        done = (Complete(),) if unproved else ()
        self._saved = specfile.append(index, CommitCreated(oid), *done)
        self.position = self._parts.tracker.after(self.position, oid, index, choice)
        subject = message.strip().partition("\n")[0]
        self._tell(events.CommitMade(index, oid, subject, part == "wip"))

    def _check_and_fix(self, index: int) -> Blocked | None:
        """The fix loop: check, take more, check again. None when the commit passes."""
        headway = Headway(lambda: self._parts.checks.places)
        attempt = 0
        while True:
            failure = self._parts.checks.check_commit(self.position.tip, self.position.tree)
            if failure is None:
                return None
            stalled = headway.why_stalled(failure)
            if stalled is not None:
                return Blocked(stalled)
            attempt += 1
            self._tell(events.Assessing(attempt))
            answer = self._assess_failure(index, failure, attempt)
            if isinstance(answer, Blocked):
                return answer
            self.position = self.position.divide(answer.choice.atoms)
            # An empty fix would fail the same way for ever.
            if self._parts.tracker.tree(self.position, answer.choice) == self.position.tree:
                return Blocked("the engine promised progress and changed nothing")
            self._tell(events.Fixing(attempt, answer.what))
            if answer.warning:
                self._tell(events.Warned(answer.warning, answer.remedy))
            self._create_commit(index, answer.choice, f"WIP: {answer.what}", "wip")

    def _assess_failure(self, index: int, failure: Failure, attempt: int) -> Progress | Blocked:
        # Asked before the engine is: a model would be paid for what cannot be fixed here.
        if self._source_fails(failure):
            return Blocked(blame_source(self.spec.source, failure))
        trial = _Trial(self, TRIALS)
        return self._parts.engine.assess(self._make_situation(index), failure, attempt, trial)

    def _source_fails(self, failure: Failure) -> bool:
        """Whether the source's own tree fails too: then no choice of its hunks can be proved."""
        if self._source_failure == "unknown":
            source = self._parts.branches.source
            self._source_failure = self._parts.checks.try_commit(source.oid, source.tree)
        return (
            isinstance(self._source_failure, Failure) and self._source_failure.step == failure.step
        )

    def _complete_commit(self, index: int) -> bool:
        commits = self._find_commit(index).commits
        if self._find_commit(index).status is not Status.COMPLETE:
            specfile = self.specfile
            for oid in commits[-1:]:
                self._note_verdict(index, oid)
            self._saved = specfile.append(index, Complete())
        if commits:
            self._tell(events.CommitDone(index, len(commits) - 1))
        return True

    def _note_verdict(self, index: int, oid: str) -> None:
        """Record what proved a logical commit on the last commit of it, a person's too."""
        repository = self._parts.tracker.repository
        # Ids in full need no git process; people may have shortened one in the spec.
        last = oid if is_commit(repository, oid) else resolve_commit(repository, oid)
        if last is not None:
            known = self._parts.writer.records([last]).get(last)
            record = known or self._make_record(index, PERSON, PERSON)
            self._parts.writer.note({last: self._complete_record(record)})

    def _make_record(self, index: int, part: str, engine: str) -> Record:
        commit = self._find_commit(index)
        return Record(
            branch=self._parts.branches.cleaned_name,
            position=index,
            total=self._total,
            subject=commit.subject,
            digest=commit.digest,
            part=part,
            engine=engine,
            source=self._parts.branches.source.oid,
            atoms=(),
        )

    def _complete_record(self, record: Record) -> Record:
        """The record of a complete commit: what proved it, and what it took."""
        now = self._parts.spending()
        spent = Spent(now.tokens - self._spent.tokens, now.cost - self._spent.cost)
        self._spent = now
        return replace(
            record,
            verdicts=tuple(self._parts.checks.verdict_lines) or (SKIPPED,),
            commands=self._parts.checks.commands.digest,
            seconds=time.monotonic() - self._started,
            tokens=spent.tokens,
            cost=spent.cost,
        )

    def _record_stuck(self, index: int, blocked: Blocked) -> bool:
        self._tell(
            events.GaveUp(index, self._parts.engine.name, blocked.summary, str(self.specfile.path))
        )
        self._saved = self.specfile.append(index, Stuck(blocked.summary))
        return False

    def _find_leftover(self) -> int | None:
        """Make a commit of what no other took, be stuck (``--leftover=stop``), or leave it."""
        choice = self._take_leftover()
        if choice is None:
            return None
        last = self._total - 1
        spec, source = self.spec, self._parts.branches.source.oid
        outgrown = is_outgrown(self._parts.tracker.repository, spec, self._parts.writer, source)
        taken = [atom for atom in self.position.left if atom.id in choice.atoms]
        leftover = Leftover(taken, spec.source, outgrown)
        if self._parts.leftover is Leftovers.STOP:
            self._record_stuck(last, leftover.make_blocked())
            return last
        message = spec.leftover_message
        self._tell(leftover.make_warning(message))
        self._warn_of_lost_fixes()
        self._saved = self.specfile.with_commit(message)
        index = last + 1
        self._tell(events.CommitStarted(index, self._total, message))
        self._create_commit(index, choice, message, "commit")
        blocked = self._check_and_fix(index)
        if blocked:
            self._record_stuck(index, blocked)
            return index
        self._complete_commit(index)
        return None

    def _leave_uncommitted(self) -> None:
        """Name what stays in the working tree alone; record the state that was seen last on the
        last commit: ``adopt`` compares it.
        """
        left = self.position.left
        if self._parts.leftover is not Leftovers.LEAVE or not left:
            return
        self._tell(events.LeftUncommitted(len(left), name_paths(left)))
        branches, tip = self._parts.branches, self.position.tip
        record = self._parts.writer.records([tip]).get(tip)
        # Once the source is the result, there is nothing to compare any more.
        if record is None or tip == branches.source_tip:
            return
        if record.source != branches.source.oid:
            self._parts.writer.note({tip: replace(record, source=branches.source.oid)})

    def _warn_of_lost_fixes(self) -> None:
        """Warn of fixes on the branch alone: it ends with the source's files, so they go."""
        paths = {atom.path for atom in self.position.left}
        spec = self.spec
        for commit in find_commits_touching(
            self._parts.tracker.repository, spec, self._parts.writer, paths
        ):
            self._tell(
                events.Warned(
                    f"that undoes the part of your commit {shorten_id(commit.oid, TO_READ)} "
                    f"'{commit.subject}' that '{spec.source}' does not have",
                    f"to keep it, commit it on '{spec.source}' too ('git cherry-pick "
                    f"{shorten_id(commit.oid)}' there) and run again",
                )
            )

    def _take_leftover(self) -> Choice | None:
        """All that is left; of a working state, what the branch itself would lose."""
        parts = self._parts
        left = parts.leftover.choose(self.position.left, parts.branches, parts.tracker.repository)
        return Choice(frozenset(atom.id for atom in left)) if left else None

    def _make_situation(self, index: int) -> Situation:
        found = self._find_provenance()
        notes = [event for event in self._find_commit(index).history if isinstance(event, Resolved)]
        return Situation(
            spec=self.spec,
            index=index,
            difference=self.position.difference,
            taken=self.position.taken,
            released=self.position.released,
            origin=found.origin,
            subjects=found.subjects,
            note=notes[-1].note if notes else "",
            case=read_case(self._parts.tracker.repository),
        )

    def _find_provenance(self) -> Provenance:
        """Where the hunks come from, read again only for a new difference."""
        if self._origin_of is not self.position.difference:
            self._origin_of = self.position.difference
            self._origin = self._parts.source_history.of(self._origin_of)
        return self._origin

    def _find_commit(self, index: int) -> LogicalCommit:
        return self.spec.commits[index]

    @property
    def _total(self) -> int:
        return len(self.spec.commits)

    def try_out(
        self, atoms: Collection[str], released: Collection[str], left: int
    ) -> Failure | None:
        """Check the branch plus some hunks, without those released; nothing is committed."""
        self._tell(events.Trying(len(atoms) + len(released), left))
        tree = self.position.divide([*atoms, *released]).tree_with(atoms, released)
        return self._parts.checks.try_commit(tree, tree)


class _Trial:
    """A bounded number of builds for one assessment."""

    def __init__(self, loop: Loop, limit: int) -> None:
        self._loop = loop
        self._limit = limit

    @property
    def remaining(self) -> int:
        return self._limit

    def __call__(self, atoms: Collection[str], released: Collection[str] = ()) -> Failure | None:
        if self._limit <= 0:
            raise RuntimeError("no trials are left in this assessment")
        self._limit -= 1
        return self._loop.try_out(atoms, released, self._limit)
