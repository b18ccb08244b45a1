"""``git retcon hunks``: every hunk once, with its id and its text."""

import json

import pytest

from tests.program import retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def test_people_read_each_hunk_with_its_text(scene: Scene) -> None:
    lines = retcon_here(scene.repo.path, "hunks").ok().out.splitlines()
    at = next(at for at, line in enumerate(lines) if "README.md:1" in line)
    assert lines[at].endswith("  README.md:1  +1 -1  Shop")
    assert lines[at + 1 : at + 3] == ["  -# ?", "  +# Shop"]


def test_programs_read_the_hunks_that_make_the_difference(scene: Scene) -> None:
    listed = json.loads(retcon_here(scene.repo.path, "hunks", "--json").ok().out)
    assert listed["tree"] == scene.repo.tree("feature")
    assert listed["base"] == scene.repo.tree("main")
    added = [line for hunk in listed["hunks"] for line in hunk["added"]]
    diff = scene.repo.git("diff", "main", "feature").splitlines()
    wished = [line[1:] + "\n" for line in diff if line[:1] == "+" and line[:3] != "+++"]
    assert sorted(added) == sorted(wished)


@pytest.mark.slow
def test_hunks_that_are_built_are_listed_too(scene: Scene) -> None:
    before = retcon_here(scene.repo.path, "hunks", "--json").ok().out
    scene.run().ok()
    assert retcon_here(scene.repo.path, "hunks", "--json").ok().out == before
