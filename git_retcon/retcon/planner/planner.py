"""Placing atoms by evidence.

atoms → features of words and hints → a log-linear model → the source commits' evidence → what
hunks alike say → units that stay together → an order that can build → no commit left empty.
"""

import functools
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from operator import mul

from git_retcon.retcon.engine import Reason
from git_retcon.retcon.planner.classifier import exponentiate_lines, normalize_line, score_atoms
from git_retcon.retcon.planner.confidence import Sources, rate_atoms, read_features
from git_retcon.retcon.planner.constraints import Constraints, read_constraints
from git_retcon.retcon.planner.descriptions import Description, read_descriptions
from git_retcon.retcon.planner.evidence import Table, evidence_features
from git_retcon.retcon.planner.excluded_atoms import Excluder
from git_retcon.retcon.planner.explain import Explainer, credit_model, find_step
from git_retcon.retcon.planner.facts import Facts, Origin, Pair, read_facts
from git_retcon.retcon.planner.features import word_features
from git_retcon.retcon.planner.hint_features import hint_features
from git_retcon.retcon.planner.judgements import release_constraints, weigh_judgements
from git_retcon.retcon.planner.lacking_imports import LackingImports
from git_retcon.retcon.planner.lacking_names import LackingNames
from git_retcon.retcon.planner.likeness import Relation, relate_atoms
from git_retcon.retcon.planner.named_renames import Renames
from git_retcon.retcon.planner.namesakes import (
    follow_names,
    match_subjects,
    plan_series,
    score_origin,
)
from git_retcon.retcon.planner.neighbours import (
    Neighbours,
    add_change,
    neighbour_features,
    weigh_neighbours,
)
from git_retcon.retcon.planner.ordering import Order, group_atoms, score_group
from git_retcon.retcon.planner.permissions import Allowed, allow_later, find_allowed
from git_retcon.retcon.planner.pins import find_costs, resolve_pins
from git_retcon.retcon.planner.plan import PINNED, Placement, Plan, Task
from git_retcon.retcon.planner.python_states import PythonStates
from git_retcon.retcon.planner.spreading import (
    Spreading,
    spread_answers,
    spread_features,
)
from git_retcon.retcon.planner.torn_files import TornFiles
from git_retcon.retcon.planner.vocabulary import Vocabulary
from git_retcon.retcon.planner.weights import Model, fitted_model
from git_retcon.retcon.spec.model import LogicalCommit


class Planner:
    """The steps of a plan, and what they all read: one difference, and commits but for their pins.

    What does not depend on pins is worked out once, so that a plan after an answer costs little.
    """

    def __init__(self, task: Task, fitted: Model | None = None) -> None:
        self._task, self._fitted = task, fitted or fitted_model()
        self._ids = [atom.id for atom in task.difference.atoms]
        self._names = match_subjects(task.subjects, task.commits)

    def plan(self, commits: Sequence[LogicalCommit]) -> Plan:
        """A plan of these commits, which differ from the task's in their pins at most."""
        answers = self._find_answers(commits)
        # Pins say that the source's commits are not what is wished.
        followed = None if answers else plan_series(self._task, self._names)
        if followed is not None:
            return followed
        if not self._ids:
            return Plan({})
        logs = self._weigh_judgements(self._weigh_atoms(answers), answers)
        placements = self._explain_placements(self._order_units(logs, answers), answers)
        remarks = {k: tuple(self._excluder.remarks(k)) for k in range(len(commits))}
        pins = {
            self._ids[at]: k for at, k in answers.items() if self._ids[at] not in self._task.taken
        }
        warnings = find_costs(self.facts, placements, pins, self.constraints)
        return Plan(placements, remarks, warnings)

    def _find_answers(self, commits: Sequence[LogicalCommit]) -> Mapping[int, int]:
        """The commit of each pinned atom, by position."""
        if not any(commit.hunks for commit in commits):
            return {}
        found = resolve_pins(commits, self._task.difference.atoms).commits
        return {at: found[each] for at, each in enumerate(self._ids) if each in found}

    @functools.cached_property
    def facts(self) -> Sequence[Facts]:
        """What is known of each atom, in the difference's order."""
        return read_facts(self._task.difference)

    @functools.cached_property
    def _descriptions(self) -> Sequence[Description]:
        return read_descriptions(self._task.commits, {one.atom.path for one in self.facts})

    @functools.cached_property
    def _origins(self) -> Sequence[Origin]:
        return [self._task.origin.get(each, {}) for each in self._ids]

    @functools.cached_property
    def _has_history(self) -> bool:
        return any(self._origins)

    @functools.cached_property
    def _excluder(self) -> Excluder:
        return Excluder(self.facts, self._descriptions)

    @functools.cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(self.facts, self._task.difference.texts)

    @functools.cached_property
    def constraints(self) -> Constraints:
        """What binds atoms to one another."""
        return read_constraints(self.facts, self._task.difference.texts, self._vocabulary)

    @functools.cached_property
    def _allowed(self) -> Sequence[Allowed]:
        """Where each atom may go before any answer."""
        allowed = find_allowed(
            self.facts,
            self._descriptions,
            self._task.commits,
            self._task.pending,
            self._task.taken,
            self._excluder,
            self._task.case,
        )
        allowed = [self._renames.narrow(at, may) for at, may in enumerate(allowed)]
        released = self._task.released
        return [
            allow_later(may, released[atom]) if atom in released else may
            for atom, may in zip(self._ids, allowed, strict=True)
        ]

    @functools.cached_property
    def relations(self) -> Sequence[Relation]:
        """The ways in which atoms are alike."""
        return relate_atoms(self.facts, self._vocabulary, self.constraints.order, self._origins)

    @functools.cached_property
    def _unanswered(self) -> list[list[float]]:
        """The log probabilities of each atom's commits before any answer."""
        weights = self._fitted.neighbours[int(self._has_history)]
        return weigh_neighbours(self.read_neighbours(), self._first, weights)

    def read_neighbours(self) -> Neighbours:
        """What hunks alike say of each other before any answer; see ``neighbours.FEATURES``."""
        is_open = [
            share is None and may.count(True) > 1
            for share, may in zip(self._name_shares, self._allowed, strict=True)
        ]
        known = self.facts, self.relations, self._by_words, self._first
        return list(neighbour_features(*known, is_open))

    @functools.cached_property
    def _first(self) -> Sequence[Sequence[float]]:
        """The same by words and the source's own commits alone."""
        return self._weigh_sources(self._by_words, self._allowed, self._evidence)

    @functools.cached_property
    def _evidence(self) -> Sequence[Table]:
        """What the source's own commits say before any answer; see ``evidence.FEATURES``."""
        return self._read_evidence(self._by_words) if self._has_history else []

    def _weigh_atoms(self, answers: Mapping[int, int]) -> Sequence[Sequence[float]]:
        """The log probabilities of each atom's commits."""
        if not answers:
            return self._unanswered
        weights = self._fitted.answers[int(self._has_history)]
        allowed = self._allow_answers(answers)
        logs = self._weigh_answered(answers, allowed)
        features = self._read_spreading(answers, logs)
        return [
            normalize_line(line, may)
            for line, may in zip(spread_answers(features, logs, weights), allowed, strict=True)
        ]

    def _weigh_judgements(
        self, logs: Sequence[Sequence[float]], answers: Mapping[int, int]
    ) -> Sequence[Sequence[float]]:
        """The same, with what a model said of atoms that no person has answered."""
        judged = self._find_judged(answers)
        if not judged:
            return logs
        confirmed = {at for at in judged if self._ids[at] in self._task.confirmed}
        return weigh_judgements(
            logs, judged, confirmed, lambda others: self._weigh_atoms({**others, **answers})
        )

    def _find_judged(self, answers: Collection[int]) -> Mapping[int, int]:
        """The commit that a model named for an atom, by position; none that a person answered."""
        judged = self._task.judged
        return {
            at: judged[each]
            for at, each in enumerate(self._ids)
            if each in judged and at not in answers
        }

    def weigh_judged(self) -> Mapping[str, Sequence[float]]:
        """How likely each commit is for every atom, 0 to 1, with what a model said, by atom id.

        Empty where the source's own commits decide alone.
        """
        if plan_series(self._task, self._names) is not None:
            return {}
        logs = self._weigh_judgements(self._weigh_atoms({}), {})
        return dict(zip(self._ids, exponentiate_lines(logs), strict=True))

    def read_spreading(self, answers: Mapping[int, int]) -> Spreading:
        """What answers, from positions to commits, say of every other atom; for fitting."""
        return self._read_spreading(
            answers, self._weigh_answered(answers, self._allow_answers(answers))
        )

    def _weigh_answered(
        self, answers: Mapping[int, int], allowed: Sequence[Allowed]
    ) -> list[list[float]]:
        """The log probabilities where answers say nothing but of their own atoms, and of what the
        source's commits are."""
        words = [
            [0.0 if ok else -math.inf for ok in may] if at in answers and sum(may) == 1 else line
            for at, (line, may) in enumerate(zip(self._by_words, allowed, strict=True))
        ]
        evidence = self._read_evidence(words) if self._has_history else []
        logs = self._weigh_sources(words, allowed, evidence)
        return add_change(logs, self._first, self._unanswered, allowed)

    def _read_spreading(
        self, answers: Mapping[int, int], logs: Sequence[Sequence[float]]
    ) -> Spreading:
        expected, present = exponentiate_lines(self._unanswered), exponentiate_lines(logs)
        return spread_features(self.facts, self.relations, expected, present, answers)

    def _allow_answers(self, answers: Mapping[int, int]) -> Sequence[Allowed]:
        """Where each atom may go: an answered one to its commit alone, if that is to be built."""
        allowed = list(self._allowed)
        count = len(self._task.commits)
        for at, commit in answers.items():
            if commit in self._pending and self._ids[at] not in self._task.taken:
                allowed[at] = tuple(k == commit for k in range(count))
        return allowed

    @functools.cached_property
    def _pending(self) -> frozenset[int]:
        return frozenset(self._task.pending)

    def _weigh_sources(
        self,
        words: list[list[float]],
        allowed: Sequence[Allowed],
        evidence: Sequence[Table],
    ) -> list[list[float]]:
        """What words say, and what the source's own commits say beyond them."""
        if not self._has_history:
            return words
        weights = self._fitted.history
        logs = [
            normalize_line([sum(map(mul, vector, weights)) for vector in line], may)
            for line, may in zip(evidence, allowed, strict=True)
        ]
        return follow_names(logs, self._name_shares, allowed)

    @functools.cached_property
    def _by_words(self) -> list[list[float]]:
        """The log probabilities of each atom's commits by messages and hints."""
        hinted = any(not description.hint.is_empty for description in self._descriptions)
        # Fitted apart: what words are worth depends on whether hints speak too.
        weights = self._fitted.hinted if hinted else self._fitted.plain
        # Where one commit alone is allowed, no words can change that.
        is_open = [may.count(True) > 1 for may in self._allowed]
        words = word_features(self.facts, self._descriptions, is_open)
        hints = hint_features(self.facts, self._descriptions)
        lines = score_atoms(self.facts, self._descriptions, words, hints, weights)
        return [normalize_line(line, may) for line, may in zip(lines, self._allowed, strict=True)]

    def _read_evidence(self, logs: Sequence[Sequence[float]]) -> Sequence[Table]:
        """What the source's own commits say of each atom's commits, with what words say."""
        known = self.facts, self._descriptions, self._origins, self._task.subjects
        return list(evidence_features(*known, exponentiate_lines(logs)))

    @functools.cached_property
    def _name_shares(self) -> Sequence[Sequence[float] | None]:
        """What the names of source commits say of each atom; None where they say nothing."""
        count = len(self._task.commits)
        return [score_origin(origin, self._names, count) for origin in self._origins]

    def group_atoms(
        self, answers: Collection[int] = (), ties: Sequence[Pair] = ()
    ) -> Sequence[tuple[int, ...]]:
        """Atoms that stay in one commit, unless answers part them; ``ties`` are further pairs."""
        fixed = [one.atom.id in self._task.taken for one in self.facts]
        constraints = release_constraints(self.constraints, self._find_judged(answers))
        # What a person answered parts a rename; the rest of it stays together.
        renamed = [(a, b) for a, b in self._renames.pair() if a not in answers and b not in answers]
        return group_atoms(constraints, self._origins, fixed, answers, [*renamed, *ties])

    @functools.cached_property
    def _renames(self) -> Renames:
        return Renames(self.facts, self._task.commits)

    def _order_units(self, logs: Sequence[Sequence[float]], answers: Mapping[int, int]) -> Order:
        """Units in an order that can build, and in which every file of every commit is whole."""
        ties: dict[Pair, None] = {}
        needs: dict[Pair, None] = {}
        judged = self._find_judged(answers)
        while True:
            groups = self.group_atoms(answers, list(ties))
            order = self._order_groups(logs, groups, list(needs), judged)
            labels = order.label_atoms()
            torn = dict.fromkeys(self._torn_files.find_pairs(labels))
            # What is torn has no names that could be read.
            lacking = {} if torn.keys() - ties.keys() else self._find_needs(labels)
            # Pins and what is on the branch may part what is torn; they win.
            if torn.keys() <= ties.keys() and lacking.keys() <= needs.keys():
                return order
            ties |= torn
            needs |= lacking

    def _find_needs(self, labels: Sequence[int]) -> dict[Pair, None]:
        names, imports = self._lacking
        return dict.fromkeys([*names.find_pairs(labels), *imports.find_pairs(labels)])

    @functools.cached_property
    def _torn_files(self) -> TornFiles:
        return TornFiles(self.facts, self._task.difference.texts)

    @functools.cached_property
    def _lacking(self) -> tuple[LackingNames, LackingImports]:
        states = PythonStates(self.facts, self._task.difference.texts)
        return LackingNames(states, self._vocabulary), LackingImports(states, self._vocabulary)

    def _order_groups(
        self,
        logs: Sequence[Sequence[float]],
        groups: Sequence[tuple[int, ...]],
        needs: Sequence[Pair],
        judged: Mapping[int, int],
    ) -> Order:
        units = [
            # A model has read what it moved: a large part of that fills no empty commit.
            replace(unit, claim=unit.weight) if judged.keys() & unit.atoms else unit
            for group in groups
            for unit in score_group(group, self.facts, logs)
        ]
        constraints = release_constraints(self.constraints, judged)
        constraints = replace(constraints, order=[*constraints.order, *needs])
        order = Order(units, constraints, len(self._task.commits))
        order.settle()
        order.enforce()
        # Last, since ``enforce`` could empty a commit again; ``fill`` keeps to the constraints.
        order.fill(self._task.pending)
        return order

    def read_confidence(
        self, answers: Mapping[int, int]
    ) -> tuple[Order, Sequence[Sequence[float]]]:
        """The plan after some answers, and what tells how sure each atom is; for fitting."""
        order = self._order_units(self._weigh_atoms(answers), answers)
        return order, self._read_confidence(order)

    def _read_confidence(self, order: Order) -> Sequence[Sequence[float]]:
        sources = None
        if self._has_history:
            named = [share is not None for share in self._name_shares]
            sources = Sources(self._evidence, self._origins, named)
        return read_features(order, self.facts, sources)

    def _explain_placements(self, order: Order, answers: Mapping[int, int]) -> dict[str, Placement]:
        """A placement for every atom that is not taken, in the difference's order."""
        task, facts, described = self._task, self.facts, self._descriptions
        explainer = Explainer(
            facts, described, self._origins, task.subjects, task.commits, task.case
        )
        scale = self._fitted.choose_scale(has_history=self._has_history, is_answered=bool(answers))
        rated = rate_atoms(self._read_confidence(order), scale)
        found: dict[int, Placement] = {}
        for number, (unit, label) in enumerate(zip(order.units, order.labels, strict=True)):
            step = find_step(order, number)
            for at in unit.atoms:
                # put in words only when somebody asks: most plans are never read atom by atom
                why: Callable[[], str] = functools.partial(explainer.explain, at, label, step)
                if self._task.judged.get(self._ids[at]) == label:
                    why = credit_model
                # Where files or what is built leave no other commit, there is nothing to doubt.
                confidence = 1.0 if unit.is_decided else round(rated[at], 4)
                reason = Reason(why, confidence)
                is_pinned = answers.get(at) == label
                found[at] = Placement(label, PINNED if is_pinned else reason)
        taken = self._task.taken
        return {each: found[at] for at, each in enumerate(self._ids) if each not in taken}
