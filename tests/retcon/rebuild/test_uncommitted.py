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


def test_specs_are_no_part_of_the_work(scene: Scene) -> None:
    scene.repo.write({"new.py": None, "other.toml": scene.spec.read_bytes()})
    (scene.repo.path / ".git/info/exclude").write_text("")
    assert "uncommitted" not in retcon_here(scene.repo.path, "-n", "history.toml").ok().err
    scene.repo.write({"pyproject.toml": "[project]\n"})
    shown = retcon_here(scene.repo.path, "-n", "history.toml").ok().err
    assert "are not included: pyproject.toml\n" in shown
    assert "hint: commit them, and run the same command again; or --source=worktree takes" in shown


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
