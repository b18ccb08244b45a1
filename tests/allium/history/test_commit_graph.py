"""A history as git lists it."""

from collections.abc import Callable

import pytest

from git_retcon.allium.history.commit_graph import parse_graph, read_graph
from tests.repository import TestRepository


def test_parents_come_before_children_and_lines_stay_together(repo: TestRepository) -> None:
    a = repo.commit("a")
    repo.git("checkout", "-q", "-b", "topic")
    x, y = repo.commit("x"), repo.commit("y")
    repo.git("checkout", "-q", "main")
    b = repo.commit("b")
    repo.git("merge", "-q", "--no-ff", "-m", "m", "topic")
    m = repo.rev("HEAD")
    graph = read_graph(repo.open().git, ["HEAD"])
    assert list(graph.parents) in ([a, x, y, b, m], [a, b, x, y, m])
    assert graph.parents[m] == (b, y)
    assert graph.list_children()[a] in ([x, b], [b, x])
    assert list(read_graph(repo.open().git, ["main"], [b]).parents) == [x, y, m]


def test_a_shallow_clone_begins_at_its_edge(
    repo: TestRepository, make_repo: Callable[..., TestRepository]
) -> None:
    for name in "abc":
        repo.commit(name)
    shallow = make_repo("shallow")
    shallow.git("fetch", "-q", "--depth=2", f"file://{repo.path}", "main")
    graph = read_graph(shallow.open().git, [shallow.rev("FETCH_HEAD")])
    assert [len(parents) for parents in graph.parents.values()] == [0, 1]


def test_grafts_and_replace_refs_change_nothing(repo: TestRepository) -> None:
    a, b = repo.commit("a"), repo.commit("b")
    repo.git("replace", "--graft", b)
    assert read_graph(repo.open().git, ["main"]).parents[b] == (a,)


def test_a_parent_that_is_named_twice_has_one_child() -> None:
    assert parse_graph("a\nb a a\n").list_children() == {"a": ["b"], "b": []}


@pytest.mark.parametrize("first", ["main", "early"])
def test_where_a_history_begins_late_its_start_stands_for_all_before_it(
    repo: TestRepository, first: str
) -> None:
    a = repo.commit("a")
    repo.git("checkout", "-q", "-b", "early")
    early = repo.commit("e")
    repo.git("checkout", "-q", "main")
    b = repo.commit("b")
    c = repo.commit("c")
    second = {"main": "early", "early": "main"}[first]
    repo.git("checkout", "-q", first)
    repo.git("merge", "-q", "--no-ff", "-m", "m", second)
    graph = read_graph(repo.open().git, ["HEAD"], [f"{b}^@"])
    assert next(iter(graph.parents)) == b
    assert (graph.parents[b], graph.parents[c], graph.parents[early]) == ((a,), (b,), (b,))
    assert graph.list_children()[b] in ([c, early], [early, c])
    # Once it is described it is no start of anything.
    later = read_graph(repo.open().git, ["HEAD"], [f"{b}^@", c])
    assert later.parents[early] == (a,)
