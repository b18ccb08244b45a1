"""Find where a run or a plan starts: its branches, their state, and the progress so far."""

from collections.abc import Mapping
from dataclasses import replace

from git_retcon.git.notes import Notes
from git_retcon.git.refs import list_refs
from git_retcon.git.repository import Repository
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.branch.branch_state import BranchState, Rewind
from git_retcon.retcon.branch.branches import Branches, find_branches, list_places
from git_retcon.retcon.branch.note import NOTES_REF, parse_record
from git_retcon.retcon.branch.progress import Position, ProgressTracker
from git_retcon.retcon.branch.reconcile import compare_branch, expand_recorded_ids
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.history import Event, Status
from git_retcon.retcon.spec.model import Spec


@dataclass(frozen=True)
class Start:
    """Where a run of ``spec`` begins, and what must be done before it goes on."""

    repository: Repository
    spec: Spec
    branches: Branches
    state: BranchState
    notes: Notes

    @property
    def histories(self) -> Mapping[int, tuple[Event, ...]]:
        """The histories that must change first."""
        return self.state.histories(self.spec)

    @property
    def pending(self) -> Spec:
        """The spec with those changes."""
        changed = self.histories
        commits = tuple(
            replace(commit, history=changed.get(index, commit.history))
            for index, commit in enumerate(self.spec.commits)
        )
        return replace(self.spec, commits=commits)

    @property
    def is_built(self) -> bool:
        """Whether every commit is on the branch. Of a working state, something may be left."""
        if self.state.finished or not self.spec.worktree:
            return self.state.finished
        recorded = [oid for commit in self.spec.commits for oid in commit.commits]
        is_complete = all(commit.status is Status.COMPLETE for commit in self.spec.commits)
        changes = self.state.rewind is not None or self.state.adoptions
        return bool(recorded) and is_complete and not changes

    def base_position(self, tracker: ProgressTracker) -> Position:
        """The position at the base: all that leads to the source is left, divided as pins ask."""
        base, source = self.branches.base, self.branches.source
        whole = tracker.start(base.tree, source.tree, base.oid)
        return whole.divide(pin for commit in self.spec.commits for pin in commit.hunks)

    def position(self, tracker: ProgressTracker, base: Position) -> Position:
        """How far the branch is after that; ``base`` is ``base_position``."""
        return tracker.resume(base, self.state.tip, *self._map_taken())

    def _map_taken(self) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """The commit of every hunk that is recorded; and of those that were released again."""
        taken: dict[str, int] = {}
        released: dict[str, int] = {}
        for index, commit in enumerate(expand_recorded_ids(self.repository, self.pending).commits):
            for oid in commit.commits:
                record = parse_record(self.notes.get(oid))
                taken |= dict.fromkeys(record.atoms if record else (), index)
                for atom in record.released if record else ():
                    taken.pop(atom, None)
                    released[atom] = index
        return taken, released


def find_start(repository: Repository, specfile: SpecFile, *, restart: bool = False) -> Start:
    """Find a spec's branches and compare them with it; with ``restart`` all of it is built again.

    Raises Fatal for branches that cannot be rebuilt, and where going on could lose a person's
    work.
    """
    spec, path = specfile.spec, specfile.path
    # All of them at once: each question is a process.
    refs = list_refs(repository.git, *list_places(spec), NOTES_REF)
    notes = Notes(repository, NOTES_REF, refs[NOTES_REF].oid if NOTES_REF in refs else None)
    if restart:
        # Nothing recorded counts, so the base is the merge base of today.
        branches = find_branches(repository, spec, path, frozenset(), refs)
        base = branches.base.oid
        return Start(
            repository, spec, branches, BranchState(base, Rewind(0, base, "--restart")), notes
        )
    full = expand_recorded_ids(repository, spec)
    recorded = frozenset(oid for commit in full.commits for oid in commit.commits)
    branches = find_branches(repository, spec, path, recorded, refs)
    state = compare_branch(repository, full, branches, notes)
    return Start(repository, spec, branches, state, notes)
