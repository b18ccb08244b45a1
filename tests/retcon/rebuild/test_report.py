"""The end of a run, for people and for programs."""

import json
import subprocess

import pytest

from tests.program import retcon_here
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


def test_commits_for_which_nothing_was_left_are_named_at_the_end(scene: Scene) -> None:
    scene.write_spec(UNBUILT.replace('"README.md"', '"nowhere.md", "!README.md"', 1))
    text = scene.spec.read_text()
    last = text[text.rindex("[[commit]]") :]
    scene.write_spec(text.replace(last, '[[commit]]\nmessage = "The rest"\n\n' + last))
    empty = "  empty: commit 4, nothing was left for 'Say what this is'\n"
    # The second run finds it in the spec alone.
    for _ in range(2):
        done = retcon_here(scene.repo.path, "history.toml").ok()
        assert f"  3 logical commits created\n{empty}" in done.out
    told = retcon_here(scene.repo.path, "status").ok().out.splitlines()
    assert told[0] == "clean: 4 of 4 commits complete, 1 of them empty"
    assert told[3:] == [
        "✓ 3. The rest [complete]",
        "- 4. Say what this is [empty: nothing was left for it]",
    ]
    for words in (("history.toml", "--json"), ("status", "--json")):
        commits = json.loads(retcon_here(scene.repo.path, *words).ok().out)["commits"]
        assert [commit["empty"] for commit in commits] == [False, False, False, True]
    events = retcon_here(scene.repo.path, "history.toml", "--events").ok().out.splitlines()
    assert json.loads(events[-1])["empty"] == [4]
