"""What a model says of a hunk, weighed against all other evidence by Bayes' rule.

A model's answer is no pin: at one wrong answer in twenty, following each of them blindly costs more
lines than all the right ones of a second page bring.
"""

import math
from collections.abc import Sequence

from git_retcon.retcon.planner.classifier import log_softmax

# How often a model is taken to be right.
_RIGHT = 0.95


def weigh_judgement(logs: Sequence[float], commit: int) -> list[float]:
    """Log probabilities of an atom's commits after a model named one of them.

    The same where that commit is not possible (minus infinity), or no other one is.
    """
    others = sum(value > -math.inf for value in logs) - 1
    if logs[commit] == -math.inf or not others:
        return list(logs)
    right, wrong = math.log(_RIGHT), math.log((1 - _RIGHT) / others)
    raised = [value + (right if k == commit else wrong) for k, value in enumerate(logs)]
    return log_softmax(raised)
