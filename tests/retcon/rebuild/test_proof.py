"""Nothing is called complete that these commands did not prove."""

import json

import pytest

from tests.program import Ran, on_terminal, rest, retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import BUILD, Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    """A spec without commands."""
    made = messy_branch(repo)
    made.write_spec(made.spec.read_text().replace(f'build = "{BUILD}"\n', ""))
    return made


def run(scene: Scene, *words: str) -> Ran:
    return retcon_here(scene.repo.path, *words, "history.toml")


@pytest.mark.slow
def test_without_a_command_a_run_is_complete_but_not_built(scene: Scene) -> None:
    assert run(scene).ok().out.startswith("Complete, not built.\n")
    assert json.loads(run(scene, "--json").ok().out)["proved"] is False
    assert run(scene, "--build", BUILD).ok().out.startswith("Complete!\n")


@pytest.mark.slow
def test_a_command_that_comes_later_proves_every_commit_and_changes_none(scene: Scene) -> None:
    run(scene).ok()
    tip, spec = scene.repo.rev("clean"), scene.spec.read_bytes()
    done = run(scene, "--build", BUILD).ok()
    assert done.err.count("(not proved by these commands yet)\n  Building... PASS\n") == 3
    assert (scene.repo.rev("clean"), scene.spec.read_bytes()) == (tip, spec)
    assert "Verdict: build pass" in scene.repo.git("notes", "--ref=retcon", "show", "clean~2")
    again = run(scene, "--build", BUILD).ok()
    assert "Building" not in again.err


def test_a_commit_that_fails_is_named_and_nothing_is_changed(scene: Scene) -> None:
    run(scene).ok()
    tip, spec = scene.repo.rev("clean"), scene.spec.read_bytes()
    done = run(scene, "--build", "test -f price.py")
    assert done.status == 1
    assert "error: commit 1 'Count money in cents' fails the build" in done.err
    assert "hint: --yes builds again from commit 1; the branch is unchanged" in done.err
    assert (scene.repo.rev("clean"), scene.spec.read_bytes()) == (tip, spec)
    told = json.loads(run(scene, "--build", "test -f price.py", "--json").out)
    assert told["reason"] == "needs_answer"
    assert any("--yes" in command for command in told["next"])


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("false", "'feature' itself fails this build (exit status 1)"),
        ("no-such-tool all", "the build command 'no-such-tool' is not found"),
    ],
)
def test_nothing_is_built_again_for_a_command_that_fails_at_the_source_too(
    scene: Scene, command: str, why: str
) -> None:
    run(scene).ok()
    tip, spec = scene.repo.rev("clean"), scene.spec.read_bytes()
    done = run(scene, "--build", command, "--yes")
    assert done.status == 1
    assert f"error: {why}" in done.err
    assert "hint: the branch is unchanged" in done.err
    assert (scene.repo.rev("clean"), scene.spec.read_bytes()) == (tip, spec)


def test_it_is_built_again_from_there_when_that_is_wanted(scene: Scene) -> None:
    run(scene).ok()
    done = run(scene, "--build", "test -f price.py", "--yes").ok()
    assert "Rebuilding from commit 1: it fails the build" in done.err
    assert "price.py" in scene.repo.git("ls-tree", "--name-only", "clean~2").split()
    assert scene.repo.tree("clean") == scene.repo.tree("feature")


def test_a_person_is_asked_at_a_terminal(scene: Scene) -> None:
    run(scene).ok()
    tip = scene.repo.rev("clean")
    words = ("--build", "test -f price.py", "history.toml")
    child = on_terminal("retcon", scene.repo.path, *words)
    child.expect(r"Build again from commit 1\? \[y/N\] ")
    child.sendline("n")
    assert rest(child).status == 1
    assert scene.repo.rev("clean") == tip


def test_a_persons_own_commit_is_never_dropped_for_it(scene: Scene) -> None:
    run(scene).ok()
    scene.repo.git("checkout", "-q", "clean")
    scene.repo.git("commit", "-q", "--allow-empty", "-m", "mine")
    scene.repo.git("checkout", "-q", "main")
    mine = scene.repo.rev("clean")
    done = run(scene, "--build", "test -f price.py", "--yes")
    assert done.status == 128
    assert "holds a commit of your own" in done.err
    assert scene.repo.rev("clean") == mine


def test_what_is_half_built_is_proved_before_it_goes_on(scene: Scene) -> None:
    text = scene.spec.read_text()
    scene.write_spec(text.rpartition("[[commit]]")[0])
    run(scene, "--leftover=stop")
    scene.write_spec(scene.spec.read_text() + '[[commit]]\nmessage = "Say what this is"\n')
    done = run(scene, "--build", BUILD)
    assert "(not proved by these commands yet)" in done.err


def test_an_option_that_takes_the_spec_for_its_command_is_noticed(scene: Scene) -> None:
    done = retcon_here(scene.repo.path, "--build", "history.toml")
    assert done.status == 129
    assert "--build has taken 'history.toml' for its command" in done.err
    assert "'git retcon --build CMD history.toml'" in done.err
