"""The strategy ``token-count``."""

from git_retcon.allium.reconcile.schedulers.n_tokens import NTokens
from tests.allium.reconcile.contexts import BRANCH, after


def test_it_is_due_once_so_many_tokens_changed() -> None:
    assert not NTokens(1000).should_reconcile(after(total=99, trunk=99, tokens=999))
    assert NTokens(1000).should_reconcile(after(total=1, tokens=1000, segment=BRANCH))
