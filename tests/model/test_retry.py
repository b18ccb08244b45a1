"""Trouble that passes is waited out, within a deadline."""

import time
from collections.abc import Callable

import pytest

from git_retcon.model.client import Client
from git_retcon.model.credentials import Credentials
from git_retcon.model.failures import (
    Unavailable,
    Unreachable,
)
from git_retcon.model.retry import Patience, retry_request
from git_retcon.model.service import AnthropicService, import_sdk_early
from tests.model.loopback import (
    LoopbackApi,
    overloaded,
    status,
)
from tests.model.test_client import ask


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
        retry_request(interrupted, Patience(), print)


def test_a_wait_beyond_the_deadline_fails_at_once(api: LoopbackApi, client: Client) -> None:
    api.script(status(429, "rate_limit_error", "slow down", retry_after=3600))
    import_sdk_early().join()
    began = time.monotonic()
    with pytest.raises(Unavailable, match=r"slow down: it asks to wait 3600 s, more than the"):
        client.complete(ask())
    assert time.monotonic() - began < 8
    assert len(api.requests) == 1


@pytest.mark.slow
def test_patience_ends(api: LoopbackApi, make_client: Callable[..., Client]) -> None:
    api.responder = lambda body: overloaded()
    import_sdk_early().join()
    patience = Patience(seconds=2, first_pause=0.05, longest_pause=0.1)
    with pytest.raises(Unavailable, match=r"given up after \d+ attempts") as caught:
        make_client(patience=patience).complete(ask())
    assert caught.value.status == 128
    assert len(api.requests) >= 3


def test_patience_ends_sooner_where_nobody_listens() -> None:
    service = AnthropicService(Credentials("key", "k", "http://127.0.0.1:9"))
    patience = Patience(seconds=600, unreached=0.3, first_pause=0.05, longest_pause=0.1)
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "?"}]}
    with pytest.raises(Unavailable, match="given up after") as caught:
        retry_request(lambda: service.send(body, lambda usage: None), patience, lambda line: None)
    assert caught.value.hint is not None
    assert "--offline" in caught.value.hint


def test_who_answered_once_is_waited_for(api: LoopbackApi) -> None:
    patience = Patience(seconds=600, unreached=0.0, first_pause=0.01, longest_pause=0.01)
    troubles: list[Unavailable] = [Unavailable("overloaded"), *[Unreachable("gone")] * 3]

    def attempt() -> str:
        if troubles:
            raise troubles.pop(0)
        return "here"

    assert retry_request(attempt, patience, lambda line: None) == "here"
