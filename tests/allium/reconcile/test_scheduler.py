"""Choosing a scheduler by its name."""

import pytest

from git_retcon.allium.reconcile.scheduler import create_scheduler
from git_retcon.errors import Fatal
from tests.allium.reconcile.contexts import after


def test_each_has_a_default_of_its_own() -> None:
    trunk = create_scheduler("n-trunk-commits")
    assert [trunk.should_reconcile(after(trunk=n)) for n in (49, 50)] == [False, True]
    commits = create_scheduler("n-commits")
    assert [commits.should_reconcile(after(total=n)) for n in (49, 50)] == [False, True]
    tokens = create_scheduler("token-count")
    sizes = (499_999, 500_000)
    assert [tokens.should_reconcile(after(tokens=n)) for n in sizes] == [False, True]
    assert not create_scheduler("none").should_reconcile(after(total=10**9, tokens=10**9))


def test_an_unknown_name_is_refused_with_the_list() -> None:
    with pytest.raises(Fatal) as raised:
        create_scheduler("weekly")
    assert str(raised.value) == "unknown reconciliation strategy 'weekly'"
    assert raised.value.hint == "use one of: none, n-commits, n-trunk-commits, token-count"
