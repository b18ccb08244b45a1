"""The features of hints: a file, a definition, both, and whether they are named by one alone."""

import pytest

from git_retcon.retcon.planner.descriptions import read_descriptions
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.hint_features import FEATURES, hint_features
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

BEFORE = "def load():\n    a = 1\n    b = 2\n    c = 3\n\n\ndef save():\n    pass\n\n\nend = 1\n"


def named(repo: TestRepository, *hints: str) -> dict[int, dict[str, float]]:
    """The features of a change inside load() of src/cache.py, without those that are 0."""
    after = BEFORE.replace("b = 2", "b = 5")
    whole = branch(repo, {"src/cache.py": BEFORE}, {"src/cache.py": after})
    facts = read_facts(whole)
    descriptions = read_descriptions([LogicalCommit("x", hints=each) for each in hints])
    (row,) = hint_features(facts, descriptions)
    return {
        k: {
            name.removeprefix("hint: "): value
            for name, value in zip(FEATURES, line, strict=True)
            if value
        }
        for k, line in row.items()
    }


def test_hints_that_name_nothing_of_it_say_nothing(repo: TestRepository) -> None:
    assert named(repo, "", "") == {}
    assert named(repo, "other.py: go", "more") == {}


def test_a_file_named_by_one_commit(repo: TestRepository) -> None:
    assert named(repo, "cache.py", "other.py") == {
        0: {"file": 1, "file share": 1, "file of one only": 1, "file, no names": 1}
    }


def test_a_file_named_by_two_is_shared(repo: TestRepository) -> None:
    found = named(repo, "cache.py", "src/cache.py")
    assert found[0] == found[1] == {"file": 1, "file share": 0.5, "file, no names": 1}


def test_a_directory_is_named_by_a_path(repo: TestRepository) -> None:
    assert named(repo, "src/", "-")[0]["directory"] == 1
    assert "directory" not in named(repo, "src/cache.py", "-")[0]


def test_file_and_definition_together_outdo_the_file(repo: TestRepository) -> None:
    both, alone = named(repo, "cache.py: load", "cache.py: save_all()").values()
    assert both == {
        "file": 1, "file share": 0.5, "definition": 1, "definition share": 1,
        "file and definition": 1, "file and definition share": 1,
        "shared file, own definition": 1,
    }  # fmt: skip
    assert alone == {"file": 1, "file share": 0.5}


def test_a_definition_without_its_file(repo: TestRepository) -> None:
    found = named(repo, "load", "other.py")
    assert found == {
        0: {"definition": 1, "definition share": 1, "definitions of an unhinted file": 1}
    }


def test_the_definition_around_counts_less_than_the_own(repo: TestRepository) -> None:
    inner = "class Shop:\n    def close(self):\n        a = 1\n        b = 2\n        c = 3\n"
    whole = branch(repo, {"a.py": inner}, {"a.py": inner.replace("b = 2", "b = 5")})
    descriptions = read_descriptions([LogicalCommit("x", hints="Shop"), LogicalCommit("y")])
    (row,) = hint_features(read_facts(whole), descriptions)
    found = dict(zip(FEATURES, row[0], strict=True))
    assert found["hint: around share"] == 1
    assert found["hint: definition"] == 0


@pytest.mark.parametrize("hints", [("", "", ""), ("Does NOT include other.py.", "")])
def test_a_row_for_each_atom_even_without_hints(
    repo: TestRepository, hints: tuple[str, ...]
) -> None:
    whole = branch(repo, {"x": "1\n"}, {"x": "2\n", "y": "1\n"})
    descriptions = read_descriptions([LogicalCommit("x", hints=each) for each in hints])
    assert list(hint_features(read_facts(whole), descriptions)) == [{}, {}]
