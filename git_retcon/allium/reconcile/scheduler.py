"""After which steps of a history the specification is reconciled with the source."""

from typing import NamedTuple, Protocol

from git_retcon.allium.history.segments import SegmentKind
from git_retcon.errors import Fatal, Reason

STRATEGIES = ("none", "n-commits", "n-trunk-commits", "token-count")
DEFAULT_INTERVAL = 50  # steps
DEFAULT_THRESHOLD = 500_000  # tokens: an interval of steps would mean nothing here


class StepContext(NamedTuple):
    """Where a history is after a step. All counts are of the repository, the step included.

    ``tokens_since`` are those of the changes since the last reconciliation; ``last_step`` and
    ``last_trunk_step`` are the two counts as they were then.
    """

    total_steps: int
    trunk_steps: int
    tokens_since: int
    segment: SegmentKind
    last_step: int
    last_trunk_step: int


class Scheduler(Protocol):
    """Decides from the counts alone, so that a plan can be made before the first step."""

    counts_tokens: bool
    """Whether it needs ``tokens_since``, which takes a diff for each step."""

    def should_reconcile(self, context: StepContext) -> bool:
        """Whether the step is followed by a reconciliation."""


def create_scheduler(strategy: str, interval: int | None = None) -> Scheduler:
    """The scheduler of this name; ``interval`` None is its own default.

    Raises Fatal for another name.
    """
    from git_retcon.allium.reconcile.schedulers.n_commits import NCommits
    from git_retcon.allium.reconcile.schedulers.n_tokens import NTokens
    from git_retcon.allium.reconcile.schedulers.n_trunk_commits import NTrunkCommits
    from git_retcon.allium.reconcile.schedulers.never import Never

    match strategy:
        case "none":
            return Never()
        case "n-commits":
            return NCommits(interval or DEFAULT_INTERVAL)
        case "n-trunk-commits":
            return NTrunkCommits(interval or DEFAULT_INTERVAL)
        case "token-count":
            return NTokens(interval or DEFAULT_THRESHOLD)
    raise Fatal(
        f"unknown reconciliation strategy '{strategy}'",
        hint=f"use one of: {', '.join(STRATEGIES)}",
        reason=Reason.INVALID,
    )
