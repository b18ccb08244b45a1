"""The strategy ``n-commits``."""

import pytest

from git_retcon.allium.reconcile.schedulers.n_commits import NCommits
from tests.allium.reconcile.contexts import BRANCH, TRUNK, after


@pytest.mark.parametrize("segment", [TRUNK, BRANCH])
def test_it_is_due_after_so_many_steps_of_any_segment(segment: object) -> None:
    due = [total for total in range(1, 12) if NCommits(5).should_reconcile(after(total=total))]
    assert due == [5, 6, 7, 8, 9, 10, 11], "until somebody resets the counter"
    assert not NCommits(5).should_reconcile(after(total=9, last=(5, 0)))
    assert NCommits(5).should_reconcile(after(total=10, last=(5, 0)))
