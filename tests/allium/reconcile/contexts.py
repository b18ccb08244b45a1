"""Steps of a history for tests of schedulers."""

from git_retcon.allium.history.segments import SegmentKind
from git_retcon.allium.reconcile.scheduler import StepContext

TRUNK, BRANCH = SegmentKind.TRUNK, SegmentKind.BRANCH


def after(
    total: int = 0,
    trunk: int = 0,
    tokens: int = 0,
    segment: SegmentKind = TRUNK,
    last: tuple[int, int] = (0, 0),
) -> StepContext:
    """Where a history is; ``last`` are the two counts at the last reconciliation."""
    return StepContext(total, trunk, tokens, segment, *last)
