"""The strategy ``n-trunk-commits``: every so many steps of the trunk, and at no other step."""

from git_retcon.allium.history.segments import SegmentKind
from git_retcon.allium.reconcile.scheduler import StepContext


class NTrunkCommits:
    """Due at a step of the trunk, once ``interval`` of these were made since the last time."""

    counts_tokens = False

    def __init__(self, interval: int) -> None:
        self._interval = interval

    def should_reconcile(self, context: StepContext) -> bool:
        # Both counts are of trunk steps: steps of branches must not make it due earlier.
        since = context.trunk_steps - context.last_trunk_step
        return context.segment is SegmentKind.TRUNK and since >= self._interval
