"""A merge whose source is that of one parent."""

import pytest

from tests.allium.history_shapes import entity, evolve, spec
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.program import allium_here
from tests.repository import TestRepository

ORDER = "src/shop/order.py"


@pytest.mark.parametrize("taken", ["main", "side"])
def test_a_merge_that_takes_one_side_is_described_as_that_side(
    repo: TestRepository, taken: str
) -> None:
    repo.commit("a", {ORDER: entity("Order", "id")})
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("b", {ORDER: None, "src/post.py": entity("Order", "id", "theirs")})
    repo.git("checkout", "-q", "main")
    main = repo.commit("c", {ORDER: entity("Order", "id", "ours")})
    merge = repo.git("commit-tree", repo.tree(taken), "-p", main, "-p", side, "-m", "merge")
    repo.git("reset", "-q", "--hard", merge)
    evolve(repo)
    module, field = ("shop", "ours") if taken == "main" else ("post", "theirs")
    assert f"entity Order {{\n    id: Integer\n    {field}: Integer\n}}\n" in spec(repo, module)
    assert "no divergence" in allium_here(repo.path, "check", "--drift").ok().err


def test_what_people_wrote_on_the_side_that_a_merge_leaves_out_stays(repo: TestRepository) -> None:
    repo.commit("a", {ORDER: entity("Order", "id")})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("b", {ORDER: entity("Order", "id", "theirs")})
    evolve(repo)
    edit(repo, "shop", "entity Order {\n", "-- Agreed.\nentity Order {\n")
    repo.git("checkout", "-q", "main")
    repo.commit("c", {"src/tax.py": entity("Rate", "n")})
    repo.git("merge", "-q", "-s", "ours", "--no-edit", "side")
    evolve(repo)
    assert "-- Agreed.\nentity Order {\n    id: Integer\n}\n" in spec(repo, "shop")
    assert "no divergence" in allium_here(repo.path, "check", "--drift").ok().err


def test_a_comment_at_what_a_merge_leaves_out_is_asked_about_once(repo: TestRepository) -> None:
    repo.commit("a", {ORDER: entity("Order", "id", "total") + entity("Item", "n")})
    evolve(repo)
    edit(repo, "shop", "entity Order {\n", "-- Agreed.\nentity Order {\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("b", {ORDER: entity("Item", "n")})
    repo.git("checkout", "-q", "main")
    repo.commit("c", {ORDER: entity("Order", "id") + entity("Item", "n"), "src/tax.py": ""})
    repo.git("merge", "-q", "-s", "ours", "--no-commit", "side")
    repo.commit("merge", {ORDER: entity("Item", "n")})
    evolve(repo)
    assert spec(repo, "shop").count("-- Agreed.") == 1
    assert spec(repo, "shop").count("open question") == 1
