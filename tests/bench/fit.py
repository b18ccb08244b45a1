"""Fit the offline planner's weights on real branches, and write them as package data.

    pip install numpy scipy          # for this script only; the package needs neither
    python -m tests.bench.fit CLONE... [--branches 60] [--output FILE]

Stage one is a softmax regression over the commits of a branch: cross entropy of every atom against
the share of its lines that each commit wrote, an atom weighing its lines over its branch's; L2 of
.03 on the dense weights and .5 on the table of traits. It is fitted twice, without and with hints.
The weights of the source commits' evidence are fitted on both, with made-up messy histories.
Fit on some clones, measure on others (``placing``); then ``fit_answers`` on others again.
"""

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from git_retcon.retcon.planner import (
    classifier,
    evidence,
    features,
    hint_features,
    weights,
)
from git_retcon.retcon.planner.descriptions import Description, read_descriptions
from git_retcon.retcon.planner.facts import TRAITS, Facts, read_facts
from git_retcon.retcon.planner.word_scores import Row
from tests.bench.branches import Branch, branches_of, hinted, messy, name_of

Array = Any
_DENSE, _TABLE = 0.03, 0.5


@dataclass
class Example:
    """One branch in one mode, with what the model reads of it."""

    branch: Branch
    facts: Sequence[Facts]
    descriptions: Sequence[Description]
    words: list[Row]
    hints: list[Row]


@dataclass
class Pairs:
    """All atoms times commits of all examples, flat; ``starts`` begin an atom's stretch."""

    dense: Array
    commit: Array
    trait: Array
    target: Array
    weight: Array
    starts: Array
    owner: Array


def example(branch: Branch, *, with_hints: bool, seed: int) -> Example:
    commits = hinted(branch, random.Random(seed)) if with_hints else branch.commits
    facts = read_facts(branch.difference)
    descriptions = read_descriptions(commits)
    branch = replace(branch, commits=tuple(commits))
    return Example(
        branch,
        facts,
        descriptions,
        list(features.word_features(facts, descriptions)),
        list(hint_features.hint_features(facts, descriptions)),
    )


def pairs(examples: Sequence[Example]) -> Pairs:
    """Flatten; atoms whose truth is unknown are left out."""
    width = len(features.FEATURES) + len(hint_features.FEATURES)
    dense, commit, trait, target, weight, starts = [], [], [], [], [], [0]
    for each in examples:
        traits = classifier.read_commit_traits(each.descriptions)
        total = sum(sum(shares.values()) for shares in each.branch.truth.values())
        for one, words, hints in zip(each.facts, each.words, each.hints, strict=True):
            shares = each.branch.truth.get(one.atom.id)
            if not shares:
                continue
            lines = sum(shares.values())
            bits = [float(one.traits >> t & 1) for t in range(len(TRAITS))]
            for k in range(len(each.descriptions)):
                row = np.zeros(width, dtype=np.float32)
                if k in words:
                    row[: len(features.FEATURES)] = words[k]
                if k in hints:
                    row[len(features.FEATURES) :] = hints[k]
                dense.append(row)
                commit.append(traits[k])
                trait.append(bits)
                target.append(shares.get(k, 0) / lines)
                weight.append(lines / total)
            starts.append(len(dense))
    begin = np.array(starts[:-1])
    owner = np.repeat(np.arange(len(begin)), np.diff(np.array(starts)))
    return Pairs(
        np.array(dense, dtype=np.float32),
        np.array(commit, dtype=np.float32), np.array(trait, dtype=np.float32),
        np.array(target), np.array(weight), begin, owner,
    )  # fmt: skip


def softmax_loss(scores: Array, flat: Pairs) -> tuple[float, Array]:
    """Mean cross entropy over the examples' weight, and its gradient by score."""
    highest = np.maximum.reduceat(scores, flat.starts)[flat.owner]
    powers = np.exp(scores - highest)
    total = np.add.reduceat(powers, flat.starts)[flat.owner]
    chances = powers / total
    mass = flat.weight[flat.starts].sum()
    loss = -(flat.weight * flat.target * np.log(chances + 1e-12)).sum() / mass
    return loss, flat.weight * (chances - flat.target) / mass


def fit_words(flat: Pairs) -> weights.Weights:
    """Stage one: dense weights and the table of traits, by L-BFGS."""
    scale = flat.dense.std(axis=0).astype(np.float64)
    scale[scale < 1e-6] = np.inf
    dense = (flat.dense / scale).astype(np.float32)
    width, rows, columns = dense.shape[1], flat.commit.shape[1], flat.trait.shape[1]

    def objective(point: Array) -> tuple[float, Array]:
        whole = point.astype(np.float32)  # four bytes a feature: the same weights in half the time
        own, table = whole[:width], whole[width:].reshape(rows, columns)
        scores = dense @ own + ((flat.commit @ table) * flat.trait).sum(axis=1)
        loss, exact = softmax_loss(scores.astype(np.float64), flat)
        slope = exact.astype(np.float32)
        loss += _L2 * (_DENSE * (own**2).sum() + _TABLE * (table**2).sum())
        grad_own = slope @ dense + 2 * _L2 * _DENSE * own
        grad_table = flat.commit.T @ (slope[:, None] * flat.trait) + 2 * _L2 * _TABLE * table
        return loss, np.concatenate([grad_own, grad_table.ravel()]).astype(np.float64)

    start = np.zeros(width + rows * columns)
    best = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": 150}).x
    own = np.round(best[:width] / scale, 5)
    table = np.round(best[width:].reshape(rows, columns), 5)
    cut = len(features.FEATURES)
    return weights.Weights(list(map(float, own[:cut])), list(map(float, own[cut:])), table.tolist())


_L2 = 1 / 5  # relative to a mean over the branches; chosen by a split by clone


def source_pairs(examples: Sequence[Example], fitted: weights.Model, seed: int) -> Pairs:
    """As ``pairs``, for the evidence of made-up messy histories."""
    dense, target, weight, starts = [], [], [], [0]
    for at, each in enumerate(examples):
        mess = messy(each.branch, random.Random(seed + at))
        is_hinted = any(not description.hint.is_empty for description in each.descriptions)
        own = fitted.hinted if is_hinted else fitted.plain
        lines = classifier.score_atoms(each.facts, each.descriptions, each.words, each.hints, own)
        chances = [classifier.softmax(line) for line in lines]
        origins = [mess.origin.get(one.atom.id, {}) for one in each.facts]
        rows = evidence.evidence_features(
            each.facts, each.descriptions, origins, mess.subjects, chances
        )
        total = sum(sum(shares.values()) for shares in each.branch.truth.values())
        for one, vectors in zip(each.facts, rows, strict=True):
            shares = each.branch.truth.get(one.atom.id)
            if not shares:
                continue
            count = sum(shares.values())
            for k, vector in enumerate(vectors):
                dense.append(vector)
                target.append(shares.get(k, 0) / count)
                weight.append(count / total)
            starts.append(len(dense))
    begin = np.array(starts[:-1])
    owner = np.repeat(np.arange(len(begin)), np.diff(np.array(starts)))
    empty = np.zeros(0)
    return Pairs(np.array(dense), empty, empty, np.array(target), np.array(weight), begin, owner)


def fit_sources(flat: Pairs) -> list[float]:
    """Weights of the source commits' evidence."""
    scale = np.maximum(flat.dense.std(axis=0), 1e-6)
    dense = flat.dense / scale

    def objective(point: Array) -> tuple[float, Array]:
        loss, slope = softmax_loss(dense @ point, flat)
        return loss + 1e-3 * (point**2).sum(), slope @ dense + 2e-3 * point

    best = minimize(objective, np.zeros(dense.shape[1]), jac=True, method="L-BFGS-B").x
    return [round(float(value), 5) for value in best / scale]


def write_model(path: Path, fitted: weights.Model, clones: Sequence[str]) -> None:
    """Write the weights file: JSON, one weight table a line so that differences can be read.

    The clones' names are in it, so that nothing is ever measured on them by mistake.
    """
    parts: dict[str, Any] = {
        "fitted on": sorted(clones),
        "plain": vars_of(fitted.plain),
        "hinted": vars_of(fitted.hinted),
        "history": list(fitted.history),
        "neighbours": list(fitted.neighbours),
        "answers": list(fitted.answers),
        "confidence": list(fitted.confidence),
    }
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(part)}" for name, part in parts.items())
    path.write_text("{\n" + lines + "\n}\n", "utf-8")


def vars_of(own: weights.Weights) -> dict[str, Any]:
    return {"words": own.words, "hints": own.hints, "priors": own.priors}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--branches", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    here = Path(weights.__file__).with_name("weights.json")
    parser.add_argument("--output", type=Path, default=here)
    options = parser.parse_args()
    branches = []
    for clone in options.clones:
        found = list(branches_of(clone, options.branches, options.seed))
        print(
            f"{clone}: {len(found)} branches, {sum(len(b.difference.atoms) for b in found)} atoms"
        )
        branches += found
    plain = [example(b, with_hints=False, seed=at) for at, b in enumerate(branches)]
    hints = [example(b, with_hints=True, seed=at) for at, b in enumerate(branches)]
    # The rest is fitted apart, by ``fit_neighbours``, ``fit_answers`` and ``fit_confidence``, on
    # clones that the words were not fitted on.
    words = fit_words(pairs(plain)), fit_words(pairs(hints))
    one = replace(weights.fitted_model(), plain=words[0], hinted=words[1], history=[])
    print("words fitted")
    both = [*plain, *hints]
    one = replace(one, history=fit_sources(source_pairs(both, one, options.seed)))
    write_model(options.output, one, [name_of(clone) for clone in options.clones])
    print(f"history {one.history}, confidence {one.confidence}, wrote {options.output}")


if __name__ == "__main__":
    main()
