"""What a command takes off a branch is kept, each time under a name of its own."""

import pytest

from git_retcon.git.kept_refs import KeptRefs
from git_retcon.git.ref_updates import update_refs
from tests.repository import TestRepository

PLACE = "refs/example/kept"


def keep(repo: TestRepository, branch: str, commit: str) -> str:
    git = repo.open().git
    update = KeptRefs(git, PLACE).prepare_keeping(branch, commit)
    update_refs(repo.open(), [update], "keep")
    return update.name


def last(repo: TestRepository, branch: str, place: str = PLACE) -> str | None:
    return KeptRefs(repo.open().git, place).find_last(branch)


def test_each_time_has_a_name_of_its_own_and_the_last_is_found(repo: TestRepository) -> None:
    commits = [repo.commit(str(number)) for number in range(12)]
    names = [keep(repo, "topic", oid) for oid in commits]
    assert [repo.rev(name) for name in names] == commits
    assert all(name.startswith(f"{PLACE}/") and name.endswith("/topic") for name in names)
    assert last(repo, "topic") == names[-1]


def test_a_name_is_not_used_again_while_a_later_one_is_there(repo: TestRepository) -> None:
    one, two, three = (repo.commit(word) for word in ("one", "two", "three"))
    first, second = keep(repo, "topic", one), keep(repo, "topic", two)
    repo.git("update-ref", "-d", first)
    assert keep(repo, "topic", three) not in (first, second)


def test_what_was_kept_last_is_not_kept_twice(repo: TestRepository) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    assert keep(repo, "topic", one) == keep(repo, "topic", one)
    keep(repo, "topic", two)
    assert keep(repo, "topic", one).endswith("-3/topic")


def test_branches_that_exclude_each_other_are_kept_side_by_side(repo: TestRepository) -> None:
    oid = repo.commit("one")
    names = {branch: keep(repo, branch, oid) for branch in ("a", "a/b", "a/b/c", "\udcff", "A")}
    assert {branch: last(repo, branch) for branch in names} == names


def test_what_was_never_kept_is_not_found(repo: TestRepository) -> None:
    keep(repo, "topic", repo.commit("one"))
    assert last(repo, "other") is None
    assert last(repo, "opic") is None
    assert last(repo, "topic", "refs/example/elsewhere") is None


@pytest.mark.parametrize("number", ["x", "\N{SUPERSCRIPT TWO}", "-1", "1x"])
def test_a_foreign_ref_in_the_same_place_is_no_number(repo: TestRepository, number: str) -> None:
    oid = repo.commit("one")
    prefix = keep(repo, "topic", oid).removesuffix("1/topic")
    repo.git("update-ref", f"{prefix}{number}/topic", oid)
    assert keep(repo, "topic", repo.commit("two")) == f"{prefix}2/topic"


def test_names_of_older_versions_are_found(repo: TestRepository) -> None:
    oid = repo.commit("one")
    oldest = f"{PLACE}/topic"
    repo.git("update-ref", oldest, oid)
    assert last(repo, "topic") == oldest
    prefix = keep(repo, "other", oid).rpartition("-")[0]
    repo.git("update-ref", "-d", f"{prefix}-1/other")
    repo.git("update-ref", f"{prefix}/other", oid)
    assert last(repo, "other") == f"{prefix}/other"
