"""``--plan``: what a person or a program gives back is taken, or refused by name."""

import json
from collections.abc import Mapping

import pytest

from git_retcon.retcon.rebuild.given_plan import expand_id
from tests.program import Ran, retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    made = messy_branch(repo)
    text = made.spec.read_text()
    made.write_spec(text.replace('files = ["README.md"]\n', ""))
    return made


def plan(scene: Scene) -> dict[str, object]:
    made: dict[str, object] = json.loads(run(scene, "-n", "--json").ok().out)
    return made


def run(scene: Scene, *words: str) -> Ran:
    return retcon_here(scene.repo.path, *words, "history.toml")


def give(scene: Scene, given: object, *words: str) -> Ran:
    (scene.repo.path / ".git/plan.json").write_text(json.dumps(given))
    return run(scene, "--plan", ".git/plan.json", *words)


def hunks_of(scene: Scene, path: str) -> list[str]:
    hunks = json.loads(retcon_here(scene.repo.path, "hunks", "--json").ok().out)["hunks"]
    return [hunk["id"] for hunk in hunks if hunk["path"] == path]


def move(scene: Scene, path: str, position: int) -> Mapping[str, object]:
    commits = [{"position": position, "hunks": hunks_of(scene, path)}]
    return {"tree": plan(scene)["tree"], "commits": commits}


def test_a_plan_that_is_given_back_whole_is_the_plan(scene: Scene) -> None:
    made = plan(scene)
    commits = made["commits"]
    assert isinstance(commits, list)
    again = json.loads(give(scene, made, "-n", "--json").ok().out)
    assert [list(each["hunks"]) for each in again["commits"]] == [
        list(each["hunks"]) for each in commits
    ]
    # Nothing is pinned, so a repair may still take each hunk.
    before = scene.spec.read_text()
    give(scene, made).ok()
    assert "hunks = " not in scene.spec.read_text()
    assert again["commits"] == commits
    run(scene, "undo").ok()
    assert scene.spec.read_text() == before


def test_some_hunks_are_moved_and_the_planner_fills_the_rest(scene: Scene) -> None:
    given = move(scene, "README.md", 1)
    before = scene.spec.read_bytes()
    planned = json.loads(give(scene, given, "-n", "--json").ok().out)
    assert scene.spec.read_bytes() == before
    assert set(hunks_of(scene, "README.md")) <= set(planned["commits"][0]["hunks"])
    assert planned["leftover"] == []


def test_a_run_keeps_the_plan_as_pins_with_comments(scene: Scene) -> None:
    (hunk,) = hunks_of(scene, "README.md")
    give(scene, move(scene, "README.md", 1)).ok()
    scene.promise()
    assert f'hunks = [\n    "{hunk}", # README.md:1 Shop\n]\n' in scene.spec.read_text()
    changed = scene.repo.git("diff", "--name-only", "main", "clean~1").split()
    assert "README.md" in changed
    run(scene, "-n").ok()
    undone = run(scene, "undo").ok()
    assert "history.toml still has 1 pin" in undone.err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tree": "0" * 40}, "the plan is for another state of 'feature' (tree 000000000000)"),
        (
            {"commits": [{"position": 1, "hunks": ["ffff"]}]},
            "the plan has unknown id: ffff",
        ),
        ({"commits": [{"position": 9, "hunks": []}]}, "the plan has a commit 9, the spec has 3"),
        ({"commits": [{"hunks": []}]}, "has a commit without 'position'"),
        ({"commits": 3}, "has no list 'commits'"),
        ({"commits": [{"position": 1, "hunks": [3]}]}, "has hunks of commit 1 that are no ids"),
        ({"commits": [{"position": 1, "hunks": True}]}, "has hunks of commit 1 that are no ids"),
        ({"commits": [{"position": 1, "hunks": "7c76"}]}, "has hunks of commit 1 that are no ids"),
        ({"version": 2}, "has version 2, and only 1 is known"),
        ({"version": True}, "has version true, and only 1 is known"),
        (
            {"commits": [{"position": 1}, {"position": 1}]},
            "has two commits of position 1",
        ),
    ],
)
def test_a_plan_that_does_not_fit_is_refused_by_name(
    scene: Scene, change: dict[str, object], message: str
) -> None:
    done = give(scene, {**plan(scene), **change})
    assert done.status == 128
    assert message in done.err
    assert scene.repo.git("for-each-ref", "refs/heads/clean") == ""


def test_ids_may_be_abbreviated(scene: Scene) -> None:
    (hunk,) = hunks_of(scene, "README.md")
    given = {**plan(scene), "commits": [{"position": 1, "hunks": [hunk[:6]]}]}
    planned = json.loads(give(scene, given, "-n", "--json").ok().out)
    assert hunk in planned["commits"][0]["hunks"]


def test_an_abbreviation_that_several_hunks_have_is_refused() -> None:
    whole = ["1f3a9c20aa", "1f3a9c77bb", "1f3a9c77bb.2"]
    assert [expand_id(each, whole) for each in ("1f3a9c2", "1f3a9c20aa:1-2", "1f3a9c77bb")] == [
        "1f3a9c20aa", "1f3a9c20aa:1-2", "1f3a9c77bb",
    ]  # fmt: skip
    assert [expand_id(each, whole) for each in ("1f3a9c", "1f3a9c77b", "22", "x")] == [
        "1f3a9c", "1f3a9c77b", "22", "x",
    ]  # fmt: skip


def test_a_hunk_in_two_commits_is_refused(scene: Scene) -> None:
    (hunk,) = hunks_of(scene, "README.md")
    commits = [{"position": at, "hunks": [hunk]} for at in (1, 2)]
    done = give(scene, {**plan(scene), "commits": commits})
    assert f"the plan has doubled id: {hunk}" in done.err


def test_what_is_no_json_is_refused(scene: Scene) -> None:
    (scene.repo.path / ".git/plan.json").write_text("{")
    done = run(scene, "--plan", ".git/plan.json", "-n")
    assert done.status == 128
    assert "fatal: the plan '.git/plan.json' is not JSON" in done.err
    assert "cannot read the plan 'nowhere'" in run(scene, "--plan", "nowhere", "-n").err
