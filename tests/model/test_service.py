"""One attempt over a real socket: what the SDK would hide, wait for or give away."""

import contextlib
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.files.xdg import state_folder
from git_retcon.git.config import Config
from git_retcon.model.api_format import to_body, to_reply
from git_retcon.model.budget import Budget
from git_retcon.model.client import Client
from git_retcon.model.connection import open_client
from git_retcon.model.credentials import Credentials, required_credentials
from git_retcon.model.engine_choice import Wishes, choose
from git_retcon.model.failures import ModelFailure, RequestRejected, Unavailable
from git_retcon.model.ledger import Ledger
from git_retcon.model.prices import load_prices
from git_retcon.model.retry import Patience, persist
from git_retcon.model.service import AnthropicService, prepare
from git_retcon.model.spending import Spending
from git_retcon.model.streamed_message import Assembly
from git_retcon.settings import MAX_COST, Settings
from tests.model.loopback import LoopbackApi, breaks, calls, drops, says, slow, status
from tests.model.test_client import ask

BODY = to_body(ask())


def send(api: LoopbackApi, silence: float = 5.0) -> Any:
    service = AnthropicService(required_credentials(api.env), silence)
    return service.send(BODY, lambda usage: None)


@pytest.mark.parametrize(
    ("asked", "seconds"), [("7", 7.0), ("0.25", 0.25), ("date", 90.0), ("soon", None)]
)
def test_how_long_the_service_asks_to_wait(
    api: LoopbackApi, asked: str, seconds: float | None
) -> None:
    date = formatdate(time.time() + 90, usegmt=True)
    api.script(status(429, "rate_limit_error", retry_after=date if asked == "date" else asked))
    with pytest.raises(Unavailable) as caught:
        send(api)
    assert caught.value.retry_after == (None if seconds is None else pytest.approx(seconds, abs=5))


def test_the_service_may_forbid_a_retry(api: LoopbackApi) -> None:
    api.script(status(500, headers={"x-should-retry": "false"}))
    with pytest.raises(RequestRejected):
        send(api)


def test_silence_is_given_up(api: LoopbackApi) -> None:
    api.script(slow(10.0, says("late")))
    prepare().join()
    began = time.monotonic()
    with pytest.raises(Unavailable, match="does not answer in time"):
        send(api, silence=0.3)
    assert time.monotonic() - began < 8


def test_nobody_listening_is_named(api: LoopbackApi) -> None:
    service = AnthropicService(Credentials("key", "k", "http://127.0.0.1:9"))
    with pytest.raises(Unavailable, match=r"no connection to the model service \(.+\)"):
        service.send(BODY, lambda usage: None)


def test_one_connection_serves_many_turns(api: LoopbackApi, client: Client) -> None:
    api.script(*(says(str(number)) for number in range(4)))
    for _ in range(4):
        client.complete(ask())
    assert len({request.port for request in api.requests}) == 1


def test_a_token_is_sent_as_one(api: LoopbackApi) -> None:
    api.script(says("hi"))
    service = AnthropicService(Credentials("token", "my-token", api.url))
    service.send(BODY, lambda usage: None)
    assert api.requests[0].headers["authorization"] == "Bearer my-token"
    assert api.requests[0].path == "/v1/messages"


@pytest.mark.parametrize("trouble", [status(401), status(500), breaks("x"), drops()])
def test_no_failure_carries_the_sdks_errors(api: LoopbackApi, trouble: Any) -> None:
    api.script(trouble)
    with pytest.raises(ModelFailure) as caught:
        send(api)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def opened(env: dict[str, str], lines: list[str]) -> Client:
    return open_client(
        choose(Wishes(), Settings(Config({}), env), MAX_COST),
        env,
        "heal",
        lines.append,
        patience=Patience(seconds=10, first_pause=0.01, longest_pause=0.02),
    )


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
    assert lines == ["no price known for 'claude-next'; counted as claude-fable-5-1, the dearest"]


RUN = """
import os
from git_retcon.git.config import Config
from git_retcon.model.engine_choice import Wishes, choose
from git_retcon.model.messages import Request, user
from git_retcon.model.connection import open_client
from git_retcon.settings import MAX_COST, Settings
env = dict(os.environ)
client = open_client(choose(Wishes(), Settings(Config({}), env), MAX_COST), env, "retcon", print)
request = Request("claude-sonnet-5-5", "", (user("token: ghp_" + "a1B2" * 9),), 1000)
print(client.complete(request).text)
"""


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


def test_preparing_imports_in_the_background() -> None:
    prepare().join(timeout=60)
    assert "anthropic" in sys.modules


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)
EVENTS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            [
                "message_start",
                "message_delta",
                "message_stop",
                "content_block_start",
                "content_block_delta",
                "content_block_stop",
                "ping",
                "error",
            ]
        )
    },
    optional={
        "message": JSON | st.fixed_dictionaries({"type": st.just("message"), "content": JSON}),
        "index": JSON | st.integers(0, 1),
        "content_block": JSON
        | st.fixed_dictionaries({"type": st.sampled_from(["text", "tool_use", "x"])}),
        "delta": JSON
        | st.fixed_dictionaries({"type": st.just("text_delta"), "text": JSON})
        | st.fixed_dictionaries({"type": st.just("input_json_delta"), "partial_json": JSON}),
        "usage": JSON | st.dictionaries(st.sampled_from(["input_tokens", "output_tokens"]), JSON),
    },
)


@settings(max_examples=150, deadline=None)
@given(st.lists(EVENTS, max_size=8))
def test_no_stream_does_more_than_fail(events: list[dict[str, Any]]) -> None:
    assembly = Assembly()
    with contextlib.suppress(ModelFailure):
        for event in events:
            assembly.feed(event)
        to_reply(assembly.finish())
    assert assembly.usage.total >= 0


@settings(max_examples=120, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["type", "model", "content", "stop_reason", "usage", "stop_details"]),
        JSON | st.just("message") | st.just("end_turn") | st.just([{"type": "text"}]),
    )
)
def test_no_message_does_more_than_fail(message: dict[str, Any]) -> None:
    with contextlib.suppress(ModelFailure):
        to_reply(message)


def test_pauses_grow_and_are_bounded() -> None:
    patience = Patience(first_pause=1.0, longest_pause=30.0)
    for attempt, longest in enumerate([1, 2, 4, 8, 16, 30, 30]):
        pauses = [patience.pause(attempt) for _ in range(50)]
        assert all(longest / 2 <= pause <= longest for pause in pauses)
        assert len(set(pauses)) > 1
    assert patience.pause(10**9) <= 30


def test_other_errors_pass_through_at_once() -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        persist(interrupted, Patience(), print)


def test_a_retry_is_paid_from_the_same_budget(
    api: LoopbackApi, make_client: Callable[..., Client]
) -> None:
    api.responder = lambda body: drops()
    client = make_client(Budget(max_tokens=1500))
    with pytest.raises(Exception, match="is spent"):
        client.complete(ask())
    assert 1 <= len(api.requests) <= 4


def test_tool_calls_survive_a_stream_in_pieces(api: LoopbackApi) -> None:
    given = {"text": "naïve \u2028 \U0001f600 " * 50, "list": [1, None, {"a": True}]}
    api.script(calls("write", given))
    service = AnthropicService(required_credentials(api.env))
    client = Client(service, Spending(Budget(), load_prices()))
    assert client.complete(ask()).tool_uses[0].input == given
