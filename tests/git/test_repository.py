"""Opening what git opens, and refusing plainly what libgit2 cannot read."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.git.repository import open_repository
from tests.repository import TestRepository


def test_a_subdirectory_opens_the_repository_around_it(repo: TestRepository) -> None:
    repo.commit("one", {"a/b/c": "x\n"})
    found = open_repository(repo.path / "a/b")
    assert found.git_dir == found.common_dir == repo.path / ".git"
    assert found.work_tree == repo.path
    assert found.git.line("rev-parse", "HEAD") == str(found.objects.head.target)


def test_a_linked_worktree_has_a_directory_of_its_own(repo: TestRepository) -> None:
    repo.commit("one")
    linked = repo.path.parent / "linked"
    repo.git("worktree", "add", "-q", "--detach", str(linked))
    found = open_repository(linked)
    assert found.git_dir == repo.path / ".git/worktrees/linked"
    assert found.common_dir == repo.path / ".git"
    assert found.work_tree == linked


def test_a_bare_repository_has_no_work_tree(make_repo: Callable[..., TestRepository]) -> None:
    bare = make_repo("bare.git", "--bare")
    found = open_repository(bare.path)
    assert (found.git_dir, found.work_tree) == (bare.path, None)
    assert found.objects.is_bare


@pytest.mark.parametrize("name", ["two\nlines", "end\n", "-dash", " ", "\udcff"])
def test_a_path_of_any_bytes_is_kept(tmp_path: Path, repo: TestRepository, name: str) -> None:
    odd = tmp_path / name
    repo.git("init", "-q", "--", str(odd))
    assert open_repository(odd).work_tree == odd
    assert open_repository(odd).git_dir == odd / ".git"


def test_git_dir_is_honoured(
    repo: TestRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("one")
    monkeypatch.setenv("GIT_DIR", "repo/.git")
    monkeypatch.setenv("GIT_WORK_TREE", "repo")
    monkeypatch.chdir(tmp_path)
    found = open_repository(tmp_path)
    assert found.git_dir == repo.path / ".git"
    assert found.work_tree == repo.path
    assert "GIT_DIR" not in found.git.env
    assert found.git.line("rev-parse", "HEAD") == str(found.objects.head.target)


def test_settings_of_the_caller_are_seen(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'retcon.build'='make'")
    repo.git("config", "retcon.build", "other")
    assert repo.open().config.get("retcon.build") == "make"


def test_objects_of_an_alternate_are_read(
    repo: TestRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = repo.commit("one", {"f": "x\n"})
    other = tmp_path / "other"
    repo.git("init", "-q", str(other))
    monkeypatch.setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", str(repo.path / ".git/objects"))
    assert commit in open_repository(other).objects


def test_a_walk_finds_what_was_written_a_moment_ago(repo: TestRepository) -> None:
    repo.commit("one")
    opened = repo.open()
    assert opened.walks is not opened.objects
    assert [str(each.id) for each in opened.walks.walk(repo.rev("HEAD"))] == [repo.rev("HEAD")]
    two = repo.commit("two")
    assert [str(each.id) for each in opened.walks.walk(two)] == [two, repo.rev("HEAD~1")]


def test_nowhere_is_gits_own_refusal(tmp_path: Path) -> None:
    with pytest.raises(Fatal, match="not a git repository") as refusal:
        open_repository(tmp_path)
    assert refusal.value.hint


def test_a_repository_of_another_user_says_the_way_in(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(Fatal) as refusal:
        open_repository(repo.path)
    way = ["git", "config", "--global", "--add", "safe.directory", str(repo.path)]
    assert str(refusal.value) == f"detected dubious ownership in repository at '{repo.path}'"
    assert refusal.value.hint == f"if you trust what its owner put there: '{' '.join(way)}'"
    assert refusal.value.commands == [way]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Fatal, match=r"cannot enter '.*nowhere': No such file or directory"):
        open_repository(tmp_path / "nowhere")


def test_sha256_is_refused_by_name(make_repo: Callable[..., TestRepository]) -> None:
    repo = make_repo("sha256", "--object-format=sha256")
    repo.commit("one")
    with pytest.raises(Fatal, match="sha256") as refusal:
        _ = repo.open().objects
    assert refusal.value.hint


def test_reftable_is_refused_by_name(repo: TestRepository) -> None:
    # Version 0 lets an older git, which does not know reftables, open it all the same.
    repo.git("config", "core.repositoryFormatVersion", "0")
    repo.git("config", "extensions.refStorage", "reftable")
    with pytest.raises(Fatal, match=r"(?i)reftable|refstorage"):
        _ = repo.open().objects
    (repo.path / ".git/config").write_text(
        "[core]\nrepositoryformatversion = 1\n[extensions]\nrefstorage = reftable\n"
    )
    with pytest.raises(Fatal, match=r"(?i)reftable|refstorage"):
        _ = repo.open().objects


@pytest.fixture
def partial(repo: TestRepository) -> TestRepository:
    repo.commit("one", {"f": "x\n"})
    repo.commit("two", {"f": "y\n"})
    repo.git("config", "uploadpack.allowFilter", "true")
    partial = repo.path.parent / "partial"
    repo.git("clone", "-q", "--filter=blob:none", "--no-local", f"file://{repo.path}", str(partial))
    return TestRepository(partial)


def test_a_partial_clone_is_refused_by_name(partial: TestRepository) -> None:
    with pytest.raises(Fatal, match="partial clone") as refusal:
        _ = partial.open().objects
    assert refusal.value.hint


def test_the_hint_completes_a_partial_clone(partial: TestRepository) -> None:
    with pytest.raises(Fatal) as refusal:
        _ = partial.open().objects
    assert refusal.value.hint is not None
    # Every command of the hint is in quotes.
    for command in refusal.value.hint.split("'")[1::2]:
        partial.git(*command.removeprefix("git ").split())
    assert partial.open().objects.revparse_single("HEAD~:f").id


def test_an_older_partial_clone_is_refused_too(partial: TestRepository) -> None:
    partial.git("config", "--unset", "remote.origin.promisor")
    partial.git("config", "extensions.partialClone", "origin")
    with pytest.raises(Fatal, match="partial clone") as refusal:
        _ = partial.open().objects
    assert "'git config --unset extensions.partialclone'" in (refusal.value.hint or "")


def test_what_libgit2_cannot_open_is_fatal(repo: TestRepository) -> None:
    opened = repo.open()
    (repo.path / ".git/HEAD").unlink()
    with pytest.raises(Fatal, match="libgit2 cannot open") as refusal:
        _ = opened.objects
    assert refusal.value.hint


def test_a_git_dir_that_is_wrong_is_named_as_the_reason(tmp_path: Path) -> None:
    with pytest.raises(Fatal, match="absent") as caught:
        open_repository(tmp_path, {**os.environ, "GIT_DIR": str(tmp_path / "absent")})
    assert "GIT_DIR" in str(caught.value.hint)
