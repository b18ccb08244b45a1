"""Running git: bytes in, bytes out, its own words when it refuses."""

from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.git.process import Git, GitError, repository_environment, run_git, split_records
from tests.repository import TestRepository


def test_bytes_go_in_and_come_out(repo: TestRepository) -> None:
    git = repo.open().git
    content = b"\0\r\n\xff" * 100_000
    oid = git.run("hash-object", "-w", "--stdin", stdin=content).decode().strip()
    assert git.run("cat-file", "blob", oid) == content


def test_an_argument_may_be_any_bytes(repo: TestRepository) -> None:
    repo.write({b"\xff\n": "x\n"})
    repo.git("add", "-A")
    git = Git(git_dir=repo.path / ".git", work_tree=repo.path)
    assert git.run("ls-files", "-z", "--", b"\xff\n") == b"\xff\n\0"


def test_a_refusal_says_what_git_said(repo: TestRepository) -> None:
    git = repo.open().git
    with pytest.raises(GitError, match=r"git cat-file failed: fatal: .*nonesuch"):
        git.run("cat-file", "-t", "nonesuch")
    with pytest.raises(GitError, match="git show-ref failed: exit status 1"):
        git.run("show-ref", "--verify", "--quiet", "refs/heads/nonesuch")
    assert git.try_run("show-ref", "--verify", "--quiet", "refs/heads/nonesuch").returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_what_a_disk_refuses_has_a_remedy(repo: TestRepository) -> None:
    repo.commit("one", {"a": "a\n"})
    (repo.path / "b").symlink_to("/dev/full")
    with pytest.raises(GitError, match="No space left on device") as raised:
        repo.open().git.run("archive", "-o", str(repo.path / "b"), "HEAD")
    assert raised.value.hint is not None and "free some space" in raised.value.hint


def test_only_its_own_repository_is_used(
    repo: TestRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = repo.commit("one")
    opened = repo.open()
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.chdir(tmp_path)
    assert opened.git.line("rev-parse", "HEAD") == commit


def test_the_environment_forgets_the_outer_repository_and_keeps_settings() -> None:
    outer = {
        "GIT_DIR": "x", "GIT_INDEX_FILE": "x", "GIT_WORK_TREE": "x", "GIT_PREFIX": "x",
        "GIT_COMMON_DIR": "x", "GIT_ICASE_PATHSPECS": "1", "GIT_LITERAL_PATHSPECS": "1",
        "GIT_CONFIG_PARAMETERS": "'a.b'='c'", "GIT_OBJECT_DIRECTORY": "/o", "PATH": "/bin",
        "LC_ALL": "de_DE",
    }  # fmt: skip
    assert repository_environment(outer) == {
        "GIT_CONFIG_PARAMETERS": "'a.b'='c'",
        "GIT_OBJECT_DIRECTORY": "/o",
        "PATH": "/bin",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": "/dev/null/grafts",
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
    }


def test_replaced_objects_are_seen_as_they_are(repo: TestRepository) -> None:
    repo.commit("one", {"f": "true\n"})
    blob = repo.rev("HEAD:f")
    repo.git("replace", blob, repo.git("hash-object", "-w", "--stdin", stdin=b"false\n"))
    opened = repo.open()
    assert opened.git.run("cat-file", "blob", blob) == b"true\n"
    assert opened.objects.odb.read(blob)[1] == b"true\n"


def test_no_git_at_all_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Fatal, match="git is not installed") as refusal:
        run_git(["version"], env={"PATH": "/nonexistent"})
    assert refusal.value.hint


def test_a_folder_that_cannot_be_entered_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(Fatal, match=r"cannot enter '.*file': Not a directory"):
        run_git(["version"], env={"PATH": "/usr/bin:/bin"}, cwd=file)


def test_a_git_that_a_signal_ends_is_said(repo: TestRepository) -> None:
    with pytest.raises(GitError, match=r"ended by signal 25 \(File size limit exceeded\)"):
        repo.open().git.run("-c", "alias.big=!kill -XFSZ $PPID", "big")


def test_records_are_paths_as_they_are() -> None:
    assert list(split_records(b"a\0b\nc \0\0")) == [b"a", b"b\nc "]
    assert list(split_records(b"")) == []
