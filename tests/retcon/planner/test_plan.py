"""The way to a plan: evidence is weighed only where there is a choice."""

import pytest

from git_retcon.retcon.planner.plan import Task, make_plan
from git_retcon.retcon.planner.planner import Planner
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import Files, branch, planned

BEFORE: Files = {"a.py": "x = 1\n", "old.txt": "old\n"}
AFTER: Files = {"a.py": "x = 1\n\n\ndef first():\n    return x\n", "new.bin": b"\0\1"}


def test_everything_goes_into_the_only_commit(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    made = planned(whole, ["Add first"])
    assert made.atoms(0) == {atom.id for atom in whole.atoms}
    assert {(each.reason.why, each.reason.confidence) for each in made.placements.values()} == {
        ("there is no other commit", 1.0)
    }


def test_the_evidence_would_say_the_same(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    task = Task(whole, [LogicalCommit("Add first", files=("a.py",))], [0])
    weighed, made = Planner(task).plan(task.commits), make_plan(task)
    assert weighed.placements.keys() == made.placements.keys()
    assert weighed.remarks.get(0, ()) == made.remarks.get(0, ())
    for atom, placement in weighed.placements.items():
        assert placement.commit == made.placements[atom].commit
        assert placement.reason.confidence == made.placements[atom].reason.confidence


def test_what_the_only_commit_has_is_not_placed_again(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    first, *others = [atom.id for atom in whole.atoms]
    made = make_plan(Task(whole, [LogicalCommit("All")], [0], taken={first: 0}))
    assert list(made.placements) == others


def test_hints_of_the_only_commit_are_answered(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    commit = LogicalCommit("Add first", hints="Does NOT include `nowhere`")
    assert planned(whole, [commit]).remarks[0] == (
        "leaves out '`nowhere`': nothing here goes by that name",
    )


def test_nothing_pending_is_a_mistake(repo: TestRepository) -> None:
    whole = branch(repo, {"a": "1\n"}, {"a": "2\n"})
    with pytest.raises(ValueError, match="pending"):
        make_plan(Task(whole, [LogicalCommit("x")], []))
