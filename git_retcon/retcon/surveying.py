"""Where every piece of a source branch came from, and how finely it is cut."""

from dataclasses import dataclass

from git_retcon.git.atoms import Granularity
from git_retcon.git.difference import Difference
from git_retcon.git.provenance import History, Provenance, provenance
from git_retcon.git.repository import Repository
from git_retcon.retcon.branches import Branches
from git_retcon.retcon.granularity import StatementGranularity


@dataclass(frozen=True)
class Survey:
    """The source's own commits, read once."""

    history: History

    @property
    def granularity(self) -> Granularity:
        """Statements and definitions, cut also where lines came from different commits."""
        return StatementGranularity(self.history.lines)

    def of(self, difference: Difference) -> Provenance:
        """What each piece of a difference came from."""
        return self.history.of(difference)


def survey(repository: Repository, branches: Branches) -> Survey:
    """Read the source's own commits."""
    return Survey(provenance(repository, branches.base.oid, branches.source.oid))
