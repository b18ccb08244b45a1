"""An answer moves the hunks that are like it, and no more than the evidence has."""

from dataclasses import replace

from git_retcon.git.difference import Difference
from git_retcon.retcon.planner.plan import Task
from git_retcon.retcon.planner.planner import Planner
from git_retcon.retcon.planner.spreading import FEATURES, spread_answers
from git_retcon.retcon.planner.weights import fitted_model
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

FILES = [f"part{at}.py" for at in range(6)]
COMMITS = [LogicalCommit("Rework the parts"), LogicalCommit("Rework more of the parts")]


def renamed_in_all(repo: TestRepository) -> Difference:
    return branch(
        repo,
        {name: f"def part{at}():\n    return old_call({at})\n" for at, name in enumerate(FILES)},
        {name: f"def part{at}():\n    return new_call({at})\n" for at, name in enumerate(FILES)},
    )


def test_one_answer_moves_the_same_replacement_everywhere(repo: TestRepository) -> None:
    whole = renamed_in_all(repo)
    ids = [atom.id for atom in whole.atoms]
    planner = Planner(Task(whole, COMMITS, range(2)))
    for commit in (0, 1):
        pinned = list(COMMITS)
        pinned[commit] = replace(COMMITS[commit], hunks=(ids[0], ids[1]))
        placements = planner.plan(pinned).placements
        # One hunk stays behind, since no commit may be empty.
        assert [placements[each].commit for each in ids].count(commit) >= len(ids) - 1


def test_a_planner_gives_the_plan_that_a_new_one_gives(repo: TestRepository) -> None:
    whole = renamed_in_all(repo)
    task = Task(whole, COMMITS, range(2))
    pinned = [COMMITS[0], replace(COMMITS[1], hunks=(whole.atoms[2].id,))]
    used = Planner(task)
    used.plan(COMMITS)
    used.plan([replace(COMMITS[0], hunks=(whole.atoms[3].id,)), COMMITS[1]])
    assert used.plan(pinned) == Planner(replace(task, commits=pinned)).plan(pinned)
    assert used.plan(COMMITS) == Planner(task).plan(COMMITS)


def test_what_is_impossible_stays_impossible() -> None:
    vectors = [[1.0] * len(FEATURES)] * 2
    weights = [1.0] * len(FEATURES)
    (line,) = spread_answers([vectors], [[0.0, float("-inf")]], weights)
    assert line == [len(FEATURES), float("-inf")]


def test_an_answered_hunk_is_left_as_it_is() -> None:
    assert spread_answers([None], [[0.0, -1.0]], [1.0] * len(FEATURES)) == [[0.0, -1.0]]


def test_the_package_has_a_weight_for_each_feature() -> None:
    assert [len(each) for each in fitted_model().answers] == [len(FEATURES)] * 2
