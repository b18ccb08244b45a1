"""Compare the cleaned branch with the spec, and decide what to do before the loop goes on.

The last run may have been killed, a person may have committed on the branch, or edited the spec.
We compare three sources: the histories in the spec, the commits on the cleaned branch, and the
notes, which move in one transaction with the branch.
"""

from collections.abc import Mapping
from dataclasses import replace

from git_retcon.errors import Fatal, Reason
from git_retcon.git.graph import Commit, is_ancestor, is_commit, read_commit, resolve_commit
from git_retcon.git.notes import Notes
from git_retcon.git.refs import find_branch_at, read_reflog
from git_retcon.git.repository import Repository
from git_retcon.git.short_ids import TO_READ, shorten_id
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.branch.branch_state import Adoption, BranchState, Rewind
from git_retcon.retcon.branch.branches import Branches
from git_retcon.retcon.branch.note import NOTES_REF, Record, parse_record
from git_retcon.retcon.branch.writer import is_ours
from git_retcon.retcon.spec.history import CommitCreated, Event, Status
from git_retcon.retcon.spec.hunk_parts import names_lines_of
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from git_retcon.show.style import shell_word, shell_words


def expand_recorded_ids(repository: Repository, spec: Spec) -> Spec:
    """The spec with full ids in its histories; ids that no object has stay as they are."""

    def expand(event: Event) -> Event:
        if not isinstance(event, CommitCreated):
            return event
        if is_commit(repository, event.oid):
            return event
        return CommitCreated(resolve_commit(repository, event.oid) or event.oid)

    commits = tuple(
        replace(commit, history=tuple(expand(event) for event in commit.history))
        for commit in spec.commits
    )
    return replace(spec, commits=commits)


@dataclass(frozen=True)
class _BranchComparison:
    repository: Repository
    spec: Spec  # ids in full
    branches: Branches
    notes: Notes

    def find_state(self) -> BranchState:
        at, rewind = self._find_unchanged_part()
        tip = self.branches.tip
        if tip is None:
            return self._start_without_branch(at)
        # Asked before the histories are compared: a person may have rebased or squashed what was
        # complete.
        if self._is_accepted(tip, rewind):
            return BranchState(tip, finished=True, folded=self._find_folded(tip))
        if rewind is not None:
            return self._rewind_branch(rewind, at, tip)
        chain = self._list_chain(tip, at)
        # The branch was made and nothing built, then the remote moved: nobody loses anything.
        if chain is None and self._holds_nothing(tip):
            self._refuse_foreign(tip)
            return BranchState(at, rewind=Rewind(0, at, "the merge base has moved"))
        if chain is None:
            raise self._unrelated_tip_fault(tip, at)
        if tip == self.branches.base.oid:
            self._refuse_foreign(tip)
        return self._adopt_chain(at, chain)

    def _refuse_foreign(self, tip: str) -> None:
        """Raise Fatal for a branch with no commit of ours, unless a run made it.

        With no note and no history, only the reflog shows a run that was killed.
        """
        # The last entry alone: who moved it after us made it theirs.
        if not any(map(is_ours, read_reflog(self.repository.git, self.branches.cleaned)[:1])):
            raise self._foreign_branch_fault(tip)

    def _was_begun(self) -> bool:
        """Whether a run of this spec made the branch but recorded no commit."""
        has_history = any(commit.history for commit in self.spec.commits)
        return has_history and any(
            map(is_ours, read_reflog(self.repository.git, self.branches.cleaned))
        )

    def _holds_nothing(self, tip: str) -> bool:
        """Whether the branch is still at an earlier merge base."""
        built = any(commit.commits for commit in self.spec.commits)
        return not built and is_ancestor(self.repository, tip, self.branches.source_tip)

    def _is_accepted(self, tip: str, rewind: Rewind | None) -> bool:
        """Whether all is done: any tip with the source's files that a person put there counts.

        A tip of our own does not count: an edited spec is built again even when all was complete.
        """
        if not self._all_complete() or self._tree_of(tip) != self.branches.source.tree:
            return False
        ours = any(tip in commit.commits for commit in self.spec.commits)
        return rewind is None or not ours

    def _find_unchanged_part(self) -> tuple[str, Rewind | None]:
        """The last recorded commit that still fits the spec, and the first that does not."""
        at = self.branches.base.oid
        gap: int | None = None
        for index, commit in enumerate(self.spec.commits):
            before = at
            # Commits are built in order, so what comes behind a gap was built on something else.
            if commit.commits and gap is not None:
                return at, Rewind(index, at, f"commit {gap + 1} before it is not built yet")
            for oid in commit.commits:
                why = self._find_misfit(index, oid, at)
                if why is not None:
                    return before, Rewind(index, before, why)
                at = oid
            if commit.status is not Status.COMPLETE and gap is None:
                gap = index
        return at, None

    def _find_misfit(self, index: int, oid: str, parent: str) -> str | None:
        if not is_commit(self.repository, oid):
            return f"its recorded commit {shorten_id(oid, TO_READ)} does not exist"
        if read_commit(self.repository, oid).parents[:1] != (parent,):
            return "the commits before it changed in the spec"
        record = self._read_record(oid)
        if record is not None and record.digest != self.spec.commits[index].digest:
            return "its message, hints, files or pins changed in the spec"
        if record is not None and self._loses_hunk(index, record):
            return "one of its hunks is pinned to another commit now"
        return None

    def _loses_hunk(self, index: int, record: Record) -> bool:
        """Whether a pin that is newer than this commit takes one of its hunks away."""
        # A pin of a whole hunk leaves the parts that are pinned apart.
        own = [pin for pin in self.spec.commits[index].hunks if ":" in pin]
        kept = {atom for atom in record.atoms for pin in own if names_lines_of(pin, atom)}
        return any(
            names_lines_of(pin, atom) and not (":" not in pin and atom in kept)
            for other, commit in enumerate(self.spec.commits)
            # Built with these pins: a repair needed the hunk earlier all the same.
            if other != index and commit.hunks and not self._is_built_as_written(commit)
            for pin in commit.hunks
            for atom in record.atoms
        )

    def _is_built_as_written(self, commit: LogicalCommit) -> bool:
        records = (self._read_record(oid) for oid in commit.commits)
        return any(record is not None and record.digest == commit.digest for record in records)

    def _start_without_branch(self, at: str) -> BranchState:
        recorded = [oid for commit in self.spec.commits for oid in commit.commits]
        if not recorded:
            return BranchState(at)
        here = [oid for oid in recorded if is_commit(self.repository, oid)]
        below = {parent for oid in here for parent in read_commit(self.repository, oid).parents}
        tips = [oid for oid in here if oid not in below]
        lost = len(recorded) - len(here)
        hint = "'git fetch' it from where it was published, or --restart to build it again"
        command = ["git", "fetch"]
        if tips:
            rest = " (what it lacks is built again)" if lost else ""
            command = ["git", "branch", self.branches.cleaned_name, shorten_id(tips[-1])]
            hint = f"'{shell_words(command)}' brings it back{rest}; --restart starts again"
            renamed = find_branch_at(self.repository.git, tips[-1])
            if renamed is not None:
                hint = f"name '{renamed}', which is there, as 'cleaned' in the spec; or {hint}"
        gone = f"{'some' if here else 'all'} of those commits are"
        raise Fatal(
            f"the spec records commits on '{self.branches.cleaned_name}', but that branch "
            + (f"and {gone} gone" if lost else "is gone"),
            hint=hint,
            commands=[command],
        )

    def _rewind_branch(self, rewind: Rewind, at: str, tip: str) -> BranchState:
        """Go back, unless that would drop a person's own commit."""
        chain = self._list_chain(tip, at)
        if chain is None:
            raise self._unrelated_tip_fault(tip, at)
        if tip == self.branches.base.oid:
            self._refuse_foreign(tip)
        # A note is what tells ours from a person's: the spec can be edited, and ids can be copied.
        theirs = [commit for commit in chain if self._read_record(commit.oid) is None]
        if theirs:
            raise self._dropping_fault(rewind, theirs, lost=theirs == chain)
        return BranchState(at, rewind=rewind)

    def rewind_to(self, rewind: Rewind, tip: str) -> BranchState:
        """Go back to a commit that is below the tip."""
        return self._rewind_branch(rewind, rewind.to, tip)

    def _dropping_fault(self, rewind: Rewind, theirs: list[Commit], *, lost: bool) -> Fatal:
        """``lost``: no commit has a note, though the spec may record them as ours."""
        name = self.branches.cleaned_name
        recorded = {oid for commit in self.spec.commits for oid in commit.commits}
        first = f"{shorten_id(theirs[0].oid, TO_READ)} {theirs[0].subject}"
        holds = f"holds a commit of your own there: {first}"
        back, commands = "undo the edit of the spec to keep it", []
        if lost and theirs[0].oid in recorded:
            holds = f"has no notes ({NOTES_REF}), so your own commits there look like ours"
            back, commands = "'git fetch' the notes from where they were pushed", [["git", "fetch"]]
        return Fatal(
            f"commit {rewind.index + 1} must be rebuilt ({rewind.why}), but '{name}' {holds}",
            hint=f"{back}, or --restart to start again (the branch's reflog keeps it)",
            reason=Reason.UNSAVED_WORK,
            commands=commands,
        )

    def _adopt_chain(self, at: str, chain: list[Commit]) -> BranchState:
        if not (chain and self._lacks_its_note(chain[-1])):
            return self._adopt_commits(at, chain)
        before = self._adopt_commits(at, chain[:-1])
        if before.rewind is not None:
            return before
        current = self._find_current()
        # What is recorded of the commit in work stays below the one that goes.
        index = current + 1 if self.spec.commits[current].commits else current
        why = "a kill came before its note was written"
        return replace(before, rewind=Rewind(index, before.tip, why))

    def _adopt_commits(self, at: str, chain: list[Commit]) -> BranchState:
        adoptions: list[Adoption] = []
        anything_recorded = any(commit.commits for commit in self.spec.commits)
        current = self._find_current()
        for commit in chain:
            record = self._read_record(commit.oid)
            # A note of another branch came along with a cherry-pick: then a person put the commit
            # here.
            if record is not None and record.branch == self.branches.cleaned_name:
                owner = self._find_owner(record)
                if owner is None and not anything_recorded:
                    raise self._unknown_commit_fault(commit)
                if owner is None:
                    why = "the spec changed since it was built"
                    return self._rewind_branch(Rewind(current, at, why), at, chain[-1].oid)
                # A proved commit was recorded in the spec before; if it is not there now, a person
                # took it out.
                if record.is_proved:
                    why = "its history was deleted from the spec"
                    return self._rewind_branch(Rewind(owner, at, why), at, chain[-1].oid)
                current = owner
            elif not anything_recorded and not adoptions and not self._was_begun():
                raise self._unknown_commit_fault(commit)
            adoptions.append(Adoption(current, commit, by_person=record is None))
        return BranchState(chain[-1].oid if chain else at, adoptions=tuple(adoptions))

    def _lacks_its_note(self, tip: Commit) -> bool:
        """Whether a run made the tip, and git was killed between moving the branch and the notes.

        git moves several refs one after the other. The reflog is written with the branch, and a
        commit of a person's leaves another reason there.
        """
        if self._read_record(tip.oid) is not None:
            return False
        return any(map(is_ours, read_reflog(self.repository.git, self.branches.cleaned)[:1]))

    def _find_owner(self, record: Record) -> int | None:
        """The logical commit a record is about; of equal ones, the nearest in position."""
        equal = [
            index
            for index, commit in enumerate(self.spec.commits)
            if commit.digest == record.digest
        ]
        # Two commits may have the same message; and a spec gets commits inserted.
        return min(equal, key=lambda index: abs(index - record.position), default=None)

    def _find_current(self) -> int:
        """The first logical commit that is not complete, or the last of all."""
        last = len(self.spec.commits) - 1
        pending = (
            index
            for index, commit in enumerate(self.spec.commits)
            if commit.status is not Status.COMPLETE
        )
        return next(pending, last)

    def _find_folded(self, tip: str) -> Mapping[int, str]:
        """The folded commit of each logical commit, where the spec was not saved after the fold."""
        if any(tip in commit.commits for commit in self.spec.commits):
            return {}
        folded: dict[int, str] = {}
        for commit in self._list_chain(tip, self.branches.base.oid) or ():
            record = self._read_record(commit.oid)
            owner = self._find_owner(record) if record is not None else None
            if owner is None or owner in folded:
                return {}
            folded[owner] = commit.oid
        built = {index for index, commit in enumerate(self.spec.commits) if commit.commits}
        return folded if folded.keys() == built else {}

    def _list_chain(self, tip: str, at: str) -> list[Commit] | None:
        """The commits above ``at`` up to the tip, oldest first; None when it is not below."""
        chain: list[Commit] = []
        here = tip
        while here != at:
            commit = read_commit(self.repository, here)
            chain.append(commit)
            # Below the base are others' commits, perhaps a hundred thousand of them.
            if not commit.parents or here == self.branches.base.oid:
                return None
            here = commit.parents[0]
        return chain[::-1]

    def _read_record(self, oid: str) -> Record | None:
        return parse_record(self.notes.get(oid))

    def _all_complete(self) -> bool:
        return all(commit.status is Status.COMPLETE for commit in self.spec.commits)

    def _tree_of(self, oid: str) -> str:
        return read_commit(self.repository, oid).tree

    def _unknown_commit_fault(self, commit: Commit) -> Fatal:
        name = self.branches.cleaned_name
        return Fatal(
            f"'{name}' exists already and this spec did not make it "
            f"({shorten_id(commit.oid, TO_READ)} {commit.subject})",
            hint="name another branch as 'cleaned', or --restart to rebuild it from the merge "
            "base (its reflog keeps the old tip)",
            reason=Reason.UNSAVED_WORK,
        )

    def _foreign_branch_fault(self, tip: str) -> Fatal:
        name = self.branches.cleaned_name
        return Fatal(
            f"'{name}' exists already and this spec did not make it (it is at "
            f"{shorten_id(tip, TO_READ)}, and its reflog names no run)",
            hint=f"'git branch -d {shell_word(name)}' if you do not need it, name another branch "
            "as 'cleaned', or --restart to take this one",
            reason=Reason.UNSAVED_WORK,
            commands=[["git", "branch", "-d", name]],
        )

    def _unrelated_tip_fault(self, tip: str, at: str) -> Fatal:
        name = self.branches.cleaned_name
        command = ["git", "branch", "-f", name, shorten_id(at)]
        return Fatal(
            f"'{name}' is at {shorten_id(tip, TO_READ)}, which does not build on the last "
            f"recorded commit {shorten_id(at, TO_READ)}",
            hint=f"'{shell_words(command)}' goes back to it; --restart starts again",
            reason=Reason.UNSAVED_WORK,
            commands=[command],
        )


def rewind_branch(
    repository: Repository, spec: Spec, branches: Branches, notes: Notes, rewind: Rewind
) -> BranchState:
    """The state that rebuilds from a commit on. ``spec`` has full ids.

    Raises Fatal where that would drop a person's own commit.
    """
    assert branches.tip is not None
    return _BranchComparison(repository, spec, branches, notes).rewind_to(rewind, branches.tip)


def compare_branch(
    repository: Repository, spec: Spec, branches: Branches, notes: Notes
) -> BranchState:
    """Find what to do first. Raises Fatal where going on could lose a person's work."""
    return _BranchComparison(repository, spec, branches, notes).find_state()
