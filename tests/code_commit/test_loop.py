"""An answer and its repairs: how many, with what, and when they end."""

import json

import pytest

from tests.code_commit.project import answer_of, respond, snapshot
from tests.model.loopback import (
    LoopbackApi,
    last_text,
    says,
)
from tests.program import Ran
from tests.program import code_commit_here as code_commit
from tests.repository import TestRepository

RIGHT = answer_of({"src/a.txt": "two\n"}).decode()


WRONG = answer_of({"src/a.txt": "three\n", "extra.txt": "x\n"}).decode()


def ask(project: TestRepository, api: LoopbackApi, *options: str, **env: str) -> Ran:
    return code_commit(project.path, *options, env={**api.env, **env})


def log(project: TestRepository, name: str) -> bytes:
    (folder,) = (project.path / "agent-config/logs").iterdir()
    return (folder / name).read_bytes()


@pytest.mark.slow
def test_wrong_and_then_repaired(project: TestRepository, api: LoopbackApi) -> None:
    api.script(says(WRONG), says(RIGHT + answer_of({"extra.txt": None}).decode()))
    done = ask(project, api, "--json").ok()
    found = json.loads(done.out)
    assert (found["status"], found["attempt"]) == ("passed", 2)
    assert project.git("status", "--porcelain") == " M src/a.txt"


@pytest.mark.slow
def test_never_right_is_one_attempt_and_three_repairs(
    project: TestRepository, api: LoopbackApi
) -> None:
    api.responder = lambda body: says(WRONG)
    done = ask(project, api)
    assert done.status == 1
    assert len(api.requests) == 4
    assert "does not pass after 4 attempts" in done.err
    assert "git code-commit undo" in done.err
    assert (project.path / "src/a.txt").read_text() == "three\n"
    code_commit(project.path, "undo").ok()
    assert project.git("status", "--porcelain") == ""


@pytest.mark.slow
def test_the_number_of_repairs_is_the_users(project: TestRepository, api: LoopbackApi) -> None:
    api.responder = lambda body: says(WRONG)
    project.git("config", "codecommit.repairs", "1")
    assert ask(project, api).status == 1
    assert len(api.requests) == 2


def test_repairs_that_change_nothing_end_before_their_number(
    project: TestRepository, api: LoopbackApi
) -> None:
    """The failure prints another process id each time, and is the same all the same."""
    api.responder = lambda body: says(WRONG)
    done = ask(project, api, "--repairs", "9", "--build", "echo pid $$ at 0x$$; false")
    assert done.status == 1
    assert len(api.requests) == 4
    assert "Gave up: 3 fixes in a row brought no new verdict and no fewer errors" in done.err
    assert "The build does not pass after 4 attempts" in done.err


def test_the_same_unusable_answer_is_not_asked_for_for_ever(
    project: TestRepository, api: LoopbackApi
) -> None:
    api.responder = lambda body: says("I would rather talk about it.")
    done = ask(project, api, "--repairs", "9")
    assert (done.status, len(api.requests)) == (1, 4)


@pytest.mark.slow
def test_repairs_that_change_the_failure_go_on(project: TestRepository, api: LoopbackApi) -> None:
    lines = iter(range(100))
    api.responder = lambda body: says(answer_of({"src/a.txt": f"{next(lines)}\n"}).decode())
    done = ask(project, api, "--repairs", "6", "--build", "echo a.c:$(cat src/a.txt): bad; false")
    assert (done.status, len(api.requests)) == (1, 7)
    assert "Gave up" not in done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("I would rather talk about it.", "line 1: there is no block"),
        ("^^^src/a.txt\ntwo\n", "line 1: this block is not terminated"),
        (RIGHT + "^^^../../x\n^^^end\n", "line 4: '../../x': path traversal"),
        (RIGHT + "^^^Cargo.lock\n^^^delete\n", "line 4: 'Cargo.lock': lock files are protected"),
    ],
)
def test_the_model_learns_of_a_faulty_answer_and_changes_nothing(
    project: TestRepository, api: LoopbackApi, answer: str, told: str
) -> None:
    before = snapshot(project.path)
    seen = []

    def respond(body: dict[str, object]) -> object:
        seen.append(snapshot(project.path))
        return says(answer if len(seen) == 1 else RIGHT)

    api.responder = respond  # type: ignore[assignment]
    ask(project, api).ok()
    assert seen == [before, before]
    first = "The answer was not used. Write all of its blocks again, without these faults:"
    assert f"[build.sh output]\n{first}\n{told}" in last_text(api.requests[1].body)


def test_what_a_build_prints_of_a_withheld_file_is_not_sent(
    project: TestRepository, api: LoopbackApi
) -> None:
    project.commit("a plan", {"private/plan.txt": "  buy all the tulips\n}\n"})
    project.git("config", "retcon.neverSend", "/Private/")
    api.script(says(WRONG), says(WRONG))
    build = "echo 'plan.txt:1: buy all the tulips!'; cat private/plan.txt; exit 1"
    ask(project, api, "--repairs", "1", "--sandbox=off", "--build", build)
    _, repair = api.requests
    assert "tulips" not in json.dumps(repair.body)
    hidden = "[a line of a withheld file]"
    assert f"plan.txt:1: {hidden}!\n  {hidden}\n}}\nexit code: 1\n" in last_text(repair.body)


@pytest.mark.slow
def test_a_long_build_is_logged_whole_and_quoted_in_part(
    project: TestRepository, api: LoopbackApi
) -> None:
    project.commit("loud", {"build.sh": "#!/bin/sh\nseq 100000\ngrep -q two src/a.txt\n"})
    api.script(says(WRONG), says(RIGHT))
    ask(project, api).ok()
    whole = log(project, "1-initial-query-build.txt")
    assert whole.count(b"\n") == 100_002
    told = last_text(api.requests[1].body)
    assert "bytes left out]" in told
    assert "\n100000\nexit code: 1\n" in told


def test_what_is_masked_in_the_log_lies_nowhere_unmasked(project: TestRepository) -> None:
    secret = "ghp_" + "abcdefghij" * 3 + "abcdef"
    project.commit("leak", {"build.sh": f"#!/bin/sh\necho {secret[:20]}''{secret[20:]}; exit 1\n"})
    respond(project, {"src/a.txt": "wrong\n"}, "--sandbox=off")
    kept = [path for path in (project.path / ".git/code-commit").rglob("*") if path.is_file()]
    logs = list((project.path / "agent-config/logs").rglob("*.txt"))
    assert logs and kept
    assert [path for path in (*kept, *logs) if secret.encode() in path.read_bytes()] == []
    blobs = project.path / ".git/code-commit/blobs"
    assert blobs.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in blobs.iterdir()} == {0o600}
