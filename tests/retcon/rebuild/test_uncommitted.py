"""Every command that plans says what of the source is not committed, and not included."""

import pytest

from tests.program import retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import Scene, messy_branch

WARNING = "warning: uncommitted changes of 'feature' are not included: new.py\n"


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    made = messy_branch(repo)
    repo.git("checkout", "-q", "feature")
    repo.write({"new.py": "NEW = 1\n"})
    return made


@pytest.mark.parametrize(
    "words",
    [
        ["-n", "history.toml"],
        ["hunks", "history.toml"],
        ["plan", "feature", "--onto", "main", "-o", "-"],
    ],
)
def test_a_plan_names_what_is_not_committed(scene: Scene, words: list[str]) -> None:
    assert WARNING in retcon_here(scene.repo.path, *words).ok().err
    assert "uncommitted" not in retcon_here(scene.repo.path, *words, "-q").ok().err
    (scene.repo.path / "new.py").unlink()
    assert "uncommitted" not in retcon_here(scene.repo.path, *words).ok().err
