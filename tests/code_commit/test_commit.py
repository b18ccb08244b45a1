"""``--commit``: what a commit holds, how it is called, and that nothing else is in it."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from git_retcon.code_commit.session import Store
from tests.code_commit.project import answer_of, checkout_of, respond
from tests.program import code_commit_here as code_commit
from tests.repository import TestRepository

RIGHT = {"src/a.txt": "two\n"}


@pytest.mark.slow
def test_a_passing_build_is_committed_with_the_files_of_the_run_only(
    project: TestRepository,
) -> None:
    project.write({"README": "mine\n"})
    project.git("add", "README")
    answer = b"Commit message: make it two\n\n" + answer_of(
        {"src/a.txt": "two\n", "old.txt": None, "new/b": "b\n"}
    )
    done = respond(project, answer, "--commit", "--force", "--json").ok()
    head = project.rev("HEAD")
    assert json.loads(done.out)["commit"] == head
    assert project.git("log", "-1", "--format=%s") == "make it two"
    assert project.git("show", "--format=", "--name-status", "HEAD").splitlines() == [
        "A\tnew/b", "D\told.txt", "M\tsrc/a.txt",
    ]  # fmt: skip
    assert project.git("status", "--porcelain") == "M  README"
    code_commit(project.path, "undo").ok()
    assert project.rev("HEAD") == project.rev(f"{head}^")
    assert project.git("status", "--porcelain") == "M  README"


@pytest.mark.slow
def test_a_commit_takes_the_message_given_or_the_query(project: TestRepository) -> None:
    respond(project, RIGHT, "--commit", "-m", "RawAnswer").ok()
    assert project.git("log", "-1", "--format=%B").strip() == "RawAnswer"
    respond(project, {"src/a.txt": "two, really\n"}, "--commit").ok()
    assert project.git("log", "-1", "--format=%B").strip() == "Make it two."
    assert respond(project, RIGHT, "-m", "x").status == 129


def test_no_hook_runs_what_was_written(project: TestRepository) -> None:
    hook = project.path / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch ran\nexit 1\n")
    hook.chmod(0o755)
    respond(project, RIGHT, "--commit").ok()
    assert not (project.path / "ran").exists()


def test_no_commit_is_begun_where_git_does_not_know_who_commits(
    project: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.git("config", "user.useConfigOnly", "true")
    for name in ("user.name", "user.email"):
        project.git("config", "--unset", name)
    for name in ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL"):
        monkeypatch.delenv(f"GIT_{name}")
    done = respond(project, RIGHT, "--commit")
    assert done.status == 128
    assert "git does not know who you are" in done.err
    assert (project.path / "src/a.txt").read_text() == "one\n"


def test_a_message_is_made_fit_for_a_commit(project: TestRepository) -> None:
    answer = b"Commit message: a\0b\x1b[2J\xff\n" + answer_of(RIGHT)
    respond(project, answer, "--commit").ok()
    assert project.git("log", "-1", "--format=%s") == "a b [2J\ufffd"


@pytest.mark.slow
def test_a_commit_that_a_kill_left_unrecorded_is_undone_too(project: TestRepository) -> None:
    project.write({"old.txt": "staged\n"})
    project.git("add", "old.txt")
    before = project.git("diff", "--cached"), project.rev("HEAD")
    respond(project, {"src/a.txt": "two\n", "old.txt": None}, "--commit", "--force").ok()
    store = Store(checkout_of(project).state)
    session = store.load()
    assert session is not None
    store.save(replace(session, commit=None))
    made = project.rev("HEAD")
    said = code_commit(project.path, "undo").ok().err
    _forced, kept = project.git(
        "for-each-ref", "--format=%(refname)", "refs/code-commit/before/"
    ).splitlines()
    assert f"the commit is kept as {kept}\n" in said
    assert project.rev(kept) == made
    assert (project.git("diff", "--cached"), project.rev("HEAD")) == before
    assert project.git("status", "--porcelain") == "M  old.txt"


@pytest.mark.slow
def test_a_commit_that_git_refuses_leaves_the_index_alone(project: TestRepository) -> None:
    project.git("config", "commit.gpgSign", "true")
    project.git("config", "gpg.program", "false")
    done = respond(project, RIGHT, "--commit")
    assert done.status == 128
    assert "fatal: git commit failed: " in done.err
    assert project.git("status", "--porcelain") == " M src/a.txt"
    code_commit(project.path, "undo").ok()
    assert project.git("status", "--porcelain") == ""


_FAILS_AFTER_THE_COMMIT = """#!/bin/sh
{git} "$@" || exit
for word in "$@"; do
    [ "$word" != commit ] || exit 128
done
"""


def test_a_commit_that_git_made_before_it_failed_is_the_runs(
    project: TestRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it does where the disk has no room for the index that it writes at the very end."""
    git = tmp_path / "bin/git"
    git.parent.mkdir()
    git.write_text(_FAILS_AFTER_THE_COMMIT.format(git=shutil.which("git")))
    git.chmod(0o755)
    monkeypatch.setenv("PATH", f"{git.parent}:{os.environ['PATH']}")
    done = respond(project, {"src/a.txt": "two\n", "old.txt": None}, "--commit", "--json").ok()
    assert json.loads(done.out)["commit"] == project.rev("HEAD")
    assert project.git("status", "--porcelain") == ""
    assert project.subjects("HEAD") == ["begin", "Make it two."]


@pytest.mark.slow
def test_the_commit_is_named_by_the_change_not_by_its_repair(project: TestRepository) -> None:
    respond(project, b"Commit message: make it two\n" + answer_of({"src/a.txt": "to\n"}))
    respond(project, b"Commit message: fix a typo\n" + answer_of(RIGHT), "--commit").ok()
    assert project.git("log", "-1", "--format=%s") == "make it two"


@pytest.mark.slow
def test_a_file_that_git_forgot_before_is_deleted_and_committed(project: TestRepository) -> None:
    project.git("rm", "-q", "--cached", "old.txt")
    respond(project, {"src/a.txt": "two\n", "old.txt": None}, "--commit", "--force").ok()
    assert project.git("show", "--format=", "--name-status", "HEAD").splitlines() == [
        "D\told.txt", "M\tsrc/a.txt",
    ]  # fmt: skip
    assert project.git("status", "--porcelain") == ""


@pytest.mark.slow
def test_a_commit_of_nothing_but_such_a_file_takes_nothing_else(project: TestRepository) -> None:
    project.write({"build.sh": "#!/bin/sh\n", "README": "mine\n"})
    project.git("rm", "-q", "--cached", "old.txt")
    respond(project, {"old.txt": None}, "--commit", "--force").ok()
    assert project.git("show", "--format=", "--name-status", "HEAD") == "D\told.txt"
    assert project.git("status", "--porcelain") == " M README\n M build.sh"


@pytest.mark.slow
def test_undo_announces_again_what_was_announced(project: TestRepository) -> None:
    project.write({"new.txt": "new\n"})
    project.git("add", "-N", "new.txt")
    before = project.git("status", "--porcelain")
    respond(project, {"src/a.txt": "two\n", "new.txt": "other\n"}, "--commit", "--force").ok()
    code_commit(project.path, "undo").ok()
    assert project.git("status", "--porcelain") == before == " A new.txt"
    assert project.git("diff", "--cached", "--name-only") == ""


@pytest.mark.slow
def test_a_refused_commit_announces_again_what_the_answer_deleted(project: TestRepository) -> None:
    project.write({"new.txt": "new\n"})
    project.git("add", "-N", "new.txt")
    project.git("config", "commit.gpgSign", "true")
    project.git("config", "gpg.program", "false")
    respond(project, {"src/a.txt": "two\n", "new.txt": None}, "--commit", "--force")
    code_commit(project.path, "undo").ok()
    assert project.git("status", "--porcelain") == " A new.txt"
