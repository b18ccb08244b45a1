"""Claude answers, over a real socket: at the first try, refused, cut off, overloaded, replayed."""

import base64
import json
import os
from pathlib import Path

import pytest

from git_retcon.code_commit.engines import Claude
from git_retcon.code_commit.prompts import Prompt
from git_retcon.errors import Refused
from git_retcon.model.budget import Budget
from git_retcon.model.client import Client
from git_retcon.model.credentials import required_credentials
from git_retcon.model.prices import load_prices
from git_retcon.model.service import AnthropicService
from git_retcon.model.spending import Spending
from git_retcon.run.sandbox.level import Level
from tests.code_commit.project import answer_of, snapshot
from tests.model.loopback import (
    LOOPBACK_KEY,
    LoopbackApi,
    Raw,
    Says,
    cut_off,
    last_text,
    overloaded,
    refuses,
    says,
    status,
)
from tests.program import Ran
from tests.program import code_commit_here as code_commit
from tests.repository import TestRepository
from tests.sandboxes import needs_strong_sandbox

RIGHT = answer_of({"src/a.txt": "two\n"}).decode()


WRONG = answer_of({"src/a.txt": "three\n", "extra.txt": "x\n"}).decode()


def ask(project: TestRepository, api: LoopbackApi, *options: str, **env: str) -> Ran:
    return code_commit(project.path, *options, env={**api.env, **env})


def log(project: TestRepository, name: str) -> bytes:
    (folder,) = (project.path / "agent-config/logs").iterdir()
    return (folder / name).read_bytes()


def everything_written(top: Path) -> bytes:
    return b"".join(path.read_bytes() for path in top.rglob("*") if path.is_file())


@pytest.mark.slow
def test_right_at_the_first_try(project: TestRepository, api: LoopbackApi) -> None:
    api.script(says(f"Here it is.\n\n{RIGHT}"))
    done = ask(project, api, "--json").ok()
    found = json.loads(done.out)
    assert (found["status"], found["attempt"], found["engine"]) == ("passed", 1, "claude")
    assert found["tokens"] == 120
    assert found["cost_usd"] > 0
    assert done.err.splitlines()[0] == "Engine: claude-sonnet-5-5, up to $1.00"
    (request,) = api.requests
    assert request.headers["authorization"] == f"Bearer {LOOPBACK_KEY}"
    assert LOOPBACK_KEY not in request.path + json.dumps(request.body)


@pytest.mark.slow
def test_an_answer_that_was_cut_off_is_not_used_even_if_it_looks_whole(
    project: TestRepository, api: LoopbackApi
) -> None:
    api.script(cut_off(WRONG), says(RIGHT))
    done = ask(project, api).ok()
    assert "the answer was cut off" in last_text(api.requests[1].body)
    assert "Wrote extra.txt" not in done.err


def test_a_refusal_ends_the_run_with_a_truthful_no(
    project: TestRepository, api: LoopbackApi
) -> None:
    before = snapshot(project.path)
    api.script(refuses("cyber"))
    done = ask(project, api)
    assert done.status == 1
    assert "error: the model declined to answer (cyber)" in done.err
    assert snapshot(project.path) == before


@pytest.mark.slow
def test_a_run_goes_on_where_the_service_failed(project: TestRepository, api: LoopbackApi) -> None:
    api.script(says(WRONG), status(400, "invalid_request_error", "no"))
    done = ask(project, api)
    assert done.status == 128
    assert (project.path / "src/a.txt").read_text() == "three\n"
    api.script(says(RIGHT))
    done = ask(project, api, "--json").ok()
    assert json.loads(done.out)["attempt"] == 2
    assert "[build.sh output]\nbuilding\n" in last_text(api.requests[-1].body)


def test_an_overloaded_service_is_asked_again(project: TestRepository, api: LoopbackApi) -> None:
    api.script(overloaded(), says(RIGHT))
    ask(project, api).ok()
    assert len(api.requests) == 2


def test_the_budget_is_kept_before_anything_is_sent(
    project: TestRepository, api: LoopbackApi
) -> None:
    done = ask(project, api, "--max-cost", "0.0001")
    assert done.status == 1
    assert "the budget of $0.0001 is spent" in done.err
    assert api.requests == []
    api.script(says(RIGHT))
    ask(project, api, "--max-cost", "0.5").ok()


def test_a_dry_run_asks_and_writes_nothing(project: TestRepository, api: LoopbackApi) -> None:
    before = snapshot(project.path)
    api.script(says(RIGHT))
    done = ask(project, api, "--dry-run").ok()
    assert "-one\n+two\n" in done.out
    assert snapshot(project.path) == before


def test_the_model_names_the_commit(project: TestRepository, api: LoopbackApi) -> None:
    api.script(says(f"Commit message: count to two\n\n{RIGHT}"))
    ask(project, api, "--commit").ok()
    assert project.git("log", "-1", "--format=%s") == "count to two"


def test_the_key_may_be_in_agent_config(project: TestRepository, api: LoopbackApi) -> None:
    project.write({"agent-config/anthropic-key.txt": f"{LOOPBACK_KEY}\n"})
    api.script(says(RIGHT))
    env = {k: v for k, v in api.env.items() if k != "ANTHROPIC_API_KEY"}
    code_commit(project.path, env=env).ok()
    assert api.requests[0].headers["authorization"] == f"Bearer {LOOPBACK_KEY}"


@pytest.mark.slow
def test_the_key_shows_nowhere_but_for_its_last_two_characters(
    project: TestRepository, api: LoopbackApi
) -> None:
    half = len(LOOPBACK_KEY) // 2
    broken = f"{LOOPBACK_KEY[:half]}\n{LOOPBACK_KEY[half:]}"
    project.write({"agent-config/anthropic-key.txt": LOOPBACK_KEY})
    project.write({"agent-config/query.txt": f"Use {LOOPBACK_KEY}\nor\n{broken}\n"})
    project.write({"agent-config/codeRollup.txt": f"key = {LOOPBACK_KEY}\n"})
    project.commit(
        "a build that shows the key",
        {
            "build.sh": f"#!/bin/sh\necho {LOOPBACK_KEY}\nprintf '{broken}\\n' >&2\n"
            f"printf %s {LOOPBACK_KEY} | base64 -w0\ngrep -q two src/a.txt\n"
        },
    )
    api.script(says(f"Your key is {LOOPBACK_KEY}.\n{WRONG}"), says(RIGHT))
    done = ask(project, api, "-v", "--show-prompt", "--json").ok()
    logs = everything_written(project.path / "agent-config/logs")
    sent = json.dumps([request.body for request in api.requests])
    told = done.out + done.err
    for text in (logs.decode(), sent, told):
        assert LOOPBACK_KEY not in text
        assert LOOPBACK_KEY[half:] not in text
        assert LOOPBACK_KEY[4:16] not in text
        assert base64.b64encode(LOOPBACK_KEY.encode()).decode()[:12] not in text
    assert f"[masked secret ..{LOOPBACK_KEY[-2:]}]" in logs.decode()
    assert f"[masked secret ..{LOOPBACK_KEY[-2:]}]" in sent


def test_the_key_is_not_in_what_a_service_says_of_it(
    project: TestRepository, api: LoopbackApi
) -> None:
    api.script(status(401, "authentication_error", f"bad key {LOOPBACK_KEY}"))
    done = ask(project, api)
    assert done.status == 128
    assert LOOPBACK_KEY not in done.err + done.out
    assert f"..{LOOPBACK_KEY[-2:]}]" in done.err


@pytest.mark.slow
def test_a_model_does_not_get_a_secret_written(project: TestRepository, api: LoopbackApi) -> None:
    api.script(says(answer_of({"src/a.txt": f"two {LOOPBACK_KEY}\n"}).decode()), says(RIGHT))
    done = ask(project, api).ok()
    assert "a masked secret" in done.err
    assert (project.path / "src/a.txt").read_text() == "two\n"


@pytest.mark.slow
@pytest.mark.parametrize("key", ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"])
def test_a_build_gets_no_key_and_no_network(
    project: TestRepository, api: LoopbackApi, key: str, strong_machine: Level
) -> None:
    script = (
        "#!/bin/sh\ngrep -q one src/a.txt && exit 0\n"
        'test -z "$ANTHROPIC_API_KEY$ANTHROPIC_AUTH_TOKEN" || exit 3\n'
        "test -e agent-config/query.txt && exit 4\n"
        "echo x >build.sh && exit 5\necho x >.git/config && exit 6\n"
        "echo x >../outside\n"
        f"bash -c 'echo >/dev/tcp/127.0.0.1/{api.url.rpartition(':')[2]}' && exit 7\n"
        "grep -q two src/a.txt\n"
    )
    project.commit("careful", {"build.sh": script})
    api.script(says(RIGHT))
    done = ask(project, api, "--sandbox=auto", **{key: LOOPBACK_KEY}).ok()
    name = "bubblewrap" if strong_machine is Level.BUBBLEWRAP else "unshare"
    assert f"sandboxed by {name}" in done.err
    assert (project.path / "build.sh").read_text() == script
    assert not (project.path.parent / "outside").exists()


@pytest.mark.slow
@needs_strong_sandbox
def test_a_build_that_only_works_outside_stays_inside_where_a_sandbox_is_required(
    project: TestRepository, api: LoopbackApi, sealed: Path
) -> None:
    (sealed / ".netrc").write_text("hunter2-outside")
    project.commit("outside", {"build.sh": '#!/bin/sh\ncat "$HOME/.netrc"\n'})
    api.responder = lambda body: says(RIGHT)
    done = ask(project, api, "--sandbox=require")
    assert done.status == 1
    assert "whether it passes outside was not tried" in done.err
    assert "hunter2-outside" not in done.err + json.dumps(api.requests, default=str)


def test_what_a_build_does_to_protected_files_is_put_back_and_no_success(
    project: TestRepository, api: LoopbackApi
) -> None:
    project.commit("run it", {"build.sh": "#!/bin/sh\nsh src/a.txt\n", "src/a.txt": "true\n"})
    (project.path / "build.sh").chmod(0o755)
    project.commit("executable")
    evil = "rm -rf docs .gitignore build.sh; echo true >build.sh; rm .gitignore; true\n"
    api.script(says(answer_of({"src/a.txt": evil}).decode()), says(RIGHT.replace("two", "true #")))
    before = (project.path / "build.sh").read_bytes()
    ask(project, api).ok()
    assert (project.path / "build.sh").read_bytes() == before
    assert (project.path / ".gitignore").read_text().startswith("/agent-config\n")


@pytest.mark.slow
def test_a_build_has_a_time_limit(project: TestRepository, api: LoopbackApi) -> None:
    project.commit("slow", {"build.sh": "#!/bin/sh\ngrep -q one src/a.txt || sleep 60\n"})
    api.script(says(RIGHT))
    done = ask(project, api, "--timeout=1", "--repairs=0")
    assert done.status == 1
    assert b"it was ended after 1 seconds (the limit)" in log(project, "1-initial-query-build.txt")


@pytest.mark.slow
def test_a_cassette_repeats_a_run_without_a_key(
    project: TestRepository, api: LoopbackApi, tmp_path: Path
) -> None:
    tape = tmp_path / "tape.jsonl"
    api.script(says(WRONG), says(RIGHT))
    ask(project, api, GIT_RETCON_CASSETTE=f"record:{tape}").ok()
    code_commit(project.path, "undo").ok()
    assert LOOPBACK_KEY not in tape.read_text()
    env = {"GIT_RETCON_CASSETTE": f"replay:{tape}"}
    assert "ANTHROPIC_API_KEY" not in os.environ
    done = code_commit(project.path, "--json", env=env).ok()
    assert json.loads(done.out)["attempt"] == 2
    assert len(api.requests) == 2


@pytest.mark.parametrize(
    "answer",
    [
        says("", stop="model_context_window_exceeded"),
        status(413, "request_too_large", "Request exceeds the maximum size"),
        status(400, "invalid_request_error", "prompt is too long: 3 tokens > 2 maximum"),
    ],
    ids=["while it answers", "too many bytes", "too many tokens"],
)
def test_a_prompt_beyond_the_window_says_what_to_do(api: LoopbackApi, answer: Says | Raw) -> None:
    api.script(answer)
    client = Client(
        AnthropicService(required_credentials(api.env)), Spending(Budget(), load_prices())
    )
    with pytest.raises(Refused, match="the prompt is too long for the model") as caught:
        Claude(client, "claude-sonnet-5-5").answer(Prompt("rules", b"[query]\n"))
    assert caught.value.hint == "make a smaller rollup: 'git code-commit rollup PATH...'"
