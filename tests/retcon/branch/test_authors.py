"""The authors of a rebuilt commit are those of its lines."""

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


def test_an_author_that_git_would_not_write_today(scene: Scene) -> None:
    repo = scene.repo
    raw = repo.git("cat-file", "commit", "feature").replace("Ada Lovelace <", "Ada <x", 1)
    lines = raw.split("\n")
    at = next(n for n, line in enumerate(lines) if line.startswith("author "))
    lines[at] = "author Nobody <nobody@example.com>"
    oid = repo.git(
        "hash-object",
        "-t",
        "commit",
        "-w",
        "--literally",
        "--stdin",
        stdin="\n".join(lines).encode(),
    )
    repo.git("update-ref", "refs/heads/feature", oid)
    scene.run().ok()
    assert repo.tree("clean") == repo.tree("feature")


def test_the_authors_of_the_source_are_kept(scene: Scene) -> None:
    scene.run().ok()
    assert scene.repo.git("log", "-1", "--format=%an <%ae>%n%(trailers)", "clean~2").strip() == (
        "Grace Hopper <grace@example.com>"
    )
    assert scene.repo.git("log", "-1", "--format=%an", "clean") == "Ada Lovelace"
