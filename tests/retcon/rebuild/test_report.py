"""The end of a run, for people and for programs."""

import json
import subprocess

import pytest

from tests.repository import TestRepository
from tests.retcon.scene import SPEC, Scene, messy_branch

UNBUILT = SPEC.replace("build =", "# build =")


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    """A scene without builds: they take most of the time and matter little here."""
    made = messy_branch(repo)
    made.write_spec(UNBUILT)
    return made


def test_the_commands_printed_at_the_end_can_be_pasted(scene: Scene) -> None:
    name = "it's;$(touch${IFS}x)"
    scene.repo.git("remote", "add", "theirs", "nowhere")
    scene.write_spec(UNBUILT.replace('"clean"', f'"{name}"'))
    done = scene.run().ok()
    (command,) = (line for line in done.out.splitlines() if line.startswith("  git diff "))
    shell = subprocess.run(
        ["sh", "-c", command.removesuffix("(is empty)")],
        cwd=scene.repo.path, capture_output=True, check=False,
    )  # fmt: skip
    assert (shell.returncode, shell.stdout, shell.stderr) == (0, b"", b"")
    assert "To publish it:\n  git push theirs '" in done.out
    assert not (scene.repo.path / "x").exists()


def test_json_is_one_object_on_standard_output(scene: Scene) -> None:
    done = scene.run("--json", "-q").ok()
    result = json.loads(done.out)
    assert done.err == ""
    assert (result["version"], result["status"], result["tree_equal"]) == (1, "complete", True)
    assert [commit["status"] for commit in result["commits"]] == ["complete"] * 3
