"""Builds and setups are other people's commands, and may do anything: a run survives them.

A law over ``rebuild.loop``, ``rebuild.run`` and ``run.checks``.
"""

import json
import re

import pytest

from tests.program import retcon
from tests.repository import TestRepository
from tests.retcon.scene import BUILD, SPEC, Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def test_a_setup_that_leaves_untracked_files_runs_for_every_commit(scene: Scene) -> None:
    scene.write_spec(SPEC.replace(BUILD, "test -e prepared"))
    scene.run("--setup", "touch prepared").ok()
    scene.promise()


def test_a_setup_whose_files_are_ignored_runs_once(scene: Scene) -> None:
    counter = scene.repo.path / ".git/setups"
    (scene.repo.path / ".git/info/exclude").write_text("history.toml\nprepared\n")
    scene.write_spec(SPEC.replace(BUILD, "test -e prepared"))
    scene.run("--setup", f"echo x >> {counter}; touch prepared").ok()
    assert counter.read_text() == "x\n"


@pytest.mark.slow
def test_a_setup_that_fails_is_called_the_setup(scene: Scene) -> None:
    done = scene.run("--setup", "echo no network; exit 7")
    assert done.status == 1
    assert "itself fails this setup (exit status 7)" in done.err
    scene.run("--setup", "true").ok()
    scene.promise()


@pytest.mark.slow
def test_builds_that_misbehave_in_their_worktree_harm_nothing(scene: Scene) -> None:
    misdeeds = (
        "head -c 30000000 /dev/urandom; printf '\\033]0;title\\007'; "
        "git -c user.name=x -c user.email=x@x commit -q --allow-empty -m mine; "
        "git checkout -q -b b; "
        "git clean -fdxq; mkdir -p ro/x; touch ro/x/y; chmod -R a-w ro; (sleep 1 &) ; "
    )
    before = scene.repo.git("for-each-ref")
    scene.write_spec(
        SPEC.replace(BUILD, "true")
        .replace("build = ", "build = '''")
        .replace('"true"', f"{misdeeds}{BUILD}'''")
    )
    done = scene.run("-v").ok()
    scene.promise()
    assert "\x1b" not in done.err
    after = [line for line in scene.repo.git("for-each-ref").splitlines() if "clean" not in line]
    assert [line for line in after if "notes" not in line] == before.splitlines()


def test_a_build_that_removes_its_worktree_fails_alone(scene: Scene) -> None:
    scene.write_spec(SPEC.replace(BUILD, 'rm -rf \\"$PWD\\"; true'))
    scene.run().ok()
    scene.promise()


@pytest.mark.slow
def test_a_branch_checked_out_during_the_run_is_not_moved(scene: Scene) -> None:
    path = scene.repo.path
    elsewhere = path.parent / "elsewhere"
    scene.write_spec(
        SPEC.replace(BUILD, f"git -C {path} worktree add -q {elsewhere} clean || true")
    )
    done = scene.run()
    assert done.status == 128
    assert "'clean' is checked out at" in done.err
    assert TestRepository(elsewhere).git("status", "--porcelain") == ""
    scene.repo.git("worktree", "remove", "--force", str(elsewhere))
    scene.run("--build", BUILD).ok()
    scene.promise()


@pytest.mark.slow
def test_a_spec_edited_during_the_run_is_not_overwritten(scene: Scene) -> None:
    spec = scene.spec
    scene.write_spec(SPEC.replace(BUILD, f"echo '# mine' >> {spec}"))
    done = scene.run()
    assert done.status == 128
    assert "'history.toml' was edited during this run" in done.err
    assert spec.read_text().endswith("# mine\n")
    scene.run("--build", BUILD).ok()
    assert spec.read_text().count("# mine\n") == 1
    scene.promise()


def test_a_run_that_cannot_be_is_valid_json_too(scene: Scene) -> None:
    scene.write_spec(SPEC.replace('"feature"', '"nowhere"', 1))
    done = scene.run("--json", "-q")
    assert done.status == 128
    assert json.loads(done.out) == {
        "version": 1,
        "status": "failed",
        "reason": "invalid",
        "retryable": False,
        "error": "history.toml:1: source: there is no branch or commit 'nowhere'",
        "hint": "correct the name in the spec",
        "next": [],
    }
    assert done.err.startswith("fatal: history.toml:1: source: ")


def test_a_misspelt_branch_is_suggested(scene: Scene) -> None:
    scene.write_spec(SPEC.replace('"feature"', '"faeture"', 1))
    done = scene.run()
    assert done.err.endswith(
        "fatal: history.toml:1: source: there is no branch or commit 'faeture'\n"
        "hint: did you mean 'feature'? If so, correct the name in the spec\n"
    )


def test_a_build_that_is_not_found_is_called_that(scene: Scene) -> None:
    scene.write_spec(SPEC.replace(BUILD, "nonesuch -q"))
    done = scene.run()
    assert "  Building... FAIL (nonesuch is not found)\n" in done.err
    (said,) = re.findall(r"(?s)I'm stuck\. (.*?)\"", done.err)
    assert " ".join(said.split()) == (
        "the build command 'nonesuch' is not found: correct it, or install what it names"
    )


@pytest.mark.slow
def test_a_stuck_run_is_valid_json_and_quiet(scene: Scene) -> None:
    done = scene.run("--json", "-q", "--build", "false")
    # Quiet is about what goes well: the error is said as every error is.
    assert (done.status, done.err.splitlines()[0][:26]) == (1, "error: commit 1 is stuck: ")
    result = json.loads(done.out)
    assert (result["status"], result["stuck_at"], result["tree_equal"]) == ("stuck", 1, False)
    again = retcon(scene.repo.path, "history.toml", "--json", "-q", "--build", "false")
    assert (again.status, json.loads(again.out)["stuck_at"]) == (1, 1)
