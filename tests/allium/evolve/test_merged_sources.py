"""A merge is described as it is, whatever its sides say together."""

import json

import pytest

from tests.allium.fresh_reading import expect_a_fresh_reading
from tests.allium.history_shapes import entity, evolve, spec
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.program import allium_here
from tests.repository import TestRepository

ORDER = "src/shop/order.py"
SIDES: dict[str, dict[str, str | bytes | None]] = {
    "adds": {
        ORDER: entity("Order", "id", "total", "paid"),
        "src/shop/cart.py": entity("Cart", "n"),
    },
    "removes": {ORDER: entity("Order", "id"), "src/shop/line.py": None},
    "moves": {ORDER: None, "src/post.py": entity("Order", "id", "total")},
}


def list_found(repo: TestRepository) -> list[str]:
    done = allium_here(repo.path, "reconcile", "--offline", "--full", "-n", "--json").ok()
    return [each["specSection"] for each in json.loads(done.out)["findings"]]


@pytest.mark.parametrize("side", sorted(SIDES))
def test_a_merge_that_leaves_a_side_out_says_nothing_of_it(repo: TestRepository, side: str) -> None:
    repo.commit(
        "a", {ORDER: entity("Order", "id", "total"), "src/shop/line.py": entity("Line", "k")}
    )
    evolve(repo)
    edit(repo, "shop", "entity Order {\n", "-- Agreed.\nentity Order {\n")
    before = spec(repo, "shop")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("b", SIDES[side])
    repo.git("checkout", "-q", "main")
    repo.commit("c", {"src/tax.py": entity("Rate", "n")})
    repo.git("merge", "-q", "-s", "ours", "--no-edit", "side")
    evolve(repo)
    assert sorted(spec(repo, "shop").split()) == sorted(before.split())
    assert list_found(repo) == []


@pytest.mark.parametrize(("strategy", "kept"), [("ours", "bool"), ("theirs", "str")])
def test_a_conflict_that_was_settled_for_one_side_is_so_described(
    repo: TestRepository, strategy: str, kept: str
) -> None:
    typed = "class Order:\n    total: {}\n    last: int\n    {}: int\n"
    repo.commit("a", {ORDER: typed.format("int", "x")})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("b", {ORDER: typed.format("str", "y")})
    repo.git("checkout", "-q", "main")
    repo.commit("c", {ORDER: typed.format("bool", "z")})
    repo.git("merge", "-q", "-X", strategy, "--no-edit", "side")
    assert kept in (repo.path / ORDER).read_text()
    evolve(repo)
    assert list_found(repo) == []


def test_what_a_conflict_was_settled_without_goes(repo: TestRepository) -> None:
    repo.commit("a", {ORDER: entity("Order", "id", "x")})
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("b", {ORDER: entity("Order", "id", "y", "theirs")})
    repo.git("checkout", "-q", "main")
    main = repo.commit("c", {ORDER: entity("Order", "id", "z", "ours")})
    repo.write({ORDER: entity("Order", "id", "both")})
    repo.git("add", "-A")
    tree = repo.git("write-tree")
    merge = repo.git("commit-tree", tree, "-p", main, "-p", side, "-m", "merge")
    repo.git("reset", "-q", "--hard", merge)
    evolve(repo)
    assert "entity Order {\n    id: Integer\n    both: Integer\n}\n" in spec(repo, "shop")


def test_what_people_took_out_stays_out_of_a_class_that_one_side_removed(
    repo: TestRepository,
) -> None:
    both = entity("Order", "id") + "\n\n" + entity("Line", "count", "price")
    repo.commit("a", {ORDER: both})
    evolve(repo)
    edit(repo, "shop", "    price: Integer\n", "")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("b", {ORDER: entity("Order", "id")})
    repo.git("checkout", "-q", "main")
    repo.commit("c", {"src/tax.py": entity("Rate", "n")})
    repo.git("merge", "-q", "-s", "ours", "--no-edit", "side")
    evolve(repo)
    assert "entity Line {\n    count: Integer\n}\n" in spec(repo, "shop")


def test_what_both_sides_moved_is_where_the_merge_has_it(repo: TestRepository) -> None:
    repo.commit("a", {ORDER: entity("Order", "id"), "src/shop/cart.py": entity("Cart", "id")})
    evolve(repo)
    edit(repo, "shop", "entity Order {\n", "-- Agreed.\nentity Order {\n    due: Timestamp\n")
    repo.git("branch", "side")
    repo.git("mv", ORDER, "src/tax.py")
    main = repo.commit("one")
    repo.git("checkout", "-q", "side")
    repo.git("mv", ORDER, "src/post.py")
    side = repo.commit("other")
    merge = repo.git("commit-tree", repo.tree("side"), "-p", main, "-p", side, "-m", "merge")
    repo.git("checkout", "-q", "-B", "main", merge)
    evolve(repo)
    assert "-- Agreed.\nentity Order {\n    due: Timestamp\n" in spec(repo, "post")
    listed = repo.git("ls-tree", "--name-only", "-r", "allium/evolution", "spec")
    assert "tax" not in listed


def test_a_merge_asks_nothing_about_the_names_that_a_master_gives_modules(
    repo: TestRepository,
) -> None:
    repo.commit("a", {"sales/src/m.ts": "export interface Order {\n  id: string;\n}\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("b", {"shop/src/b.ts": "export interface Item {\n  id: string;\n}\n"})
    repo.git("checkout", "-q", "main")
    bill = "export interface Bill {\n  id: string;\n}\n"
    repo.commit("c", {"sales/src/m.ts": None, "shop/src/b.ts": bill})
    repo.git("merge", "-q", "-s", "ours", "--no-edit", "side")
    # Neither side has this tree.
    repo.write({"notes.txt": "n"})
    repo.git("add", "-A")
    repo.git("commit", "-q", "--amend", "--no-edit")
    evolve(repo)
    assert "question" not in spec(repo, "_master")


@pytest.mark.parametrize("mover", ["main", "side"])
@pytest.mark.parametrize("rate", ["src/tax/rate.py", "src/user/rate.py"])
def test_what_one_side_begins_to_use_is_followed_where_the_other_moved_it(
    repo: TestRepository, mover: str, rate: str
) -> None:
    user = "class Rate:\n    user: User\n"
    repo.commit("a", {"src/user/e.py": entity("User", "id"), rate: entity("Rate", "id")})
    repo.git("branch", "side")
    other = "side" if mover == "main" else "main"
    repo.git("checkout", "-q", mover)
    (repo.path / "src/people").mkdir()
    repo.git("mv", "src/user/e.py", "src/people/e.py")
    repo.commit("move")
    repo.git("checkout", "-q", other)
    repo.commit("use", {rate: f"from user.e import User\n\n{user}"})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-commit", "side")
    repo.write({rate: f"from people.e import User\n\n{user}"})
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "merge")
    evolve(repo)
    expect_a_fresh_reading(repo)
