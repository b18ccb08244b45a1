"""The strategy ``none``: the specification is reconciled on demand alone."""

from git_retcon.allium.reconcile.scheduler import StepContext


class Never:
    """No step is followed by a reconciliation."""

    counts_tokens = False

    def should_reconcile(self, context: StepContext) -> bool:
        return False
