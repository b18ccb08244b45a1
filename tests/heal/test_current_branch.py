"""The current branch as CI would see it."""

import dataclasses
import functools
from pathlib import Path

import pytest

from git_retcon.git.checkout import list_differing
from git_retcon.git.graph import resolve_commit
from git_retcon.heal.current_branch import CurrentBranch, read_current_branch
from git_retcon.heal.workflows.happenings import PullRequest, Push
from tests.heal.project import clone, new_clone, new_remote
from tests.repository import TestRepository, new_repository


def read(repository: TestRepository) -> CurrentBranch:
    opened = repository.open()
    git = dataclasses.replace(opened.git, work_tree=repository.path)
    head = resolve_commit(opened, "HEAD")
    return read_current_branch(opened, git, head, functools.partial(list_differing, git))


def test_a_branch_is_compared_with_the_default_branch_where_it_left_it(tmp_path: Path) -> None:
    repository = new_clone(tmp_path)
    repository.commit("one", {"sub/b.txt": "b\n"})
    TestRepository(tmp_path / "remote").commit("later", {"later.txt": "c\n"})
    repository.git("fetch", "-q")
    repository.write(
        {"a.txt": "changed\n", "new é.txt": "new\n", "ignored": "x", ".gitignore": "ignored\n"}
    )
    repository.git("add", "a.txt")
    found = read(repository)
    assert (found.checkout.branch, found.checkout.base, found.remote) == ("topic", "main", "origin")
    assert found.checkout.commit == repository.rev("HEAD")
    changed = [b".gitignore", b"a.txt", "new é.txt".encode(), b"sub/b.txt"]
    assert found.list_happenings() == [
        PullRequest("main", changed),
        Push("refs/heads/topic", changed),
    ]


def test_a_push_is_compared_with_what_was_pushed_before(tmp_path: Path) -> None:
    repository = new_clone(tmp_path)
    repository.commit("one", {"b.txt": "b\n"})
    repository.git("push", "-q", "origin", "topic")
    repository.commit("two", {"c.txt": "c\n", "a.txt": None})
    found = read(repository)
    assert found.pushed == [b"a.txt", b"c.txt"]
    assert found.requested == [b"a.txt", b"b.txt", b"c.txt"]


def test_with_no_difference_no_filter_of_paths_may_hold_anything_back(tmp_path: Path) -> None:
    found = read(new_clone(tmp_path))
    assert found.list_happenings() == [PullRequest("main", None), Push("refs/heads/topic", None)]


def test_the_default_branch_is_only_pushed(tmp_path: Path) -> None:
    repository = clone(new_remote(tmp_path / "remote", {"a": "a"}, branch="trunk"), tmp_path / "c")
    assert read(repository).checkout.base == "trunk"
    before = repository.git("rev-parse", "HEAD").strip()
    assert read(repository).list_happenings() == [Push("refs/heads/trunk", None)]
    repository.write({"a": "changed"})
    assert read(repository).list_happenings() == [Push("refs/heads/trunk", [b"a"], before)]


def test_a_detached_head_can_only_be_a_pull_request(tmp_path: Path) -> None:
    repository = new_clone(tmp_path)
    repository.commit("one", {"b.txt": "b\n"})
    repository.git("checkout", "-q", "--detach")
    found = read(repository)
    assert found.checkout.branch == ""
    assert found.list_happenings() == [PullRequest("main", [b"b.txt"])]


def test_the_remote_is_the_one_of_the_branch_or_else_origin(tmp_path: Path) -> None:
    repository = new_clone(tmp_path)
    other = new_remote(tmp_path / "other", {"a": "a"}, branch="trunk")
    repository.git("remote", "add", "-f", "a.other", str(other.path))
    repository.git("remote", "set-head", "a.other", "--auto")
    assert (read(repository).remote, read(repository).checkout.base) == ("origin", "main")
    repository.git("config", "branch.topic.remote", "a.other")
    found = read(repository)
    assert (found.remote, found.checkout.base) == ("a.other", "trunk")
    assert found.requested is None, "the histories are unrelated"


def test_where_the_remote_has_no_known_head_the_usual_names_are_tried(tmp_path: Path) -> None:
    repository = new_clone(tmp_path)
    repository.git("remote", "set-head", "origin", "--delete")
    assert read(repository).checkout.base == "main"
    repository.git("update-ref", "-d", "refs/remotes/origin/main")
    assert read(repository).list_happenings() == [Push("refs/heads/topic", None)]
    repository.git("update-ref", "refs/remotes/origin/dev", "HEAD")
    repository.git("config", "init.defaultBranch", "dev")
    assert read(repository).checkout.base == "dev"


def test_without_a_remote_the_local_default_branch_is_taken(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "alone", "-b", "main")
    assert read(repository).list_happenings() == [Push("refs/heads/main", None)]
    repository.commit("begin", {"a": "a"})
    repository.git("switch", "-qc", "topic")
    repository.commit("one", {"b": "b"})
    found = read(repository)
    assert (found.remote, found.checkout.base) == ("", "main")
    assert (found.requested, found.pushed) == ([b"b"], [b"b"])


def test_a_linked_worktree_has_a_branch_of_its_own(tmp_path: Path) -> None:
    repository = new_clone(tmp_path)
    repository.git("worktree", "add", "-qb", "linked", str(tmp_path / "linked"))
    linked = TestRepository(tmp_path / "linked")
    linked.write({"b": "b"})
    assert read(linked).list_happenings() == [
        PullRequest("main", [b"b"]), Push("refs/heads/linked", [b"b"]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://github.com/owner/name.git", "owner/name"),
        ("https://user@github.com/owner/name/", "owner/name"),
        ("git@github.com:owner/name.git", "owner/name"),
        ("ssh://git@github.com:22/owner/na.me", "owner/na.me"),
        ("https://gitlab.com/group/sub/name.git", "sub/name"),
        ("gh:owner/name", "owner/name"),
        ("/srv/git/name.git", ""),
        ("../other", ""),
        ("file:///srv/git/name.git", ""),
    ],
)
def test_the_repository_has_the_name_that_its_address_has(
    tmp_path: Path, address: str, name: str
) -> None:
    repository = new_repository(tmp_path / "r")
    repository.git("remote", "add", "origin", address)
    assert read(repository).checkout.repository == name
