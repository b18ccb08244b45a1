"""What has to be so before a session starts or goes on: nothing of the user is at risk."""

import pytest

from tests.code_commit.project import answer_of, respond
from tests.program import code_commit_here as code_commit
from tests.repository import TestRepository

RIGHT = {"src/a.txt": "two\n"}


@pytest.mark.parametrize("name", ["query.txt", "codeRollup.txt"])
def test_a_missing_file_ends_it_before_anything_is_made(project: TestRepository, name: str) -> None:
    (project.path / "agent-config" / name).unlink()
    done = respond(project, RIGHT)
    assert done.status == 128
    assert f"'agent-config/{name}' is missing" in done.err
    assert not (project.path / "agent-config/logs").exists()


def test_a_missing_build_script_ends_it_before_anything_is_made(project: TestRepository) -> None:
    project.commit("no build", {"build.sh": None})
    done = respond(project, RIGHT)
    assert done.status == 128
    assert "there is no 'build.sh'" in done.err
    assert not (project.path / "agent-config/logs").exists()
    respond(project, RIGHT, "--build", "grep -q two src/a.txt").ok()


@pytest.mark.parametrize("command", ["tools/check", "sh -e tools/check"])
def test_the_script_that_another_build_command_runs_is_protected(
    project: TestRepository, command: str
) -> None:
    project.commit("check", {"tools/check": "#!/bin/sh\ngrep -q two src/a.txt\n"})
    (project.path / "tools/check").chmod(0o755)
    project.commit("executable")
    done = respond(project, {"src/a.txt": "two\n", "tools/check": ""}, "--build", command)
    assert "'tools/check': the build consists of it" in done.err
    respond(project, RIGHT).ok()


@pytest.mark.slow
def test_uncommitted_changes_stop_it_unless_forced(project: TestRepository) -> None:
    project.write({"README": "mine\n", "agent-config/notes": "x", "ignored/x": "x"})
    done = respond(project, {"src/a.txt": "two\n", "README": "theirs\n"})
    assert done.status == 1
    assert "uncommitted changes in files an answer may write: README\n" in done.err
    assert (project.path / "README").read_text() == "mine\n"
    respond(project, {"src/a.txt": "two\n", "README": "theirs\n"}, "--force").ok()
    code_commit(project.path, "undo").ok()
    assert (project.path / "README").read_text() == "mine\n"


def test_protected_files_may_have_uncommitted_changes(project: TestRepository) -> None:
    project.write({"build.sh": "grep -q two src/a.txt\n"})
    respond(project, RIGHT).ok()


def test_links_and_other_repositories_are_nothing_an_answer_may_write(
    project: TestRepository,
) -> None:
    (project.path / "link").symlink_to("README")
    project.git("init", "-q", "other")
    respond(project, RIGHT).ok()


def test_own_changes_of_the_open_session_do_not_count_but_edits_do(
    project: TestRepository,
) -> None:
    respond(project, {"src/a.txt": "three\n", "new": "x\n"})
    project.write({"new": "edited\n"})
    done = respond(project, RIGHT)
    assert "uncommitted changes in files an answer may write: new\n" in done.err
    project.write({"new": "x\n"})
    respond(project, RIGHT).ok()


def test_what_the_build_makes_and_formats_is_no_change_of_the_users(
    project: TestRepository,
) -> None:
    script = "#!/bin/sh\necho x >made\necho x >>src/a.txt\ngrep -q two src/a.txt\n"
    project.commit("a build that formats", {"build.sh": script})
    before = project.git("rev-parse", "HEAD^{tree}")
    code_commit(project.path, "--sandbox=off")
    respond(project, {"src/a.txt": "three\n"}, "--sandbox=off")
    respond(project, RIGHT, "--sandbox=off").ok()
    assert (project.path / "src/a.txt").read_text() == "two\nx\n"
    code_commit(project.path, "undo").ok()
    assert project.git("status", "--porcelain") == "?? made"
    assert project.rev("HEAD^{tree}") == before


def test_the_trial_of_a_build_may_make_files_too(project: TestRepository) -> None:
    project.commit("makes", {"build.sh": "#!/bin/sh\necho x >made\ngrep -q two src/a.txt\n"})
    code_commit(project.path)
    respond(project, RIGHT).ok()


@pytest.mark.slow
def test_changes_are_forced_once_for_a_whole_session(project: TestRepository) -> None:
    project.write({"README": "mine\n"})
    code_commit(project.path, "--force")
    respond(project, {"README": "theirs\n"})
    project.write({"old.txt": "mine\n"})
    assert "changes in files an answer may write: old.txt\n" in respond(project, RIGHT).err
    project.write({"old.txt": "old\n"})
    respond(project, RIGHT).ok()
    code_commit(project.path, "undo").ok()
    assert (project.path / "README").read_text() == "mine\n"


@pytest.mark.slow
def test_another_question_has_to_wait_until_the_open_one_is_ended(
    project: TestRepository,
) -> None:
    respond(project, {"src/a.txt": "three\n"})
    done = code_commit(project.path, "--query", "Something else")
    assert done.status == 1
    assert "another question is open (attempt 2 of 4)" in done.err
    code_commit(project.path, "--abort").ok()
    assert (project.path / "src/a.txt").read_text() == "three\n"
    assert code_commit(project.path, "--abort").status == 1
    done = code_commit(project.path, "--query", "Something else")
    assert "uncommitted changes" in done.err
    code_commit(project.path, "undo").ok()
    assert project.git("status", "--porcelain") == ""
    done = code_commit(project.path, "--query", "Something else")
    assert "ready to paste" in done.err


def test_the_answers_own_file_is_no_uncommitted_change(project: TestRepository) -> None:
    project.write({"answer.txt": answer_of(RIGHT), "question.txt": "Two, please\n"})
    code_commit(project.path / "src", "--response", "../answer.txt", "-F", "../question.txt").ok()


def test_an_answer_that_is_not_there_says_what_to_give(project: TestRepository) -> None:
    done = code_commit(project.path, "--response", "nosuch")
    assert done.status == 128
    assert "cannot read the answer 'nosuch': No such file or directory\n" in done.err
    assert "hint: name a file that is there, or '-' for standard input\n" in done.err
