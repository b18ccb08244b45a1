"""A source whose own commits are the wished series is followed as it is."""

from git_retcon.retcon.planner.plan import Task, make_plan
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch, by_path

BEFORE = {"src/app.py": "import os\n", "src/token.py": "def scan(text):\n    return text\n"}
AFTER = {
    "src/app.py": "import os\n\nfrom token import parse_token\n\nparse_token('x')\n",
    "src/token.py": BEFORE["src/token.py"] + "\n\ndef parse_token(text):\n    return scan(text)\n",
}


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
