"""Who brought and changed the parts of a declaration, across merges, moves and snapshots."""

from pathlib import Path

from git_retcon.allium.views.declaration_blame import Blame, find_origin, select_items
from git_retcon.git.repository import open_repository
from tests.allium.history_shapes import BRANCH, entity, evolve, merge
from tests.repository import TestRepository


def blame(repo: TestRepository, name: str) -> dict[str, list[str]]:
    """Each part that a name means, with the subjects of the commits that changed it."""
    repository = open_repository(Path(repo.path))
    told = Blame(repository, repo.rev(BRANCH))
    return {
        part.item: [
            repo.git("log", "-1", "--format=%s", each.spec).removeprefix("allium: ")
            for each in part.changes
        ]
        for place in told.list_declarations()
        for part in told.trace(place, select_items(place, told.read_items(place), name))
    }


def test_a_part_is_of_the_commits_that_changed_it_on_whatever_branch(repo: TestRepository) -> None:
    repo.commit("orders", {"src/shop/order.py": entity("Order", "total")})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("paid", {"src/shop/order.py": entity("Order", "total", "paid")})
    repo.git("checkout", "-q", "main")
    repo.commit("other", {"src/tax/rate.py": entity("Rate", "n")})
    merge(repo, "join", "side")
    repo.commit("text", {"src/shop/order.py": "class Order:\n    total: str\n    paid: int\n"})
    repo.git("mv", "src/shop", "src/sales")
    repo.commit("move")
    repo.commit("noise", {"src/sales/cart.py": entity("Cart", "n")})
    evolve(repo)
    assert blame(repo, "Order") == {
        "": ["orders"],
        "field total": ["text", "orders"],
        "field paid": ["paid"],
    }


def test_what_went_and_came_back_begins_again(repo: TestRepository) -> None:
    repo.commit("first", {"a/a.py": entity("A", "n", "m")})
    repo.commit("gone", {"a/a.py": entity("A", "n")})
    repo.commit("back", {"a/a.py": entity("A", "n", "m")})
    evolve(repo)
    assert blame(repo, "A.m") == {"field m": ["back"]}
    assert blame(repo, "entity A: field n") == {"field n": ["first"]}


def test_a_snapshot_stands_for_all_before_it(repo: TestRepository) -> None:
    repo.commit("a", {"a/a.py": entity("A", "n")})
    repo.commit("b", {"b.txt": "b\n"})
    evolve(repo, "--last", "1")
    repository = open_repository(Path(repo.path))
    assert find_origin(repository, repo.rev(BRANCH)) == (repo.rev("HEAD"), True)


def test_the_lines_that_use_modules_are_no_declarations(repo: TestRepository) -> None:
    repo.commit("a", {"a/a.py": entity("A", "n")})
    evolve(repo)
    told = Blame(open_repository(Path(repo.path)), repo.rev(BRANCH))
    assert [place.title for place in told.list_declarations()] == ["entity A"]
