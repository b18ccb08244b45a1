"""The strategy ``token-count``: once the changes since the last time have so many tokens."""

from git_retcon.allium.reconcile.scheduler import StepContext


class NTokens:
    """Due once the source changed by ``threshold`` tokens since the last reconciliation."""

    counts_tokens = True

    def __init__(self, threshold: int) -> None:
        self._threshold = threshold

    def should_reconcile(self, context: StepContext) -> bool:
        return context.tokens_since >= self._threshold
