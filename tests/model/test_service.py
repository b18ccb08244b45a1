"""One attempt over a real socket: what the SDK would hide, wait for or give away."""

import sys
import time
from collections.abc import Callable
from email.utils import formatdate
from typing import Any

import pytest

from git_retcon.model.api_format import to_body
from git_retcon.model.budget import Budget
from git_retcon.model.client import Client
from git_retcon.model.credentials import Credentials, required_credentials
from git_retcon.model.failures import ModelFailure, RequestRejected, Unavailable
from git_retcon.model.service import AnthropicService, import_sdk_early
from tests.model.loopback import LoopbackApi, breaks, drops, says, slow, status
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
    import_sdk_early().join()
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


def test_preparing_imports_in_the_background() -> None:
    import_sdk_early().join(timeout=60)
    assert "anthropic" in sys.modules


def test_a_retry_is_paid_from_the_same_budget(
    api: LoopbackApi, make_client: Callable[..., Client]
) -> None:
    api.responder = lambda body: drops()
    client = make_client(Budget(max_tokens=1500))
    with pytest.raises(Exception, match="is spent"):
        client.complete(ask())
    assert 1 <= len(api.requests) <= 4
