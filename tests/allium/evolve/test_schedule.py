"""Steps side by side: the result is that of one after another."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from git_retcon.allium.engine import Step, Update
from git_retcon.allium.evolve.agenda import make_agenda
from git_retcon.allium.evolve.events import EvolveEvent
from git_retcon.allium.evolve.request import Range
from git_retcon.allium.evolve.run import Limits, Outcome, lock_branch, run
from git_retcon.allium.history.spec_branch import SpecBranch
from tests.allium.history_shapes import BRANCH, make_branchy, merge, shape, told
from tests.repository import TestRepository


class Slow:
    """An engine that takes its time, the longer the shorter the subject."""

    name = "slow"
    is_slow = True

    def __init__(self, failing: str = "") -> None:
        self.failing = failing
        self.at_once = 0
        self.most_at_once = 0
        self.told: list[str] = []
        self._lock = threading.Lock()

    def update(self, step: Step) -> Update:
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        time.sleep(0.02)
        with self._lock:
            self.at_once -= 1
            self.told.append(step.commit.subject)
        if step.commit.subject == self.failing:
            raise RuntimeError("no answer")
        names = [change.path.decode() for change in step.changes]
        text = f"-- allium: 3\n-- {step.number} {' '.join(names)}\n"
        before = [commit.subject for commit in step.context]
        return Update(
            {b"all.allium": text.encode()}, account=[f"after {' '.join(before)}"], cost=0.5
        )

    def summarize(self) -> list[str]:
        return []


def tell(
    repo: TestRepository,
    engine: Slow,
    concurrency: int,
    asked: Range = Range(),  # noqa: B008
) -> Outcome:
    repository = repo.open()
    limits = Limits(None, (), 3, concurrency, 8000)
    seen: list[EvolveEvent] = []
    with lock_branch(repository, SpecBranch(repository, f"refs/heads/{BRANCH}")) as branch:
        return run(
            repository,
            branch,
            make_agenda(repository, branch, asked, repo.rev("HEAD")),
            engine,
            limits,
            seen.append,
        )


@pytest.mark.slow
def test_branches_are_described_at_the_same_time_with_the_same_result(
    repo: TestRepository, make_repo: Callable[[str], TestRepository], tmp_path: Path
) -> None:
    make_branchy(repo)
    other = make_repo("other")
    other.git("fetch", "-q", str(repo.path), "main")
    other.git("update-ref", "refs/heads/main", "FETCH_HEAD")
    one, many = Slow(), Slow()
    outcome = tell(repo, one, 1)
    assert tell(other, many, 4).tip == outcome.tip
    assert one.most_at_once == 1
    assert 1 < many.most_at_once <= 4
    assert told(repo) == shape(repo)
    assert outcome.cost == pytest.approx(0.5 * len(one.told))


def test_a_step_sees_the_commits_before_it(repo: TestRepository) -> None:
    for name in "abcd":
        repo.commit(name, {f"src/{name}.py": "x = 1\n"})
    tell(repo, Slow(), 1)
    assert repo.git("log", "-1", "--format=%b", BRANCH).startswith("after b c\n")


def test_no_more_steps_are_at_work_than_were_asked_for(repo: TestRepository) -> None:
    repo.commit("root")
    for name in "abcd":
        repo.git("checkout", "-q", "-b", name, "main")
        repo.commit(name, {f"{name}.py": "x = 1\n"})
    repo.git("checkout", "-q", "main")
    merge(repo, "m", "a", "b", "c", "d")
    engine = Slow()
    tell(repo, engine, 2)
    assert engine.most_at_once == 2


def test_a_commit_that_names_a_parent_twice_waits_for_it_once(repo: TestRepository) -> None:
    repo.commit("a", {"a.py": "x = 1\n"})
    b = repo.commit("b", {"a.py": "x = 2\n"})
    raw = repo.git("cat-file", "commit", b).split("\n")
    twice = "\n".join([*raw[:2], *raw[1:], ""]).encode()
    repo.git("reset", "-q", "--hard", repo.git(
        "hash-object", "-w", "-t", "commit", "--literally", "--stdin", stdin=twice))  # fmt: skip
    assert repo.git("rev-list", "--parents", "-1", "HEAD").count(repo.rev("HEAD~")) == 2
    assert tell(repo, Slow(), 4).done == 2
    assert told(repo) == {"a": [], "b": ["a"]}


def test_with_a_late_start_no_step_sees_what_was_before(repo: TestRepository) -> None:
    for name in "abcd":
        repo.commit(name, {f"src/{name}.py": "x = 1\n"})
    tell(repo, Slow(), 1, Range(since="HEAD~"))
    assert repo.git("log", "-1", "--format=%b", BRANCH).startswith("after c\n")


def test_what_is_paid_for_is_saved_when_another_step_fails(repo: TestRepository) -> None:
    make_branchy(repo)
    with pytest.raises(RuntimeError):
        tell(repo, Slow("y"), 4)
    again = Slow()
    tell(repo, again, 4)
    assert told(repo) == shape(repo)
    assert "a" not in again.told, "what was described before the failure is not described again"


class Waiting(Slow):
    """An engine that answers no second step before the first one is on the branch."""

    def __init__(self, repo: TestRepository) -> None:
        super().__init__()
        self.repo = repo
        self.saved: list[str] = []

    def update(self, step: Step) -> Update:
        if step.number:
            deadline = time.monotonic() + 10
            while not self.saved and time.monotonic() < deadline:
                time.sleep(0.02)
                self.saved = self.repo.git("for-each-ref", f"refs/heads/{BRANCH}").splitlines()
        return super().update(step)


@pytest.mark.parametrize("concurrency", [1, 4])
def test_what_is_paid_for_is_saved_while_another_step_waits(
    repo: TestRepository, concurrency: int
) -> None:
    for name in "ab":
        repo.commit(name, {f"src/{name}.py": "x = 1\n"})
    engine = Waiting(repo)
    tell(repo, engine, concurrency)
    assert len(engine.saved) == 1
