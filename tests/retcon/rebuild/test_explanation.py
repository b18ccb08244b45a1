"""``--explain`` gives the reason of each hunk, in a run as in its plan."""

import json

import pytest

from tests.program import retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def test_a_run_says_of_each_hunk_what_the_plan_said(scene: Scene) -> None:
    plan = retcon_here(scene.repo.path, "-n", "--explain", "history.toml").ok().out
    run = retcon_here(scene.repo.path, "--explain", "history.toml").ok()
    reasons = [line.partition("%")[2].strip() for line in run.err.splitlines() if "%" in line]
    assert len(reasons) >= 5
    on_one_line = " ".join(plan.split())
    assert [reason for reason in reasons if reason not in on_one_line] == []
    assert "  Extracting relevant changes...\n    " in run.err
    assert "%" not in run.out


def test_a_run_that_was_not_asked_says_nothing_of_it(scene: Scene) -> None:
    done = retcon_here(scene.repo.path, "history.toml", "--events").ok()
    assert "%" not in done.err
    assert '"explained"' not in done.out


def test_a_program_gets_the_hunks_of_the_plan(scene: Scene) -> None:
    plan = json.loads(
        retcon_here(scene.repo.path, "-n", "--explain", "--json", "history.toml").ok().out
    )
    done = retcon_here(scene.repo.path, "--explain", "--events", "-q", "history.toml").ok()
    told = [json.loads(line) for line in done.out.splitlines()]
    explained = {event["index"]: event for event in told if event["event"] == "explained"}
    for commit in plan["commits"]:
        event = explained[commit["position"] - 1]
        assert event["atoms"] == commit["atoms"]
        assert event["remarks"] == commit["remarks"]


def test_a_fix_is_explained_too(scene: Scene) -> None:
    head, one, two, three = scene.spec.read_text().split("[[commit]]")
    scene.write_spec("[[commit]]".join([head, two, one, three]))
    done = retcon_here(scene.repo.path, "--explain", "--events", "-q", "history.toml").ok()
    told = [json.loads(line) for line in done.out.splitlines()]
    fixes = [event for event in told if event["event"] == "explained" and event["index"] == 0]
    assert ["money.py"] in [[hunk["path"] for hunk in event["atoms"]] for event in fixes]
