"""A master that people removed, or wrote without what it has to say."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.allium.history_shapes import BRANCH, entity, evolve, spec
from tests.program import allium_here
from tests.repository import TestRepository

ORDER = "src/pkg/orders/order.py"
MASTER = """\
-- allium: 3
-- Source root: src/pkg/
-- What the source in this repository does, module by module.

use "./orders.allium" as orders
use "./tax.allium" as tax
"""


def start(repo: TestRepository) -> None:
    """Two modules below a root that only the master names."""
    files = {"src/pkg/__init__.py": "", ORDER: entity("Order", "id")}
    repo.commit("a", {**files, "src/pkg/tax/rate.py": entity("Rate", "n")})
    evolve(repo)
    assert spec(repo, "_master") == MASTER


def change_master(repo: TestRepository, change: Callable[[Path], object]) -> None:
    repo.git("worktree", "add", "-q", "../spec", BRANCH)
    place = TestRepository(repo.path.parent / "spec")
    change(place.path / "spec/_master.allium")
    place.commit("By hand")
    repo.git("worktree", "remove", "--force", "../spec")


def describe_anew(path: Path) -> None:
    path.write_text("-- allium: 3\n-- Our shop.\n")


CHANGES: Mapping[str, Callable[[Path], object]] = {"gone": Path.unlink, "anew": describe_anew}


def list_modules(repo: TestRepository) -> list[str]:
    return repo.git("ls-tree", "-r", "--name-only", BRANCH, "spec").splitlines()


def test_a_removed_one_is_there_again_with_the_next_commit(repo: TestRepository) -> None:
    start(repo)
    change_master(repo, Path.unlink)
    repo.commit("b", {"README": "x\n"})
    evolve(repo)
    assert spec(repo, "_master") == MASTER


@pytest.mark.parametrize("change", CHANGES)
def test_without_it_modules_stay_where_they_are(repo: TestRepository, change: str) -> None:
    start(repo)
    change_master(repo, CHANGES[change])
    repo.commit("b", {ORDER: entity("Order", "id", "due")})
    assert "field due" in allium_here(repo.path, "check", "--drift").out
    evolve(repo)
    assert list_modules(repo) == [f"spec/{each}.allium" for each in ("_master", "orders", "tax")]
    assert "    due: Integer\n" in spec(repo, "orders")
    assert allium_here(repo.path, "check", "--drift").ok().out == ""


def test_what_people_made_of_it_stays(repo: TestRepository) -> None:
    start(repo)
    change_master(repo, describe_anew)
    repo.commit("b", {"README": "x\n"})
    evolve(repo)
    written = MASTER.replace(
        "What the source in this repository does, module by module", "Our shop"
    )
    assert spec(repo, "_master") == written


def test_a_root_that_people_name_is_theirs(repo: TestRepository) -> None:
    start(repo)
    change_master(repo, lambda path: path.write_text(MASTER.replace("src/pkg/", "src/")))
    repo.commit("b", {"README": "x\n"})
    evolve(repo)
    assert "-- Source root: src/\n" in spec(repo, "_master")


@pytest.mark.parametrize("change", CHANGES)
def test_a_reconciliation_finds_the_modules_too(repo: TestRepository, change: str) -> None:
    start(repo)
    change_master(repo, CHANGES[change])
    repo.commit("b", {ORDER: entity("Order", "id", "due")})
    allium_here(repo.path, "reconcile", "--offline").ok()
    assert "    due: Integer\n" in spec(repo, "orders")
    assert "-- Source root: src/pkg/\n" in spec(repo, "_master")


@pytest.mark.parametrize("strategy", ["ort", "ours"])
def test_a_merge_has_it_again(repo: TestRepository, strategy: str) -> None:
    start(repo)
    repo.git("branch", "side")
    change_master(repo, Path.unlink)
    repo.commit("b", {ORDER: entity("Order", "id", "due")})
    repo.git("checkout", "-q", "side")
    repo.commit("c", {"src/pkg/tax/rate.py": entity("Rate", "m")})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "-s", strategy, "-m", "m", "side")
    evolve(repo)
    assert spec(repo, "_master") == MASTER
