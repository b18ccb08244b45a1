"""What is to be done with the cleaned branch before the loop goes on, and where that starts."""

from collections.abc import Mapping
from dataclasses import field

from git_retcon.git.graph import Commit
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.spec.history import CommitCreated, Complete, Event
from git_retcon.retcon.spec.model import Spec


@dataclass(frozen=True, slots=True)
class Adoption:
    """A commit on the branch that the spec does not record yet, with its logical commit."""

    index: int
    commit: Commit
    by_person: bool


@dataclass(frozen=True, slots=True)
class Rewind:
    """Histories from ``index`` on are dropped and the branch goes back to ``to``."""

    index: int
    to: str
    why: str


@dataclass(frozen=True)
class BranchState:
    """What to do first, and where the loop starts.

    ``finished``: every commit is complete and the branch has the source's files, no matter who
    made its tip. ``folded`` maps a logical commit to the commit that a fold made of it, where
    a kill came before the spec was saved.
    """

    tip: str
    rewind: Rewind | None = None
    adoptions: tuple[Adoption, ...] = ()
    finished: bool = False
    folded: Mapping[int, str] = field(default_factory=dict)

    def histories(self, spec: Spec) -> Mapping[int, tuple[Event, ...]]:
        """The histories of ``spec`` that must change, with their new content.

        A commit that is built again loses its history. A history that only says stuck, or how
        that was resolved, is still true and stays.
        """
        changed: dict[int, tuple[Event, ...]] = {
            index: (CommitCreated(oid), Complete()) for index, oid in self.folded.items()
        }
        if self.rewind is not None:
            for index in range(self.rewind.index, len(spec.commits)):
                commit = spec.commits[index]
                if commit.commits or Complete() in commit.history:
                    changed[index] = ()
        for adoption in self.adoptions:
            known = changed.get(adoption.index, spec.commits[adoption.index].history)
            changed[adoption.index] = (*known, CommitCreated(adoption.commit.oid))
        return changed
