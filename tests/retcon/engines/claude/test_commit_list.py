"""The commits of a spec as a model reads them: alike at every turn."""

import pytest

from git_retcon.git.difference import Difference, compare_trees
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.engines.claude.commit_list import describe_built, show_commits
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from tests.repository import TestRepository

COMMITS = (
    LogicalCommit("Add a parser\n\nIt reads words.\n", hints="Not the tests."),
    LogicalCommit("Test it", files=("tests/**",), exclude=("tests/old/**",)),
    LogicalCommit("Describe it"),
)


@pytest.fixture
def nothing(repo: TestRepository) -> Difference:
    repo.commit("base", {"a": ""})
    return compare_trees(repo.open(), repo.tree("HEAD"), repo.tree("HEAD"))


def situation(nothing: Difference, index: int) -> Situation:
    return Situation(Spec("messy", "main", "clean", COMMITS), index, nothing, {})


def test_the_list_is_the_same_whatever_is_built(nothing: Difference) -> None:
    shown = [show_commits(situation(nothing, index)) for index in range(3)]
    assert shown[0] == shown[1] == shown[2]
    assert shown[0].splitlines() == [
        '<commit number="1">',
        "Add a parser",
        "",
        "It reads words.",
        "<hints>",
        "Not the tests.",
        "</hints>",
        "</commit>",
        '<commit number="2">',
        "Test it",
        "Only these paths: tests/**",
        "Not these paths: tests/old/**",
        "</commit>",
        '<commit number="3">',
        "Describe it",
        "</commit>",
    ]


def test_what_is_built_and_what_the_last_one_leaves_are_said(nothing: Difference) -> None:
    last = "It is the last: what it leaves becomes a WIP commit of its own."
    assert [describe_built(situation(nothing, index)) for index in range(3)] == [
        "None is built yet.",
        "Commit 1 is built, and takes nothing more.",
        f"Commits 1 to 2 are built, and take nothing more. {last}",
    ]
