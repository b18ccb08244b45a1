"""The note on a rebuilt commit: written, read back, and readable by git."""

import pytest

from tests.repository import TestRepository
from tests.retcon.scene import Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def test_notes_are_readable_by_git(scene: Scene) -> None:
    scene.run().ok()
    note = scene.repo.git("log", "-1", "--notes=retcon", "--format=%N", "clean~2")
    lines = dict(line.split(": ", 1) for line in note.strip().splitlines())
    assert note.startswith("Version: 1\n")
    assert lines["Logical-Commit"] == "1/3 Count money in cents"
    assert lines["Engine"] == "offline"
    assert lines["Verdict"].startswith("build pass")
