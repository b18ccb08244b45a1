"""A Messages API of the tests' own, on a real socket of this machine.

A test writes a script, or a responder that acts as a model with logic, and reads afterwards what
was asked::

    api.script(says("hello"), calls("read_file", {"path": "a"}), status(429, retry_after=1))
    api.responder = lambda body: says("yes" if "?" in last_text(body) else "no")
    api.requests[0].body["model"]
"""

import dataclasses
import itertools
import json
import socket
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
_ids = itertools.count(1)
_BATCHES = "/v1/messages/batches"
# Put together here, so that no scanner takes this file for a leak.
LOOPBACK_KEY = "-".join(("sk", "ant", "api03", "loopback", "0123456789abcdefXY"))


@dataclass(frozen=True)
class Says:
    """A whole message; ``stop`` None means what the content calls for."""

    content: tuple[Json, ...]
    stop: str | None = None
    usage: Mapping[str, Any] = field(
        default_factory=lambda: {"input_tokens": 100, "output_tokens": 20}
    )
    detail: str | None = None
    pause: float = 0.0  # seconds of silence before the answer
    breaks: Json | None = None  # an error event in the middle of the stream
    drops: bool = False  # the connection is cut in the middle of the stream
    without: tuple[str, ...] = ()  # fields of the message that are missing

    def message(self, model: str) -> Json:
        called = any(block["type"] == "tool_use" for block in self.content)
        message = {
            "id": f"msg_{next(_ids):04}",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": list(self.content),
            "stop_reason": self.stop or ("tool_use" if called else "end_turn"),
            "stop_sequence": None,
            "stop_details": {"type": "refusal", "category": self.detail} if self.detail else None,
            "usage": dict(self.usage),
        }
        return {key: value for key, value in message.items() if key not in self.without}


@dataclass(frozen=True)
class Raw:
    """Any answer at all, byte for byte."""

    status: int
    body: bytes
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Trickles:
    """An answer that never falls silent and never ends: its start, then small pieces, for five
    seconds at least or until the client hangs up.
    """

    status: int = 200
    content_type: str = "application/json"
    encoding: str = "identity"
    start: bytes = b""
    piece: bytes = b" "


@dataclass(frozen=True)
class Hangup:
    """The connection is closed with no answer."""


Answer = Says | Raw | Trickles | Hangup
Responder = Callable[[Json], Answer]


def text(said: str) -> Json:
    return {"type": "text", "text": said}


def thinking(thought: str) -> Json:
    return {"type": "thinking", "thinking": thought, "signature": "c2lnbmF0dXJl"}


def call(name: str, given: Any, identity: str | None = None) -> Json:
    """A tool_use block; a ``str`` is streamed as it is, JSON or not."""
    return {
        "type": "tool_use",
        "id": identity or f"toolu_{next(_ids):04}",
        "name": name,
        "input": given,
    }


def says(said: str, **options: Any) -> Says:
    return Says((text(said),), **options)


def answers(value: Any, **options: Any) -> Says:
    """A structured answer."""
    return says(json.dumps(value), **options)


def calls(name: str, given: Any, **options: Any) -> Says:
    return Says((call(name, given),), **options)


def refuses(category: str = "cyber") -> Says:
    return Says((), stop="refusal", detail=category)


def cut_off(said: str) -> Says:
    return says(said, stop="max_tokens")


def drops(said: str = "half an answer") -> Says:
    return says(said, drops=True)


def slow(seconds: float, answer: Says) -> Says:
    return dataclasses.replace(answer, pause=seconds)


def breaks(kind: str = "overloaded_error", message: str = "Overloaded") -> Says:
    error = {"type": "error", "error": {"type": kind, "message": message}}
    return says("half an answer", breaks=error)


def status(
    code: int,
    kind: str = "api_error",
    message: str = "no",
    retry_after: float | str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Raw:
    body = {"type": "error", "error": {"type": kind, "message": message}}
    extra = dict(headers or {})
    if retry_after is not None:
        extra["retry-after"] = str(retry_after)
    return Raw(code, json.dumps(body).encode(), headers=extra)


def overloaded() -> Raw:
    return status(529, "overloaded_error", "Overloaded")


def html(page: str = "<html>please log in</html>") -> Raw:
    return Raw(200, page.encode(), "text/html")


def malformed(value: Any) -> Raw:
    """A 200 with JSON that may be no message."""
    return Raw(200, json.dumps(value).encode())


def events(*pairs: tuple[str, str]) -> Raw:
    """A 200 with an event stream of any events."""
    body = "".join(f"event: {name}\ndata: {data}\n\n" for name, data in pairs)
    return Raw(200, body.encode(), "text/event-stream")


def last_text(body: Json) -> str:
    """All text of the last message of a request, results of tools included."""
    content = body["messages"][-1]["content"]
    return "\n".join(str(block.get("text", block.get("content", ""))) for block in content)


@dataclass(frozen=True)
class Received:
    """One request as it came in."""

    path: str
    headers: Mapping[str, str]
    body: Json
    port: int  # of the client: equal ports are one connection


class LoopbackBatches:
    """The Message Batches API of this server: create, retrieve, results, cancel.

    A batch is answered by ``answers``, what is asked to what becomes of it: a message, or the kind
    of a result that is none. It has ended once it was looked at ``looks`` times more.
    """

    def __init__(self) -> None:
        self.answers: Callable[[Json], Says | str] = lambda body: "expired"
        self.looks = 0
        self.refusals: list[Raw | Hangup] = []  # of the next batches
        self.garbage = b""  # before the results
        self.cut = 0  # bytes off the end of the results
        self.hangs_up = False  # on all that asks about a batch
        self.created: list[list[Json]] = []
        self.fetched = 0  # how often results were asked for
        self._ended: dict[str, list[Json]] = {}
        self._canceled: set[str] = set()
        self._gone: set[str] = set()

    def forget(self) -> None:
        """Have nothing of any batch any more, as after some weeks."""
        self._gone |= self._ended.keys()

    def answer_post(self, path: str, received: Received) -> Answer | None:
        """None for what is no matter of batches."""
        if not path.startswith(_BATCHES):
            return None
        if path.endswith("/cancel"):
            self._canceled.add(path.split("/")[-2])
            return malformed(self._describe(path.split("/")[-2]))
        if self.refusals:
            return self.refusals.pop(0)
        identity = f"msgbatch_{next(_ids):04}"
        self.created.append(received.body["requests"])
        self._ended[identity] = received.body["requests"]
        return malformed(self._describe(identity))

    def answer_get(self, path: str) -> Answer:
        if self.hangs_up:
            return Hangup()
        identity, _, what = path.removeprefix(f"{_BATCHES}/").partition("/")
        if identity not in self._ended or identity in self._gone:
            return status(404, "not_found_error", "no such batch")
        if what == "results":
            self.fetched += 1
            lines = [json.dumps(row) for row in reversed(list(self._list_results(identity)))]
            rows = self.garbage + "\n".join(lines).encode()
            return Raw(200, rows[: len(rows) - self.cut], "application/x-jsonl")
        self.looks -= 1
        return malformed(self._describe(identity))

    def _list_results(self, identity: str) -> Iterator[Json]:
        for request in self._ended[identity]:
            made = "canceled" if identity in self._canceled else self.answers(request["params"])
            if isinstance(made, Says):
                message = made.message(request["params"]["model"])
                result: Json = {"type": "succeeded", "message": message}
            elif made == "errored":
                error = {"type": "invalid_request_error", "message": "it is refused"}
                result = {"type": made, "error": {"type": "error", "error": error}}
            else:
                result = {"type": made}
            yield {"custom_id": request["custom_id"], "result": result}

    def _describe(self, identity: str) -> Json:
        number, ended = len(self._ended[identity]), self.looks < 0
        counts = dict.fromkeys(("canceled", "errored", "expired", "succeeded", "processing"), 0)
        counts["succeeded" if ended else "processing"] = number
        return {
            "id": identity,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": counts,
            "created_at": "2026-11-22T00:00:00Z",
            "expires_at": "2026-11-23T00:00:00Z",
            "results_url": None,
        }


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """A client that hangs up is no news; any other error shows."""
        if not isinstance(sys.exception(), ConnectionError):
            traceback.print_exc()


class LoopbackApi:
    """The server. Beyond its script it answers 500, so a test that asks too much fails."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.responder: Responder | None = None
        self.batches = LoopbackBatches()
        self._script: deque[Answer] = deque()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def env(self) -> dict[str, str]:
        """What a process needs to talk to this server."""
        return {
            "ANTHROPIC_BASE_URL": self.url,
            "ANTHROPIC_API_KEY": LOOPBACK_KEY,
            "NO_PROXY": "127.0.0.1",
            "no_proxy": "127.0.0.1",
        }

    def script(self, *answers: Answer) -> None:
        """Answer the next requests so, in this order."""
        self._script.extend(answers)

    @property
    def unused(self) -> int:
        """How many answers of the script have not been asked for."""
        return len(self._script)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, received: Received) -> Answer:
        with self._lock:
            self.requests.append(received)
            if self._script:
                return self._script.popleft()
        if self.responder is not None:
            return self.responder(received.body)
        return status(500, message="the script is over", headers={"x-should-retry": "false"})

    def _serve(self) -> None:
        self._server.serve_forever(poll_interval=0.02)


def _handler(api: LoopbackApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Without these two a call costs 44 ms instead of one.
        wbufsize = -1
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", "0"))
            received = self.receive(json.loads(self.rfile.read(length) or b"{}"))
            batched = api.batches.answer_post(self.path, received)
            _send(self, received, batched or api.answer(received))

        def do_GET(self) -> None:
            received = self.receive({})
            _send(self, received, api.batches.answer_get(self.path))

        def receive(self, body: Json) -> Received:
            headers = {k.lower(): v for k, v in self.headers.items()}
            return Received(self.path, headers, body, self.client_address[1])

        def log_message(self, *args: Any) -> None:
            pass

    return Handler


def _send(handler: BaseHTTPRequestHandler, received: Received, answer: Answer) -> None:
    try:
        if isinstance(answer, Hangup):
            _cut(handler)
        elif isinstance(answer, Raw):
            _send_raw(handler, answer)
        elif isinstance(answer, Trickles):
            _trickle(handler, answer)
        else:
            time.sleep(answer.pause)
            _send_message(handler, received.body, answer)
    except (BrokenPipeError, ConnectionResetError):
        handler.close_connection = True


def _send_raw(handler: BaseHTTPRequestHandler, answer: Raw) -> None:
    handler.send_response(answer.status)
    handler.send_header("content-type", answer.content_type)
    handler.send_header("content-length", str(len(answer.body)))
    for name, value in answer.headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(answer.body)
    handler.wfile.flush()


def _trickle(handler: BaseHTTPRequestHandler, answer: Trickles) -> None:
    handler.send_response(answer.status)
    handler.send_header("content-type", answer.content_type)
    handler.send_header("content-encoding", answer.encoding)
    handler.end_headers()
    handler.close_connection = True
    handler.wfile.write(answer.start)
    for _ in range(500):
        handler.wfile.write(answer.piece)
        handler.wfile.flush()
        time.sleep(0.01)


def _send_message(handler: BaseHTTPRequestHandler, body: Json, answer: Says) -> None:
    message = answer.message(body.get("model", ""))
    if not body.get("stream"):
        _send_raw(handler, malformed(message))
        return
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream; charset=utf-8")
    handler.send_header("transfer-encoding", "chunked")
    handler.end_headers()
    for event in stream(message, answer):
        data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        handler.wfile.flush()
    if answer.drops:
        _cut(handler)
        return
    handler.wfile.write(b"0\r\n\r\n")
    handler.wfile.flush()


def _cut(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def stream(message: Json, answer: Says) -> Iterator[Json]:
    """The events of a message, as the service sends them."""
    content = message.get("content", ())
    usage = message.get("usage") or {}
    opening = message | {"stop_reason": None, "stop_details": None}
    if "content" in message:
        opening["content"] = []
    if usage:
        opening["usage"] = {**usage, "output_tokens": min(1, usage["output_tokens"])}
    yield {"type": "message_start", "message": opening}
    yield {"type": "ping"}
    for index, block in enumerate(content):
        yield from _block_events(index, block, whole=not (answer.breaks or answer.drops))
    if answer.breaks is not None:
        yield answer.breaks
    if answer.breaks is not None or answer.drops:
        return
    delta = {key: message[key] for key in ("stop_reason", "stop_details") if key in message}
    count = {"output_tokens": usage["output_tokens"]} if usage else {}
    yield {"type": "message_delta", "delta": delta, "usage": count}
    yield {"type": "message_stop"}


def _block_events(index: int, block: Json, whole: bool) -> Iterator[Json]:
    empty, deltas = _pieces(block)
    yield {"type": "content_block_start", "index": index, "content_block": empty}
    for delta in deltas if whole else deltas[:1]:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    if whole:
        yield {"type": "content_block_stop", "index": index}


def _pieces(block: Json) -> tuple[Json, list[Json]]:
    kind = block["type"]
    if kind == "text":
        deltas = [{"type": "text_delta", "text": chunk} for chunk in _chopped(block["text"])]
        return block | {"text": ""}, deltas
    if kind == "thinking":
        deltas = [
            {"type": "thinking_delta", "thinking": chunk} for chunk in _chopped(block["thinking"])
        ]
        signature = {"type": "signature_delta", "signature": block["signature"]}
        return block | {"thinking": "", "signature": ""}, [*deltas, signature]
    if kind == "tool_use":
        given = block["input"]
        written = given if isinstance(given, str) else json.dumps(given)
        deltas = [
            {"type": "input_json_delta", "partial_json": chunk} for chunk in _chopped(written)
        ]
        return block | {"input": {}}, deltas
    return block, []


def _chopped(whole: str) -> list[str]:
    return [whole[at : at + 7] for at in range(0, min(len(whole), 700), 7)] + (
        [whole[700:]] if len(whole) > 700 else []
    )
