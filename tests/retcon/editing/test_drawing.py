"""The text that the editor gets."""

import re

import pytest

from tests.repository import TestRepository
from tests.retcon.editing.sheets import shown
from tests.retcon.scene import Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def test_the_plan_is_shown_as_headings_with_their_hunks(scene: Scene) -> None:
    text = re.sub(r"\b[0-9a-f]{10}\b", "ID", shown(scene)).partition("\n# Move")[0]
    assert text == (
        "# history.toml: 3 commits, 6 hunks, 0 in doubt\n"
        "\n"
        "commit 1 (+2 -0) Count money in cents\n"
        "    ID  money.py:1 cents  +2 -0  | def cents(text):\n"
        "\n"
        "commit 2 (+9 -1) Total a shop's rows\n"
        "    ID  price.py:1  +3 -0  | from money import cents\n"
        "    ID  price.py:4 price  +2 -0  | def price(text):\n"
        "    ID  shop.py:1  +3 -0  | import price\n"
        "    ID  shop.py:5 total  +1 -1  | return sum(price.price(row) for row in rows)\n"
        "\n"
        "commit 3 (+1 -1) Say what this is\n"
        "    ID  README.md:1 Shop  +1 -1  | # Shop\n"
    )


def test_the_diffs_are_comments_where_they_are_wished(scene: Scene) -> None:
    assert "      # -# ?\n      # +# Shop\n" in shown(scene, "-v")


def test_the_doubtful_come_first_and_are_marked(scene: Scene) -> None:
    squashed = scene.repo.git("commit-tree", "feature^{tree}", "-p", "main", "-m", "squashed")
    scene.repo.git("branch", "-f", "feature", squashed)
    head = scene.spec.read_text().partition("[[commit]]")[0]
    scene.write_spec(f'{head}[[commit]]\nmessage = "One"\n\n[[commit]]\nmessage = "Two"\n')
    text = shown(scene)
    hunk = re.compile(r"  ([? ]) [0-9a-f]{10} ")
    for part in re.split(r"(?m)^commit ", text)[1:]:
        marks = [found[1] for line in part.splitlines() if (found := hunk.match(line))]
        assert marks == sorted(marks, reverse=True)
    assert "  ? " in text
