"""What a model's answers are worth: evidence beside the planner's own, and no pins.

At one wrong answer in twenty, following each of them blindly costs more lines than all the right
ones of a second page bring (tests/bench/README.md, "One request to Claude").
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from operator import eq, le

from git_retcon.retcon.planner.classifier import log_softmax
from git_retcon.retcon.planner.constraints import Constraints

# How often a model is taken to be right, and how often where it says the same when asked again:
# less than twice as sure, because it may be wrong for the same reason.
_MODEL_RIGHT, _TWICE_RIGHT = 0.97, 0.995
# What counts how much where an answer is checked: the plan before any answer, and the plan by the
# others. By the others alone, two wrong answers about hunks alike confirm each other against all
# that the source's own commits say. Fitted to 16,000 answers on branches of ten projects, which
# no table reports: 0.4 to 0.8, and 0.6 to 1.1.
_BEFORE, _BY_OTHERS = 0.5, 0.8
# In how many parts its answers are checked by one another; more cost time and bring nothing.
_FOLDS = 4

Logs = Sequence[Sequence[float]]


def weigh_judgements(
    logs: Logs,
    judged: Mapping[int, int],
    confirmed: Collection[int],
    weigh_others: Callable[[Mapping[int, int]], Logs],
) -> list[Sequence[float]]:
    """The log probabilities of all atoms with what a model said of some, by position.

    ``confirmed`` are those that it named twice. ``weigh_others`` gives the log probabilities with
    some atoms taken as answered. An answer is weighed by what was known before, and by what the
    others say of its like: a wrong one among right ones is found out so.
    """
    weighed = list(logs)
    possible = [at for at, commit in judged.items() if logs[at][commit] > -math.inf]
    for first in range(_FOLDS):
        apart = frozenset(possible[first::_FOLDS])
        lines = weigh_others({at: judged[at] for at in possible if at not in apart})
        for at in apart:
            right = _TWICE_RIGHT if at in confirmed else _MODEL_RIGHT
            weighed[at] = weigh_judgement(_pool_logs(logs[at], lines[at]), judged[at], right)
    return weighed


def _pool_logs(before: Sequence[float], by_others: Sequence[float]) -> list[float]:
    """The log-linear pool of two opinions; a commit that either rules out stays so."""
    pooled = [
        _BEFORE * a + _BY_OTHERS * b if min(a, b) > -math.inf else -math.inf
        for a, b in zip(before, by_others, strict=True)
    ]
    return log_softmax(pooled)


def weigh_judgement(
    logs: Sequence[float], commit: int, model_right: float = _MODEL_RIGHT
) -> list[float]:
    """Log probabilities of an atom's commits after a model named one of them, by Bayes' rule.

    ``model_right`` is how often it is right, 0 to 1.
    The same where that commit is not possible (minus infinity), or no other one is.
    """
    others = sum(value > -math.inf for value in logs) - 1
    if logs[commit] == -math.inf or not others:
        return list(logs)
    right, wrong = math.log(model_right), math.log((1 - model_right) / others)
    raised = [value + (right if k == commit else wrong) for k, value in enumerate(logs)]
    return log_softmax(raised)


def release_constraints(constraints: Constraints, judged: Mapping[int, int]) -> Constraints:
    """The constraints without those that a model's answers about both ends are against, and
    without a lock file's that it has an answer about.

    They are guesses by names, and a right answer of a model could not be heard otherwise. Where
    an order was real, the build says so.
    """
    if not judged:
        return constraints

    def agrees(a: int, b: int, is_right: Callable[[int, int], bool]) -> bool:
        return a not in judged or b not in judged or is_right(judged[a], judged[b])

    return replace(
        constraints,
        order=[(a, b) for a, b in constraints.order if agrees(a, b, le)],
        together=[(a, b) for a, b in constraints.together if agrees(a, b, eq)],
        manifests={at: by for at, by in constraints.manifests.items() if at not in judged},
    )
