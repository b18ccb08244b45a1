"""Hunks that are alike say of each other where they go, before anybody answers."""

import math
from dataclasses import replace

import pytest

from git_retcon.git.difference import Difference
from git_retcon.retcon.planner.likeness import RELATIONS
from git_retcon.retcon.planner.neighbours import FEATURES, add_change, neighbour_features
from git_retcon.retcon.planner.plan import Task
from git_retcon.retcon.planner.planner import Planner
from git_retcon.retcon.planner.weights import Model, fitted_model
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

COMMITS = [LogicalCommit("Close sockets"), LogicalCommit("Count retries")]
IMPOSSIBLE = float("-inf")


@pytest.fixture
def whole(repo: TestRepository) -> Difference:
    """Two hunks of which one names its commit, and the same hunk without such a word."""
    return branch(
        repo,
        {"a.py": "x = 1\n", "b.py": "y = 1\n", "c.py": "z = 1\n"},
        {"a.py": "x = 1\nsockets = 2\n", "b.py": "y = 1\nlate = 2\n", "c.py": "z = 1\nlate = 2\n"},
    )


def share_in(planner: Planner, at: int, relation: str) -> list[float]:
    vectors = planner.read_neighbours()[at]
    assert vectors is not None
    return [vector[FEATURES.index(relation)] for vector in vectors.values()]


def test_a_hunk_reads_where_its_like_goes(whole: Difference) -> None:
    planner = Planner(Task(whole, COMMITS, range(2)))
    origin = {whole.atoms[0].id: {0: 1}, whole.atoms[1].id: {0: 1}, whole.atoms[2].id: {1: 1}}
    own = Planner(Task(whole, COMMITS, range(2), origin=origin, subjects=("wip", "wip")))
    first, second = share_in(own, 1, "source")
    assert first > second  # the hunk that came with it is about sockets
    assert share_in(planner, 1, "source") == [0.0, 0.0]  # squashed, nothing came with anything


def test_no_hunk_is_evidence_of_itself(whole: Difference) -> None:
    planner = Planner(Task(whole, COMMITS, range(2)))
    facts, relations = planner.facts, planner.relations
    logs = [[math.log(0.5)] * 2 for _ in facts]
    sure = [[0.0, IMPOSSIBLE], *logs[1:]]
    is_open = [True] * len(facts)
    before = next(neighbour_features(facts, relations, logs, logs, is_open))
    after = next(neighbour_features(facts, relations, logs, sure, is_open))
    assert before is not None
    assert after is not None
    relation = FEATURES.index(RELATIONS[0])
    assert [before[k][relation:] for k in after] == [each[relation:] for each in after.values()]


def test_where_no_choice_is_nothing_is_read(whole: Difference) -> None:
    commits = [replace(COMMITS[0], files=("a.py",)), COMMITS[1], LogicalCommit("Retry less")]
    found = Planner(Task(whole, commits, range(3))).read_neighbours()
    assert found[0] is None
    assert found[1] is not None


def weigh(relation: str, weight: float) -> Model:
    """The model that ships, but its second stage reads one relation alone."""
    weights = {"ln before": 1.0, relation: weight}
    line = [weights.get(name, 0.0) for name in FEATURES]
    return replace(fitted_model(), neighbours=[line, line])


def test_a_plan_follows_what_hunks_alike_say(repo: TestRepository) -> None:
    lines = "".join(f"line{at} = {at}\n" for at in range(40))
    whole = branch(
        repo,
        {"a.py": lines, "b.py": lines},
        {"a.py": f"sockets = 2\n{lines}late = 2\n", "b.py": f"retries = 2\n{lines}late = 3\n"},
    )
    task = Task(whole, COMMITS, range(2))
    late = [atom.id for atom in whole.atoms if b"late" in atom.added[0]]
    apart = Planner(task, weigh("file", 0.0)).weigh_judged()
    joined = Planner(task, weigh("file", 3.0)).weigh_judged()
    for commit, each in enumerate(late):  # with the sockets, and with the retries
        assert joined[each][commit] > apart[each][commit]


def test_what_is_impossible_stays_impossible() -> None:
    may = [(True, True), (False, True)]
    before = [[math.log(0.5), math.log(0.5)], [IMPOSSIBLE, 0.0]]
    after = [[math.log(0.9), math.log(0.1)], [IMPOSSIBLE, 0.0]]
    (first, second) = add_change(before, before, after, may)
    assert [round(math.exp(value), 9) for value in first] == [0.9, 0.1]
    assert second == [IMPOSSIBLE, 0.0]


def test_an_answer_beats_what_the_second_stage_said() -> None:
    answered = [[IMPOSSIBLE, 0.0]]
    before, after = [[math.log(0.5)] * 2], [[math.log(0.999), math.log(0.001)]]
    assert add_change(answered, before, after, [(False, True)]) == [[IMPOSSIBLE, 0.0]]


def test_the_package_has_a_weight_for_each_feature() -> None:
    assert [len(each) for each in fitted_model().neighbours] == [len(FEATURES)] * 2
    squashed = fitted_model().neighbours[0]
    of_source = [FEATURES.index(each) for each in RELATIONS if "source" in each]
    assert {squashed[at] for at in of_source} == {0.0}
