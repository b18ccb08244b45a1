"""How a run ended, for people and for programs."""

import json

import pytest

from tests.code_commit.project import respond, snapshot
from tests.program import code_commit_here as code_commit
from tests.repository import TestRepository

RIGHT = {"src/a.txt": "two\n"}


def test_the_way_back_is_printed_after_the_last_failure(project: TestRepository) -> None:
    done = respond(project, {"src/a.txt": "wrong\n"}, "--repairs=0")
    assert done.status == 1
    assert "The build does not pass after 1 attempt.\n" in done.err
    assert "to go back: git code-commit undo" in done.err


@pytest.mark.slow
def test_a_quiet_run_that_does_not_pass_says_why(project: TestRepository) -> None:
    error, hint = respond(project, {"src/a.txt": "x\n"}, "-q", "--repairs=1").err.splitlines()
    assert error.startswith("error: the prompt of attempt 2 is ready to paste: /")
    assert hint.startswith("hint: no model was asked: give the prompt to one, and its answer to")
    failed = respond(project, {"src/a.txt": "y\n"}, "-q").err
    assert failed == "error: the build does not pass after 2 attempts\n"
    code_commit(project.path, "undo").ok()
    assert respond(project, RIGHT, "-q").ok().err == ""


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
    *_, last = respond(project, RIGHT, "-n", "--events").ok().out.splitlines()
    assert json.loads(last) == {"event": "planned", "files": found["files"]}


@pytest.mark.slow
def test_changed_files_that_judge_the_change_are_named(project: TestRepository) -> None:
    project.commit("a helper", {"build.sh": "#!/bin/sh\n. ./lib.sh\n", "lib.sh": "true\n"})
    answer = RIGHT | {"lib.sh": "exit 0\n", "Makefile": "all:\n", "notes.txt": "x\n"}
    done = respond(project, answer, "--json")
    assert json.loads(done.ok().out)["judges"] == ["Makefile", "lib.sh"]
    said = "look at what judges the change, and changed with it: Makefile and lib.sh"
    code_commit(project.path, "undo").ok()
    assert said in respond(project, answer).ok().err
    code_commit(project.path, "undo").ok()
    assert "judges" not in respond(project, RIGHT).ok().err
