"""What it would cost to describe a history with a model."""

from git_retcon.allium.evolve.agenda import make_agenda
from git_retcon.allium.evolve.estimate import Estimate, estimate_cost
from git_retcon.allium.evolve.request import Range
from git_retcon.allium.evolve.run import lock_branch, plan_checkpoints
from git_retcon.allium.evolve.source_files import SourceFiles
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.allium.reconcile.scheduler import Scheduler
from git_retcon.allium.reconcile.schedulers.n_commits import NCommits
from git_retcon.allium.reconcile.schedulers.never import Never
from git_retcon.allium.requests.talk import Models
from git_retcon.model.prices import load_prices
from tests.allium.evolve.test_memory import rewrite, tell
from tests.allium.history_shapes import BRANCH, entity, merge
from tests.repository import TestRepository

SONNET, OPUS = "claude-sonnet-5-5", "claude-opus-5-5"
NEVER = Never()


def estimate(
    repo: TestRepository,
    most: int = 80_000,
    models: Models = Models(SONNET, SONNET, SONNET),  # noqa: B008
    scheduler: Scheduler = NEVER,
    asked: Range = Range(),  # noqa: B008
) -> Estimate:
    repository = repo.open()
    files = SourceFiles(repository, ())
    with lock_branch(repository, SpecBranch(repository, f"refs/heads/{BRANCH}")) as branch:
        agenda = make_agenda(repository, branch, asked, repo.rev("HEAD"))
        checkpoints = plan_checkpoints(repository, branch, agenda, files, scheduler)
    prices = load_prices()
    return estimate_cost(repository, branch, agenda, checkpoints, files, prices, models, most)


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


def test_a_merge_of_source_costs_nothing_where_its_sides_agree(repo: TestRepository) -> None:
    repo.commit("a", {"src/a.py": entity("A", "n")})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("b", {"src/b.py": entity("B", "n")})
    repo.git("checkout", "-q", "main")
    repo.commit("c", {"src/c.py": entity("C", "n")})
    merge(repo, "m", "topic")
    assert estimate(repo).steps == 3


def test_a_late_start_costs_all_that_is_there_then(repo: TestRepository) -> None:
    repo.commit("a", {"src/a.py": "x = 1\n" * 50_000})
    repo.commit("b", {"src/b.py": "x = 1\n"})
    models = Models(SONNET, OPUS, SONNET)
    whole, late = estimate(repo, models=models), estimate(repo, models=models, asked=Range(last=1))
    assert late.steps == 1
    assert late.dollars[0] > 0.9 * whole.dollars[0]


def test_more_source_costs_more_and_parts_too(repo: TestRepository) -> None:
    repo.commit("a", {"src/a.py": "x = 1\n" * 10_000})
    small = estimate(repo)
    repo.commit("b", {"src/b.py": "x = 1\n" * 100_000})
    large = estimate(repo)
    assert large.dollars[1] > 5 * small.dollars[1]
    assert estimate(repo, 1_000).dollars[0] > large.dollars[0]


def test_the_first_commit_is_priced_as_the_large_model_that_is_asked_about_it(
    repo: TestRepository,
) -> None:
    repo.commit("a", {"src/a.py": "x = 1\n" * 50_000})
    usual, first = estimate(repo), estimate(repo, models=Models(SONNET, OPUS, SONNET))
    assert first.dollars[0] > 1.5 * usual.dollars[0]
    repo.commit("b", {"src/b.py": "x = 1\n" * 50_000})
    later = estimate(repo, models=Models(SONNET, OPUS, SONNET))
    assert later.dollars[0] - first.dollars[0] < 0.7 * first.dollars[0]


def test_reconciliations_that_are_due_cost_what_changed_between_them(repo: TestRepository) -> None:
    for number in range(4):
        repo.commit(f"c{number}", {f"src/a{number}.py": "x = 1\n" * 30_000})
    never, twice = estimate(repo), estimate(repo, scheduler=NCommits(2))
    assert (never.reconciliations, twice.reconciliations) == (0, 2)
    # Either reads the two files that came since the one before: all four are read once more.
    assert 1.8 * never.dollars[0] < twice.dollars[0] < 2.3 * never.dollars[0]
    assert str(twice).startswith("4 commits and 2 reconciliations to ask about: $")


def test_what_was_described_before_a_rebase_costs_nothing_again(repo: TestRepository) -> None:
    for name in "abc":
        repo.commit(name, {f"src/{name}.py": entity(name, "n")})
    tell(repo)
    rewrite(repo, "b, said better", "c")
    repo.commit("tests", {"tests/test_a.py": "x = 1\n"})
    assert estimate(repo).steps == 0
    repo.commit("d", {"src/d.py": entity("d", "n")})
    assert estimate(repo).steps == 1
    assert tell(repo) == ["d"]


def test_what_is_new_after_a_rebase_costs_something_from_there(repo: TestRepository) -> None:
    for name in "abc":
        repo.commit(name, {f"src/{name}.py": entity(name, "n")})
    tell(repo)
    repo.git("reset", "-q", "--hard", "HEAD~2")
    repo.commit("b", {"src/b.py": entity("b", "other")})
    repo.commit("c", {"src/c.py": entity("c", "n")})
    assert estimate(repo).steps == 2


def test_it_is_said_in_words_that_people_use() -> None:
    assert str(Estimate(8, 0, (0.218, 0.223), (0.033, 0.133))) == (
        "8 commits to ask about: $0.22, 2 to 8 minutes"
    )
    assert str(Estimate(1, 0, (0.03, 0.04), (0.004, 0.0167))) == (
        "1 commit to ask about: $0.03 to $0.04, about a minute"
    )
    assert str(Estimate(2000, 40, (80, 1250), (8.3, 33.3))) == (
        "2,000 commits and 40 reconciliations to ask about: $80.00 to $1,250.00, 8.3 to 33.3 hours"
    )
