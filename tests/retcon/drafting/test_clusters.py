"""Clusters: what is alike comes together, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.retcon.drafting.clusters import (
    PairWeights,
    compare_pairs,
    find_clusters,
    weigh_pairs,
)
from git_retcon.retcon.planner.likeness import Relation

WEIGHTS = PairWeights(-1.0, [3.0], 0.0)


def keyed(*keys: str) -> Relation:
    own = [((key, 1.0),) if key else () for key in keys]
    return Relation(own, own)


def test_hunks_of_one_key_are_one_cluster() -> None:
    relation = keyed("a", "b", "a", "b", "")
    odds = weigh_pairs([relation], WEIGHTS)
    groups = [(at,) for at in range(5)]
    assert find_clusters(groups, [1.0] * 5, odds, WEIGHTS) == [[0, 2], [1, 3], [4]]


def test_groups_are_not_parted() -> None:
    odds = weigh_pairs([keyed("a", "b", "a", "")], WEIGHTS)
    assert find_clusters([(0, 1), (2,), (3,)], [1.0] * 4, odds, WEIGHTS) == [[0, 1, 2], [3]]


def test_many_that_are_alike_outweigh_one_that_is_not() -> None:
    odds = {(0, 1): 3.0, (0, 2): 3.0, (1, 2): -5.0}
    found = find_clusters([(0,), (1,), (2,)], [1.0, 1.0, 1.0], odds, WEIGHTS)
    assert sorted(map(len, found)) == [1, 2]


@given(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=9),
    st.lists(st.sampled_from("xyz"), min_size=9, max_size=9),
)
def test_every_hunk_is_in_one_cluster(one: list[str], other: list[str]) -> None:
    weights = PairWeights(-1.0, [2.0, 0.7], 0.1)
    relations = [keyed(*one), keyed(*other[: len(one)])]
    odds = weigh_pairs(relations, weights)
    found = find_clusters([(at,) for at in range(len(one))], [1.0] * len(one), odds, weights)
    assert sorted(at for cluster in found for at in cluster) == list(range(len(one)))


def test_pairs_are_compared_by_each_relation() -> None:
    assert compare_pairs([keyed("a", "a"), keyed("a", "b")]) == [{(0, 1): 1.0}, {}]
