"""A model's word is evidence: it moves what is in doubt, and not what is sure."""

import math

import pytest

from git_retcon.retcon.planner.judgements import weigh_judgement


def logs(*probabilities: float) -> list[float]:
    return [math.log(each) if each else -math.inf for each in probabilities]


def test_it_is_bayes_rule() -> None:
    weighed = [math.exp(value) for value in weigh_judgement(logs(0.5, 0.3, 0.2), 2)]
    share = 0.2 * 0.95 / (0.2 * 0.95 + 0.8 * 0.025)
    assert weighed == pytest.approx([0.5 * 0.025 / 0.21, 0.3 * 0.025 / 0.21, share])


def test_what_is_nearly_certain_stays() -> None:
    weighed = weigh_judgement(logs(0.998, 0.002), 1)
    assert weighed[0] > weighed[1]


def test_a_commit_that_is_not_possible_stays_so() -> None:
    assert weigh_judgement(logs(0.6, 0.4, 0), 2) == logs(0.6, 0.4, 0)
    assert weigh_judgement(logs(1, 0, 0), 0) == logs(1, 0, 0)
