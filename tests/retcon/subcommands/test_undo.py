"""``git retcon undo`` says what it took back, and the command that brings it back works."""

import json
import subprocess

import pytest

from tests.program import retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import SPEC, Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    made = messy_branch(repo)
    made.run().ok()
    return made


@pytest.mark.slow
def test_the_command_that_is_printed_brings_the_branch_back(scene: Scene) -> None:
    tip = scene.repo.rev("clean")
    done = retcon_here(scene.repo.path, "undo").ok()
    first, hint = done.err.splitlines()
    assert first == "'clean' is deleted: the run had made it"
    command = hint.removeprefix("hint: '").partition("' brings the undone commits back")[0]
    subprocess.run(["sh", "-c", command], cwd=scene.repo.path, check=True)
    assert scene.repo.rev("clean") == tip


@pytest.mark.slow
def test_a_program_gets_that_command_as_words(scene: Scene) -> None:
    tip = scene.repo.rev("clean")
    told = json.loads(retcon_here(scene.repo.path, "undo", "--json").ok().out)
    assert (told["branch"], told["tip"]) == ("clean", None)
    assert told["way_back"] == ["git", "branch", "clean", told["kept"]]
    subprocess.run(told["way_back"], cwd=scene.repo.path, check=True)
    assert scene.repo.rev("clean") == tip


@pytest.mark.slow
def test_a_branch_that_was_there_goes_back_by_force(scene: Scene) -> None:
    before = scene.repo.rev("clean")
    spec = scene.spec.read_text()
    scene.write_spec(spec.replace("Say what this is", "Say what it is"))
    scene.run().ok()
    after = scene.repo.rev("clean")
    told = json.loads(retcon_here(scene.repo.path, "undo", "--json").ok().out)
    assert (told["tip"], scene.repo.rev("clean")) == (before, before)
    assert told["way_back"][:4] == ["git", "branch", "-f", "clean"]
    subprocess.run(told["way_back"], cwd=scene.repo.path, check=True)
    assert scene.repo.rev("clean") == after


def test_of_several_specs_the_one_that_ran_last_is_named_and_not_undone(
    repo: TestRepository,
) -> None:
    scene = messy_branch(repo)
    scene.write_spec(SPEC.replace("build =", "# build ="))
    other = scene.spec.read_text().replace('cleaned = "clean"', 'cleaned = "another"')
    (scene.repo.path / "a b.toml").write_text(other)
    (scene.repo.path / "unused.toml").write_text(other)
    for spec in ("history.toml", "a b.toml"):
        retcon_here(scene.repo.path, "--offline", spec).ok()
    done = retcon_here(scene.repo.path, "undo")
    assert done.status == 129
    assert done.err == (
        "error: which spec? there are 3 here, and the last run was of 'a b.toml'\n"
        "hint: to take it back: 'git retcon undo 'a b.toml''\n"
    )
    retcon_here(scene.repo.path, "undo", "a b.toml").ok()
    assert "the last run was of 'history.toml'" in retcon_here(scene.repo.path, "undo").err
    assert scene.repo.git("branch", "--list", "clean") != ""
