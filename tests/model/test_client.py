"""The client over a real socket."""

import json
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable

import pytest

from git_retcon.model.budget import Budget
from git_retcon.model.client import Client
from git_retcon.model.failures import (
    BudgetSpent,
    MalformedAnswer,
    RequestRejected,
    WindowExceeded,
)
from git_retcon.model.messages import (
    Request,
    StopReason,
    Thinking,
    Usage,
    user,
)
from tests.model.loopback import (
    Hangup,
    LoopbackApi,
    Raw,
    Says,
    breaks,
    call,
    cut_off,
    drops,
    events,
    html,
    malformed,
    overloaded,
    refuses,
    says,
    slow,
    status,
    text,
    thinking,
)
from tests.model.loopback import stream as stream_events


def ask(prompt: str = "hello", **options: object) -> Request:
    fields: dict[str, object] = {
        "model": "claude-sonnet-5-5",
        "system": "You sort lines.",
        "messages": (user(prompt),),
        "max_output_tokens": 4000,
    }
    return Request(**(fields | options))  # type: ignore[arg-type]


def test_a_streamed_answer_is_put_together(api: LoopbackApi, client: Client) -> None:
    api.script(Says((thinking("hm, über"), text("Grüße, world: "), text("done"))))
    reply = client.complete(ask())
    assert reply.text == "Grüße, world: done"
    assert reply.stop is StopReason.END_TURN
    assert reply.usage == Usage(input=100, output=20)
    assert isinstance(reply.blocks[0], Thinking)


def test_an_answer_in_one_piece_is_read_too(api: LoopbackApi, client: Client) -> None:
    api.script(malformed(Says((text("whole"),)).message("claude-sonnet-5-5")))
    assert client.complete(ask()).text == "whole"
    assert client.spending.usage == Usage(input=100, output=20)


def test_a_stream_is_read_however_its_lines_are_written(api: LoopbackApi, client: Client) -> None:
    """With CRLF, comments, a byte order mark, data of several lines, and events of a later day."""
    said = Says((text("as "), text("ever")))
    stream = b"\xef\xbb\xbf: hello\r\nretry: 10\r\n\r\n"
    for number, event in enumerate(stream_events(said.message("claude-sonnet-5-5"), said)):
        data = json.dumps(event, indent=1).replace("\n", "\r\ndata: ")
        stream += f"event: {event['type']}\r\nid: {number}\r\ndata: {data}\r\n\r\n".encode()
        stream += b': ping\r\n\r\nevent: later\r\ndata: {"type": "later"}\r\n\r\n'
    api.script(Raw(200, stream, "Text/Event-Stream; charset=UTF-8"))
    assert client.complete(ask()).text == "as ever"
    assert client.spending.usage == Usage(input=100, output=20)


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_prompt_goes_to_the_address_that_was_chosen_and_to_no_other(
    api: LoopbackApi, client: Client, code: int
) -> None:
    elsewhere = LoopbackApi()
    try:
        api.script(Raw(code, b"", headers={"location": f"{elsewhere.url}/v1/messages"}))
        with pytest.raises(RequestRejected, match=f"{code}: it sends us to another address"):
            client.complete(ask())
        assert (len(api.requests), len(elsewhere.requests)) == (1, 0)
    finally:
        elsewhere.close()


@pytest.mark.parametrize(
    "trouble",
    [
        status(429, "rate_limit_error", retry_after=0),
        overloaded(),
        status(500),
        status(503),
        status(408),
        status(409),
        breaks("overloaded_error"),
        drops(),
        Hangup(),
        events(("message_start", '{"type":"message_start","message":{"usage":{}}}')),
    ],
    ids=lambda answer: getattr(answer, "status", None) or type(answer).__name__,
)
def test_passing_trouble_is_waited_out(
    api: LoopbackApi, make_client: Callable[..., Client], trouble: Raw | Says | Hangup
) -> None:
    lines: list[str] = []
    api.script(trouble, says("there"))
    assert make_client(tell=lines.append).complete(ask()).text == "there"
    assert len(api.requests) == 2
    assert len(lines) == 1
    assert "trying again" in lines[0]


def test_what_broke_off_is_paid_for(api: LoopbackApi, make_client: Callable[..., Client]) -> None:
    booked: list[Usage] = []
    api.script(breaks(), says("there"))
    client = make_client(book=lambda model, usage, dollars: booked.append(usage))
    client.complete(ask())
    assert booked == [Usage(input=100, output=2), Usage(input=100, output=20)]
    assert client.spending.usage == Usage(input=200, output=22)


@pytest.mark.parametrize(
    ("answer", "says_why"),
    [
        (html(), "of the type 'text/html'"),
        (malformed({"ok": True}), "it is not a message"),
        (malformed(["message"]), "it is not JSON"),
        (Raw(200, b'{"type": "mess'), "it is not JSON"),
        (Raw(200, b"[" * 100_000), "it is not JSON"),
        (says("hi", without=("content", "usage")), "no usage"),
        (malformed(Says((), without=("content",)).message("m")), "it has no content"),
        (malformed(Says((), without=("model",)).message("m")), "'model' is missing"),
        (malformed(Says(({"type": "text"},)).message("m")), "'text' is missing"),
        (malformed(Says(({"type": "image"},)).message("m")), "unknown type 'image'"),
        (Says((call("a", {}, "toolu_1"), call("b", {}, "toolu_1"))), "have the same id"),
        (says("hi", stop="bored"), "stop reason is 'bored'"),
        (says("hi", usage={"input_tokens": "many", "output_tokens": 1}), "input_tokens is 'many'"),
        (says("hi", usage={"input_tokens": 10**30, "output_tokens": 1}), "input_tokens is 1000"),
        (says("hi", usage={"input_tokens": -5, "output_tokens": 1}), "input_tokens is -5"),
        (events(("message_start", '{"type": "message_st')), "it is not JSON"),
        (events(("message_start", '{"type":"message_start"}')), "'message_start' does not fit"),
        (events(("x", '{"type":"content_block_delta","index":3}')), "does not fit"),
        (Raw(200, b"event: a\ndata: \xff\xfe\n\n", "text/event-stream"), "cannot be read"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_answer_of_no_known_shape_is_named(
    api: LoopbackApi, client: Client, answer: Raw | Says, says_why: str
) -> None:
    api.script(answer)
    with pytest.raises(MalformedAnswer, match=says_why):
        client.complete(ask())
    assert len(api.requests) == 1


@pytest.mark.parametrize("code", [400, 401, 402, 403, 404, 422])
def test_a_final_no_is_not_asked_again(api: LoopbackApi, client: Client, code: int) -> None:
    api.script(status(code, "some_error", "because of this"))
    with pytest.raises(RequestRejected, match=f"answers {code}: because of this") as caught:
        client.complete(ask())
    assert caught.value.http_status == code
    assert len(api.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        status(413, "request_too_large", "Request exceeds the maximum size"),
        status(
            400, "invalid_request_error", "prompt is too long: 2000001 tokens > 1000000 maximum"
        ),
    ],
)
def test_a_prompt_beyond_the_window_is_no_breakdown(
    api: LoopbackApi, client: Client, answer: Raw
) -> None:
    api.script(answer)
    with pytest.raises(WindowExceeded) as caught:
        client.complete(ask())
    assert caught.value.status == 1


def test_an_unknown_error_in_the_stream_is_final(api: LoopbackApi, client: Client) -> None:
    api.script(breaks("invalid_request_error", "bad block"))
    with pytest.raises(RequestRejected, match="bad block"):
        client.complete(ask())


@pytest.mark.parametrize(
    ("answer", "stop"),
    [
        (refuses("bio"), StopReason.REFUSAL),
        (cut_off("half a"), StopReason.MAX_TOKENS),
        (says("so", stop="model_context_window_exceeded"), StopReason.WINDOW_EXCEEDED),
    ],
)
def test_ends_of_a_turn_are_no_errors(
    api: LoopbackApi, client: Client, answer: Says, stop: StopReason
) -> None:
    api.script(answer)
    reply = client.complete(ask())
    assert reply.stop is stop
    assert reply.detail == ("bio" if stop is StopReason.REFUSAL else "")


def test_the_bill_comes_before_the_answer(api: LoopbackApi, client: Client) -> None:
    api.script(says("hi", stop="bored"))
    with pytest.raises(MalformedAnswer):
        client.complete(ask())
    assert client.spending.usage == Usage(input=100, output=20)


def test_no_secret_leaves_or_comes_back(
    api: LoopbackApi, make_client: Callable[..., Client]
) -> None:
    key = "ghp_" + "a1B2" * 9
    api.script(Says((thinking(f"I see {key}"), text(f"Your key is {key}"))))
    request = ask(f"read this: {key}", system=f"also {key}")
    reply = make_client().complete(request)
    assert key not in str(api.requests[0].body)
    assert reply.text == "Your key is [masked secret ..B2]"
    assert len(reply.blocks) == 1


def test_the_key_is_in_no_exception(api: LoopbackApi, make_client: Callable[..., Client]) -> None:
    key = api.env["ANTHROPIC_API_KEY"]
    api.script(status(401, "authentication_error", f"invalid key {key}"))
    try:
        make_client().complete(ask())
    except RequestRejected as failure:
        said = "".join(traceback.format_exception(failure)) + repr(vars(failure))
        assert "invalid key [masked secret ..XY]" in said
        assert key not in said
        assert failure.__cause__ is None
        assert failure.__context__ is None
    else:
        raise AssertionError("nothing was raised")
    assert api.requests[0].headers["authorization"] == f"Bearer {key}"


def test_a_lone_surrogate_can_be_sent(api: LoopbackApi, client: Client) -> None:
    api.script(says("ok"))
    client.complete(ask(b"caf\xe9".decode("utf-8", "surrogateescape")))
    assert api.requests[0].body["messages"][0]["content"][0]["text"] == "caf\ufffd"


def test_nothing_is_sent_that_could_pass_the_budget(
    api: LoopbackApi, make_client: Callable[..., Client]
) -> None:
    client = make_client(Budget(max_cost=0.02))
    api.script(says("one", usage={"input_tokens": 4000, "output_tokens": 900}))
    client.complete(ask())
    assert api.requests[0].body["max_tokens"] < 4000
    with pytest.raises(BudgetSpent, match=r"the budget of \$0\.02 is spent"):
        client.complete(ask())
    assert len(api.requests) == 1
    assert client.spending.dollars == pytest.approx(0.017)


def test_threads_share_one_budget(api: LoopbackApi, make_client: Callable[..., Client]) -> None:
    api.responder = lambda body: slow(0.3, says("ok"))
    client = make_client(Budget(max_tokens=5000))
    outcomes: list[str] = []

    def run() -> None:
        try:
            outcomes.append(client.complete(ask()).text)
        except BudgetSpent:
            outcomes.append("spent")

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["ok", "spent", "spent"]


def test_importing_the_room_does_not_import_the_sdk() -> None:
    code = """
import importlib, pkgutil, sys
import git_retcon.model as room
names = [module.name for module in pkgutil.iter_modules(room.__path__)]
for name in names:
    importlib.import_module(f"git_retcon.model.{name}")
assert len(names) > 10, names
loaded = {"anthropic", "httpx2", "pydantic", "pygit2"} & sys.modules.keys()
assert not loaded, loaded
"""
    subprocess.run([sys.executable, "-c", code], check=True)
