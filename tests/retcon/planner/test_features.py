"""A score counts by its share among the commits, and among the atoms."""

import math

import pytest

from git_retcon.retcon.planner.descriptions import read_descriptions
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.features import FEATURES, word_features
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

Row = dict[int, dict[str, float]]


def features(repo: TestRepository, after: dict[str, str], *messages: str) -> dict[str, Row]:
    """The first line of each atom → commit → its features."""
    facts = read_facts(branch(repo, {"x": "1\n"}, {"x": "1\n", **after}))
    descriptions = read_descriptions([LogicalCommit(message) for message in messages])
    return {
        one.added.partition("\n")[0]: {
            k: dict(zip(FEATURES, line, strict=True)) for k, line in row.items()
        }
        for one, row in zip(facts, word_features(facts, descriptions), strict=True)
    }


def subject_sum(line: dict[str, float]) -> float:
    """The weighed sum of a subject's raw scores, from their features."""
    weights = {"added": 1, "removed": 0.7, "around": 0.6, "names": 0.8}
    return sum(weight * math.expm1(line[f"subject {name}"]) for name, weight in weights.items())


def test_a_word_for_one_commit_is_all_that_commit_s(repo: TestRepository) -> None:
    row = features(repo, {"a.py": "cache = 1\n"}, "Cache", "Parse")["cache = 1"]
    value = subject_sum(row[0])
    assert row[0]["subject: row"] == pytest.approx(value / (value + 0.5))
    assert row[0]["subject: column"] == pytest.approx(value / (value + 0.5))
    assert row[0]["subject: both"] == pytest.approx(value / (value + 0.5))
    assert row[0]["subject: best"] == 1.0
    assert row[0]["body: row"] == 0.0
    assert 1 not in row


def test_commits_share_a_word_that_they_both_have(repo: TestRepository) -> None:
    row = features(repo, {"a.py": "cache = key\n"}, "Cache", "Cache key")["cache = key"]
    assert 0 < row[0]["subject: row"] < row[1]["subject: row"] < 1
    assert (row[0]["subject: best"], row[1]["subject: best"]) == (0.0, 1.0)


def test_atoms_compete_for_a_message(repo: TestRepository) -> None:
    found = features(repo, {"a.py": "cache = 1\n", "b.py": "cache = key\n"}, "Cache key", "Other")
    less, more = (found[line][0]["subject: column"] for line in ("cache = 1", "cache = key"))
    assert less < more
    own, most = (subject_sum(found[line][0]) for line in ("cache = 1", "cache = key"))
    assert less == pytest.approx(own / (most + 0.5))


def test_an_atom_without_words_has_what_its_file_and_its_definition_have(
    repo: TestRepository,
) -> None:
    text = "def one():\n    cache = 1\n\n\ndef two():\n    pass\n"
    row = features(repo, {"a.py": text}, "Cache", "Parse")["def two():"]
    assert row[0]["subject: row"] == 0.0
    assert row[0]["subject: file row"] > 0
    assert row[0]["subject: file column"] > 0
    assert row[0]["subject: definition row"] == 0.0


def test_atoms_that_nobody_asks_about_still_compete(repo: TestRepository) -> None:
    after = {"x": "1\n", "a.py": "cache = 1\n", "b.py": "cache = key\n"}
    facts = read_facts(branch(repo, {"x": "1\n"}, after))
    descriptions = read_descriptions([LogicalCommit("Cache key"), LogicalCommit("Other")])
    everything = list(word_features(facts, descriptions))
    assert list(word_features(facts, descriptions, [False, True])) == [{}, everything[1]]
    assert list(word_features(facts, descriptions, [False, False])) == [{}, {}]
