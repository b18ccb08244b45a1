"""A history in segments, over graphs of any shape."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.history.commit_graph import CommitGraph, parse_graph
from git_retcon.allium.history.segments import Segment, SegmentKind, find_segments
from tests.timing import cpu_ratio


def segments_of(lines: str, tip: str) -> list[str]:
    """Each segment as "name: commits < fork > merges"."""
    return [show(each) for each in find_segments(parse_graph(lines), tip)]


def show(segment: Segment) -> str:
    merges = f" > {' '.join(segment.merges_into)}" if segment.merges_into else ""
    return f"{segment.id}: {' '.join(segment.commits)} < {segment.fork_from}{merges}"


def test_a_line_is_one_segment() -> None:
    assert segments_of("a\nb a\nc b", "c") == ["trunk-0: a b c < None"]


def test_the_trunk_is_cut_before_a_merge() -> None:
    found = segments_of("a\nb a\nx a\ny x\nm b y\nc m", "c")
    assert found == ["trunk-0: a b < None", "branch-0: x y < a > m", "trunk-1: m c < b"]


def test_a_branch_of_a_branch_is_covered_and_a_merge_inside_begins_a_segment() -> None:
    found = segments_of("a\nx a\ny x\nn x\nk y n\nm a k", "m")
    assert found == [
        "trunk-0: a < None",
        "branch-0: x y < a",
        "branch-1: n < x > k",
        "branch-2: k < y > m",
        "trunk-1: m < a",
    ]


def test_an_octopus_has_a_segment_for_each_arm() -> None:
    found = segments_of("a\nx a\ny a\nz a\nm a x y z", "m")
    assert found[1:4] == ["branch-0: x < a > m", "branch-1: y < a > m", "branch-2: z < a > m"]


def test_a_criss_cross_and_a_back_merge() -> None:
    found = segments_of("r\na r\nb r\nc a b\nd b a\ne c d", "e")
    assert found == [
        "trunk-0: r a < None > d",
        "branch-0: b < r > c",
        "trunk-1: c < a",
        "branch-1: d < b > e",
        "trunk-2: e < c",
    ]


def test_what_nobody_merges_is_a_dead_end() -> None:
    found = segments_of("a\nx a\nb a", "b")
    assert found == ["trunk-0: a b < None", "dead-end-0: x < a"]


def test_several_roots_and_a_history_that_begins_late() -> None:
    found = segments_of("a\nz\nm a z\nq outside", "m")
    assert found == [
        "trunk-0: a < None",
        "branch-0: z < None > m",
        "trunk-1: m < a",
        "dead-end-0: q < outside",
    ]


@st.composite
def graphs(draw: st.DrawFn) -> CommitGraph:
    """Any graph: roots, merges of up to four, parents outside of it, the same parent twice."""
    size = draw(st.integers(0, 30))
    parents: dict[str, tuple[str, ...]] = {}
    for number in range(size):
        above = draw(st.lists(st.integers(-2, number - 1), max_size=4))
        parents[str(number)] = tuple(map(str, above))
    return CommitGraph(parents)


@given(graphs(), st.integers(-1, 29))
def test_every_commit_is_in_one_segment_and_follows_from_the_one_before(
    graph: CommitGraph, tip: int
) -> None:
    found = find_segments(graph, str(tip))
    covered = [commit for segment in found for commit in segment.commits]
    assert sorted(covered) == sorted(graph.parents)
    assert len({segment.id for segment in found}) == len(found)
    told: set[str] = set()
    for segment in found:
        assert told.issuperset(segment.needs)
        for commit, before in zip(segment.commits[1:], segment.commits, strict=False):
            assert graph.parents[commit] == (before,)
        told.update(segment.commits)


@given(graphs(), st.integers(-1, 29))
def test_a_branch_reaches_the_trunk_and_a_dead_end_does_not(graph: CommitGraph, tip: int) -> None:
    found = find_segments(graph, str(tip))
    kinds = {commit: segment.kind for segment in found for commit in segment.commits}
    reachable = {str(tip)} & graph.parents.keys()
    for commit in reversed(graph.parents):
        if commit in reachable:
            reachable.update(graph.parents[commit])
    for commit, kind in kinds.items():
        assert (kind is not SegmentKind.DEAD_END) == (commit in reachable)


@pytest.mark.slow
def test_time_grows_with_the_history() -> None:
    """A branch of two commits forked and merged every five commits."""

    def make(size: int) -> tuple[CommitGraph, str]:
        parents: dict[str, tuple[str, ...]] = {"0": ()}
        tip = "0"
        for number in range(1, size, 4):
            one, two, three, merge = (str(number + step) for step in range(4))
            parents |= {one: (tip,), two: (tip,), three: (two,), merge: (one, three)}
            tip = merge
        return CommitGraph(parents), tip

    small, large = make(10_000), make(100_000)
    assert len(large[0]) >= 100_000
    assert cpu_ratio(lambda: find_segments(*small), lambda: find_segments(*large)) < 40
