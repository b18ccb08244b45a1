"""A declaration that moves has a name of its own where it comes to."""

from git_retcon.allium.extract.moved_names import name_moved
from git_retcon.allium.extract.spec_layout import Modules
from git_retcon.allium.store.module_layout import Move
from git_retcon.allium.store.module_text import cut_module
from git_retcon.allium.store.spec_store import SpecStore
from tests.allium.history_shapes import BRANCH, entity, evolve, spec
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.program import allium_here
from tests.repository import TestRepository

HEAD = b"-- allium: 3\n-- For tests.\n\n"


def order(path: bytes) -> bytes:
    return HEAD + b"-- Source: %b, Order\nentity Order {\n    n: Integer\n}\n" % path


def test_two_that_change_their_places_keep_their_names() -> None:
    modules = {b"a.allium": order(b"a/x.py"), b"b.allium": order(b"b/y.py")}
    (one,), (other,) = (cut_module(text).declarations for text in modules.values())
    there, back = Move(one, b"a.allium", b"b.allium"), Move(other, b"b.allium", b"a.allium")
    store = SpecStore(modules=modules)
    assert [*name_moved(store, Modules(), [there, back])] == [there, back]
    assert [each.name for each in name_moved(store, Modules(), [there])] == ["XOrder"]


def test_what_people_wrote_goes_with_a_class_to_a_module_that_has_its_name(
    repo: TestRepository,
) -> None:
    both = entity("Order", "id", "n") + "\n\n" + entity("Line", "k")
    repo.commit("a", {"src/a/k.py": both, "src/b/x.py": entity("Order", "x", "y")})
    evolve(repo)
    edit(repo, "a", "entity Order {\n", "-- Agreed.\nentity Order {\n    due: Timestamp\n")
    moved = {"src/a/k.py": entity("Line", "k"), "src/b/y.py": entity("Order", "id", "n")}
    repo.commit("b", moved)
    evolve(repo)
    allium_here(repo.path, "reconcile", "--offline", "--full").ok()
    text = spec(repo, "b")
    whole = "-- Agreed.\nentity YOrder {\n    due: Timestamp\n    id: Integer\n    n: Integer\n}\n"
    assert whole in text
    assert "entity Order {\n    x: Integer\n    y: Integer\n}\n" in text
    assert "Order" not in spec(repo, "a")


INVARIANT = """

invariant Positive {
    for order in Orders:
        order.id > 0
}"""


def test_what_people_wrote_about_all_of_a_class_follows_it(repo: TestRepository) -> None:
    repo.commit("a", {"src/a/k.py": entity("Order", "id", "n"), "src/a/l.py": entity("Line", "k")})
    evolve(repo)
    edit(repo, "a", "    n: Integer\n}", "    n: Integer\n}" + INVARIANT)
    repo.commit("b", {"src/a/k.py": None, "src/b/k.py": entity("Order", "id", "n")})
    evolve(repo)
    allium_here(repo.path, "reconcile", "--offline", "--full").ok()
    assert "entity Order" in spec(repo, "b")
    assert "for order in b/Orders:" in spec(repo, "a")
    assert 'use "./b.allium" as b\n' in spec(repo, "a")
    done = allium_here(repo.path, "check", "--rev", BRANCH)
    assert "unknownCollection" not in done.out


def test_what_people_wrote_about_all_of_a_class_that_has_another_name_now(
    repo: TestRepository,
) -> None:
    both = entity("Order", "id", "n") + "\n\n" + entity("Line", "k")
    repo.commit("a", {"src/a/k.py": both, "src/b/x.py": entity("Order", "x", "y")})
    evolve(repo)
    edit(repo, "a", "    n: Integer\n}", "    n: Integer\n}" + INVARIANT)
    moved = {"src/a/k.py": entity("Line", "k"), "src/b/y.py": entity("Order", "id", "n")}
    repo.commit("b", moved)
    evolve(repo)
    assert "for order in b/YOrders:" in spec(repo, "a")
