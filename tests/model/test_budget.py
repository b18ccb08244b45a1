"""A budget reads as people write it."""

import pytest

from git_retcon.model.budget import Budget


@pytest.mark.parametrize(
    ("budget", "words"),
    [
        (Budget(), "no limit"),
        (Budget(2), "$2.00"),
        (Budget(0.015), "$0.015"),
        (Budget(0), "$0.00"),
        (Budget(max_tokens=5000), "5,000 tokens"),
        (Budget(1.5, 500_000), "$1.50 and 500,000 tokens"),
    ],
)
def test_a_budget_in_words(budget: Budget, words: str) -> None:
    assert str(budget) == words
