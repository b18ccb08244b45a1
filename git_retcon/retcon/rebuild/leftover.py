"""The changes that no commit takes: why, and what to do about them."""

import enum
from collections.abc import Collection, Sequence

from git_retcon.git.atoms import Atom
from git_retcon.git.graph import read_commit, resolve_commit
from git_retcon.git.repository import Repository
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.branch.branches import Branches
from git_retcon.retcon.branch.writer import Writer
from git_retcon.retcon.engine import Blocked
from git_retcon.retcon.events import Warned
from git_retcon.retcon.spec.model import Spec
from git_retcon.show.counting import count, some_of
from git_retcon.show.style import show_path

_SHOWN = 5  # paths


class Leftovers(enum.Enum):
    """What becomes of hunks that no commit takes."""

    COMMIT = "commit"  # a commit of their own
    STOP = "stop"  # the run is stuck
    LEAVE = "leave"  # they stay in the working tree alone, as they are

    def choose(
        self, atoms: Collection[Atom], branches: Branches, repository: Repository
    ) -> Collection[Atom]:
        """Those that need a commit.

        Of files in which nothing is uncommitted none is left out: the branch would lose it.
        """
        if self is not Leftovers.LEAVE:
            return atoms
        tip = read_commit(repository, branches.source_tip).tree
        edited = {change.path for change in repository.trees.changes(tip, branches.source.tree)}
        return [atom for atom in atoms if atom.path not in edited]


def is_outgrown(repository: Repository, spec: Spec, writer: Writer, source: str) -> bool:
    """Whether every commit was built before the source was at ``source``, a commit id.

    What is left is new in the source; a complete commit may name it.
    """
    ids = (resolve_commit(repository, oid) for commit in spec.commits for oid in commit.commits)
    known = writer.records([oid for oid in ids if oid is not None])
    return bool(known) and all(record.source != source for record in known.values())


def name_paths(atoms: Collection[Atom]) -> Sequence[str]:
    """Their paths, for people, in order."""
    return [show_path(path) for path in sorted({atom.path for atom in atoms})]


@dataclass(frozen=True)
class Leftover:
    """The hunks that are in no commit when all commits are done. ``source`` is the branch."""

    atoms: Collection[Atom]
    source: str
    outgrown: bool

    def make_warning(self, message: str) -> Warned:
        """Warn that they become a commit of their own, with this message."""
        if self.outgrown:
            return Warned(
                f"{self._since}; what is new goes into '{message}'",
                "to have it in the commit that it belongs to, which must name it, delete that "
                "commit's 'history', or --restart: it is built again",
            )
        return Warned(
            f"some changes fit no commit; they go into '{message}'",
            "review it, or name its files in the hints, or in 'files', of a commit",
        )

    def make_blocked(self) -> Blocked:
        """Say that they may not, and that the run is stuck."""
        paths = sorted({atom.path for atom in self.atoms})
        some = some_of([path.decode("utf-8", "replace") for path in paths], _SHOWN)
        hunks, one = count(len(self.atoms), "hunk"), len(self.atoms) == 1
        if self.outgrown:
            return Blocked(
                f"{self._since}; {hunks} {'is' if one else 'are'} in none of them: {some}. "
                "A commit whose 'history' is deleted is built again, as all are by --restart"
            )
        return Blocked(f"{hunks} {'fits' if one else 'fit'} no commit: {some}")

    @property
    def _since(self) -> str:
        return f"'{self.source}' has changed since the commits were completed"
