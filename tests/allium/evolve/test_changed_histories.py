"""What is kept, and what is left, where the source has moved otherwise than forward."""

import json
from pathlib import Path

import pytest

from git_retcon.allium.evolve import run
from tests.allium.history_shapes import BRANCH, entity, evolve, merge, shape, spec, told
from tests.program import allium_here
from tests.repository import TestRepository


def amend(repo: TestRepository) -> str:
    """Two commits, described; then the last one with another message. The old spec tip."""
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.commit("b", {"src/shop/cart.py": entity("Cart", "size")})
    evolve(repo)
    repo.git("commit", "-q", "--amend", "-m", "b, better said")
    return repo.rev(BRANCH)


def list_refs(repo: TestRepository, below: str) -> list[str]:
    return repo.git("for-each-ref", "--format=%(objectname)", below).split()


def test_a_replaced_tip_is_held_in_one_place(repo: TestRepository) -> None:
    old = amend(repo)
    evolve(repo)
    assert list_refs(repo, "refs/allium") == [old]
    assert list_refs(repo, "refs/allium/replaced") == [old]


@pytest.mark.parametrize("kind", ["tag", "branch"])
def test_a_source_that_a_ref_still_holds_is_not_replaced(repo: TestRepository, kind: str) -> None:
    old = amend(repo)
    repo.git(kind, "first", "HEAD@{1}")
    evolve(repo)
    assert list_refs(repo, "refs/allium/replaced") == []
    assert told(repo, f"refs/allium/heads/{BRANCH}^1") == told(repo, old)


@pytest.mark.parametrize("start", [[], ["--last", "1"]])
def test_a_source_that_is_gone_for_good_is_missed_by_nobody(
    repo: TestRepository, tmp_path: Path, start: list[str]
) -> None:
    # Where all that is described is gone, there is nothing to go on from.
    left = "2 commits" if start else "1 commit"
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.commit("b", {"src/shop/cart.py": entity("Cart", "size")})
    evolve(repo, *start)
    repo.git("commit", "-q", "--amend", "-m", "b, better said")
    repo.git("clone", "-q", "--no-local", str(repo.path), str(tmp_path / "clone"))
    clone = TestRepository(tmp_path / "clone")
    clone.git("branch", "-q", BRANCH, f"origin/{BRANCH}")
    said = allium_here(clone.path, "status").ok().out
    assert "(gone)" in said
    assert f"{left} of HEAD still to describe" in said
    assert f"{left} to describe" in evolve(clone)
    assert told(clone) == {"a": [], "b, better said": ["a"]}
    (kept,) = list_refs(clone, "refs/allium/replaced")
    assert kept == clone.rev(f"origin/{BRANCH}")


def test_with_all_an_older_commit_does_not_move_the_branch_either(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.commit("b")
    evolve(repo)
    tip = repo.rev(BRANCH)
    repo.git("checkout", "-q", "-b", "side", "HEAD~")
    repo.commit("s", {"src/shop/side.py": entity("Side", "n")})
    assert "1 commit to describe" in evolve(repo, "--all", "main~")
    assert repo.rev(BRANCH) == tip
    assert list_refs(repo, "refs/allium/replaced") == []
    assert told(repo, f"refs/allium/heads/{BRANCH}^1") == {"a": [], "s": ["a"]}


def test_the_last_commits_are_counted_along_first_parents(repo: TestRepository) -> None:
    repo.commit("before")
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.git("checkout", "-q", "-b", "topic")
    for name in "xyz":
        repo.commit(name)
    repo.git("checkout", "-q", "main")
    repo.commit("b")
    merge(repo, "m", "topic")
    evolve(repo, "--last", "3")
    assert [name for name, parents in told(repo).items() if not parents] == ["a"]


def test_a_module_that_one_side_kept_is_used_by_the_master_still(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/a.py": entity("Order", "n"), "src/tax/a.py": entity("Tax", "n")})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("Drop tax", {"src/tax/a.py": None})
    repo.git("checkout", "-q", "main")
    repo.commit("More tax", {"src/tax/a.py": entity("Tax", "n", "m")})
    repo.git("merge", "-q", "--no-commit", "-s", "ours", "topic")
    repo.commit("m", {"src/shop/a.py": entity("Order", "n", "p")})
    evolve(repo)
    assert told(repo) == shape(repo)
    assert 'use "./tax.allium"' in spec(repo, "_master")


def test_a_long_run_is_saved_as_it_goes(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        repo.commit(name)

    def list_saved() -> list[int]:
        done = allium_here(repo.path, "evolve", "--offline", "--events", "-q").ok()
        events = [json.loads(line) for line in done.out.splitlines()]
        return [each["done"] for each in events if each["event"] == "saved"]

    assert list_saved() == []
    repo.git("branch", "-qD", BRANCH)
    monkeypatch.setattr(run, "_LONGEST_UNSAVED", 0.0)
    assert list_saved() == [1, 2, 3]


@pytest.mark.parametrize("first", ["main", "early"])
def test_what_was_forked_before_a_late_start_goes_on_from_it_at_once_and_in_parts(
    repo: TestRepository, first: str
) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.git("checkout", "-q", "-b", "early")
    repo.commit("e", {"src/shop/early.py": entity("Early", "n")})
    repo.git("checkout", "-q", "main")
    b = repo.commit("b", {"src/shop/cart.py": entity("Cart", "size")})
    repo.commit("c", {"src/shop/line.py": entity("Line", "count")})
    repo.git("checkout", "-q", first)
    merge(repo, "m", {"main": "early", "early": "main"}[first])
    evolve(repo, "--from", b)
    sides = ["c", "e"] if first == "main" else ["e", "c"]
    assert told(repo) == {"b": [], "c": ["b"], "e": ["b"], "m": sides}
    tip = repo.rev(BRANCH)
    repo.git("branch", "-qD", BRANCH)
    evolve(repo, "--from", b, b)
    evolve(repo)
    assert repo.rev(BRANCH) == tip


def test_lost_notes_are_made_again_for_an_older_commit_too(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.commit("b")
    evolve(repo)
    tip = repo.rev(BRANCH)
    repo.git("update-ref", "-d", "refs/notes/allium")
    evolve(repo, "HEAD~")
    assert repo.rev(BRANCH) == tip
    assert len(repo.git("notes", "--ref=allium", "list").splitlines()) == 2


def test_a_branch_that_stays_behind_keeps_count_of_what_was_described_beside_it(
    repo: TestRepository,
) -> None:
    repo.git("config", "allium.strategy", "n-commits")
    repo.git("config", "allium.interval", "2")
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.commit("b", {"src/shop/order.py": entity("Order", "total", "paid")})
    evolve(repo)
    repo.git("checkout", "-q", "-b", "side", "HEAD~")
    for name in "st":
        repo.commit(name, {f"src/shop/{name}.py": entity(name.title(), "n")})
    evolve(repo, "--all", "main~")
    data = json.loads(allium_here(repo.path, "status", "--json").ok().out)
    assert data["lastReconciliationStep"] == 4
