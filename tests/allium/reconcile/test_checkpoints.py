"""Which steps are followed by a reconciliation: planned alike however a history is told."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.history.commit_graph import CommitGraph
from git_retcon.allium.history.reconciliations import Counters, Reconciliation
from git_retcon.allium.history.segments import SegmentKind, find_segments
from git_retcon.allium.reconcile.checkpoints import Plan, find_base, make_plan
from git_retcon.allium.reconcile.scheduler import create_scheduler
from tests.allium.history_shapes import BRANCH, entity, evolve, make_branchy, merge
from tests.program import allium_here
from tests.repository import TestRepository


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[str, SegmentKind]]:
    """Every commit of a random graph in its order, and the kind of its segment."""
    parents: dict[str, tuple[str, ...]] = {}
    for number in range(draw(st.integers(1, 60))):
        known = sorted(parents)
        most = min(3, len(known))
        chosen = draw(st.lists(st.sampled_from(known or ["x"]), max_size=most, unique=True))
        parents[f"{number:03}"] = tuple(chosen) if known else ()
    graph = CommitGraph(parents)
    tip = draw(st.sampled_from(sorted(parents)))
    kinds = {c: each.kind for each in find_segments(graph, tip) for c in each.commits}
    return [(commit, kinds[commit]) for commit in graph.parents]


def plan(
    order: Sequence[tuple[str, SegmentKind]], strategy: str, interval: int, start: Counters
) -> Plan:
    return make_plan(order, create_scheduler(strategy, interval), start, lambda _: 10)


@given(histories(), st.integers(1, 9))
def test_there_are_as_many_as_arithmetic_gives(
    order: list[tuple[str, SegmentKind]], interval: int
) -> None:
    trunk = sum(kind is SegmentKind.TRUNK for _, kind in order)
    number = len(order)
    assert len(plan(order, "n-commits", interval, Counters()).due) == number // interval
    assert len(plan(order, "n-trunk-commits", interval, Counters()).due) == trunk // interval
    tokens = plan(order, "token-count", 10 * interval, Counters())
    assert len(tokens.due) == number // interval
    assert not plan(order, "none", interval, Counters()).due


@pytest.mark.slow
@given(histories(), st.integers(1, 9), st.integers(0, 60))
def test_a_history_described_in_two_runs_has_the_same(
    order: list[tuple[str, SegmentKind]], interval: int, cut: int
) -> None:
    for strategy in ("n-commits", "n-trunk-commits", "token-count"):
        whole = plan(order, strategy, interval, Counters())
        first = plan(order[:cut], strategy, interval, Counters())
        second = plan(order[cut:], strategy, interval, first.end)
        assert first.due | second.due == whole.due
        assert second.end == whole.end
        assert {**first.after, **second.after} == whole.after


@pytest.mark.slow
@given(histories())
def test_at_trunk_steps_alone(order: list[tuple[str, SegmentKind]]) -> None:
    kinds = dict(order)
    due = plan(order, "n-trunk-commits", 2, Counters()).due
    assert {kinds[commit] for commit in due} <= {SegmentKind.TRUNK}


def reconciled(repo: TestRepository, tip: str = BRANCH) -> list[str]:
    """The source subjects of the spec commits that say they were reconciled."""
    listing = repo.git(
        "log", "--reverse", "--topo-order", "--grep=^Allium-Reconciled", "--format=%s", tip
    )
    return [subject.removeprefix("allium: ") for subject in listing.splitlines()]


def make_line(repo: TestRepository, first: int, last: int) -> None:
    for number in range(first, last + 1):
        repo.commit(f"c{number}", {"src/shop/order.py": entity("Order", f"f{number}")})


def test_it_happens_at_once_or_in_several_runs_with_the_same_commits(repo: TestRepository) -> None:
    make_line(repo, 1, 7)
    evolve(repo, "--reconciliation-interval", "3")
    make_line(repo, 8, 10)
    evolve(repo, "--reconciliation-interval", "3")
    tip = repo.rev(BRANCH)
    assert reconciled(repo) == ["c3", "c6", "c9"]
    for ref in (f"refs/heads/{BRANCH}", "refs/notes/allium", "refs/notes/allium-state"):
        repo.git("update-ref", "-d", ref)
    evolve(repo, "--reconciliation-interval", "3")
    assert repo.rev(BRANCH) == tip


def test_lost_notes_are_made_again_from_the_trailers(repo: TestRepository) -> None:
    make_line(repo, 1, 7)
    evolve(repo, "--reconciliation-interval", "3")
    repo.git("update-ref", "-d", "refs/notes/allium-state")
    make_line(repo, 8, 10)
    evolve(repo, "--reconciliation-interval", "3")
    assert reconciled(repo) == ["c3", "c6", "c9"]
    notes = [
        line.split()[0] for line in repo.git("notes", "--ref=allium-state", "list").splitlines()
    ]
    texts = [repo.git("cat-file", "blob", note) for note in notes]
    assert sum("Reconciled: " in text for text in texts) == 3


def test_one_lost_record_is_made_again(repo: TestRepository) -> None:
    make_line(repo, 1, 7)
    evolve(repo, "--reconciliation-interval", "3")
    lost = repo.git("log", "--format=%H", "--grep=step 3, ", BRANCH)
    repo.git("notes", "--ref=allium-state", "remove", lost)
    make_line(repo, 8, 8)
    evolve(repo, "--reconciliation-interval", "3")
    note = repo.git("notes", "--ref=allium-state", "show", lost)
    assert "Reconciled: step 3, trunk step 3, 0 findings, $0.0000, offline" in note


@pytest.mark.slow
def test_a_plan_whose_commits_were_collected_is_made_anew(repo: TestRepository) -> None:
    for name in "abc":
        repo.commit(name, {f"src/{name}.py": entity(name.upper(), "n")})
    evolve(repo, "--reconciliation-interval=2")
    note = repo.git("notes", "--ref=allium-state", "show", BRANCH)
    # As a run leaves it that was stopped before the source was rebased and pruned.
    ref = f"refs/heads/{BRANCH}"
    stopped = f"{note}\nKnown: {repo.rev('HEAD')} of {ref}\nPlanned: {'1' * 40} of {ref}\n"
    repo.git("notes", "--ref=allium-state", "add", "-f", "-m", stopped, BRANCH)
    repo.commit("d", {"src/d.py": entity("D", "n")})
    evolve(repo, "--reconciliation-interval=2")
    found = json.loads(allium_here(repo.path, "status", "--json").ok().out)
    assert [each["atStep"] for each in found["reconciliations"]] == [2, 4]


def test_the_trunk_is_counted_across_branches(repo: TestRepository) -> None:
    make_branchy(repo)
    trunk = repo.git("log", "--first-parent", "--reverse", "--format=%s").splitlines()
    evolve(repo, "--reconciliation-interval", "2")
    assert reconciled(repo) == trunk[1::2]


def test_a_merged_side_branch_is_no_base_of_the_trunk_before(repo: TestRepository) -> None:
    """Of two checkpoints beside each other, only the one that is an ancestor counts."""
    make_line(repo, 1, 1)
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("s1", {"src/shop/cart.py": entity("Cart", "size")})
    repo.commit("s2", {"src/shop/cart.py": entity("Cart", "size", "price")})
    repo.git("checkout", "-q", "main")
    make_line(repo, 2, 3)
    options = ("--reconciliation-strategy", "n-commits", "--reconciliation-interval", "1")
    evolve(repo, "--all", *options)
    merge(repo, "m", "side")
    done = evolve(repo, *options)
    assert "1 commit described" in done
    assert (
        reconciled(repo) == repo.git("log", "--reverse", "--topo-order", "--format=%s").splitlines()
    )


def test_what_a_side_branch_compared_hides_nothing_of_the_trunk(repo: TestRepository) -> None:
    make_line(repo, 1, 1)
    first = repo.rev("HEAD")
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side", {"src/shop/cart.py": entity("Cart", "size")})
    repo.git("checkout", "-q", "main")
    make_line(repo, 2, 2)
    records = [Reconciliation(n, 1, sha, "", 0, 0) for n, sha in ((1, first), (2, side))]
    opened = repo.open()
    assert find_base(opened, records, repo.rev("main")) == first
    assert find_base(opened, records, side) == side
    merge(repo, "m", "side")
    assert find_base(opened, records, repo.rev("main")) == side


def test_tokens_are_counted_without_ignored_files(repo: TestRepository) -> None:
    options = ("--reconciliation-strategy", "token-count", "--reconciliation-interval", "100")
    repo.commit("a", {"src/shop/order.py": entity("Order", "a")})
    repo.commit("locks", {"uv.lock": "x\n" * 4000})
    repo.commit("tests", {"tests/test_order.py": "x = 1\n" * 4000})
    repo.commit("much", {"src/shop/more.py": "y = 1\n" * 100})
    repo.commit("b", {"src/shop/order.py": entity("Order", "b")})
    evolve(repo, *options)
    assert reconciled(repo) == ["much"]


def test_a_wrong_strategy_is_refused_before_anything_is_described(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "a")})
    done = allium_here(repo.path, "evolve", "--offline", "--reconciliation-strategy", "daily")
    assert done.status == 128
    assert "unknown reconciliation strategy 'daily'" in done.err
    assert "none, n-commits, n-trunk-commits, token-count" in done.err
    repo.git("config", "allium.strategy", "none")
    evolve(repo, "--reconciliation-interval", "1")
    assert reconciled(repo) == []
