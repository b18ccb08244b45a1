"""The client of a run: what it is paid with, what it books, and what it never shows."""

import importlib
import os
import signal
import subprocess
import sys
import threading
import traceback
from pathlib import Path

import pytest

from git_retcon.files.xdg import state_folder
from git_retcon.git.config import Config
from git_retcon.model.client import Client
from git_retcon.model.connection import open_client
from git_retcon.model.engine_choice import EngineOptions, choose_engine
from git_retcon.model.failures import ModelFailure, RequestRejected
from git_retcon.model.ledger import Ledger
from git_retcon.model.retry import Patience
from git_retcon.settings import MAX_COST, Settings
from tests.model.loopback import LoopbackApi, says, status
from tests.model.test_client import ask


def opened(env: dict[str, str], lines: list[str]) -> Client:
    return open_client(
        choose_engine(EngineOptions(), Settings(Config({}), env), MAX_COST),
        env,
        "heal",
        lines.append,
        patience=Patience(seconds=10, first_pause=0.01, longest_pause=0.02),
    )


def test_the_sdk_is_imported_while_the_run_goes_on(
    api: LoopbackApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    is_imported = threading.Event()
    import_module = importlib.import_module

    def record_import(name: str, package: str | None = None) -> object:
        if name != "anthropic":
            return import_module(name, package)
        threads.append(threading.current_thread())
        is_imported.set()
        return None

    monkeypatch.setattr(importlib, "import_module", record_import)
    opened({**api.env, "HOME": str(tmp_path)}, [])
    assert is_imported.wait(60)
    assert threading.main_thread() not in threads


def test_a_key_of_no_known_shape_appears_nowhere(api: LoopbackApi, tmp_path: Path) -> None:
    key = "my-proxys-odd-key"
    env = {**api.env, "ANTHROPIC_API_KEY": key, "HOME": str(tmp_path)}
    lines: list[str] = []
    api.script(
        status(429, message=f"limit of {key}", retry_after=0.1),
        status(403, message=f"not with {key}"),
    )
    with pytest.raises(RequestRejected) as caught:
        opened(env, lines).complete(ask(f"my key is {key}"))
    said = "".join(traceback.format_exception(caught.value)) + repr(lines)
    assert "not with [masked secret ..ey]" in said
    assert key not in said
    assert key not in str([request.body for request in api.requests])


def test_what_a_run_costs_is_in_the_ledger_though_it_failed(
    api: LoopbackApi, tmp_path: Path
) -> None:
    env = {**api.env, "HOME": str(tmp_path)}
    lines: list[str] = []
    api.script(says("one"), says("odd", stop="bored"))
    client = opened(env, lines)
    client.complete(ask())
    with pytest.raises(ModelFailure):
        client.complete(ask())
    (total,) = Ledger(state_folder(env), print).statement().totals
    assert (total.command, total.requests) == ("heal", 2)
    assert total.dollars == pytest.approx(client.spending.dollars)


def test_an_unknown_price_is_said(api: LoopbackApi, tmp_path: Path) -> None:
    lines: list[str] = []
    opened({**api.env, "HOME": str(tmp_path), "GIT_RETCON_MODEL": "claude-next"}, lines)
    assert lines == [
        "no price known for 'claude-next'; counted as claude-fable-5-1, the most expensive"
    ]


RUN = """
import os
from git_retcon.git.config import Config
from git_retcon.model.engine_choice import EngineOptions, choose_engine
from git_retcon.model.messages import Request, user
from git_retcon.model.connection import open_client
from git_retcon.settings import MAX_COST, Settings
env = dict(os.environ)
choice = choose_engine(EngineOptions(), Settings(Config({}), env), MAX_COST)
client = open_client(choice, env, "retcon", print)
request = Request("claude-sonnet-5-5", "", (user("token: ghp_" + "a1B2" * 9),), 1000)
print(client.complete(request).text)
"""


@pytest.mark.slow
def test_interrupting_a_wait_ends_it(api: LoopbackApi, tmp_path: Path) -> None:
    api.responder = lambda body: status(429, retry_after=200)
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", RUN],
        env={**os.environ, **api.env, "HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert b"trying again in 200 s" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert b"KeyboardInterrupt" in errors
    assert len(api.requests) == 1


@pytest.mark.slow
def test_the_sdks_log_shows_no_secret(api: LoopbackApi, tmp_path: Path) -> None:
    api.script(says("fine"))
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        env={**os.environ, **api.env, "HOME": str(tmp_path), "ANTHROPIC_LOG": "debug"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "fine\n"
    assert "Request options" in done.stderr
    assert api.env["ANTHROPIC_API_KEY"] not in done.stderr
    assert "a1B2" * 9 not in done.stderr
