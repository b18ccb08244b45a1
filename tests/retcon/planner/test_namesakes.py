"""A source commit of the wished name says where its lines belong; doubtful names say nothing."""

import math

import pytest

from git_retcon.retcon.planner.namesakes import follow_source, match_subjects, score_origin
from git_retcon.retcon.planner.plan import Task, make_plan
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch, by_path

BEFORE = {"src/app.py": "import os\n", "src/token.py": "def scan(text):\n    return text\n"}
AFTER = {
    "src/app.py": "import os\n\nfrom token import parse_token\n\nparse_token('x')\n",
    "src/token.py": BEFORE["src/token.py"] + "\n\ndef parse_token(text):\n    return scan(text)\n",
}


def commits(*subjects: str) -> list[LogicalCommit]:
    return [LogicalCommit(f"{subject}\n\nBecause.\n") for subject in subjects]


@pytest.mark.parametrize(
    ("given", "wished", "found"),
    [
        (["a", "b"], ["a", "b"], {0: 0, 1: 1}),
        (["b", "a"], ["a", "b"], {0: 1, 1: 0}),
        (["a", "wip", "b"], ["a", "b"], {0: 0, 2: 1}),
        (["fix", "a", "fix"], ["fix", "fix", "a"], {0: 0, 1: 2, 2: 1}),
        (["fix", "a", "fix"], ["fix", "a"], {1: 1}),
        ([], ["a"], {}),
    ],
)
def test_equal_subjects_are_matched_in_their_order(
    given: list[str], wished: list[str], found: dict[int, int]
) -> None:
    assert match_subjects(given, commits(*wished)) == found


def test_hints_have_to_be_weighed() -> None:
    assert match_subjects(["a"], [LogicalCommit("a", hints="only x.py")]) == {}
    assert match_subjects(["a"], [LogicalCommit("a", files=("x.py",))]) == {}


def test_a_piece_goes_where_most_of_its_lines_came_from() -> None:
    shares = score_origin({0: 1, 1: 3}, {0: 1, 1: 0}, 2)
    assert shares is not None
    assert math.exp(shares[0]) > 0.7 > 0.3 > math.exp(shares[1])
    assert score_origin({2: 1}, {0: 0}, 2) is None
    assert score_origin({}, {0: 0}, 2) is None


def test_the_wished_series_is_taken_as_it_is() -> None:
    names = {0: 0, 1: 1}
    assert follow_source([{1: 4}, {0: 1}], names, 2) == [1, 0]
    assert follow_source([{1: 4}, {0: 1, 1: 1}], names, 2) is None
    assert follow_source([{1: 4}, {0: 1}], {0: 1, 1: 0}, 2) is None
    assert follow_source([{0: 4}, {0: 1}], names, 2) is None


def test_a_source_that_is_the_wished_series_is_followed_as_it_is(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    subjects = ("Use the parser", "Add the parser")  # a use before its definition: as it was
    origin = {atom.id: {int(b"app" not in atom.path): 1} for atom in whole.atoms}
    commits = [LogicalCommit(subject) for subject in subjects]
    made = make_plan(Task(whole, commits, range(2), origin=origin, subjects=subjects))
    assert by_path(whole, made)[b"src/app.py"] == {0}
    assert by_path(whole, made)[b"src/token.py"] == {1}
    placement = next(iter(made.placements.values()))
    assert placement.reason.why.endswith('"Use the parser", of that name')
    assert placement.reason.confidence == 0.96
