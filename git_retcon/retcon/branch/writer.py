"""Put a commit on the cleaned branch: object, branch and note first, then the spec.

The branch and its note move in one transaction. A kill before the spec is saved leaves a commit
whose note says what it is, which the next run records (see ``branch.reconcile``).
"""

from collections.abc import Mapping, Sequence

from git_retcon.git.commits import write_commit
from git_retcon.git.notes import Notes
from git_retcon.git.ref_updates import NOTHING, RefUpdate, RefUpdater
from git_retcon.git.repository import Repository
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.branch.authors import Authors, add_co_authors
from git_retcon.retcon.branch.branches import Branches, require_movable
from git_retcon.retcon.branch.note import Record, parse_record

# Every reason that we write into a reflog begins so.
_OURS = "retcon: "
# One word for every commit and note: another word costs another process (see ``RefUpdater``), and
# 'git log -g' shows the subject beside it.
_COMMIT = "commit"


def is_ours(reason: str) -> bool:
    """Whether a reflog's reason was written by a run, or by ``undo``."""
    return reason.startswith(_OURS)


@dataclass(frozen=True)
class Writer:
    """Writes to one cleaned branch. Its branch and its notes move through ``updater``."""

    repository: Repository
    branches: Branches
    authors: Authors
    notes: Notes
    updater: RefUpdater

    def create_branch(self) -> None:
        """Make the cleaned branch at the base."""
        self.move_branch(NOTHING, self.branches.base.oid, "start from the merge base")

    def move_branch(self, old: str, new: str, why: str) -> None:
        """Move the branch; the old tip stays in its reflog."""
        if old != new:
            self._move_refs(RefUpdate(self.branches.cleaned, old, new), {}, why)

    def commit(
        self,
        parent: str,
        tree: str,
        message: str,
        record: Record,
        origin: Mapping[str, Mapping[int, int]],
    ) -> str:
        """Write one commit onto the branch and return its id."""
        author, others = self.authors.of(record.atoms, origin)
        text = add_co_authors(message, others)
        oid = write_commit(self.repository, tree, [parent], text, author)
        self._move_refs(RefUpdate(self.branches.cleaned, parent, oid), {oid: record}, _COMMIT)
        return oid

    def replace(self, old: str, new: str, records: dict[str, Record], why: str) -> None:
        """Move the branch to commits written already, their notes with it."""
        self._move_refs(RefUpdate(self.branches.cleaned, old, new), records, why)

    def note(self, records: dict[str, Record]) -> None:
        """Write notes alone."""
        self._move_refs(None, records, _COMMIT)

    def records(self, commits: Sequence[str]) -> dict[str, Record]:
        """The records of those commits that have one."""
        found = {oid: parse_record(self.notes.get(oid)) for oid in commits}
        return {oid: record for oid, record in found.items() if record is not None}

    def _move_refs(self, update: RefUpdate | None, records: dict[str, Record], why: str) -> None:
        """Move the branch and the notes together, or neither."""
        updates = [] if update is None else [update]
        if update is not None and update.old != NOTHING:
            # Again, as it may have been checked out since the run began.
            require_movable(self.repository, self.branches)
        why = f"{_OURS}{why}"
        if records:
            texts = {oid: record.text() for oid, record in records.items()}
            message = "Notes added by 'git retcon'"
            self.notes.write(self.updater, texts, message, why, along=updates)
        else:
            self.updater.move(updates, why)
