"""``git allium status``, ``show`` and ``log``."""

import json
from pathlib import Path

import pytest

from tests.allium.history_shapes import BRANCH, entity, evolve
from tests.program import allium_here
from tests.repository import TestRepository


@pytest.fixture
def told_repo(repo: TestRepository) -> TestRepository:
    repo.commit("Add orders", {"src/shop/order.py": entity("Order", "total")})
    repo.commit("Say hello", {"README": "hello\n"})
    repo.commit("Add carts", {"src/cart/cart.py": entity("Cart", "size")})
    evolve(repo)
    return repo


def test_status_says_what_is_described_and_what_is_left(repo: TestRepository) -> None:
    repo.commit("a")
    assert allium_here(repo.path, "status").ok().out == (
        f"'{BRANCH}' is not there yet: 1 commit to describe\n"
    )
    evolve(repo)
    head = repo.rev("HEAD")
    repo.commit("b")
    lines = allium_here(repo.path, "status").ok().out.splitlines()
    assert lines[0] == f"'{BRANCH}' describes {head[:12]} a"
    assert lines[1].endswith("; 1 commit of HEAD still to describe")
    data = json.loads(allium_here(repo.path, "status", "--json").ok().out)
    assert (data["source"], data["left"]) == (head, 1)
    repo.git("checkout", "-q", BRANCH)
    lines = allium_here(repo.path, "status").ok().out.splitlines()
    assert lines[1].endswith("; HEAD is the specification itself")


def test_status_says_what_lies_before_the_beginning(
    told_repo: TestRepository, tmp_path: Path
) -> None:
    begun = tmp_path / "begun"
    told_repo.git("clone", "-q", "--depth=2", f"file://{told_repo.path}", str(begun))
    shallow = TestRepository(begun)
    evolve(shallow)
    first = shallow.rev("HEAD~1")[:12]
    assert "begins" not in allium_here(begun, "status").ok().out
    shallow.git("fetch", "-q", "--unshallow")
    line = f"it begins at {first}, without 1 commit before"
    assert allium_here(begun, "status").ok().out.splitlines()[2] == line
    assert json.loads(allium_here(begun, "status", "--json").ok().out)["before"] == 1
    assert json.loads(allium_here(told_repo.path, "status", "--json").ok().out)["before"] == 0


def test_what_a_remote_has_of_the_branch_is_said(told_repo: TestRepository) -> None:
    told_repo.git("push", "-q", ".", f"{BRANCH}:refs/remotes/origin/{BRANCH}")
    told_repo.git("branch", "-D", BRANCH)
    hint = f"hint: 'git branch {BRANCH} origin/{BRANCH}' goes on from what was pushed\n"
    assert allium_here(told_repo.path, "status").ok().err == hint
    assert allium_here(told_repo.path, "show").err == f"fatal: '{BRANCH}' is not here yet\n{hint}"
    drift = allium_here(told_repo.path, "check", "--drift")
    assert drift.err == f"fatal: there is no specification yet\n{hint}"
    for command in ("evolve", "reconcile"):
        warned = allium_here(told_repo.path, command, "--offline", "-n").ok().err
        said = "has a specification already, and this is another one"
        assert warned.endswith(f"warning: 'origin/{BRANCH}' {said}\n{hint}")
    told_repo.git("branch", BRANCH, f"origin/{BRANCH}")
    assert "hint" not in allium_here(told_repo.path, "status").ok().err


def test_show_prints_all_or_one_module(told_repo: TestRepository) -> None:
    path = told_repo.path
    whole = allium_here(path, "show").ok().out
    assert [line for line in whole.splitlines() if line.startswith("==")] == [
        "== _master.allium",
        "== cart.allium",
        "== shop.allium",
    ]
    order = told_repo.show(f"{BRANCH}:spec/shop.allium").decode()
    for name in ("HEAD:shop", ":shop.allium", f"{BRANCH}:shop", "HEAD~2:shop"):
        assert allium_here(path, "show", name).ok().out == order
    for name in ("HEAD@{2100-01-01 10:00}:shop", "HEAD^{/.:*}:shop"):
        assert allium_here(path, "show", name).ok().out == order
    assert allium_here(path, "show", "HEAD@{2100-01-01 10:00}").ok().out == whole
    assert "Source" not in allium_here(path, "show", "HEAD:").ok().out
    data = json.loads(allium_here(path, "show", "HEAD~2", "--json").ok().out)
    assert list(data["modules"]) == ["_master.allium", "shop.allium"]


def test_show_says_what_is_not_there(told_repo: TestRepository) -> None:
    wrong = allium_here(told_repo.path, "show", "HEAD:nothing")
    assert (wrong.status, wrong.err.splitlines()[0]) == (
        128,
        "fatal: no module 'nothing' in the specification",
    )
    last = told_repo.rev("HEAD")[:12]
    told_repo.commit("new")
    wrong = allium_here(told_repo.path, "show")
    assert wrong.err == (
        "fatal: 'HEAD' is not described yet\n"
        f"hint: 'git allium evolve' describes it; the last that is described is {last}\n"
    )


def test_evolve_is_not_proposed_for_what_a_reconciliation_went_past(repo: TestRepository) -> None:
    for name in ("Order", "Cart", "Rate"):
        repo.commit(name, {f"src/shop/{name}.py": entity(name, "size")})
        if name == "Order":
            evolve(repo)
    allium_here(repo.path, "reconcile", "--offline").ok()
    wrong = allium_here(repo.path, "show", "HEAD~")
    last = repo.rev("HEAD")[:12]
    assert wrong.err == (
        "fatal: 'HEAD~' has no specification of its own\n"
        "hint: a reconciliation, or '--from', went past it; "
        f"the last that is described is {last}\n"
    )
    assert json.loads(allium_here(repo.path, "show", "HEAD~", "--json").out)["next"] == []


def test_log_lists_the_commits_that_changed_the_specification(told_repo: TestRepository) -> None:
    ids = told_repo.git("rev-list", "HEAD").split()
    assert allium_here(told_repo.path, "log").ok().out == (
        f"{ids[0][:12]} Add carts (_master and cart)\n{ids[2][:12]} Add orders (_master and shop)\n"
    )
    assert len(allium_here(told_repo.path, "log", "-n", "1").ok().out.splitlines()) == 1
    data = json.loads(allium_here(told_repo.path, "log", "--json").ok().out)
    assert [each["subject"] for each in data["changes"]] == ["Add carts", "Add orders"]


def test_show_names_the_module_that_the_last_part_of_a_path_may_mean(repo: TestRepository) -> None:
    repo.commit("deep", {"src/main/app/one.py": entity("One", "size")})
    allium_here(repo.path, "evolve", "--offline").ok()
    wrong = allium_here(repo.path, "show", "HEAD:app")
    assert wrong.err.splitlines() == [
        "fatal: no module 'app' in the specification",
        "hint: there is 'main/app'",
    ]
