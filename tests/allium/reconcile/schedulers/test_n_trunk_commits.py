"""The strategy ``n-trunk-commits``."""

from git_retcon.allium.reconcile.schedulers.n_trunk_commits import NTrunkCommits
from tests.allium.reconcile.contexts import BRANCH, after


def test_it_counts_trunk_steps_alone() -> None:
    assert not NTrunkCommits(5).should_reconcile(after(total=500, trunk=4))
    assert NTrunkCommits(5).should_reconcile(after(total=5, trunk=5))
    # The number of all steps at the last time must not be compared with that of trunk steps.
    assert NTrunkCommits(5).should_reconcile(after(total=110, trunk=10, last=(100, 5)))


def test_it_is_due_at_a_trunk_step_alone() -> None:
    assert not NTrunkCommits(5).should_reconcile(after(total=9, trunk=7, segment=BRANCH))
