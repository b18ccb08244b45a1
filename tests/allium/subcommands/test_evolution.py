"""``git allium evolve`` for people and programs."""

import json

import pytest

from tests.allium.history_shapes import BRANCH, entity, make_branchy
from tests.model.loopback import LoopbackApi
from tests.program import allium_here
from tests.repository import TestRepository


def test_programs_get_one_object(repo: TestRepository) -> None:
    head = repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    done = json.loads(allium_here(repo.path, "evolve", "--offline", "--json", "-q").ok().out)
    assert done == {
        "version": 1,
        "status": "done",
        "branch": BRANCH,
        "source": head,
        "described": 1,
        "tip": repo.rev(BRANCH),
        "modules": 1,
        "tokens": done["tokens"],
        "incomplete": 0,
        "cost": 0.0,
        "reconciliations": 0,
    }
    again = json.loads(allium_here(repo.path, "evolve", "--offline", "--json").ok().out)
    assert (again["status"], again["described"]) == ("up_to_date", 0)


def test_events_come_as_they_happen(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    done = allium_here(repo.path, "evolve", "--offline", "--events", "-q").ok()
    events = [json.loads(line) for line in done.out.splitlines()]
    assert [event["event"] for event in events] == [
        "engine_chosen",
        "history_read",
        "step_described",
        "finished",
    ]
    assert events[2]["changed"] == ["_master.allium", "shop.allium"]


def test_a_plan_names_the_segments(repo: TestRepository) -> None:
    make_branchy(repo)
    plan = json.loads(allium_here(repo.path, "evolve", "--offline", "-n", "--json").ok().out)
    assert (plan["status"], plan["commits"]) == ("planned", 15)
    assert plan["segments"][0]["id"] == "trunk-0"
    assert {each["kind"] for each in plan["segments"]} == {"trunk", "branch"}
    assert sum(each["commits"] for each in plan["segments"]) == 15
    lines = allium_here(repo.path, "evolve", "--offline", "-n", "-v").ok().out.splitlines()
    assert len(lines) == 1 + len(plan["segments"])


def test_two_starts_contradict_each_other(repo: TestRepository) -> None:
    repo.commit("a")
    done = allium_here(repo.path, "evolve", "--from", "HEAD", "--last", "1")
    assert (done.status, done.err.splitlines()[0]) == (
        129,
        "error: --from and --last contradict each other",
    )


def test_no_model_is_asked_where_git_does_not_know_who_commits(
    repo: TestRepository, api: LoopbackApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer could not be kept, and would be paid for."""
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.git("config", "user.useConfigOnly", "true")
    for name in ("GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in api.env.items():
        monkeypatch.setenv(name, value)
    done = allium_here(repo.path, "evolve", "--yes")
    assert api.requests == []
    assert done.status == 128
    assert "hint: set user.name and user.email with 'git config'\n" in done.err


def test_what_a_checkpoint_could_not_read_is_warned_of(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total"), "src/shop/bad.py": "class ("})
    done = allium_here(repo.path, "evolve", "--offline", "--reconciliation-interval", "1").ok()
    head = repo.rev("HEAD")[:12]
    assert f"warning: not read at {head}: src/shop/bad.py\n" in done.err


def test_a_strategy_that_is_none_is_refused_also_where_nothing_is_to_do(
    repo: TestRepository,
) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    allium_here(repo.path, "evolve", "--offline").ok()
    done = allium_here(repo.path, "evolve", "--reconciliation-strategy", "weekly")
    assert done.status == 128
    assert "none, n-commits, n-trunk-commits, token-count" in done.err


def test_an_interval_of_nothing_is_refused(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.git("config", "allium.interval", "0.5")
    done = allium_here(repo.path, "evolve", "--offline")
    assert done.status == 128
    assert "bad number '0.5' for 'allium.interval'" in done.err
