"""A model's answers are evidence: right ones win, and a wrong one among them is found out."""

import math
from collections.abc import Mapping, Sequence

import pytest

from git_retcon.git.difference import Difference
from git_retcon.retcon.planner.constraints import Constraints
from git_retcon.retcon.planner.judgements import (
    release_constraints,
    weigh_judgement,
    weigh_judgements,
)
from git_retcon.retcon.planner.plan import Task, make_plan
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

COMMITS = [LogicalCommit("Rework the parts"), LogicalCommit("Rework more of the parts")]


def place(
    whole: Difference, judged: Mapping[str, int], commits: Sequence[LogicalCommit] = COMMITS
) -> dict[bytes, int]:
    """The commit of each path, by a plan with a model's answers by path."""
    named = {atom.id: judged[atom.path.decode()] for atom in whole.atoms if judged}
    placements = make_plan(Task(whole, commits, range(len(commits)), judged=named)).placements
    return {atom.path: placements[atom.id].commit for atom in whole.atoms}


def logs(*probabilities: float) -> list[float]:
    return [math.log(each) if each else -math.inf for each in probabilities]


def test_a_models_word_counts_by_bayes_rule() -> None:
    weighed = [math.exp(value) for value in weigh_judgement(logs(0.5, 0.3, 0.2), 2)]
    total = 0.2 * 0.97 + 0.8 * 0.015
    assert weighed == pytest.approx([0.5 * 0.015 / total, 0.3 * 0.015 / total, 0.2 * 0.97 / total])


def test_a_models_word_does_not_move_what_is_nearly_certain() -> None:
    weighed = weigh_judgement(logs(0.998, 0.002), 1)
    assert weighed[0] > weighed[1]


def test_a_models_word_makes_no_commit_possible() -> None:
    assert weigh_judgement(logs(0.6, 0.4, 0), 2) == logs(0.6, 0.4, 0)
    assert weigh_judgement(logs(1, 0, 0), 0) == logs(1, 0, 0)


def test_a_wrong_answer_among_right_ones_about_its_like_is_found_out(
    repo: TestRepository,
) -> None:
    parts = [f"part{at}.py" for at in range(6)]
    whole = branch(
        repo,
        {name: f"def part{at}():\n    return old_call({at})\n" for at, name in enumerate(parts)},
        {name: f"def part{at}():\n    return new_call({at})\n" for at, name in enumerate(parts)}
        | {"other.txt": "Something else.\n", "notes.txt": "And another thing.\n"},
    )
    right = dict.fromkeys(parts, 0) | {"other.txt": 1, "notes.txt": 1}
    found = place(whole, right | {"part3.py": 1})
    assert found == {path.encode(): commit for path, commit in right.items()}


def test_two_wrong_answers_about_the_like_do_not_confirm_each_other() -> None:
    """What was nearly certain before is still heard."""
    before, by_others = logs(0.99, 0.01), logs(0.2, 0.8)
    weighed = weigh_judgements([before, before], {0: 1, 1: 1}, (), lambda others: [by_others] * 2)
    assert all(line[1] > line[0] for line in weighed)
    certain = logs(0.99999, 0.00001)
    weighed = weigh_judgements([certain, certain], {0: 1, 1: 1}, (), lambda others: [by_others] * 2)
    assert all(line[0] > line[1] for line in weighed)


def test_answers_about_both_ends_of_an_order_are_heard(repo: TestRepository) -> None:
    """Names that are alike are taken for a use; a model that read both knows better."""
    whole = branch(
        repo, {}, {"shapes.py": "def area(r):\n    return r\n", "land.py": "print(area(2))\n"}
    )
    planned = place(whole, {})
    assert planned[b"shapes.py"] <= planned[b"land.py"]
    assert place(whole, {"shapes.py": 1, "land.py": 0}) == {b"land.py": 0, b"shapes.py": 1}


def test_only_what_answers_are_against_is_released() -> None:
    order, together = [(1, 2), (0, 4)], [(2, 3), (3, 4)]
    kept = Constraints(order=order, together=together, manifests={4: [0]})
    given = Constraints(
        order=[(0, 1), *order], together=[(0, 1), *together], manifests={3: [0], 4: [0]}
    )
    assert release_constraints(given, {0: 1, 1: 0, 2: 0, 3: 0}) == kept
