"""How people read what was done with a heal."""

import pytest

from git_retcon.heal.records.heals import Decision
from git_retcon.heal.review.settled_heals import Settled


@pytest.mark.parametrize(
    ("settled", "text"),
    [
        (Settled(1, Decision.REJECTED, ()), "rejected"),
        (Settled(1, Decision.KEPT, (), branch="heal/1"), "kept on branch 'heal/1'"),
        (Settled(1, Decision.APPLIED, (), commit="a" * 40), "committed as aaaaaaaaaaaa"),
        (Settled(1, Decision.APPLIED, (), doubt="so\x1b[2J"), "applied, unverified (so\\x1b[2J)"),
        (
            Settled(1, Decision.APPLIED, (), commit="a" * 40, doubt="so"),
            "committed as aaaaaaaaaaaa, unverified (so)",
        ),
    ],
)
def test_it_is_said_in_words(settled: Settled, text: str) -> None:
    assert settled.text == text
