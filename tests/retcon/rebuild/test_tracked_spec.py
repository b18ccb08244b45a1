"""The commands of a spec that git tracks run only once somebody trusts them."""

import json

import pytest

from tests.program import on_terminal, rest
from tests.repository import TestRepository
from tests.retcon.scene import BUILD, Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    """The scene with its spec in the index, as a clone has it, and a build that leaves a mark."""
    scene = messy_branch(repo)
    text = scene.spec.read_text()
    scene.write_spec(text.replace(BUILD, f"echo x >>{repo.path.parent}/mark; {BUILD}"))
    repo.git("add", "-f", "history.toml")
    return scene


def has_run(scene: Scene) -> bool:
    return (scene.repo.path.parent / "mark").exists()


def test_without_a_terminal_nothing_runs_and_nothing_moves(scene: Scene) -> None:
    for options in ([], ["--yes"]):
        done = scene.run(*options)
        assert done.status == 1
        assert "nothing was run: 'history.toml' is tracked by git" in done.err
        assert f"    build: echo x >>{scene.repo.path.parent}/mark; {BUILD}\n" in done.err
        assert "--trust" in done.err
    assert not has_run(scene)
    assert scene.repo.git("branch", "--list", "clean") == ""


def test_programs_learn_the_reason_and_how_to_go_on(scene: Scene) -> None:
    told = json.loads(scene.run("--json").out)
    assert (told["reason"], told["retryable"]) == ("not_trusted", False)
    assert told["next"] == [["git", "retcon", "--trust", "history.toml", "--json"]]


def test_trust_is_remembered(scene: Scene) -> None:
    scene.run("--trust").ok()
    assert has_run(scene)
    scene.run("--restart").ok()


def test_a_person_is_asked_before_the_first_line_of_the_run(scene: Scene) -> None:
    child = on_terminal("retcon", scene.repo.path, "history.toml")
    child.expect_exact("Do you trust them? [y/N] ")
    assert "Engine" not in child.before
    assert not has_run(scene)
    child.sendline("n")
    done = rest(child)
    assert done.status == 1
    assert not has_run(scene)

    child = on_terminal("retcon", scene.repo.path, "history.toml")
    child.expect_exact("Do you trust them? [y/N] ")
    child.sendline("y")
    assert rest(child).status == 0
    assert has_run(scene)
    scene.run("--restart").ok()


@pytest.mark.slow
def test_a_changed_command_is_asked_about_again(scene: Scene) -> None:
    scene.run("--trust").ok()
    scene.write_spec(scene.spec.read_text().replace("echo x", "echo y"))
    assert scene.run("--restart").status == 1


@pytest.mark.slow
def test_commands_of_ones_own_need_no_trust(scene: Scene) -> None:
    scene.run("--build", BUILD).ok()
    assert not has_run(scene)


def test_a_plan_runs_nothing_and_asks_nothing(scene: Scene) -> None:
    scene.run("-n").ok()
    assert not has_run(scene)
