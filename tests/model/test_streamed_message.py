"""A message is put together from any stream, or is a failure that says so."""

import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.model.api_format import to_reply
from git_retcon.model.budget import Budget
from git_retcon.model.client import Client
from git_retcon.model.credentials import required_credentials
from git_retcon.model.failures import ModelFailure
from git_retcon.model.prices import load_prices
from git_retcon.model.service import AnthropicService
from git_retcon.model.spending import Spending
from git_retcon.model.streamed_message import Assembly
from tests.model.loopback import LoopbackApi, calls
from tests.model.test_api_format import JSON
from tests.model.test_client import ask

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


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.lists(EVENTS, max_size=8))
def test_no_stream_does_more_than_fail(events: list[dict[str, Any]]) -> None:
    assembly = Assembly()
    with contextlib.suppress(ModelFailure):
        for event in events:
            assembly.feed(event)
        to_reply(assembly.finish())
    assert assembly.usage.total >= 0


def test_tool_calls_survive_a_stream_in_pieces(api: LoopbackApi) -> None:
    given = {"text": "naïve \u2028 \U0001f600 " * 50, "list": [1, None, {"a": True}]}
    api.script(calls("write", given))
    service = AnthropicService(required_credentials(api.env))
    client = Client(service, Spending(Budget(), load_prices()))
    assert client.complete(ask()).tool_uses[0].input == given


def test_the_bill_counts_once_it_is_in() -> None:
    assembly = Assembly()
    usage = {"input_tokens": 5, "output_tokens": 1}
    assembly.feed({"type": "message_start", "message": {"type": "message", "usage": usage}})
    block = {"type": "text", "text": ""}
    assembly.feed({"type": "content_block_start", "index": 0, "content_block": block})
    delta = {"type": "text_delta", "text": "x" * 400}
    assembly.feed({"type": "content_block_delta", "index": 0, "delta": delta})
    assert assembly.usage.output == 100  # a guess, while no bill is in
    assembly.feed({"type": "message_delta", "delta": {}, "usage": {"output_tokens": 90}})
    assembly.feed({"type": "message_stop"})
    assert assembly.usage.output == 90
