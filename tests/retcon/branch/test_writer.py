"""A commit has exactly the message of the spec."""

import json

import pytest

from tests.repository import TestRepository
from tests.retcon.scene import SPEC, Scene, messy_branch

UNBUILT = SPEC.replace("build =", "# build =")


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    made = messy_branch(repo)
    made.write_spec(UNBUILT)
    return made


LONG = "x" * 150_000


@pytest.mark.parametrize(
    "message",
    [
        "\n\n  Leading blank lines",
        "Trailing \n\n# a comment is text\n\n\n\n",
        "Text\n\n---\nbelow a divider\n\nReviewed-by: A <a@b>",
        "Ünï\u2028cödé\u0085 x",
        LONG,
    ],
)
def test_messages_are_verbatim(scene: Scene, message: str) -> None:
    scene.repo.git("config", "trailer.sign.command", "touch /dev/null; echo ran")
    scene.repo.git("checkout", "-q", "feature")
    scene.repo.commit("by another", {"price.py": "# new\n"}, author="Grace <grace@example.com>")
    scene.repo.git("checkout", "-q", "main")
    head = UNBUILT.partition("[[commit]]")[0]
    scene.write_spec(f"{head}[[commit]]\nmessage = {json.dumps(message)}\n")
    done = scene.run().ok()
    made = scene.repo.git("log", "-1", "--format=%B", "clean")
    raw = scene.repo.git("cat-file", "commit", "clean").partition("\n\n")[2]
    assert raw.startswith(message.rstrip("\n")), made[:200]
    assert raw.rstrip("\n").endswith("\nCo-authored-by: Grace <grace@example.com>")
    assert "ran" not in raw
    assert "\u0085" not in done.err
    assert scene.run().ok().out.startswith("Complete, not built.")
