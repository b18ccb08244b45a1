"""The tests' own service answers as the real one does, streamed or not."""

import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.model.loopback import LoopbackApi, Says, call, last_text, says, status, text


def post(api: LoopbackApi, **body: Any) -> tuple[str, bytes]:
    request = urllib.request.Request(
        f"{api.url}/v1/messages",
        data=json.dumps({"model": "m", "messages": [], **body}).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return answer.headers["content-type"], answer.read()


def test_a_whole_message(api: LoopbackApi) -> None:
    api.script(says("hello"))
    kind, answer = post(api)
    assert kind == "application/json"
    assert json.loads(answer)["content"] == [{"type": "text", "text": "hello"}]
    assert json.loads(answer)["stop_reason"] == "end_turn"


def test_a_stream_of_events(api: LoopbackApi) -> None:
    api.script(Says((text("hello, world"), call("look", {"at": 1}))))
    kind, answer = post(api, stream=True)
    assert kind.startswith("text/event-stream")
    names = [line[7:] for line in answer.decode().split("\n") if line.startswith("event: ")]
    assert names[0] == "message_start"
    assert names[-2:] == ["message_delta", "message_stop"]
    assert names.count("content_block_start") == names.count("content_block_stop") == 2
    assert b'"stop_reason": "tool_use"' in answer


def test_a_responder_takes_over_when_the_script_is_over(api: LoopbackApi) -> None:
    api.script(says("first"))
    api.responder = lambda body: says(f"heard {last_text(body)}")
    asked = {"messages": [{"role": "user", "content": [{"type": "text", "text": "you"}]}]}
    assert b"first" in post(api, **asked)[1]
    assert b"heard you" in post(api, **asked)[1]
    assert api.unused == 0
    assert [request.body["model"] for request in api.requests] == ["m", "m"]


def test_errors_have_their_headers(api: LoopbackApi) -> None:
    api.script(status(429, "rate_limit_error", retry_after=3))
    with pytest.raises(urllib.error.HTTPError) as caught:
        post(api)
    with caught.value as answer:
        assert answer.headers["retry-after"] == "3"
        assert json.loads(answer.read())["error"]["type"] == "rate_limit_error"


def test_asking_beyond_the_script_fails(api: LoopbackApi) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        post(api)
    caught.value.close()
    assert caught.value.code == 500
