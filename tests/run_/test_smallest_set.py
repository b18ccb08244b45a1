"""A set of which nothing can be left out is found in few trials; the search stops when it must."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.run.smallest_set import find_smallest, grow_sizes


class Oracle:
    """Answers whether atoms help, and counts how often it is asked."""

    def __init__(self, needed: frozenset[str], most: int = 10_000) -> None:
        self.needed = needed
        self.asked = 0
        self.most = most

    def __call__(self, atoms: frozenset[str]) -> bool:
        self.asked += 1
        return self.asked <= self.most and self.needed <= atoms


def _groups(count: int) -> list[frozenset[str]]:
    return [frozenset((f"{number:03}", f"{number:03}+")) for number in range(count)]


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 40), st.sets(st.integers(0, 39), max_size=4))
def test_exactly_what_is_needed_is_found(count: int, wanted: set[int]) -> None:
    groups = _groups(count)
    needed = [groups[number] for number in sorted(wanted) if number < count]
    oracle = Oracle(frozenset().union(*needed))
    assert find_smallest(groups, oracle) == (oracle.needed or groups[0])
    assert oracle.asked <= (len(needed) or 1) * (1 + math.ceil(math.log2(count)))


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 12), st.randoms(use_true_random=False))
def test_what_is_found_was_seen_to_help(count: int, chance: object) -> None:
    groups = _groups(count)
    verdicts: dict[frozenset[str], bool] = {frozenset().union(*groups): True}

    def helps(atoms: frozenset[str]) -> bool:
        if atoms not in verdicts:
            verdicts[atoms] = chance.random() < 0.4  # type: ignore[attr-defined]
        return verdicts[atoms]

    assert verdicts[find_smallest(groups, helps)]


def test_what_is_known_to_fail_is_not_tried_again() -> None:
    groups = _groups(9)
    oracle = Oracle(groups[4])
    assert find_smallest(groups, oracle, failing=4) == groups[4]
    assert oracle.asked == 3  # the first 6, the first 5, and the fifth alone


def test_the_first_costs_one_trial_and_one_of_many_few() -> None:
    groups = _groups(1024)
    first, far = Oracle(groups[0]), Oracle(groups[700])
    assert find_smallest(groups[:1], first) == groups[0]
    assert first.asked == 0  # its union, which is all of it, is known to help
    assert find_smallest(groups, far) == groups[700]
    assert far.asked <= 11


def test_without_trials_the_best_so_far_is_kept() -> None:
    groups = _groups(64)
    oracle = Oracle(groups[3], most=3)
    found = find_smallest(groups, oracle)
    assert groups[3] <= found
    assert len(found) < 64


def test_few_are_tried_first_and_all_at_last() -> None:
    assert list(grow_sizes(0)) == []
    assert list(grow_sizes(1)) == [1]
    assert list(grow_sizes(20)) == [1, 3, 9, 20]
