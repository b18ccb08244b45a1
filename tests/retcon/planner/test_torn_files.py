"""No commit of a plan leaves a file torn that its base and its source have whole."""

import pytest

from git_retcon.git.difference import Difference
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.torn_files import TornFiles
from tests.repository import TestRepository
from tests.retcon.planner.building import branch, planned

# A method that became a function: one line of both happens to be equal, so they are two hunks.
BEFORE = """\
class Mock:
    def call(self, path):
        if path == "a":
            x = 1
            if count:
                x += 1
            return b"1", x
"""
AFTER = """\
def mock(request):
    if request.path == "a":
        y = 2
        for _ in range(3):
            if count:
                y += 2
    return Response(y)
"""


@pytest.fixture
def whole(repo: TestRepository) -> Difference:
    found = branch(repo, {"a.py": BEFORE}, {"a.py": AFTER})
    assert len(found.atoms) == 2
    return found


@pytest.mark.parametrize(
    ("labels", "pairs"), [((0, 0), []), ((0, 1), []), ((1, 0), [(0, 1)]), ((1, 1), [])]
)
def test_what_tears_a_file_is_tied(
    whole: Difference, labels: tuple[int, int], pairs: list[tuple[int, int]]
) -> None:
    torn = TornFiles(read_facts(whole), whole.texts)
    assert list(torn.find_pairs(labels)) == pairs


def test_a_plan_tears_nothing(whole: Difference) -> None:
    made = planned(whole, ["Return Response(y)", "Make mock a function of request and range"])
    assert len({placement.commit for placement in made.placements.values()}) == 1


def test_a_file_that_was_torn_before_says_nothing(repo: TestRepository) -> None:
    found = branch(repo, {"a.py": "(\n" + BEFORE}, {"a.py": "(\n" + AFTER})
    torn = TornFiles(read_facts(found), found.texts)
    assert not list(torn.find_pairs(range(len(found.atoms))[::-1]))
