"""The strategy ``none``."""

from git_retcon.allium.reconcile.schedulers.never import Never
from tests.allium.reconcile.contexts import after


def test_it_is_never_due() -> None:
    assert not Never().should_reconcile(after(total=10**6, trunk=10**6, tokens=10**9))
