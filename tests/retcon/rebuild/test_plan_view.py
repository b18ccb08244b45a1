"""A plan fits on a screen, and shows what is in doubt."""

import pytest

from tests.program import retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def plan(scene: Scene, *words: str) -> str:
    return retcon_here(scene.repo.path, "-n", *words, "history.toml").ok().out


def vague(scene: Scene) -> None:
    """Messages that say nothing of the code, and no ``files``."""
    text = scene.spec.read_text()
    head, *_ = text.split("[[commit]]")
    scene.write_spec(f'{head}[[commit]]\nmessage = "One"\n\n[[commit]]\nmessage = "Two"\n')


def test_a_commit_shows_its_files_with_sizes_and_definitions(scene: Scene) -> None:
    assert plan(scene) == (
        "Commit 1/3: Count money in cents  +2 -0\n"
        "  money.py  +2 -0     cents\n"
        "\n"
        "Commit 2/3: Total a shop's rows  +9 -1\n"
        "  price.py  +5 -0     price\n"
        "  shop.py   +4 -1     total\n"
        "\n"
        "Commit 3/3: Say what this is  +1 -1\n"
        "  README.md  +1 -1     Shop\n"
        "\n"
    )


def test_hunks_in_doubt_are_marked_and_counted(scene: Scene) -> None:
    squashed = scene.repo.git("commit-tree", "feature^{tree}", "-p", "main", "-m", "squashed")
    scene.repo.git("branch", "-f", "feature", squashed)
    vague(scene)
    lines = plan(scene).splitlines()
    marked = [line for line in lines if line.startswith("    ? ")]
    assert marked
    assert all(line.endswith("%") for line in marked)
    hunks = len([line for line in plan(scene, "-p").splitlines() if line.endswith("%")])
    assert lines[-2:] == [
        f"{len(marked)} of {hunks} hunks in doubt, marked with ?",
        "'git retcon review' asks about those that matter",
    ]


def test_the_text_of_hunks_is_printed_when_asked(scene: Scene) -> None:
    out = plan(scene, "-p")
    assert "      +def cents(text):\n      +    return round(float(text) * 100)\n" in out
    assert "      -# ?\n      +# Shop\n" in out
    assert "def cents" not in plan(scene)


def test_reasons_are_wrapped_to_the_width(scene: Scene) -> None:
    assert max(map(len, plan(scene, "--explain").splitlines())) <= 100


def test_the_text_of_hunks_belongs_to_a_plan(scene: Scene) -> None:
    done = retcon_here(scene.repo.path, "-p", "history.toml")
    assert done.status == 129
    assert "--patch is for --dry-run (-n)" in done.err
