"""Whole runs whose answers a person brings, with no key and no network."""

import json

import pytest

from tests.code_commit.project import answer_of, respond, snapshot
from tests.program import code_commit_here as code_commit
from tests.repository import TestRepository
from tests.sandboxes import needs_strong_sandbox

RIGHT = {"src/a.txt": "two\n"}


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
    assert done.err.splitlines()[0] == "Engine: offline (no model is asked)"


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


@pytest.mark.slow
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


def test_with_no_model_and_no_answer_the_prompt_waits(project: TestRepository) -> None:
    done = code_commit(project.path)
    assert done.status == 1
    assert "ready to paste" in done.err
    prompt = logs(project)["1-initial-query-query.txt"]
    assert prompt.endswith(b"\n[query]\nMake it two.\n\n[codebase]\n--- src/a.txt ---\none\n\n")
    respond(project, RIGHT).ok()


def test_a_build_script_that_is_not_executable_is_run_by_bash(project: TestRepository) -> None:
    (project.path / "build.sh").chmod(0o644)
    project.commit("bash", {"build.sh": "[[ $(<src/a.txt) == two ]]\n"})
    assert json.loads(respond(project, RIGHT, "--json").ok().out)["build"] == "bash build.sh"


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


@pytest.mark.slow
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


@pytest.mark.slow
def test_logs_of_one_second_have_folders_of_their_own(project: TestRepository) -> None:
    for text in ("two\n", "one two\n", "two two\n"):
        respond(project, {"src/a.txt": text}, "--commit").ok()
    assert len(list((project.path / "agent-config/logs").iterdir())) == 3


def test_a_thousand_faults_are_reported_in_part(project: TestRepository) -> None:
    answer = b"".join(b"^^^../%d\n^^^end\n" % number for number in range(1000))
    respond(project, answer)
    prompt = logs(project)["2-repair-query.txt"]
    assert prompt.count(b"path traversal ('..')") == 50
    assert b"\nand 950 more faults\n" in prompt


def test_an_answer_cannot_write_the_script_that_is_to_judge_it(project: TestRepository) -> None:
    answer = {"tools/x.sh": "exit 0\n"}
    done = respond(project, answer, "--build", "sh tools/x.sh", "--repairs=0")
    assert done.status == 1
    assert "'tools/x.sh': the build consists of it" in done.err
    assert not (project.path / "tools").exists()


def test_unusable_answers_are_not_a_build_that_fails(project: TestRepository) -> None:
    for _ in range(3):
        assert respond(project, b"nothing to see here").status == 1
    done = respond(project, b"nothing to see here", "--json")
    assert json.loads(done.out)["reason"] == "invalid"
    assert "The answer cannot be used after" in done.err
    assert "the build does not pass" not in done.err


def test_what_a_killed_run_recorded_of_its_moves_is_removed(project: TestRepository) -> None:
    record = project.path / ".git/retcon/moves/4780-0"
    record.parent.mkdir(parents=True)
    record.touch()
    respond(project, RIGHT).ok()
    assert not record.exists()


@needs_strong_sandbox
@pytest.mark.parametrize("below", ["", "ada"])
def test_no_sandbox_is_opened_around_the_home_of_its_user(
    project: TestRepository, below: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = project.path / below
    home.mkdir(exist_ok=True)
    monkeypatch.setenv("HOME", str(home))
    done = respond(project, RIGHT, "--json")
    assert done.status == 1
    assert json.loads(done.out)["reason"] == "no_sandbox"
    assert "your home folder is in this working tree" in json.loads(done.out)["error"]
    assert (project.path / "src/a.txt").read_text() == "one\n"
    respond(project, RIGHT, "--sandbox=off").ok()
