"""The source's own commits: which hunks come from them, and how finely hunks are cut."""

from collections.abc import Sequence

from git_retcon.git.atoms import Granularity
from git_retcon.git.difference import Difference
from git_retcon.git.graph import Commit
from git_retcon.git.provenance import History, Provenance
from git_retcon.git.repository import Repository
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.branch.branches import Branches
from git_retcon.retcon.branch.granularity import StatementGranularity


@dataclass(frozen=True)
class SourceHistory:
    """The source's own commits, read once."""

    history: History

    @property
    def granularity(self) -> Granularity:
        """Statements and definitions, cut also where lines came from different commits."""
        return StatementGranularity(self.history.lines)

    def of(self, difference: Difference) -> Provenance:
        """The source commits that each hunk of a difference comes from."""
        return self.history.of(difference)


def read_source_history(
    repository: Repository, branches: Branches, commits: Sequence[Commit]
) -> SourceHistory:
    """Follow the lines through the source's own commits, given oldest first."""
    return SourceHistory(History.read(repository, branches.base.oid, commits))
