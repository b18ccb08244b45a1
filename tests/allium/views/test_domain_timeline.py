"""The commits that changed the domain, in order, with what there was behind each."""

from git_retcon.allium.views.domain_timeline import count_kinds, list_moments
from tests.allium.history_shapes import BRANCH, entity, evolve, merge
from tests.repository import TestRepository


def test_each_commit_that_changed_declarations_is_a_moment(repo: TestRepository) -> None:
    repo.commit("orders", {"src/shop/order.py": entity("Order", "total")})
    repo.commit("nothing", {"README": "x\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("carts", {"src/shop/cart.py": entity("Cart", "size")})
    repo.git("checkout", "-q", "main")
    repo.commit("paid", {"src/shop/order.py": entity("Order", "total", "paid")})
    merge(repo, "join", "side")
    repo.commit("gone", {"src/shop/order.py": None})
    evolve(repo)
    moments = list(list_moments(repo.open(), repo.rev(BRANCH)))
    assert [(each.subject, each.total, [c.title for c in each.changes]) for each in moments] == [
        ("orders", 1, ["entity Order"]),
        ("paid", 1, ["entity Order: field paid"]),
        ("join", 2, ["entity Cart"]),
        ("gone", 1, ["entity Order"]),
    ]
    assert moments[0].source == repo.rev("HEAD~4")


def test_kinds_are_counted_in_words() -> None:
    assert count_kinds({"entity": 2, "rule": 1}) == "2 entities and 1 rule"
