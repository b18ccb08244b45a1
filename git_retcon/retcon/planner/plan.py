"""The plan: every atom of a difference placed in one of the logical commits, with a reason.

atoms → features of words and hints → a log-linear model → the source commits' evidence → units
that stay together → an order that can build → no commit left empty.
"""

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul

from git_retcon.files.patterns import Case
from git_retcon.git.difference import Difference
from git_retcon.retcon.engine import Reason
from git_retcon.retcon.hints.hint import read_hint
from git_retcon.retcon.hints.message import read_message
from git_retcon.retcon.planner import classifier, evidence, features, hint_features
from git_retcon.retcon.planner.constraints import structure_of
from git_retcon.retcon.planner.excluded_atoms import Excluder
from git_retcon.retcon.planner.explain import Explainer
from git_retcon.retcon.planner.facts import Facts, facts_of
from git_retcon.retcon.planner.features import Wish
from git_retcon.retcon.planner.namesakes import log_shares, namesakes, straight
from git_retcon.retcon.planner.ordering import Order, Scored, units_of
from git_retcon.retcon.planner.remainder import Rest
from git_retcon.retcon.planner.weights import Model, fitted_model
from git_retcon.retcon.spec.model import LogicalCommit

# How often such pieces are where their author put them (tests/bench/placing.py, held out).
_TOLD = 0.96


@dataclass(frozen=True)
class Task:
    """What is to be planned.

    ``pending`` are the positions in ``commits`` that may still take atoms; ``taken`` gives the
    commit of each atom that is placed already. ``origin`` and ``subjects`` are the source's own
    commits, and ``case`` is how patterns are read, as in ``Situation``.
    """

    difference: Difference
    commits: Sequence[LogicalCommit]
    pending: Sequence[int]
    taken: Mapping[str, int] = field(default_factory=dict)
    origin: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    subjects: Sequence[str] = ()
    case: Case = Case.MATTERS


@dataclass(frozen=True, slots=True)
class Placement:
    """Where an atom goes, and why."""

    commit: int
    reason: Reason


@dataclass(frozen=True)
class Plan:
    """A placement for every atom that was not taken, by atom id; ``remarks`` are by commit."""

    placements: Mapping[str, Placement]
    remarks: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def atoms(self, commit: int) -> frozenset[str]:
        """The atoms of one logical commit."""
        return frozenset(
            atom for atom, placement in self.placements.items() if placement.commit == commit
        )


def plan(task: Task, fitted: Model | None = None) -> Plan:
    """Place every atom. The same task gives the same plan. Raises ValueError with none pending."""
    if not task.pending:
        raise ValueError("no pending commit to place atoms in")
    names = namesakes(task.subjects, task.commits)
    told = _told(task, names)
    if told is not None:
        return told
    fitted = fitted or fitted_model()
    facts = facts_of(task.difference)
    if not facts:
        return Plan({})
    wishes = wishes_of(task.commits)
    origins = [task.origin.get(one.atom.id, {}) for one in facts]
    excluder = Excluder(facts, wishes)
    allowed = _allowed(task, facts, wishes, excluder)
    has_history = any(origins)
    logs = _words_logs(facts, wishes, allowed, fitted)
    if has_history:
        logs = _history_logs(facts, wishes, origins, task.subjects, logs, allowed, fitted)
        shares = (log_shares(origin, names, len(wishes)) for origin in origins)
        logs = [
            line if share is None else _masked(share, may)
            for line, share, may in zip(logs, shares, allowed, strict=True)
        ]
    order = _ordered(task, facts, origins, logs)
    explainer = Explainer(facts, wishes, origins, task.subjects)
    scale = fitted.calibration[int(has_history)]
    remarks = {k: tuple(excluder.remarks(k)) for k in range(len(wishes))}
    return Plan(dict(_placements(task, facts, order, explainer, scale)), remarks)


def _told(task: Task, names: Mapping[int, int]) -> Plan | None:
    """The plan where the source's own commits are the wished series; None where they are not."""
    if not names or task.taken or len(task.pending) != len(task.commits):
        return None
    atoms = [atom.id for atom in task.difference.atoms]
    origins = [task.origin.get(atom, {}) for atom in atoms]
    placed = straight(origins, names, len(task.commits))
    if placed is None:
        return None
    placements: dict[str, Placement] = {}
    for atom, origin, commit in zip(atoms, origins, placed, strict=True):
        position = next(iter(origin))
        why = functools.partial(_came_with, position, task.subjects[position])
        placements[atom] = Placement(commit, Reason(why, _TOLD))
    return Plan(placements)


def _came_with(position: int, subject: str) -> str:
    return f'came with source commit {position + 1} "{subject}", of that name'


def wishes_of(commits: Sequence[LogicalCommit]) -> list[Wish]:
    """Every logical commit, read."""
    wishes: list[Wish] = []
    for index, commit in enumerate(commits):
        hint = read_hint(commit.hints)
        wishes.append(Wish(index, read_message(commit.message, hint.text), hint))
    return wishes


def _allowed(
    task: Task, facts: Sequence[Facts], wishes: Sequence[Wish], excluder: Excluder
) -> list[tuple[bool, ...]]:
    """Where each atom may go: pending, and neither denied by ``files``/``exclude`` nor by hints."""
    globs: dict[bytes, tuple[bool, ...]] = {}
    found: list[tuple[bool, ...]] = []
    rest = Rest(facts, wishes, task.commits, task.pending)
    for at, one in enumerate(facts):
        taken = task.taken.get(one.atom.id)
        if taken is not None:
            found.append(tuple(k == taken for k in range(len(wishes))))
            continue
        path = one.atom.path
        if path not in globs:
            globs[path] = _by_path(task, path)
        kept = globs[path]
        if excluder.excludes_anything:
            kept = tuple(may and not excluder.excludes(at, k) for k, may in enumerate(kept))
        kept = kept if any(kept) else globs[path]
        found.append(rest.narrowed(kept, one))
    return found


def _by_path(task: Task, path: bytes) -> tuple[bool, ...]:
    """Which pending commits a path may go to; ``exclude`` is kept before ``files`` is."""
    commits = task.commits
    pending = set(task.pending)
    claimed = [c.claims(path, task.case) for c in commits]
    denied = [c.excludes(path, task.case) for c in commits]
    rest = [k in pending and not denied[k] for k in range(len(commits))]
    mine = tuple(may and claims for may, claims in zip(rest, claimed, strict=True))
    open_to_all = tuple(may and not c.files for may, c in zip(rest, commits, strict=True))
    for choice in (mine, open_to_all, tuple(rest)):
        if any(choice):
            return choice
    return tuple(k in pending for k in range(len(commits)))


def _words_logs(
    facts: Sequence[Facts],
    wishes: Sequence[Wish],
    allowed: Sequence[Sequence[bool]],
    fitted: Model,
) -> list[list[float]]:
    hinted = any(not wish.hint.is_empty for wish in wishes)
    weights = fitted.hinted if hinted else fitted.plain
    words, hints = features.rows(facts, wishes), hint_features.rows(facts, wishes)
    lines = classifier.scores(facts, wishes, words, hints, weights)
    return [_masked(line, may) for line, may in zip(lines, allowed, strict=True)]


def _masked(line: Sequence[float], may: Sequence[bool]) -> list[float]:
    """Log probabilities over what is allowed."""
    if all(may):
        return classifier.log_softmax(line)
    open_line = [score if ok else -math.inf for score, ok in zip(line, may, strict=True)]
    return classifier.log_softmax(open_line)


def _history_logs(
    facts: Sequence[Facts],
    wishes: Sequence[Wish],
    origins: Sequence[Mapping[int, int]],
    subjects: Sequence[str],
    logs: Sequence[Sequence[float]],
    allowed: Sequence[Sequence[bool]],
    fitted: Model,
) -> list[list[float]]:
    probabilities = [[math.exp(value) for value in line] for line in logs]
    last = max((w for origin in origins for w in origin), default=-1)
    named = [*subjects, *[""] * (last + 1 - len(subjects))]
    vectors = evidence.rows(facts, wishes, origins, named, probabilities)
    return [
        _masked([sum(map(mul, vector, fitted.history)) for vector in line], may)
        for line, may in zip(vectors, allowed, strict=True)
    ]


def _ordered(
    task: Task,
    facts: Sequence[Facts],
    origins: Sequence[Mapping[int, int]],
    logs: Sequence[Sequence[float]],
) -> Order:
    structure = structure_of(facts, task.difference.texts)
    fixed = [one.atom.id in task.taken for one in facts]
    groups = units_of(facts, structure, origins, fixed)
    units = [scored for group in groups for scored in _scored(group, facts, logs)]
    order = Order(units, structure, len(facts), len(task.commits))
    order.settle()
    order.fill(task.pending)
    return order


def _scored(
    group: tuple[int, ...], facts: Sequence[Facts], logs: Sequence[Sequence[float]]
) -> Iterator[Scored]:
    """A group as one unit; atom by atom where no commit may have all of it."""
    if len(group) == 1:
        yield Scored(group, logs[group[0]], facts[group[0]].weight)
        return
    weight = sum(facts[at].weight for at in group)
    count = len(logs[group[0]])
    mean = [sum(facts[at].weight * logs[at][k] for at in group) / weight for k in range(count)]
    if max(mean) > -math.inf:
        yield Scored(group, mean, weight)
    else:
        yield from (Scored((at,), logs[at], facts[at].weight) for at in group)


def _placements(
    task: Task,
    facts: Sequence[Facts],
    order: Order,
    explainer: Explainer,
    scale: tuple[float, float],
) -> list[tuple[str, Placement]]:
    found: dict[int, Placement] = {}
    for number, (unit, label) in enumerate(zip(order.units, order.labels, strict=True)):
        chances = classifier.softmax(unit.logs)
        confidence = classifier.calibrated(chances[label], scale)
        for at in unit.atoms:
            why = functools.partial(
                explainer.why,
                at,
                label,
                moved=label != unit.best,
                lent=number in order.lent,
                joined=len(unit.atoms) > 1,
            )
            found[at] = Placement(label, Reason(why, round(confidence, 4)))
    return [
        (one.atom.id, found[at]) for at, one in enumerate(facts) if one.atom.id not in task.taken
    ]
