"""What it would cost to describe a history with a model."""

from git_retcon.allium.evolve.agenda import make_agenda
from git_retcon.allium.evolve.estimate import Estimate, estimate_cost
from git_retcon.allium.evolve.request import Range
from git_retcon.allium.evolve.run import lock_branch
from git_retcon.allium.evolve.source_files import SourceFiles
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.model.prices import load_prices
from tests.allium.history_shapes import BRANCH, entity, merge
from tests.repository import TestRepository


def estimate(repo: TestRepository, most: int = 80_000) -> Estimate:
    repository = repo.open()
    with lock_branch(repository, SpecBranch(repository, f"refs/heads/{BRANCH}")) as branch:
        agenda = make_agenda(repository, branch, Range(), repo.rev("HEAD"))
    files = SourceFiles(repository, ())
    return estimate_cost(repository, agenda, files, load_prices(), "claude-sonnet-5-5", most)


def test_only_commits_that_change_source_cost_something(repo: TestRepository) -> None:
    repo.commit("a", {"src/a.py": entity("A", "n")})
    one = estimate(repo)
    repo.commit("b", {"tests/test_a.py": "x = 1\n"})
    repo.git("checkout", "-q", "-b", "topic", "HEAD~")
    repo.git("checkout", "-q", "main")
    merge(repo, "m", "topic")
    assert estimate(repo) == one
    assert one.steps == 1
    assert 0 < one.dollars[0] <= one.dollars[1]
    assert str(one).startswith("1 commit to ask about: $0.0")


def test_more_source_costs_more_and_parts_too(repo: TestRepository) -> None:
    repo.commit("a", {"src/a.py": "x = 1\n" * 10_000})
    small = estimate(repo)
    repo.commit("b", {"src/b.py": "x = 1\n" * 100_000})
    large = estimate(repo)
    assert large.dollars[1] > 5 * small.dollars[1]
    assert estimate(repo, 1_000).dollars[0] > large.dollars[0]
