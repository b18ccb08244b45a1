"""What ``--force`` covers is never lost: a kill, another question, nothing takes it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from git_retcon.code_commit.kept_work import keep_work
from git_retcon.git import ref_locks, ref_updates
from tests.code_commit.project import checkout_of, respond
from tests.program import CHECKOUT
from tests.program import code_commit_here as code_commit
from tests.repository import TestRepository

RIGHT = {"src/a.txt": "two\n"}


def kept_refs(project: TestRepository) -> list[str]:
    return project.git("for-each-ref", "--format=%(refname)", "refs/code-commit/before").split()


def kill(folder: Path, first: int, step: int, *options: str) -> list[str]:
    """Kill a run from its ``first`` moment on (negative: counted from the end)."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tests.code_commit.killed_runs", str(folder),
         str(first), str(step), *options],
        cwd=CHECKOUT, capture_output=True, text=True, timeout=1800, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    wrong: list[str] = json.loads(done.stdout)["wrong"]
    return wrong


@pytest.mark.slow
def test_a_run_killed_between_the_build_and_its_commit_commits_when_run_again(
    tmp_path: Path,
) -> None:
    assert kill(tmp_path / "kills", -14, 1) == []


@pytest.mark.slow
def test_so_does_one_that_is_run_again_with_the_answer_alone(tmp_path: Path) -> None:
    assert kill(tmp_path / "kills", -14, 3, "--no-query") == []


@pytest.mark.slow
def test_a_run_may_be_killed_at_any_moment(tmp_path: Path) -> None:
    # Each third moment: `python -m tests.bench.kills` kills at every one.
    assert kill(tmp_path / "kills", 1, 3) == []


def test_a_lock_that_another_git_holds_is_named_while_it_is_waited_for(
    project: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ref_locks, "_SILENT_WAIT", 0.0)
    monkeypatch.setattr(ref_updates, "LONGEST_WAIT", 0.3)
    respond(project, RIGHT, "--commit").ok()
    lock = project.path / ".git/HEAD.lock"
    lock.touch()
    undone = code_commit(project.path, "undo")
    assert undone.status == 128
    assert f"warning: waiting for the lock '{lock}'" in undone.err
    lock.unlink()
    code_commit(project.path, "undo").ok()


@pytest.mark.slow
def test_two_forced_questions_in_a_row_are_taken_back_one_by_one(
    project: TestRepository,
) -> None:
    project.write({"src/a.txt": "mine\n"})
    respond(project, RIGHT, "--force").ok()
    respond(project, {"src/a.txt": "two, again\n"}, "--force", "--query", "Again.").ok()
    said = code_commit(project.path, "undo").ok().err
    assert "run it again to go back by one more run" in said
    assert (project.path / "src/a.txt").read_text() == "two\n"
    code_commit(project.path, "undo").ok()
    assert (project.path / "src/a.txt").read_text() == "mine\n"
    assert code_commit(project.path, "undo").status == 128

    assert [project.git("show", f"{ref}:src/a.txt") for ref in kept_refs(project)] == [
        "mine", "two",
    ]  # fmt: skip


@pytest.mark.slow
def test_it_comes_back_after_commits_too(project: TestRepository) -> None:
    project.write({"src/a.txt": "mine\n"})
    respond(project, RIGHT, "--force", "--commit").ok()
    respond(project, {"src/a.txt": "two, again\n"}, "--commit", "--query", "Again.").ok()
    code_commit(project.path, "undo").ok()
    code_commit(project.path, "undo").ok()
    assert (project.path / "src/a.txt").read_text() == "mine\n"
    assert project.subjects("HEAD") == ["begin"]


@pytest.mark.slow
def test_what_is_forced_into_an_open_question_comes_back(project: TestRepository) -> None:
    respond(project, {"src/a.txt": "wrong\n"})
    project.write({"src/a.txt": "mine\n"})
    assert respond(project, RIGHT).status == 1
    respond(project, RIGHT, "--force").ok()
    code_commit(project.path, "undo").ok()
    assert (project.path / "src/a.txt").read_text() == "mine\n"


def test_a_forced_undo_keeps_what_it_overwrites(project: TestRepository) -> None:
    respond(project, RIGHT).ok()
    project.write({"src/a.txt": "mine\n"})
    assert code_commit(project.path, "undo").status == 1
    said = code_commit(project.path, "undo", "--force").ok().err
    (ref,) = kept_refs(project)
    assert f"what --force covered is kept as {ref}; 'git update-ref -d {ref}' drops it" in said
    assert project.git("show", f"{ref}:src/a.txt") == "mine"
    assert (project.path / "src/a.txt").read_text() == "one\n"


@pytest.mark.slow
def test_what_the_user_drops_is_gone(project: TestRepository) -> None:
    project.write({"src/a.txt": "mine\n"})
    respond(project, RIGHT, "--force").ok()
    for ref in kept_refs(project):
        project.git("update-ref", "-d", ref)
    respond(project, {"src/a.txt": "two, again\n"}, "--force", "--query", "Again.").ok()
    code_commit(project.path, "undo").ok()
    assert code_commit(project.path, "undo").status == 128


@pytest.mark.slow
def test_the_commit_holds_the_files_as_they_are_and_what_was_staged(
    project: TestRepository,
) -> None:
    head = project.rev("HEAD")
    project.write({"src/a.txt": "staged\n"})
    project.git("add", "src/a.txt")
    project.write({"src/a.txt": "mine\r\n", "new": b"\0\xff", "tool": "#!/bin/sh\n"})
    (project.path / "tool").chmod(0o755)
    (project.path / "old.txt").unlink()
    respond(project, RIGHT, "--force").ok()
    (ref,) = kept_refs(project)
    assert project.git("diff", "--name-status", head, ref).splitlines() == [
        "A\tnew", "D\told.txt", "M\tsrc/a.txt", "A\ttool",
    ]  # fmt: skip
    assert project.show(f"{ref}:src/a.txt") == b"mine\r\n"
    assert project.show(f"{ref}:new") == b"\0\xff"
    assert project.git("ls-tree", ref, "tool").startswith("100755")
    assert project.rev(f"{ref}^1") == head
    assert project.show(f"{ref}^2:src/a.txt") == b"staged\n"


def test_the_same_work_is_kept_once(project: TestRepository) -> None:
    project.write({"src/a.txt": "mine\n"})
    checkout = checkout_of(project)
    files = {b"src/a.txt": checkout.files.read(b"src/a.txt")}
    assert keep_work(checkout, files, print) == keep_work(checkout, files, print)
    assert len(kept_refs(project)) == 1


def test_it_is_kept_where_git_does_not_know_the_user(
    project: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.git("config", "user.useConfigOnly", "true")
    for name in ("user.name", "user.email"):
        project.git("config", "--unset", name)
    for name in ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL"):
        monkeypatch.delenv(f"GIT_{name}")
    project.write({"src/a.txt": "mine\n"})
    respond(project, RIGHT, "--force").ok()
    assert len(kept_refs(project)) == 1


def test_before_the_first_commit_too(project: TestRepository) -> None:
    project.git("update-ref", "-d", "HEAD")
    project.write({"src/a.txt": "mine\n"})
    respond(project, RIGHT, "--force").ok()
    (ref,) = kept_refs(project)
    assert project.show(f"{ref}:src/a.txt") == b"mine\n"
