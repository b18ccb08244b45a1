"""What a file said before it could not be read."""

from git_retcon.allium.engines.earlier_versions import EarlierVersions
from git_retcon.allium.extract.source_tree import FactsReader
from tests.allium.history_shapes import entity, evolve, spec
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.repository import TestRepository

PATH = "src/shop/order.py"


def test_it_is_found_behind_broken_versions_and_renames(repo: TestRepository) -> None:
    repo.commit("a", {PATH: entity("Order", "total")})
    repo.commit("b", {PATH: "class Order(:\n"})
    last = repo.commit("c", {PATH: None, "src/post/order.py": "class Order((:\n"})
    opened = repo.open()
    find_tree = EarlierVersions(opened, FactsReader(opened)).follow([last], {})
    tree = find_tree(b"src/post/order.py")
    assert tree is not None
    facts = tree.read(b"src/post/order.py")
    assert facts is not None
    assert [each.evidence[0].symbol for each in facts.declarations] == ["Order"]


def test_what_people_wrote_outlives_versions_that_cannot_be_read(repo: TestRepository) -> None:
    repo.commit("a", {PATH: entity("Order", "id", "total") + "\n\n" + entity("Gone", "x")})
    evolve(repo)
    edit(repo, "shop", "total: Integer", "total: Decimal")
    repo.commit("b", {PATH: "class Order(:\n"})
    repo.commit("c", {PATH: entity("Order", "id", "total", "paid")})
    evolve(repo)
    text = "entity Order {\n    id: Integer\n    total: Decimal\n    paid: Integer\n}\n"
    assert text in spec(repo, "shop")
    assert "Gone" not in spec(repo, "shop")
