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

    ``answers`` are those of ``spreading``; ``calibration`` brings a probability's log odds to what
    was measured: slope, offset, and one for the logarithm of the lines. Both hold two entries, the
    first for a squashed source, the second for one with commits of its own.
    """

    plain: Weights
    hinted: Weights
    history: Sequence[float]
    answers: Sequence[Sequence[float]]
    calibration: Sequence[Sequence[float]]


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
        answers=data["answers"],
        calibration=data["calibration"],
    )
