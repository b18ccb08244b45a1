"""The offline engine hands out one plan, commit by commit."""

from git_retcon.git.difference import Difference
from git_retcon.retcon.engine import Choice, Situation
from git_retcon.retcon.engines.offline import OfflineEngine
from git_retcon.retcon.spec.history import Complete
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from tests.repository import TestRepository
from tests.retcon.planner.building import branch
from tests.retcon.planner.test_plan import AFTER, BEFORE

COMMITS = (LogicalCommit("Parse tokens"), LogicalCommit("Cache"), LogicalCommit("Document it"))


def situation(
    whole: Difference,
    index: int,
    taken: dict[str, int],
    commits: tuple[LogicalCommit, ...] = COMMITS,
) -> Situation:
    return Situation(Spec("topic", "main", "clean", commits), index, whole, taken)


def test_commit_by_commit_everything_is_handed_out_once(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    engine = OfflineEngine()
    taken: dict[str, int] = {}
    for index in range(3):
        choice = engine.extract(situation(whole, index, taken))
        assert isinstance(choice, Choice)
        assert choice.atoms
        assert not choice.atoms & taken.keys()
        assert choice.reasons.keys() == choice.atoms
        taken |= dict.fromkeys(choice.atoms, index)
    assert taken.keys() == {atom.id for atom in whole.atoms}
    assert whole.tree(taken) == whole.target


def test_what_a_repair_took_early_is_not_handed_out_again(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    engine = OfflineEngine()
    first = engine.extract(situation(whole, 0, {})).atoms
    later = engine.plan(situation(whole, 0, {})).atoms(1)
    pulled = sorted(later)[0]
    taken = dict.fromkeys({*first, pulled}, 0)
    assert engine.extract(situation(whole, 1, taken)).atoms == later - {pulled}


def test_what_is_left_of_earlier_commits_comes_along(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    engine = OfflineEngine()
    planned = engine.plan(situation(whole, 0, {}))
    taken = dict.fromkeys(sorted(planned.atoms(0))[1:], 0)
    assert engine.extract(situation(whole, 1, taken)).atoms > planned.atoms(1)


def test_growing_history_keeps_the_plan_and_a_new_wish_makes_another(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    engine = OfflineEngine()
    first = engine.plan(situation(whole, 0, {}))
    done = (LogicalCommit("Parse tokens", history=(Complete(),)), *COMMITS[1:])
    taken = dict.fromkeys(first.atoms(0), 0)
    assert engine.plan(situation(whole, 1, taken, done)) is first
    other = (LogicalCommit("Parse tokens", files=("README.md",)), *COMMITS[1:])
    assert engine.plan(situation(whole, 0, {}, other)) is not first


def test_complete_commits_get_nothing(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    done = (LogicalCommit("Parse tokens", history=(Complete(),)), *COMMITS[1:])
    planned = OfflineEngine().plan(situation(whole, 1, {}, done))
    assert {placement.commit for placement in planned.placements.values()} == {1, 2}


def test_a_leftover_commit_of_an_earlier_run_gets_only_what_nothing_else_takes(
    repo: TestRepository,
) -> None:
    whole = branch(repo, BEFORE, AFTER)
    commits = (*COMMITS[:2], LogicalCommit("WIP: remaining changes from topic"))
    planned = OfflineEngine().plan(situation(whole, 0, {}, commits))
    assert {placement.commit for placement in planned.placements.values()} == {0, 1}
    last = OfflineEngine().plan(situation(whole, 2, {}, commits))
    assert {placement.commit for placement in last.placements.values()} == {2}
