"""ddmin finds a set of which nothing can be left out, in few trials, and stops when it must."""

from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.retcon.offline.search import shrunk


def _groups(count: int) -> list[frozenset[str]]:
    return [frozenset((f"{number:03}", f"{number:03}+")) for number in range(count)]


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 40), st.sets(st.integers(0, 39), max_size=4))
def test_exactly_what_is_needed_is_found(count: int, wanted: set[int]) -> None:
    groups = _groups(count)
    needed = [groups[number] for number in sorted(wanted) if number < count]

    def helps(atoms: frozenset[str]) -> bool:
        return all(group <= atoms for group in needed)

    assert shrunk(groups, helps) == (needed or groups[:1])


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 12), st.randoms(use_true_random=False))
def test_the_result_helps_and_no_group_can_be_left_out(count: int, chance: object) -> None:
    groups = _groups(count)
    verdicts: dict[frozenset[str], bool] = {frozenset().union(*groups): True}

    def helps(atoms: frozenset[str]) -> bool:
        if atoms not in verdicts:
            verdicts[atoms] = chance.random() < 0.4  # type: ignore[attr-defined]
        return verdicts[atoms]

    found = shrunk(groups, helps)
    assert verdicts[frozenset().union(*found)]
    if len(found) > 2:
        for group in found:
            rest = frozenset().union(*(other for other in found if other != group))
            assert not verdicts.get(rest, False)


def test_one_of_many_costs_few_trials() -> None:
    groups = _groups(1024)
    made = 0

    def helps(atoms: frozenset[str]) -> bool:
        nonlocal made
        made += 1
        return groups[700] <= atoms

    assert shrunk(groups, helps) == [groups[700]]
    assert made <= 2 * 10


def test_without_trials_the_best_so_far_is_kept() -> None:
    groups = _groups(64)
    left = 5

    def helps(atoms: frozenset[str]) -> bool:
        nonlocal left
        left -= 1
        return left >= 0 and groups[3] <= atoms

    found = shrunk(groups, helps)
    assert groups[3] in found
    assert len(found) < 64
