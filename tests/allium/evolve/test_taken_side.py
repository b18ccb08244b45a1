"""A merge whose source is that of one parent."""

import pytest

from tests.allium.history_shapes import entity, evolve, spec
from tests.allium.reconcile.test_offline_reconciler import amend, edit
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


def test_what_went_before_the_branch_began_does_not_return(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though a person amended the commit that it came with."""
    repo.commit("a", {ORDER: entity("Order", "id")})
    evolve(repo)
    repo.commit("b", {ORDER: entity("Order", "id", "late")})
    evolve(repo)
    monkeypatch.setenv("GIT_COMMITTER_DATE", "1600000000 +0000")
    amend(repo, "shop", "entity Order {\n", "-- Agreed.\nentity Order {\n")
    repo.commit("c", {ORDER: entity("Order", "id")})
    evolve(repo)
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("d", {ORDER: entity("Order", "id", "theirs")})
    repo.git("checkout", "-q", "main")
    repo.commit("e", {"src/tax.py": entity("Rate", "n")})
    repo.git("merge", "-q", "-s", "ours", "--no-edit", "side")
    evolve(repo)
    assert "-- Agreed.\nentity Order {\n    id: Integer\n}\n" in spec(repo, "shop")


def test_what_people_wrote_there_against_the_side_that_is_taken_is_asked_about(
    repo: TestRepository,
) -> None:
    order = entity("Order", "id", "total")
    repo.commit("a", {ORDER: order})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("b", {ORDER: entity("Order", "id", "total", "theirs")})
    evolve(repo)
    edit(repo, "shop", "total: Integer", "total: Decimal")
    repo.git("checkout", "-q", "main")
    repo.commit("c", {ORDER: order.replace("total: int", "total: str")})
    repo.git("merge", "-q", "-s", "ours", "--no-edit", "side")
    evolve(repo)
    said = spec(repo, "shop")
    assert "entity Order {\n    id: Integer\n    total: String\n}\n" in said
    assert said.count('open question "entity Order: field total: ') == 1
