"""Runs over several specs of one repository at once, and a worktree that goes in the middle."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.program import CHECKOUT
from tests.repository import TestRepository
from tests.retcon.scene import BUILD, SPEC, Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def start(scene: Scene, name: str, *options: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "git_retcon.commands.retcon", name, *options],
        cwd=scene.repo.path,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def end(run: "subprocess.Popen[str]") -> str:
    said, _ = run.communicate(timeout=300)
    assert run.returncode == 0, said
    return said


def write_specs(scene: Scene, build: str) -> dict[str, str]:
    """Four specs of as many branches, which take the commits in other orders and numbers."""
    top, *commits = SPEC.split("[[commit]]\n")
    orders = {"one": [0, 1, 2], "two": [2, 0, 1], "three": [0, 2, 1], "four": [0, 1]}
    specs = {}
    for name, order in orders.items():
        head = top.replace('"clean"', f'"{name}"').replace(BUILD, build)
        text = head + "".join("[[commit]]\n" + commits[at] for at in order)
        specs[f"{name}.toml"] = text
        (scene.repo.path / f"{name}.toml").write_text(text)
    (scene.repo.path / ".git/info/exclude").write_text("*.toml\n")
    return specs


def results(scene: Scene, specs: dict[str, str]) -> dict[str, tuple[str, str]]:
    """The tip of each branch, and its spec as the run left it."""
    repo = scene.repo
    return {
        name: (repo.rev(name.removesuffix(".toml")), (repo.path / name).read_text())
        for name in specs
    }


@pytest.mark.slow
def test_four_runs_at_once_end_as_four_one_after_the_other(scene: Scene) -> None:
    specs = write_specs(scene, f"sleep 0.3; {BUILD}")
    for name in specs:
        end(start(scene, name, "--no-cache"))
    in_turn = results(scene, specs)
    commits = scene.repo.git("notes", "--ref=retcon", "list").splitlines()

    for name, text in specs.items():
        scene.repo.git("branch", "-D", name.removesuffix(".toml"))
        (scene.repo.path / name).write_text(text)
    scene.repo.git("update-ref", "-d", "refs/notes/retcon")
    shutil.rmtree(scene.repo.path / ".git/retcon")

    runs = [start(scene, name, "--no-cache") for name in specs]
    for run in runs:
        end(run)
    assert results(scene, specs) == in_turn
    again = scene.repo.git("notes", "--ref=retcon", "list").splitlines()
    assert {line.split()[1] for line in again} == {line.split()[1] for line in commits}


@pytest.mark.slow
def test_two_runs_at_once_build_in_worktrees_of_their_own(scene: Scene, tmp_path: Path) -> None:
    # Each build waits until the other has begun, which it cannot in the same worktree.
    both = f"test $(ls {tmp_path}/*.* | wc -l) -gt 1"
    meet = (
        f"touch {tmp_path}/$(git rev-parse HEAD).$$;"
        f" for i in $(seq 100); do {both} && break; sleep 0.1; done; {both} && {BUILD}"
    )
    write_specs(scene, meet)
    runs = [start(scene, name) for name in ("one.toml", "two.toml")]
    for run in runs:
        end(run)
    for name in ("one", "two"):
        assert scene.repo.tree(name) == scene.repo.tree("feature")


@pytest.mark.slow
def test_a_worktree_removed_in_the_middle_is_made_again_and_nothing_else_changes(
    scene: Scene, tmp_path: Path
) -> None:
    scene.run("--no-cache").ok()
    undisturbed = scene.repo.rev("clean"), scene.spec.read_text()
    scene.repo.git("branch", "-D", "clean")

    mark = tmp_path / "removed"
    removing = f'test -e {mark} || {{ touch {mark}; rm -rf "$PWD/../../retcon"; }}; {BUILD}'
    scene.write_spec(SPEC)
    done = scene.run("--no-cache", "--build", removing).ok()
    assert "was removed while it was in use; it is made again" in done.err
    assert (scene.repo.rev("clean"), scene.spec.read_text()) == undisturbed
