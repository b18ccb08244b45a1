"""Placing atoms by evidence.

atoms → features of words and hints → a log-linear model → the source commits' evidence → units
that stay together → an order that can build → no commit left empty.
"""

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from operator import mul

from git_retcon.retcon.engine import Reason
from git_retcon.retcon.planner import classifier
from git_retcon.retcon.planner.constraints import Constraints, read_constraints
from git_retcon.retcon.planner.descriptions import read_descriptions
from git_retcon.retcon.planner.evidence import evidence_features
from git_retcon.retcon.planner.excluded_atoms import Excluder
from git_retcon.retcon.planner.explain import Explainer, Step
from git_retcon.retcon.planner.facts import Facts, read_facts
from git_retcon.retcon.planner.features import word_features
from git_retcon.retcon.planner.hint_features import hint_features
from git_retcon.retcon.planner.namesakes import (
    Namesakes,
    follow_source,
    match_subjects,
    score_origin,
)
from git_retcon.retcon.planner.ordering import Order, Unit, group_atoms
from git_retcon.retcon.planner.permissions import Allowed, find_allowed
from git_retcon.retcon.planner.pins import find_costs, resolve_pins
from git_retcon.retcon.planner.plan import PINNED, Placement, Plan, Task
from git_retcon.retcon.planner.weights import Model, fitted_model

# How often an atom is where its author put it when a source commit of that name had it
# (tests/bench/placing.py, on branches that nothing was fitted on).
_SURE = 0.96


def weigh_evidence(task: Task, fitted: Model | None = None) -> Plan:
    """Place every atom where the evidence speaks for it. ``fitted`` replaces the usual weights."""
    names = match_subjects(task.subjects, task.commits)
    pins = _find_pinned(task)
    # Pins say that the source's commits are not what is wished.
    followed = None if pins else _follow_source(task, names)
    if followed is not None:
        return followed
    facts = read_facts(task.difference)
    if not facts:
        return Plan({})
    return _Planner(task, facts, names, pins, fitted or fitted_model()).plan()


def _find_pinned(task: Task) -> Mapping[str, int]:
    """The commit of each pinned atom that can still move there."""
    if not any(commit.hunks for commit in task.commits):
        return {}
    ids = [atom.id for atom in task.difference.atoms]
    found = resolve_pins(task.commits, ids).commits
    pending = set(task.pending)
    return {atom: k for atom, k in found.items() if k in pending and atom not in task.taken}


def _follow_source(task: Task, names: Namesakes) -> Plan | None:
    """The plan where the source's own commits are the wished series; None where they are not."""
    # Where a run has gone on by other means before, its commits are no longer the source's.
    if not names or task.taken or len(task.pending) != len(task.commits):
        return None
    atoms = [atom.id for atom in task.difference.atoms]
    origins = [task.origin.get(atom, {}) for atom in atoms]
    commits = follow_source(origins, names, len(task.commits))
    if commits is None:
        return None
    placements: dict[str, Placement] = {}
    for atom, origin, commit in zip(atoms, origins, commits, strict=True):
        position = next(iter(origin))
        why = functools.partial(_name_source, position, task.subjects[position])
        placements[atom] = Placement(commit, Reason(why, _SURE))
    return Plan(placements)


def _name_source(position: int, subject: str) -> str:
    return f'came with source commit {position + 1} "{subject}", of that name'


class _Planner:
    """The steps of one plan, and what they all read."""

    def __init__(
        self,
        task: Task,
        facts: Sequence[Facts],
        names: Namesakes,
        pins: Mapping[str, int],
        fitted: Model,
    ) -> None:
        self._task, self._facts, self._names, self._fitted = task, facts, names, fitted
        self._pins = pins
        self._descriptions = read_descriptions(task.commits)
        self._origins = [task.origin.get(one.atom.id, {}) for one in facts]
        self._has_history = any(self._origins)
        self._excluder = Excluder(facts, self._descriptions)

    def plan(self) -> Plan:
        allowed = find_allowed(
            self._facts,
            self._descriptions,
            self._task.commits,
            self._task.pending,
            {**self._pins, **self._task.taken},
            self._excluder,
            self._task.case,
        )
        logs = self._weigh_words(allowed)
        if self._has_history:
            logs = self._weigh_history(logs, allowed)
            logs = self._follow_names(logs, allowed)
        constraints = read_constraints(self._facts, self._task.difference.texts)
        placements = self._explain_placements(self._order_units(logs, constraints))
        commits = range(len(self._task.commits))
        remarks = {k: tuple(self._excluder.remarks(k)) for k in commits}
        warnings = find_costs(self._facts, placements, self._pins, constraints)
        return Plan(placements, remarks, warnings)

    def _weigh_words(self, allowed: Sequence[Allowed]) -> list[list[float]]:
        """The log probabilities of each atom's commits by messages and hints."""
        hinted = any(not description.hint.is_empty for description in self._descriptions)
        # Fitted apart: what words are worth depends on whether hints speak too.
        weights = self._fitted.hinted if hinted else self._fitted.plain
        # Where one commit alone is allowed, no words can change that.
        is_open = [may.count(True) > 1 for may in allowed]
        words = word_features(self._facts, self._descriptions, is_open)
        hints = hint_features(self._facts, self._descriptions)
        lines = classifier.score_atoms(self._facts, self._descriptions, words, hints, weights)
        return [_normalize_line(line, may) for line, may in zip(lines, allowed, strict=True)]

    def _weigh_history(
        self, logs: Sequence[Sequence[float]], allowed: Sequence[Allowed]
    ) -> list[list[float]]:
        """The same by what the source's own commits say, too."""
        probabilities = [[math.exp(value) for value in line] for line in logs]
        last = max((w for origin in self._origins for w in origin), default=-1)
        given = self._task.subjects
        # Origins may name more commits than there are messages; "" is like no subject.
        subjects = [*given, *[""] * (last + 1 - len(given))]
        vectors = evidence_features(
            self._facts, self._descriptions, self._origins, subjects, probabilities
        )
        weights = self._fitted.history
        return [
            _normalize_line([sum(map(mul, vector, weights)) for vector in line], may)
            for line, may in zip(vectors, allowed, strict=True)
        ]

    def _follow_names(
        self, logs: Sequence[list[float]], allowed: Sequence[Allowed]
    ) -> list[list[float]]:
        """The same, by source commits of a logical commit's name alone where an atom has these."""
        count = len(self._task.commits)
        shares = [score_origin(origin, self._names, count) for origin in self._origins]
        return [
            line if share is None else _normalize_line(share, may)
            for line, share, may in zip(logs, shares, allowed, strict=True)
        ]

    def _order_units(self, logs: Sequence[Sequence[float]], constraints: Constraints) -> Order:
        fixed = [one.atom.id in self._task.taken for one in self._facts]
        groups = group_atoms(constraints, self._origins, fixed)
        units = [unit for group in groups for unit in _score_group(group, self._facts, logs)]
        order = Order(units, constraints, len(self._task.commits))
        order.enforce()
        # Last, since ``enforce`` could empty a commit again; ``fill`` keeps to the constraints.
        order.fill(self._task.pending)
        return order

    def _explain_placements(self, order: Order) -> dict[str, Placement]:
        """A placement for every atom that is not taken, in the difference's order."""
        explainer = Explainer(self._facts, self._descriptions, self._origins, self._task.subjects)
        scale = self._fitted.calibration[int(self._has_history)]
        found: dict[int, Placement] = {}
        for number, (unit, label) in enumerate(zip(order.units, order.labels, strict=True)):
            confidence = classifier.calibrate(classifier.softmax(unit.logs)[label], scale)
            step = _find_step(order, number)
            for at in unit.atoms:
                # put in words only when somebody asks: most plans are never read atom by atom
                why = functools.partial(explainer.explain, at, label, step)
                reason = Reason(why, round(confidence, 4))
                is_pinned = self._facts[at].atom.id in self._pins
                found[at] = Placement(label, PINNED if is_pinned else reason)
        ids = [one.atom.id for one in self._facts]
        return {each: found[at] for at, each in enumerate(ids) if each not in self._task.taken}


def _normalize_line(line: Sequence[float], may: Allowed) -> list[float]:
    """Log probabilities over what is allowed."""
    if all(may):
        return classifier.log_softmax(line)
    masked = [score if ok else -math.inf for score, ok in zip(line, may, strict=True)]
    return classifier.log_softmax(masked)


def _score_group(
    group: tuple[int, ...], facts: Sequence[Facts], logs: Sequence[Sequence[float]]
) -> Iterator[Unit]:
    """A group as one unit; atom by atom where no commit may have all of it."""
    if len(group) == 1:
        yield Unit(group, logs[group[0]], facts[group[0]].weight)
        return
    weight = sum(facts[at].weight for at in group)
    count = len(logs[group[0]])
    # Averages of logs: one atom that may not go to a commit (minus infinity) keeps them all out.
    mean = [sum(facts[at].weight * logs[at][k] for at in group) / weight for k in range(count)]
    if max(mean) > -math.inf:
        yield Unit(group, mean, weight)
    else:
        yield from (Unit((at,), logs[at], facts[at].weight) for at in group)


def _find_step(order: Order, unit: int) -> Step:
    if unit in order.fillers:
        return Step.FILLING
    if order.labels[unit] != order.units[unit].best:
        return Step.ORDER
    return Step.UNIT if len(order.units[unit].atoms) > 1 else Step.EVIDENCE
