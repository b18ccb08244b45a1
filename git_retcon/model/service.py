"""The Messages API through the anthropic SDK: one attempt, streamed, its failures made ours.

The SDK takes a second to import, so it is imported inside functions only; ``prepare`` does it in
the background while something else runs. Its events are read raw: its own parser accepts
anything, and drops the usage of an answer that breaks off.
"""

import contextlib
import importlib
import json
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from git_retcon.model.api_format import to_usage
from git_retcon.model.credentials import Credentials
from git_retcon.model.failures import (
    MalformedAnswer,
    ModelFailure,
    RequestRejected,
    Unavailable,
    Unreachable,
    WindowExceeded,
)
from git_retcon.model.messages import Json, Usage
from git_retcon.model.streamed_message import Assembly
from git_retcon.model.timed_answer import AnswerTooSlow, limit_reading, run_within

if TYPE_CHECKING:
    import anthropic
    import httpx2

_CONNECT = 15.0  # seconds
_LONGEST_ANSWER = 64 * 1024 * 1024
_LATER = frozenset({408, 409, 429})
_LATER_KINDS = frozenset({"overloaded_error", "rate_limit_error", "api_error", "timeout_error"})
_HINTS = {
    400: "read what the service says; a spending limit is reported here too",
    401: "check ANTHROPIC_API_KEY, or use --offline",
    402: "add credit to the account, or use --offline",
    403: "the key may not use this model; choose another with --model, or use --offline",
    404: "choose a model that exists with --model; check ANTHROPIC_BASE_URL",
}


class Service(Protocol):
    """Answers a request: the API, or a recording of it."""

    def send(self, body: Json, on_usage: Callable[[Usage], None]) -> Json:
        """Answer with a message. ``on_usage`` is called before this returns or raises, if billed.

        Raises Unavailable, RequestRejected, MalformedAnswer or WindowExceeded.
        """


def import_sdk_early() -> threading.Thread:
    """Start importing the SDK in the background."""
    thread = threading.Thread(target=importlib.import_module, args=("anthropic",), daemon=True)
    thread.start()
    return thread


class AnthropicService:
    """The real thing. Safe to use from several threads.

    ``silence`` is how many seconds nothing may come while an answer is due (the service pings),
    ``longest`` how many a request may take, with all of its answer.
    """

    def __init__(
        self, credentials: Credentials, silence: float = 180.0, longest: float = 1800.0
    ) -> None:
        self._credentials = credentials
        self._silence = silence
        self._longest = longest
        self._lock = threading.Lock()
        self._sdk: anthropic.Anthropic | None = None

    def send(self, body: Json, on_usage: Callable[[Usage], None]) -> Json:
        assembly = Assembly()
        failure: ModelFailure | WindowExceeded | None = None
        try:
            return run_within(self._longest, lambda: self._attempt_request(body, assembly))
        except ModelFailure:
            raise
        except Exception as error:
            if assembly.complete:  # Nothing is missing but the end of the connection.
                return assembly.finish()
            failure = translate_error(error)
            if failure is None:
                raise
        finally:
            # Also when it failed: what was billed has to be in the ledger before anything is
            # raised.
            if assembly.usage.total:
                on_usage(assembly.usage)
        # Outside the handler: the SDK's errors hold the request's headers, so they are not chained.
        raise failure

    def _attempt_request(self, body: Json, assembly: Assembly) -> Json:
        with self.open_client().messages.create(**body, stream=True) as stream:
            named = stream.response.headers.get("content-type", "")
            kind = named.partition(";")[0].strip().lower()
            if kind == "application/json":
                return _read_whole(stream.response, assembly)
            if kind != "text/event-stream":
                raise _make_unreadable(f"it is of the type '{kind or 'unknown'}'")
            for name, data in _read_events(stream.response):
                event = _read_object(data)
                if name == "error":
                    raise _stream_error(event)
                assembly.feed(event)
            return assembly.finish()

    def open_client(self) -> "anthropic.Anthropic":
        """The SDK's client, made once."""
        import anthropic
        import httpx2

        with self._lock:
            if self._sdk is None:
                given = self._credentials
                hooks = {"response": [limit_reading(self._longest)]}
                self._sdk = anthropic.Anthropic(
                    api_key=given.secret if given.kind == "key" else None,
                    auth_token=given.secret if given.kind == "token" else None,
                    base_url=given.base_url,
                    # Ours are bounded by a deadline (see ``retry``).
                    max_retries=0,
                    timeout=httpx2.Timeout(self._silence, connect=_CONNECT),
                    # A prompt goes to the address that the user chose, and to no other.
                    http_client=anthropic.DefaultHttpxClient(
                        event_hooks=hooks, follow_redirects=False
                    ),
                    # Nothing about a request goes anywhere but to the service.
                    open_telemetry=False,
                )
                # Kept connections are closed when nobody can use them any more.
                weakref.finalize(self, self._sdk.close)
            return self._sdk


def _read_events(response: "httpx2.Response") -> Iterator[tuple[str | None, str]]:
    import anthropic

    received = 0
    for event in anthropic.Stream.raw_events(response):
        received += len(event.data)
        if received > _LONGEST_ANSWER:
            raise _make_unreadable("it does not end")
        if event.data:
            yield event.event, event.data


def _read_whole(response: "httpx2.Response", assembly: Assembly) -> Json:
    # A gateway between may answer at once though a stream was asked for.
    text = bytearray()
    for chunk in response.iter_bytes():
        text += chunk
        if len(text) > _LONGEST_ANSWER:
            raise _make_unreadable("it does not end")
    message = _read_object(text.decode("utf-8", "replace"))
    if message.get("type") == "error":
        raise _stream_error(message)
    with contextlib.suppress(MalformedAnswer):
        to_usage(message.get("usage"))
        assembly.feed({"type": "message_start", "message": message})
        assembly.feed({"type": "message_stop"})
    return message


def _read_object(data: str) -> Json:
    try:
        event = json.loads(data)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        raise _make_unreadable("it is not JSON")
    return event


def _stream_error(event: Json) -> ModelFailure:
    given = event.get("error")
    error = given if isinstance(given, dict) else {}
    kind, said = str(error.get("type")), str(error.get("message") or "")[:500]
    if kind in _LATER_KINDS:
        return Unavailable(f"the model service broke off its answer ({kind})")
    return RequestRejected(
        f"the model service broke off its answer: {said or kind}", http_status=200
    )


def translate_error(error: Exception) -> ModelFailure | WindowExceeded | None:
    """Our own failure for one of the SDK's or its transport's; None for anything else."""
    import anthropic
    import httpx2

    if isinstance(error, AnswerTooSlow):
        return Unavailable(str(error))
    if isinstance(error, anthropic.APIStatusError):
        return _status_failure(error)
    if isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException):
        return Unavailable("the model service does not answer in time")
    if isinstance(error, anthropic.APIConnectionError):
        return Unreachable(f"no connection to the model service ({error.__cause__ or error})")
    if isinstance(error, httpx2.RequestError | httpx2.StreamError):
        return Unavailable(f"the connection to the model service broke ({error})")
    if isinstance(error, UnicodeDecodeError | httpx2.InvalidURL | anthropic.AnthropicError):
        return _make_unreadable(str(error))
    return None


def _status_failure(error: "anthropic.APIStatusError") -> ModelFailure | WindowExceeded:
    code = error.status_code
    said = error.api_message or error.type or "no reason given"
    # A prompt beyond the window has no code of its own; should the words change, it is a plain 400.
    if code == 413 or (code == 400 and "prompt is too long" in said):
        return WindowExceeded("the conversation is too long for the model")
    if 300 <= code < 400:
        return RequestRejected(
            f"the model service answers {code}: it sends us to another address "
            f"({error.response.headers.get('location', 'none given')[:200]})",
            http_status=code,
            hint="if that address is right, set ANTHROPIC_BASE_URL to it",
        )
    text = f"the model service answers {code}: {said[:500]}"
    advice = error.response.headers.get("x-should-retry")
    # The service itself knows best whether another try can help.
    if (code in _LATER or code >= 500) and advice != "false":
        delay = _read_delay(error.response.headers)
        return Unavailable(text, retry_after=delay, http_status=code)
    return RequestRejected(text, http_status=code, hint=_HINTS.get(code))


def _read_delay(headers: "httpx2.Headers") -> float | None:
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        with contextlib.suppress(ValueError):
            seconds = float(headers.get(name, "")) * unit
            # "nan" and "inf" are numbers to float(), and a negative wait is none.
            if 0 <= seconds < 1e9:
                return seconds
    return _seconds_until(headers.get("retry-after", ""))


def _seconds_until(date: str) -> float | None:
    from email.utils import parsedate_to_datetime

    with contextlib.suppress(ValueError):
        return max(0.0, parsedate_to_datetime(date).timestamp() - time.time())
    return None


def _make_unreadable(why: Any) -> MalformedAnswer:
    return MalformedAnswer(
        f"the model service sent an answer that cannot be read: {why}",
        hint="check ANTHROPIC_BASE_URL and any proxy between, or use --offline",
    )
