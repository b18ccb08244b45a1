"""Whatever people write and the source does, nothing that people wrote is lost or said twice."""

import random
from collections.abc import Sequence

import pytest

from tests.allium.history_shapes import evolve
from tests.allium.reconcile.edited_histories import History, list_faults, run_branches, run_history
from tests.repository import TestRepository

FAST: Sequence[int] = (1,)
SLOW: Sequence[int] = (*range(2, 10), 510, 662)
BRANCHED: Sequence[int] = (111, 200, 201, 202, 204, 214, 228, 1026)


@pytest.mark.parametrize("seed", FAST)
def test_what_people_wrote_is_there_once(repo: TestRepository, seed: int) -> None:
    history, faults = run_history(repo, seed)
    assert faults == [], history.log


@pytest.mark.slow
@pytest.mark.parametrize("seed", SLOW)
def test_what_people_wrote_is_there_once_in_longer_histories(
    repo: TestRepository, seed: int
) -> None:
    history, faults = run_history(repo, seed)
    assert faults == [], history.log


@pytest.mark.slow
@pytest.mark.parametrize("seed", BRANCHED)
def test_what_people_wrote_is_there_once_after_merges_of_several_branches(
    repo: TestRepository, seed: int
) -> None:
    history, faults = run_branches(repo, seed)
    assert faults == [], history.log


def test_a_fault_would_be_seen(repo: TestRepository) -> None:
    """What the histories are judged by is no constant."""
    history = History(repo, random.Random(1))
    evolve(repo)
    history.by_hand = ["nobody: Integer"]
    history.taken_out = []
    assert list_faults(history) == ["0 times: nobody: Integer"]
