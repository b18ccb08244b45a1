"""The fitted weights of the model, kept as package data. ``tests/bench/fit.py`` makes the file."""

import functools
import json
from collections.abc import Sequence
from pathlib import Path

from git_retcon.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """One weight a feature. ``priors[c][t]`` joins a trait of a commit with one of an atom."""

    words: Sequence[float]
    hints: Sequence[float]
    priors: Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Model:
    """All that was fitted: weights without hints and with hints, and for the source's commits.

    ``neighbours`` and ``answers`` are those of ``neighbours`` and ``spreading``, in two entries:
    for a squashed source, and for one with commits of its own. ``confidence`` are those of the
    module of that name: the same two, and a third for commits of its own after an answer.
    """

    plain: Weights
    hinted: Weights
    history: Sequence[float]
    neighbours: Sequence[Sequence[float]]
    answers: Sequence[Sequence[float]]
    confidence: Sequence[Sequence[float]]

    def choose_scale(self, *, has_history: bool, is_answered: bool) -> Sequence[float]:
        """The weights of ``confidence`` for a source, before and after an answer."""
        squashed, own, answered = self.confidence
        if not has_history:
            return squashed
        return answered if is_answered else own


# Read at the first plan, not at import: ``status`` and ``undo`` never need it.
@functools.cache
def fitted_model() -> Model:
    """The model that ships with the package."""
    return read_model(Path(__file__).with_suffix(".json").read_text("utf-8"))


def read_model(text: str) -> Model:
    """Read the JSON that ``write_model`` of the fitting script wrote."""
    data = json.loads(text)
    return Model(
        plain=Weights(**data["plain"]),
        hinted=Weights(**data["hinted"]),
        history=data["history"],
        neighbours=data["neighbours"],
        answers=data["answers"],
        confidence=data["confidence"],
    )
