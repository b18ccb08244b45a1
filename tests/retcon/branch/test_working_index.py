"""What was staged stays staged, unless a commit took it."""

import pytest

from git_retcon.errors import Fatal
from git_retcon.git.checkout import bind_checkout
from git_retcon.git.process import Git
from git_retcon.git.repository import Repository
from git_retcon.retcon.branch.working_index import IndexUpdate, plan_index
from tests.repository import TestRepository

BEFORE = {"taken": "1\n", "part": "1\n", "staged": "1\n", "apart": "1\n", "gone": "1\n"}
AFTER = {"taken": "2\n", "part": "2\n", "staged": "2\n", "gone": None, "new/file": "2\n"}
# What is in the files at last: of "part", a commit took one change of two.
FILES = {**AFTER, "part": "3\n", "apart": "3\n", "new/more": "3\n"}


@pytest.fixture
def repo(repo: TestRepository) -> TestRepository:
    """HEAD at the old commit, ``result`` at what was committed, the files in their last state."""
    repo.commit("before", BEFORE)
    repo.git("branch", "old")
    repo.commit("after", AFTER)
    repo.git("branch", "result")
    repo.commit("files", {**{path: FILES[path] for path in ("part", "apart", "new/more")}})
    repo.git("branch", "files")
    repo.git("reset", "-q", "old")
    return repo


def plan(repo: TestRepository) -> tuple[Git, IndexUpdate]:
    opened: Repository = repo.open()
    git = bind_checkout(opened)
    names = [repo.tree(name) for name in ("old", "result", "files")]
    return git, plan_index(git, opened.trees, *names)


def adopt(repo: TestRepository) -> None:
    git, update = plan(repo)
    update.apply(git)
    repo.git("update-ref", "refs/heads/main", "result")


def status(repo: TestRepository) -> list[str]:
    return repo.git("status", "--porcelain", "--untracked-files=all").splitlines()


def test_with_nothing_staged_what_is_left_is_not_staged(repo: TestRepository) -> None:
    repo.git("add", "-N", "new/file")
    adopt(repo)
    assert repo.git("diff-files", "--name-only").splitlines() == ["apart", "part"]
    assert status(repo) == [" M apart", " M part", "?? new/more"]


def test_what_is_left_and_was_staged_stays_staged(repo: TestRepository) -> None:
    repo.git("add", "-A")
    adopt(repo)
    assert status(repo) == ["M  apart", "A  new/more", "M  part"]


def test_what_was_staged_apart_stays_as_it_was_staged(repo: TestRepository) -> None:
    repo.write({"apart": "2\n"})
    repo.git("add", "apart")
    repo.write({"apart": "3\n"})
    adopt(repo)
    assert status(repo) == ["MM apart", " M part", "?? new/more"]
    assert repo.show(":apart") == b"2\n"


def test_what_would_be_lost_refuses_it(repo: TestRepository) -> None:
    repo.write({"staged": "staged only\n"})
    repo.git("add", "staged")
    repo.write({"staged": "2\n"})
    before = repo.git("ls-files", "--stage")
    with pytest.raises(Fatal, match=r"was committed: staged$"):
        plan(repo)
    assert repo.git("ls-files", "--stage") == before
    repo.git("rm", "-q", "--cached", "taken")
    repo.git("add", "staged")
    with pytest.raises(Fatal, match=r"was committed: taken$"):
        plan(repo)


def test_it_can_be_undone_and_done_again(repo: TestRepository) -> None:
    repo.git("add", "part")
    before = repo.git("ls-files", "--stage")
    git, update = plan(repo)
    update.apply(git)
    assert repo.git("ls-files", "--stage") != before
    adopt_again = plan(repo)[1]
    assert (dict(adopt_again.before), dict(adopt_again.after)) == ({}, {})
    update.undo(git)
    assert repo.git("ls-files", "--stage") == before


@pytest.mark.parametrize(
    ("staged", "taken"), [("d", "d/g"), ("d/g", "d")], ids=["under a folder", "under a file"]
)
def test_staged_content_in_the_place_of_a_committed_file_is_refused(
    repo: TestRepository, staged: str, taken: str
) -> None:
    repo.git("checkout", "-q", "-f", "result")
    repo.commit("a clash", {taken: "g\n"})
    repo.git("branch", "-f", "files")
    repo.git("checkout", "-q", "-f", "old")
    repo.write({staged: "staged\n"})
    repo.git("add", staged)
    with pytest.raises(Fatal, match=f"nor what was committed: {staged}$"):
        plan(repo)
