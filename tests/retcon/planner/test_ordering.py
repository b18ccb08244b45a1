"""Labels change until the constraints hold, and no more than that."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.retcon.planner.constraints import Constraints
from git_retcon.retcon.planner.ordering import Order, Unit, group_atoms
from tests.repository import TestRepository
from tests.retcon.planner.building import branch, planned


@pytest.mark.parametrize(
    ("path", "head"),
    [
        ("tool.js", "#!/usr/bin/env node\n'use strict';\n"),
        ("Tool.java", "package tool;\n"),
        ("tool.h", "#ifndef TOOL_H\n#define TOOL_H\n"),
        ("tool.py", '"""Tools."""\n'),
    ],
)
@pytest.mark.parametrize("first", ["Print the version", "Say hello"])
def test_the_head_of_a_new_file_comes_with_its_first_hunk(
    repo: TestRepository, path: str, head: str, first: str
) -> None:
    body = "void version() {\n  print(1);\n}\n\nvoid hello() {\n  print(2);\n}\n"
    whole = branch(repo, {"other": "1\n"}, {"other": "2\n", path: f"{head}\n{body}"})
    wishes = [("Other", "other"), (first, ""), ("Add the package's head and usual lines", "")]
    made = planned(whole, [f"{message} {more}" for message, more in wishes])
    labels = [made.placements[atom.id].commit for atom in whole.atoms if atom.path != b"other"]
    assert len(labels) > 1
    assert labels[0] == min(labels[1:])


def units(*lines: list[float], weight: float = 1.0) -> list[Unit]:
    """A unit of one atom for each line of log probabilities."""
    return [Unit((at,), line, weight) for at, line in enumerate(lines)]


EARLY, LATE = [0.0, -9.0], [-9.0, 0.0]
NEVER = -math.inf


def labels(lines: list[list[float]], constraints: Constraints) -> list[int]:
    order = Order(units(*lines), constraints, len(lines[0]))
    order.enforce()
    return order.labels


def test_a_broken_pair_is_fixed_on_the_side_that_costs_less() -> None:
    pair = Constraints(order=[(0, 1)])
    assert labels([[-1.0, 0.0], EARLY], pair) == [0, 0]  # the definition comes earlier
    assert labels([LATE, [0.0, -1.0]], pair) == [1, 1]  # the use comes later
    assert labels([EARLY, LATE], pair) == [0, 1]  # nothing is broken


def test_what_may_not_move_makes_the_other_move() -> None:
    pair = Constraints(order=[(0, 1)])
    assert labels([[NEVER, 0.0], EARLY], pair) == [1, 1]
    assert labels([LATE, [0.0, NEVER]], pair) == [0, 0]


def test_a_heavy_unit_moves_less_easily_than_a_light_one() -> None:
    heavy, light = Unit((0,), [-2.0, 0.0], 10.0), Unit((1,), [0.0, -3.0], 1.0)
    order = Order([heavy, light], Constraints(order=[(0, 1)]), 2)
    order.enforce()
    assert order.labels == [1, 1]


def test_what_settles_an_order_is_all_that_has_to_move_with_it() -> None:
    """One unit costs less than the other, but much hangs on it; ``enforce`` would draw that too."""
    needed, middle, use = [-9.0, 0.0], [-1.0, 0.0], [0.0, -2.0]
    chain = Constraints(order=[(0, 1), (1, 2)])
    order = Order(units(needed, middle, use), chain, 2)
    order.settle()
    assert order.labels == [1, 1, 1]
    assert labels([needed, middle, use], chain) == [0, 0, 0]
    # Its users go along where the use moves, and it meets what it needs halfway.
    users = Constraints(order=[(0, 1), (1, 2)])
    order = Order(units([-9.0, -3.0, 0.0], [0.0, -1.0, -9.0], [0.0, -1.0, -9.0]), users, 3)
    order.settle()
    assert order.labels == [1, 1, 1]


def test_an_import_goes_with_its_first_use_and_a_removed_one_with_the_last() -> None:
    three = [[0.0, -9, -9], [-9, 0.0, -9], [-9, -9, 0.0]]
    first = Constraints(with_first={0: [1, 2]})
    assert labels(three, first) == [1, 1, 2]
    last = Constraints(with_last={0: [1, 2]})
    assert labels(three, last) == [2, 1, 2]


def test_a_lock_file_goes_with_one_of_its_manifest_s_hunks() -> None:
    three = [[0.0, -9, -9], [-9, 0.0, -9], [-9, -9, 0.0]]
    assert labels(three, Constraints(manifests={0: [1, 2]})) == [1, 1, 2]
    assert labels(three, Constraints(manifests={2: [1, 2]})) == [0, 1, 2]


def test_a_use_is_pushed_with_all_that_needs_it() -> None:
    """The definition may only be in the last commit: its use, and the use of that, follow."""
    lines = [[NEVER, NEVER, 0.0], [0.0, -1.0, -1.0], [0.0, -1.0, -1.0]]
    chain = Constraints(order=[(0, 1), (1, 2)])
    assert labels(lines, chain) == [2, 2, 2]


def test_an_empty_commit_gets_the_unit_that_costs_least() -> None:
    lines = [[0.0, -1.0, -5.0], [0.0, -1.0, -3.0], [-1.0, 0.0, -9.0]]
    order = Order(units(*lines), Constraints(), 3)
    order.fill([0, 1, 2])
    assert order.labels == [0, 2, 1]
    assert order.fillers == {1}
    assert not any(order.labels.count(k) != 1 for k in range(3))


def test_a_commit_with_many_units_gives_one_to_each_that_is_empty() -> None:
    order = Order(units(*[[0.0, -1.0, -1.0]] * 3), Constraints(), 3)
    order.fill([0, 1, 2])
    assert sorted(order.labels) == [0, 1, 2]


def test_a_unit_that_claims_its_commit_fills_no_other() -> None:
    """A large part that a model placed is not moved for a commit that the model left empty."""
    sure, other = units([0.0, -1.0], [0.0, -2.0])
    order = Order([replace(sure, claim=30.0), other], Constraints(), 2)
    order.fill([0, 1])
    assert order.labels == [0, 1]


def test_filling_breaks_no_constraint_and_empties_no_commit() -> None:
    lines = [[0.0, -1.0], [0.0, -2.0]]
    order = Order(units(*lines), Constraints(order=[(0, 1)]), 2)
    order.fill([0, 1])
    assert order.labels == [0, 1]
    alone = Order(units([0.0, -1.0]), Constraints(), 2)
    alone.fill([0, 1])
    assert alone.labels == [0]


def test_atoms_stay_together_unless_the_source_parts_them() -> None:
    constraints = Constraints(together=[(0, 1), (2, 3)], inseparable=[(4, 5)])
    apart = [{0: 1}, {1: 1}, {0: 1}, {0: 1, 1: 2}, {0: 1}, {1: 1}]
    assert group_atoms(constraints, apart, [False] * 6) == [(0,), (1,), (2, 3), (4, 5)]
    assert group_atoms(constraints, [{}] * 6, [False] * 6) == [(0, 1), (2, 3), (4, 5)]
    assert group_atoms(constraints, [{}] * 6, [True] + [False] * 5) == [(0,), (1,), (2, 3), (4, 5)]


def test_groups_that_share_an_atom_are_one() -> None:
    chain = Constraints(inseparable=[(3, 2), (1, 2), (0, 4)])
    assert group_atoms(chain, [{}] * 5, [False] * 5) == [(0, 4), (1, 2, 3)]


COUNT = 4
SCORES = st.lists(st.floats(-9, 0), min_size=COUNT, max_size=COUNT)
EDGES = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=12)


@given(st.lists(SCORES, min_size=8, max_size=8), EDGES)
@settings(max_examples=200, deadline=None)
def test_every_constraint_holds_in_the_end(
    scores: list[list[float]], edges: list[tuple[int, int]]
) -> None:
    units = [Unit((at,), line, 1.0) for at, line in enumerate(scores)]
    order = Order(units, Constraints(order=edges), COUNT)
    order.enforce()
    order.fill(range(COUNT))
    assert all(order.labels[a] <= order.labels[b] for a, b in edges)


@given(
    st.lists(SCORES, min_size=8, max_size=8), st.lists(st.integers(0, 3), min_size=8, max_size=8)
)
@settings(max_examples=100, deadline=None)
def test_without_constraints_only_empty_commits_change_anything(
    scores: list[list[float]], closed: list[int]
) -> None:
    for line, never in zip(scores, closed, strict=True):
        line[never] = -math.inf
    units = [Unit((at,), line, 1.0) for at, line in enumerate(scores)]
    order = Order(units, Constraints(), COUNT)
    order.enforce()
    assert order.labels == [unit.best for unit in units]
    order.fill(range(COUNT))
    assert all(line[k] > -math.inf for line, k in zip(scores, order.labels, strict=True))


@given(st.lists(SCORES, min_size=8, max_size=8), EDGES)
@settings(max_examples=100, deadline=None)
def test_what_is_settled_breaks_nothing_else(
    scores: list[list[float]], edges: list[tuple[int, int]]
) -> None:
    units = [Unit((at,), line, 1.0) for at, line in enumerate(scores)]
    order = Order(units, Constraints(order=edges), COUNT)
    free = {at for at in range(8) if all(at not in edge for edge in edges)}
    order.settle()
    assert all(order.labels[a] <= order.labels[b] for a, b in edges)
    assert all(order.labels[at] == units[at].best for at in free)
