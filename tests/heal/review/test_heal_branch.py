"""A fix is kept on a branch without anybody's loss."""

import pytest

from git_retcon.errors import Fatal
from git_retcon.files.beneath import File
from git_retcon.git.process import Git
from git_retcon.heal.patches import FileChange
from git_retcon.heal.review.heal_branch import Fix, commit_to_branch, commit_to_free_branch
from tests.repository import TestRepository


@pytest.fixture
def fix(repo: TestRepository) -> Fix:
    """A fix of the last commit."""
    base = repo.commit("base", {"a": "1\n", "b": "b\n"})
    return Fix(base, (FileChange(b"a", File(b"1\n"), File(b"2\n")),), "Heal a\n")


def git_of(repo: TestRepository) -> Git:
    return Git(repo.path / ".git", repo.path)


@pytest.mark.parametrize("name", ["main", "refs/heads/main", "other", "alias", "elsewhere"])
def test_a_branch_with_something_of_its_own_is_not_moved(
    repo: TestRepository, fix: Fix, name: str
) -> None:
    repo.git("branch", "elsewhere")
    repo.git("worktree", "add", "-q", "../elsewhere", "elsewhere")
    repo.git("switch", "-qc", "other")
    repo.commit("mine", {"c": "c\n"})
    repo.git("switch", "-q", "main")
    repo.git("symbolic-ref", "refs/heads/alias", "refs/heads/other")
    before = repo.git("for-each-ref")
    with pytest.raises(Fatal) as refused:
        commit_to_branch(repo.open(), git_of(repo), name, fix)
    assert "--branch" in str(refused.value.hint)
    assert repo.git("for-each-ref") == before


def test_a_branch_of_earlier_commits_goes_on_to_the_fix(repo: TestRepository, fix: Fix) -> None:
    repo.git("branch", "fixes")
    kept = commit_to_branch(repo.open(), git_of(repo), "refs/heads/fixes", fix)
    assert kept == ("fixes", repo.rev("fixes"))
    assert (repo.rev("fixes^"), repo.show("fixes:a")) == (fix.commit, b"2\n")


def test_each_fix_of_a_run_keeps_its_branch_and_the_same_one_has_one(
    repo: TestRepository, fix: Fix
) -> None:
    other = fix._replace(changes=(FileChange(b"b", File(b"b\n"), File(b"c\n")),))
    opened, git = repo.open(), git_of(repo)
    one = commit_to_free_branch(opened, git, "heal/1", fix)
    two = commit_to_free_branch(opened, git, "heal/1", other)
    assert (one.branch, two.branch) == ("heal/1", "heal/1-2")
    assert (repo.show("heal/1:a"), repo.show("heal/1-2:b")) == (b"2\n", b"c\n")
    assert commit_to_free_branch(opened, git, "heal/1", fix) == one
