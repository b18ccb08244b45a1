"""Runs whose answers a person brings: from a file or standard input, with no key and no network."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from git_retcon.code_commit.applying import apply
from git_retcon.code_commit.grammar import parse
from git_retcon.code_commit.session import Phase, Store
from git_retcon.code_commit.verifying import Guard, verify
from tests.code_commit.project import answer_of, checkout_of, new_project, snapshot
from tests.program import Ran
from tests.program import code_commit_here as code_commit
from tests.repository import TestRepository

RIGHT = {"src/a.txt": "two\n"}


def respond(
    project: TestRepository, files: Mapping[str, str | bytes | None] | bytes, *options: str
) -> Ran:
    text = files if isinstance(files, bytes) else answer_of(files)
    return code_commit(project.path, "--response", "-", *options, stdin=text)


def logs(project: TestRepository) -> dict[str, bytes]:
    (folder,) = (project.path / "agent-config/logs").iterdir()
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_right_answer_is_applied_and_built(project: TestRepository) -> None:
    done = respond(project, {"src/a.txt": "two\n", "old.txt": None, "new/b": ""}, "--json").ok()
    found = json.loads(done.out)
    assert found["version"] == 1
    assert (found["status"], found["engine"], found["attempt"], found["attempts"]) == (
        "passed", "offline", 1, 4,
    )  # fmt: skip
    assert found["files"] == [
        {"path": "new/b", "change": "created"},
        {"path": "old.txt", "change": "removed"},
        {"path": "src/a.txt", "change": "replaced"},
    ]
    assert (found["cost_usd"], found["tokens"], found["commit"], found["prompt"]) == (
        0.0, 0, None, None,
    )  # fmt: skip
    assert project.git("status", "--porcelain").split("\n") == [
        " D old.txt", " M src/a.txt", "?? new/",
    ]  # fmt: skip
    assert done.err.splitlines()[0] == "engine: offline (no model, nothing leaves this machine)"


def test_a_failed_build_leaves_the_repair_prompt_ready_to_paste(project: TestRepository) -> None:
    done = respond(project, {"src/a.txt": "three\n", "old.txt": None})
    assert done.status == 1
    found = logs(project)
    assert sorted(found) == [
        "1-initial-query-build.txt",
        "1-initial-query-query.txt",
        "1-initial-query-response.txt",
        "2-repair-query.txt",
    ]
    assert found["1-initial-query-build.txt"] == b"building\n\nexit code: 1\n"
    prompt = found["2-repair-query.txt"]
    assert prompt.endswith(
        b"\n[build.sh output]\nbuilding\nexit code: 1\n\n[query]\nMake it two.\n\n"
        b"[codebase]\n--- src/a.txt ---\none\n\n[file replacements]\n"
        b"--- FILE REMOVED old.txt ---\n\n--- FILE REPLACEMENT src/a.txt ---\nthree\n\n"
    )
    assert "2-repair-query.txt" in done.err
    done = respond(project, RIGHT, "--json").ok()
    assert json.loads(done.out)["attempt"] == 2
    assert not (project.path / "old.txt").exists()


def test_only_the_latest_replacement_of_a_file_is_told(project: TestRepository) -> None:
    respond(project, {"src/a.txt": "three\n", "old.txt": None})
    respond(project, {"src/a.txt": "four\n", "old.txt": "back\n"})
    prompt = logs(project)["3-repair-query.txt"]
    assert prompt.endswith(
        b"[file replacements]\n--- FILE REPLACEMENT old.txt ---\nback\n\n"
        b"--- FILE REPLACEMENT src/a.txt ---\nfour\n\n"
    )


def test_a_faulty_answer_is_an_attempt_that_changes_nothing(project: TestRepository) -> None:
    before = snapshot(project.path)
    done = respond(project, answer_of(RIGHT) + b"^^^build.sh\n^^^delete\n")
    assert done.status == 1
    assert "line 4: 'build.sh': this file is protected" in done.err
    assert snapshot(project.path) == before
    prompt = logs(project)["2-repair-query.txt"]
    assert b"[build.sh output]\nThe answer was not used" in prompt
    assert b"line 4: 'build.sh': this file is protected\n\n[query]" in prompt
    assert respond(project, b"nothing to see here").status == 1
    assert snapshot(project.path) == before
    respond(project, RIGHT).ok()


def test_after_one_attempt_and_three_repairs_it_has_failed(project: TestRepository) -> None:
    for attempt in range(1, 5):
        done = respond(project, {"src/a.txt": f"wrong {attempt}\n"}, "--json")
        assert done.status == 1
        status = json.loads(done.out)["status"]
        assert status == ("waiting" if attempt < 4 else "failed")
    assert (project.path / "src/a.txt").read_text() == "wrong 4\n"
    assert len([name for name in logs(project) if name.endswith("build.txt")]) == 4
    done = respond(project, RIGHT)
    assert "uncommitted changes" in done.err
    code_commit(project.path, "undo").ok()
    assert project.git("status", "--porcelain") == ""
    assert (project.path / "src/a.txt").read_text() == "one\n"


def test_the_way_back_is_printed_after_the_last_failure(project: TestRepository) -> None:
    done = respond(project, {"src/a.txt": "wrong\n"}, "--repairs=0")
    assert done.status == 1
    assert "The build does not pass after 1 attempt.\n" in done.err
    assert "to go back: git code-commit undo" in done.err


def test_with_no_model_and_no_answer_the_prompt_waits(project: TestRepository) -> None:
    done = code_commit(project.path)
    assert done.status == 1
    assert "ready to paste" in done.err
    prompt = logs(project)["1-initial-query-query.txt"]
    assert prompt.endswith(b"\n[query]\nMake it two.\n\n[codebase]\n--- src/a.txt ---\none\n\n")
    respond(project, RIGHT).ok()


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


def test_a_build_script_that_is_not_executable_is_run_by_bash(project: TestRepository) -> None:
    (project.path / "build.sh").chmod(0o644)
    project.commit("bash", {"build.sh": "[[ $(<src/a.txt) == two ]]\n"})
    assert json.loads(respond(project, RIGHT, "--json").ok().out)["build"] == "bash build.sh"


@pytest.mark.parametrize(
    ("content", "accepted"),
    [
        ("/agent-config\n", True),
        ("x\r\n/agent-config/\r\n", True),
        ("agent-config", True),
        ("", False),
        ("# /agent-config\n", False),
        ("/agent-config2\n", False),
        ("/agent-config\n!/agent-config\n", False),
        (None, False),
    ],
)
def test_nothing_starts_where_keys_could_be_committed(
    project: TestRepository, content: str | None, accepted: bool
) -> None:
    project.write({".gitignore": content})
    project.git("add", ".gitignore")
    project.git("commit", "-qm", "ignore")
    done = respond(project, RIGHT)
    assert done.status == (0 if accepted else 128)
    assert ("agent-config" in done.err) is (not accepted or "agent-config" in done.err)
    assert (project.path / "src/a.txt").read_text() == ("two\n" if accepted else "one\n")


def test_a_tracked_key_file_is_refused(project: TestRepository) -> None:
    project.write({"agent-config/anthropic-key.txt": "x" * 40})
    project.git("add", "-f", "agent-config/anthropic-key.txt")
    project.git("commit", "-qm", "oops")
    done = respond(project, RIGHT)
    assert done.status == 128
    assert "'agent-config/anthropic-key.txt' is tracked by git" in done.err


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


def test_a_quiet_run_that_does_not_pass_says_why(project: TestRepository) -> None:
    waiting = respond(project, {"src/a.txt": "x\n"}, "-q", "--repairs=1").err
    assert waiting.startswith("error: the prompt of attempt 2 is ready to paste: /")
    failed = respond(project, {"src/a.txt": "y\n"}, "-q").err
    assert failed == "error: the build does not pass after 2 attempts\n"
    code_commit(project.path, "undo").ok()
    assert respond(project, RIGHT, "-q").ok().err == ""


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


@pytest.mark.parametrize("phase", ["answered", "building"])
@pytest.mark.parametrize("answer", ["wrong", "right"])
def test_after_a_kill_the_answer_brought_is_not_taken_twice(
    project: TestRepository, phase: str, answer: str
) -> None:
    wrong = answer_of({"src/a.txt": "three\n"})
    right = answer_of(RIGHT)
    checkout = checkout_of(project)
    store = Store(checkout.state)
    code_commit(project.path)
    session = store.load()
    assert session is not None
    session = replace(session, phase=Phase.ANSWERED, answer=store.keep(wrong))
    if phase == "building":
        session = apply(verify(parse(wrong), checkout, Guard()), session, checkout, store)
    store.save(session)
    done = respond(project, wrong if answer == "wrong" else right, "--json")
    found = json.loads(done.out)
    assert (found["status"], found["attempt"]) == (
        ("passed", 1) if answer == "right" else ("waiting", 2)
    )


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


def test_the_query_may_come_from_the_command_line_or_a_file(project: TestRepository) -> None:
    (project.path / "agent-config/query.txt").unlink()
    code_commit(project.path, "--query", "From the option")
    assert b"[query]\nFrom the option\n" in logs(project)["1-initial-query-query.txt"]
    code_commit(project.path, "--abort").ok()
    done = code_commit(project.path, "-F", "-", stdin=b"From a pipe\n")
    assert done.status == 1
    folders = sorted((project.path / "agent-config/logs").iterdir())
    assert b"[query]\nFrom a pipe\n" in (folders[-1] / "1-initial-query-query.txt").read_bytes()
    assert code_commit(project.path, "--query", "x", "-F", "y").status == 129
    assert code_commit(project.path, "-F", "absent").status in (1, 128)


def test_a_dry_run_shows_the_difference_and_changes_nothing(project: TestRepository) -> None:
    before = snapshot(project.path)
    done = respond(project, {"src/a.txt": "two\n", "old.txt": None, "new": "n\n"}, "--dry-run").ok()
    assert done.out == (
        "diff --git a/new b/new\nnew file mode 100644\n"
        "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+n\n"
        "diff --git a/old.txt b/old.txt\ndeleted file mode 100644\n"
        "--- a/old.txt\n+++ /dev/null\n"
        "@@ -1 +0,0 @@\n-old\n"
        "diff --git a/src/a.txt b/src/a.txt\n--- a/src/a.txt\n+++ b/src/a.txt\n"
        "@@ -1 +1 @@\n-one\n+two\n"
    )
    assert snapshot(project.path) == before
    assert not (project.path / "agent-config/logs").exists()
    assert respond(project, b"^^^x\n", "-n").status == 1
    found = json.loads(respond(project, RIGHT, "-n", "--json").ok().out)
    assert found["files"] == [{"path": "src/a.txt", "change": "replaced"}]


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


def test_a_commit_takes_the_message_given_or_the_query(project: TestRepository) -> None:
    respond(project, RIGHT, "--commit", "-m", "Given").ok()
    assert project.git("log", "-1", "--format=%B").strip() == "Given"
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


def test_undo_refuses_to_lose_edits_and_later_commits(project: TestRepository) -> None:
    assert "there is no run to undo" in code_commit(project.path, "undo").err
    respond(project, RIGHT).ok()
    project.write({"src/a.txt": "edited\n"})
    done = code_commit(project.path, "undo")
    assert done.status == 1
    assert "changed since, by somebody else: src/a.txt" in done.err
    code_commit(project.path, "undo", "--force").ok()
    respond(project, RIGHT, "--commit").ok()
    project.commit("later", {"README": "later\n"})
    done = code_commit(project.path, "undo")
    assert "HEAD has moved on" in done.err


def test_it_works_from_a_folder_below_and_in_a_linked_worktree(project: TestRepository) -> None:
    done = code_commit(project.path / "src", "--response", "-", stdin=answer_of(RIGHT))
    done.ok()
    code_commit(project.path, "undo").ok()
    linked = project.path.parent / "linked"
    project.git("worktree", "add", "-q", str(linked))
    other = TestRepository(linked)
    other.write({"agent-config/query.txt": "q\n", "agent-config/codeRollup.txt": "c\n"})
    respond(other, RIGHT).ok()
    assert (linked / "src/a.txt").read_text() == "two\n"
    assert (project.path / "src/a.txt").read_text() == "one\n"
    assert "there is no run to undo" in code_commit(project.path, "undo").err
    code_commit(linked, "undo").ok()


def test_events_are_one_object_a_line(project: TestRepository) -> None:
    done = respond(project, RIGHT, "--events", "-q").ok()
    names = [json.loads(line)["event"] for line in done.out.splitlines()]
    if "trying" in names:  # where there is a sandbox
        names.remove("trying")
    assert names == ["started", "asking", "answered", "applied", "building", "built"]
    assert done.err == ""


def test_logs_of_one_second_have_folders_of_their_own(project: TestRepository) -> None:
    for text in ("two\n", "one two\n", "two two\n"):
        respond(project, {"src/a.txt": text}, "--commit").ok()
    assert len(list((project.path / "agent-config/logs").iterdir())) == 3


def test_an_unborn_branch_and_an_untracked_tree_can_be_undone(tmp_path: Path) -> None:
    project = new_project(tmp_path / "p")
    project.git("checkout", "-q", "--orphan", "fresh")
    before = project.git("status", "--porcelain")
    respond(project, RIGHT, "--commit", "--force").ok()
    assert project.git("log", "--format=%s") == "Make it two."
    code_commit(project.path, "undo").ok()
    assert (project.path / "src/a.txt").read_text() == "one\n"
    assert project.git("status", "--porcelain") == before


def test_the_answers_own_file_is_no_uncommitted_change(project: TestRepository) -> None:
    project.write({"answer.txt": answer_of(RIGHT), "question.txt": "Two, please\n"})
    code_commit(project.path / "src", "--response", "../answer.txt", "-F", "../question.txt").ok()


def test_more_repairs_may_be_allowed_later(project: TestRepository) -> None:
    respond(project, {"src/a.txt": "three\n"}, "--repairs=1")
    found = json.loads(respond(project, {"src/a.txt": "x\n"}, "--repairs=5", "--json").out)
    assert (found["status"], found["attempts"]) == ("waiting", 6)


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


def test_a_thousand_faults_are_told_in_part(project: TestRepository) -> None:
    answer = b"".join(b"^^^../%d\n^^^end\n" % number for number in range(1000))
    respond(project, answer)
    prompt = logs(project)["2-repair-query.txt"]
    assert prompt.count(b"path traversal ('..')") == 50
    assert b"\nand 950 more\n" in prompt


def test_a_commit_that_a_kill_left_unrecorded_is_undone_too(project: TestRepository) -> None:
    project.write({"old.txt": "staged\n"})
    project.git("add", "old.txt")
    before = project.git("diff", "--cached"), project.rev("HEAD")
    respond(project, {"src/a.txt": "two\n", "old.txt": None}, "--commit", "--force").ok()
    store = Store(checkout_of(project).state)
    session = store.load()
    assert session is not None
    store.save(replace(session, commit=None))
    code_commit(project.path, "undo").ok()
    assert (project.git("diff", "--cached"), project.rev("HEAD")) == before
    assert project.git("status", "--porcelain") == "M  old.txt"


def test_a_commit_that_git_refuses_leaves_the_index_alone(project: TestRepository) -> None:
    project.git("config", "commit.gpgSign", "true")
    project.git("config", "gpg.program", "false")
    done = respond(project, RIGHT, "--commit")
    assert done.status == 128
    assert "fatal: git commit failed: " in done.err
    assert project.git("status", "--porcelain") == " M src/a.txt"
    code_commit(project.path, "undo").ok()
    assert project.git("status", "--porcelain") == ""


def test_the_commit_is_named_by_the_change_not_by_its_repair(project: TestRepository) -> None:
    respond(project, b"Commit message: make it two\n" + answer_of({"src/a.txt": "to\n"}))
    respond(project, b"Commit message: fix a typo\n" + answer_of(RIGHT), "--commit").ok()
    assert project.git("log", "-1", "--format=%s") == "make it two"


def test_a_working_tree_may_be_moved_while_a_session_is_open(project: TestRepository) -> None:
    respond(project, {"src/a.txt": "three\n"})
    moved = TestRepository(project.path.rename(project.path.parent / "moved"))
    respond(moved, RIGHT).ok()
    assert not project.path.exists()
    assert "2-repair-build.txt" in logs(moved)
