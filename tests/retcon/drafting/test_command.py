"""A draft is a spec of the branch alone, and its plan is the draft."""

import json
import tomllib

import pytest

from tests.program import on_terminal, rest, retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    """The messy branch is checked out, and there is no spec."""
    made = messy_branch(repo)
    made.spec.unlink()
    repo.git("checkout", "-q", "feature")
    return made


def test_the_plan_of_a_draft_is_the_draft(scene: Scene) -> None:
    where = scene.repo.path
    drafted = json.loads(retcon_here(where, "plan", "--json").ok().out)
    assert (drafted["source"], drafted["remote"]) == ("feature", "main")
    plan = json.loads(retcon_here(where, "-n", "--json").ok().out)
    shown = [(each["subject"], len(each["hunks"])) for each in plan["commits"]]
    assert shown == [(each["subject"], each["hunks"]) for each in drafted["commits"]]
    assert plan["leftover"] == []
    spec = tomllib.loads(scene.spec.read_text())
    assert spec["cleaned"] == "feature-clean"
    assert spec["build"] == "python3 -m compileall -q ."
    assert any("money.py: cents" in commit["hints"] for commit in spec["commit"])
    assert (drafted["build"], drafted["test"]) == ("python3 -m compileall -q .", None)


def test_a_draft_is_built_and_adopted(scene: Scene) -> None:
    where = scene.repo.path
    tree = scene.repo.tree("feature")
    retcon_here(where, "plan").ok()
    retcon_here(where, "--build", "true").ok()
    retcon_here(where, "adopt").ok()
    assert scene.repo.tree("feature") == tree
    subjects = scene.repo.git("log", "--format=%s", "main..feature").splitlines()
    assert not {"wip", "wip 2", "typo"} & set(subjects)


def test_the_commands_that_a_draft_proposes_are_shown(scene: Scene) -> None:
    done = retcon_here(scene.repo.path, "plan").ok()
    assert (
        "a run builds and tests each commit with these commands, as you would run them:\n"
        "  build: python3 -m compileall -q .\n"
        "history.toml drafts "
    ) in done.err


def test_the_commands_of_uncommitted_work_are_those_of_its_files(scene: Scene) -> None:
    (scene.repo.path / "Makefile").write_text("all:\n\ttrue\ntest:\n\ttrue\n")
    words = ("plan", "--onto", "main", "-o", "-")
    committed = tomllib.loads(retcon_here(scene.repo.path, *words).ok().out)
    assert committed["build"] == "python3 -m compileall -q ."
    drafted = retcon_here(scene.repo.path, *words, "--source=worktree").ok().out
    working = tomllib.loads(drafted)
    assert (working["build"], working["test"]) == ("make", "make test")


def test_what_a_draft_of_uncommitted_work_leaves_out_is_named(scene: Scene) -> None:
    fixture = 'cleaned = "x"\n[[commit]]\nmessage = "y"\n'
    scene.repo.commit("Read specs", {"tests/spec.toml": fixture})
    scene.repo.write({"tests/spec.toml": f"# {fixture}", ".env": "TOKEN=1\n", "new.py": "N = 1\n"})
    words = ("plan", "--onto", "main", "-o", "-", "--source=worktree")
    said = retcon_here(scene.repo.path, *words).ok().err
    assert "warning: untracked files that hold secrets are not included: .env\n" in said
    assert "changes of specifications are not included: tests/spec.toml\n" in said
    assert "not included" not in retcon_here(scene.repo.path, *words, "-q").ok().err
    # Without the worktree, all of it.
    said = retcon_here(scene.repo.path, *words[:-1]).ok().err
    assert "are not included: tests/spec.toml, .env and new.py\n" in said


def test_a_branch_without_a_commit_is_called_that(scene: Scene) -> None:
    scene.repo.git("symbolic-ref", "HEAD", "refs/heads/nothing")
    refused = retcon_here(scene.repo.path, "plan")
    assert refused.status == 128
    assert refused.err.startswith("fatal: 'nothing' has no commit yet\nhint: 'git commit' first")


def test_what_is_there_is_not_replaced(scene: Scene) -> None:
    scene.write_spec("mine")
    done = retcon_here(scene.repo.path, "plan")
    assert (done.status, scene.spec.read_text()) == (128, "mine")
    assert "'history.toml' is there already" in done.err
    printed = retcon_here(scene.repo.path, "plan", "feature", "--onto", "main", "-o", "-").ok()
    assert 'source = "feature"' in printed.out
    drafted = json.loads(retcon_here(scene.repo.path, "plan", "-o", "-", "--json").ok().out)
    assert drafted["toml"] == printed.out


def test_a_draft_names_branches_that_stay_what_they_are(scene: Scene) -> None:
    scene.repo.git("branch", "feature-clean", "main")
    drafted = tomllib.loads(retcon_here(scene.repo.path, "plan", "HEAD", "-o", "-").ok().out)
    assert (drafted["source"], drafted["cleaned"]) == ("feature", "feature-clean-2")
    done = retcon_here(scene.repo.path, "plan", "nosuch", "-o", "draft.toml")
    assert done.status == 128
    assert done.err.splitlines() == [
        "fatal: there is no branch or commit 'nosuch'",
        "hint: name branches that are there: 'git retcon plan SOURCE --onto REMOTE'",
    ]
    misspelt = retcon_here(scene.repo.path, "plan", "featur", "-o", "draft.toml")
    assert misspelt.err.endswith("'featur'\nhint: did you mean 'feature'?\n")
    drafted = tomllib.loads(retcon_here(scene.repo.path, "plan", "feature~1", "-o", "-").ok().out)
    assert drafted["cleaned"] == "feature-1-clean"


def test_a_branch_with_no_trunk_asks_for_one(scene: Scene) -> None:
    scene.repo.git("branch", "-m", "main", "elsewhere")
    done = retcon_here(scene.repo.path, "plan")
    assert done.status == 128
    assert "which branch will 'feature' be merged into?" in done.err
    retcon_here(scene.repo.path, "plan", "--onto", "elsewhere").ok()


def test_a_folder_without_a_spec_is_offered_one(scene: Scene) -> None:
    child = on_terminal("retcon", scene.repo.path)
    child.expect(r"Draft one of the present branch, in 'history.toml'\? \[y/N\]")
    child.sendline("y")
    assert rest(child).status == 0
    assert "[[commit]]" in scene.spec.read_text()


def test_an_interrupted_offer_says_that_nothing_was_written(scene: Scene) -> None:
    child = on_terminal("retcon", scene.repo.path)
    child.expect(r"\[y/N\]")
    child.send("\x03")
    done = rest(child)
    assert (done.status, "hint: nothing was written" in done.out) == (130, True)


def test_who_declines_the_offer_gets_a_truthful_no(scene: Scene) -> None:
    child = on_terminal("retcon", scene.repo.path)
    child.expect(r"\[y/N\]")
    child.sendline("n")
    done = rest(child)
    assert (done.status, "error: no spec file here, and none was drafted" in done.out) == (1, True)
    assert not scene.spec.exists()
