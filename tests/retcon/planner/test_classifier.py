"""Probabilities add up, stay apart from the impossible, and rise with their evidence."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.retcon.planner.classifier import (
    COMMIT_TRAITS,
    find_probability,
    log_softmax,
    read_commit_traits,
    score_atoms,
    softmax,
)
from git_retcon.retcon.planner.descriptions import read_descriptions
from git_retcon.retcon.planner.facts import TRAITS, read_facts
from git_retcon.retcon.planner.weights import Weights
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

SCORES = st.lists(st.floats(-50, 50), min_size=1, max_size=6)


@given(SCORES)
def test_probabilities_add_up_and_keep_the_order(scores: list[float]) -> None:
    chances = softmax(scores)
    assert sum(chances) == pytest.approx(1)
    assert [find_probability(scores, at) for at in range(len(scores))] == chances
    assert [chances[at] <= chances[0] for at in range(len(scores))] == [
        score <= scores[0] or chances[at] == chances[0] for at, score in enumerate(scores)
    ]
    assert log_softmax(scores) == pytest.approx(
        [math.log(max(c, 1e-12)) for c in chances], abs=1e-6
    )


def test_the_impossible_stays_impossible_and_the_unlikely_does_not_become_so() -> None:
    line = log_softmax([0.0, -1000.0, -math.inf])
    assert line[0] == pytest.approx(0)
    assert line[1] == pytest.approx(math.log(1e-12))
    assert line[2] == -math.inf
    assert softmax([0.0, -math.inf]) == [1.0, 0.0]
    assert softmax([-math.inf] * 4) == [0.25] * 4
    assert log_softmax([-math.inf] * 2) == [-math.inf] * 2


def test_a_commit_s_traits_are_its_place_and_its_message() -> None:
    commits = [
        LogicalCommit("Add tests"),
        LogicalCommit("Fix it\n\nAll of it."),
        LogicalCommit("B"),
    ]
    lines = [
        dict(zip(COMMIT_TRAITS, line, strict=True))
        for line in read_commit_traits(read_descriptions(commits))
    ]
    assert [(line["first"], line["last"], line["position"]) for line in lines] == [
        (1, 0, 0), (0, 0, 0.5), (0, 1, 1),
    ]  # fmt: skip
    assert [line["no body"] for line in lines] == [1, 0, 1]
    assert [line["first share"] for line in lines] == [pytest.approx(1 / 3), 0, 0]
    assert sum(line["subject words"] for line in lines) == pytest.approx(0)
    assert lines[1]["body words"] > lines[0]["body words"] == lines[2]["body words"]
    assert lines[0]["subject flag 0"] == 1  # tests
    assert lines[1]["subject flag 0"] == 0


def test_a_score_is_the_sum_of_weighed_features_and_of_the_priors(repo: TestRepository) -> None:
    facts = read_facts(branch(repo, {"x": "1\n"}, {"x": "2\n"}))
    descriptions = read_descriptions([LogicalCommit("A"), LogicalCommit("B")])
    priors = [[0.0] * len(TRAITS) for _ in COMMIT_TRAITS]
    priors[COMMIT_TRAITS.index("first")][TRAITS.index("any")] = 7.0
    weights = Weights(words=[2.0, 1.0], hints=[10.0], priors=priors)
    scores = score_atoms(facts, descriptions, [{0: [1.0, 3.0]}], [{1: [0.5]}], weights)
    assert scores == [[pytest.approx(12.0), pytest.approx(5.0)]]
