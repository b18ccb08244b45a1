"""Our values as the JSON of the Messages API, and back."""

import contextlib
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.model.api_format import to_reply
from git_retcon.model.client import Client
from git_retcon.model.failures import (
    ModelFailure,
)
from git_retcon.model.messages import (
    Message,
    Text,
    ToolDeclaration,
    ToolResult,
    ToolUse,
    user,
)
from tests.model.loopback import (
    LoopbackApi,
    Says,
    answers,
    call,
    calls,
    says,
    text,
    thinking,
)
from tests.model.test_client import ask

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)


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


def test_the_request_streams_caches_and_asks_for_the_schema(
    api: LoopbackApi, client: Client
) -> None:
    api.script(answers({"ok": True}))
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
    tool = ToolDeclaration("look", "Look.", {"type": "object", "properties": {}})
    client.complete(ask(schema=schema, tools=(tool,), effort="low"))
    body = api.requests[0].body
    assert body["stream"] is True
    assert body["cache_control"] == {"type": "ephemeral"}
    assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert body["output_config"]["effort"] == "low"
    assert body["output_config"]["format"]["schema"] == {**schema, "additionalProperties": False}
    assert body["tools"][0]["name"] == "look"
    assert not {"tool_choice", "temperature", "top_p", "top_k"} & body.keys()


def test_a_question_that_has_no_next_turn_is_not_kept(api: LoopbackApi, client: Client) -> None:
    """What is written into the cache costs a quarter more than what is not."""
    api.script(says("fine"))
    client.complete(ask())
    assert "cache_control" not in api.requests[0].body


def test_a_conversation_goes_back_as_it_came(api: LoopbackApi, client: Client) -> None:
    api.script(Says((thinking("which?"), text(" "), call("look", {"at": "ä"}, "toolu_1"))))
    reply = client.complete(ask())
    assert reply.tool_uses == (ToolUse("toolu_1", "look", {"at": "ä"}),)
    api.script(says("fine"))
    messages = (
        user("hello"),
        Message("assistant", reply.blocks),
        Message("user", (ToolResult("toolu_1", "", is_error=True),)),
    )
    client.complete(ask(messages=messages))
    said = api.requests[1].body["messages"]
    assert said[1]["content"] == [
        {"type": "thinking", "thinking": "which?", "signature": "c2lnbmF0dXJl"},
        {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"at": "ä"}},
    ]
    assert said[2]["content"][0]["is_error"] is True


def test_a_call_cut_off_in_its_input_is_kept_as_a_fault(api: LoopbackApi, client: Client) -> None:
    api.script(calls("look", '{"path": "a', stop="max_tokens"))
    (use,) = client.complete(ask()).tool_uses
    assert use.input == {}
    assert use.fault == "the input is not a JSON object"


def test_an_empty_turn_can_be_sent_back(api: LoopbackApi, client: Client) -> None:
    api.script(says("ok"))
    client.complete(ask(messages=(user("a"), Message("assistant", (Text("  "),)), user("b"))))
    assert api.requests[0].body["messages"][1]["content"] == [{"type": "text", "text": "(nothing)"}]
