"""How sure a plan is rises with what agrees, and says nothing of what cannot be elsewhere."""

import math

import pytest

from git_retcon.retcon.planner.confidence import FEATURES, Sources, rate_atoms, read_features
from git_retcon.retcon.planner.constraints import Constraints
from git_retcon.retcon.planner.evidence import FEATURES as EVIDENCE
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.ordering import Order, Unit
from git_retcon.retcon.planner.plan import Task, make_plan
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch


def test_confidence_is_a_line_over_log_odds() -> None:
    assert rate_atoms([(0.0, 1.0, 0.0)], (3.0, 0.0, 0.0)) == [0.5]
    odds = math.log(0.8 / 0.2)
    assert rate_atoms([(odds, 1.0, 0.0)], (1.0, 0.0, 0.0)) == [pytest.approx(0.8)]
    assert rate_atoms([(odds, 1.0, 0.0)], (2.0, 0.0, 0.0)) == [pytest.approx(16 / 17)]
    assert rate_atoms([(0.0, 1.0, 0.0)], (1.0, math.log(3), 0.0)) == [pytest.approx(0.75)]
    assert rate_atoms([(0.0, 1.0, math.log(3))], (1.0, 0.0, -1.0)) == [pytest.approx(0.25)]
    (least,), (most,) = (rate_atoms([(way, 1.0, 0.0)], (9e9, 0.0, 0.0)) for way in (-1, 1))
    assert 0 < least < most < 1


def test_a_hunk_s_source_commit_counts_by_how_much_of_it_is_in_one_commit(
    repo: TestRepository,
) -> None:
    facts = read_facts(branch(repo, {}, {"a": "1\n", "b": "1\n", "c": "1\n2\n", "d": "1\n"}))
    evidence = [[[0.0] * len(EVIDENCE)] * 2] * 4
    origins = [{0: 1}, {0: 1}, {0: 2}, {}]
    sure, other = [math.log(0.9), math.log(0.1)], [math.log(0.1), math.log(0.9)]
    units = [
        Unit((at,), logs, facts[at].weight) for at, logs in enumerate([sure, sure, other, sure])
    ]
    order = Order(units, Constraints(), 2)
    rows = read_features(order, facts, Sources(evidence, origins, [True, False, False, False]))
    read = [dict(zip(FEATURES, row, strict=True)) for row in rows]
    assert [row["part of its source commit"] for row in read] == [0.5, 0.5, 0.5, 0]
    assert [row["part of all"] for row in read] == [0.6, 0.6, 0.4, 0.6]
    assert read[0]["ln lines of its source commit"] == pytest.approx(math.log(5))
    assert [row["named"] for row in read] == [1, 0, 0, 0]
    assert [row[0] for row in rows] == [pytest.approx(math.log(9))] * 4


def test_what_may_be_in_one_commit_alone_is_sure(repo: TestRepository) -> None:
    whole = branch(repo, {}, {"a": "1\n", "b": "1\n", "c": "1\n"})
    commits = [LogicalCommit("One", files=("a",)), LogicalCommit("Two"), LogicalCommit("Three")]
    origin = {atom.id: {at: 1} for at, atom in enumerate(whole.atoms)}
    plan = make_plan(Task(whole, commits, range(3), {}, origin, ("wip", "wip", "wip")))
    sure = {whole[atom].path: each.reason.confidence for atom, each in plan.placements.items()}
    assert sure[b"a"] == 1
    assert max(sure[b"b"], sure[b"c"]) < 1
