"""The strategy ``n-commits``: every so many steps, wherever in the history they are."""

from git_retcon.allium.reconcile.scheduler import StepContext


class NCommits:
    """Due once ``interval`` steps were made since the last reconciliation."""

    counts_tokens = False

    def __init__(self, interval: int) -> None:
        self._interval = interval

    def should_reconcile(self, context: StepContext) -> bool:
        return context.total_steps - context.last_step >= self._interval
