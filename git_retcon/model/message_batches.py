"""The Message Batches API: many requests sent at once, answered within a day, for half the price.

What comes back is checked as every answer is. Results come in any order and name their requests.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from git_retcon.errors import Fatal, Reason
from git_retcon.files.xdg import state_folder
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.api_format import to_body, to_reply, to_usage
from git_retcon.model.budget import Budget
from git_retcon.model.cassette import cassette_in
from git_retcon.model.credentials import required_credentials
from git_retcon.model.failures import (
    MalformedAnswer,
    ModelFailure,
    RequestRejected,
    Unavailable,
    Unreachable,
)
from git_retcon.model.known_secrets import secrets_in
from git_retcon.model.ledger import BATCH, Ledger
from git_retcon.model.masked_json import mask_json
from git_retcon.model.messages import Json, Reply, Request, Usage
from git_retcon.model.prices import find_prices
from git_retcon.model.redaction import Redactor
from git_retcon.model.retry import Patience, retry_request
from git_retcon.model.service import AnthropicService, translate_error
from git_retcon.model.spending import Spending
from git_retcon.show.counting import count

_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")  # it becomes a part of an address
_FOLDER = "/v1/messages/batches"
_LONGEST = 256 * 1024 * 1024  # bytes of results, as of requests
_SHOWN = 300  # characters of an error
_NOT_TAKEN = (429, 529)  # too many requests, overloaded

Answer = TypeVar("Answer")


class BatchStatus(NamedTuple):
    """How far a batch is. ``done`` counts the requests that are answered or will never be."""

    identity: str
    ended: bool
    canceling: bool
    done: int
    total: int


class BatchResult(NamedTuple):
    """What became of one request: succeeded, errored, canceled or expired. Only one that succeeded
    was billed, and has a reply, unless ``why`` says what is wrong with it.
    """

    name: str
    outcome: str
    why: str = ""
    model: str = ""
    usage: Usage = Usage()
    reply: Reply | None = None


@dataclass(frozen=True)
class Batches:
    """Sends batches and fetches their results; no secret is in what is sent or answered. ``tell``
    gets a line for the user while waiting for another try; ``book`` gets (model, usage, dollars)
    of every request that was billed, for the ledger.
    """

    service: AnthropicService
    spending: Spending
    redactor: Redactor
    patience: Patience
    tell: Callable[[str], None]
    book: Callable[[str, Usage, float], None]

    def make_bodies(self, requests: Sequence[Request]) -> list[dict[str, Any]]:
        """The requests as they are sent."""
        return [mask_json(to_body(request), self.redactor) for request in requests]

    def send(self, named: Sequence[tuple[str, Json]]) -> BatchStatus:
        """Send bodies, each with a name of its own.

        Raises SendingUnclear where the service may have them all the same, else ModelFailure.
        """
        requests = [{"custom_id": name, "params": body} for name, body in named]

        def post(sdk: Any) -> Any:
            return sdk.post(_FOLDER, cast_to=_raw(), body={"requests": requests})

        def attempt() -> str:
            try:
                return self._ask(post)
            except Unavailable as failure:
                # Another attempt could be another batch, unless this one was surely not taken.
                if isinstance(failure, Unreachable) or failure.http_status in _NOT_TAKEN:
                    raise
                raise _explain_unclear(failure) from failure

        text = retry_request(attempt, self.patience, self.tell)
        try:
            return _read_status(text)
        except MalformedAnswer as failure:
            raise _explain_unclear(failure) from failure

    def see(self, identity: str) -> BatchStatus:
        """How far a batch is. Raises BatchGone where the service has it no more."""
        return _read_status(self._fetch(identity, ""))

    def read_results(self, identity: str) -> Iterator[BatchResult]:
        """The results of a batch that has ended, those that can be told apart. Raises BatchGone,
        ModelFailure, and, behind all that can be read, ResultsCut.
        """
        text = self._fetch(identity, "/results")
        cut = 0
        for line in filter(str.strip, text.split("\n")):
            # One that is garbled must not keep the others from being taken up.
            try:
                yield self._read_result(line)
            except MalformedAnswer:
                cut += _is_cut(line)
        if cut:
            raise ResultsCut(f"{count(cut, 'result')} of batch {identity} came only in part")

    def _fetch(self, identity: str, what: str) -> str:
        if not _ID.fullmatch(identity):
            raise _malformed(f"the batch is named {identity[:80]!r}")

        def ask() -> str:
            return self._ask(lambda sdk: sdk.get(f"{_FOLDER}/{identity}{what}", cast_to=_raw()))

        try:
            return retry_request(ask, self.patience, self.tell)
        except RequestRejected as refusal:
            if refusal.http_status in (404, 410):
                raise BatchGone(
                    f"the service has nothing of batch {identity} any more",
                    hint="'git heal --batch' sends another",
                    commands=[["git", "heal", "--batch"]],
                ) from refusal
            raise

    def _ask(self, call: Callable[[Any], Any]) -> str:
        failure: Exception | None
        try:
            response = call(self.service.open_client())
            if len(response.content) > _LONGEST:
                raise _malformed("it does not end")
            text: str = response.text
            return text
        except ModelFailure:
            raise
        except Exception as error:
            failure = translate_error(error)
            if failure is None:
                raise
            # A connection that broke may have brought the request there.
            if isinstance(failure, Unreachable) and not _never_connected(error):
                failure = Unavailable(str(failure))
        # Outside the handler: the SDK's errors hold the request's headers.
        failure.args = (self.redactor.redact_text(str(failure)),)
        raise failure

    def _read_result(self, line: str) -> BatchResult:
        row = _read_object(line)
        name, result = row.get("custom_id"), row.get("result")
        if not isinstance(name, str) or not isinstance(result, dict):
            raise _malformed("a result has no name")
        kind = str(result.get("type"))
        if kind == "succeeded":
            return self._read_message(name, result.get("message"))
        why = {
            "expired": "the batch ended before its turn came",
            "canceled": "it was cancelled",
        }.get(kind)
        return BatchResult(name, kind[:_SHOWN], why or self._read_error(result))

    def _read_message(self, name: str, message: object) -> BatchResult:
        model = str(message.get("model")) if isinstance(message, dict) else ""
        # What was billed first, as everywhere: a bad answer is paid for knowingly.
        usage = Usage()
        try:
            usage = to_usage(message.get("usage") if isinstance(message, dict) else None)
            reply = to_reply(mask_json(message, self.redactor))
        except MalformedAnswer as fault:
            return BatchResult(name, "succeeded", str(fault), model, usage)
        return BatchResult(name, "succeeded", "", model, usage, reply)

    def _read_error(self, result: Json) -> str:
        error: object = result
        while isinstance(error, dict) and isinstance(error.get("error"), dict):
            error = error["error"]
        said = error.get("message") if isinstance(error, dict) else None
        text = self.redactor.redact_text(str(said or "no reason given"))
        return f"the service refused it: {text[:_SHOWN]}"


def open_batches(budget: Budget, env: Mapping[str, str], tell: Callable[[str], None]) -> Batches:
    """What talks to the service about batches of ``git heal``, within a budget.

    Raises NoCredentials, or Fatal for a bad price table and for a cassette, which holds none.
    """
    if cassette_in(env) is not None:
        raise Fatal(
            "a cassette holds no batches",
            hint="unset GIT_RETCON_CASSETTE, or leave out --batch",
            reason=Reason.INVALID,
        )
    service = AnthropicService(required_credentials(env))
    ledger = Ledger(state_folder(env), tell)

    def book(model: str, usage: Usage, dollars: float) -> None:
        ledger.book("heal", model, usage, dollars, way=BATCH)

    redactor = Redactor(secrets_in(env))
    return Batches(service, Spending(budget, find_prices(env)), redactor, Patience(), tell, book)


class SendingUnclear(ModelFailure):
    """Whether the service has taken a batch is not known."""


def _explain_unclear(failure: ModelFailure) -> SendingUnclear:
    return SendingUnclear(
        f"{failure}; whether it has the batch is not known",
        hint="look at the batches of your account before you send another with 'git heal --batch'",
        commands=[["git", "heal", "--batch"]],
    )


class ResultsCut(ModelFailure):
    """Results broke off on their way; the service has them still."""

    reason = Reason.UNAVAILABLE


class BatchGone(Fatal):
    """The service keeps results for some weeks only."""

    reason = Reason.NOT_READY


def _never_connected(error: Exception) -> bool:
    import httpx2

    return isinstance(error.__cause__, httpx2.ConnectError | httpx2.ConnectTimeout)


def _raw() -> Any:
    import httpx2

    return httpx2.Response


def _read_status(text: str) -> BatchStatus:
    found = _read_object(text)
    identity, status = found.get("id"), found.get("processing_status")
    if not isinstance(identity, str) or not _ID.fullmatch(identity):
        raise _malformed("a batch has no id")
    if status not in ("in_progress", "canceling", "ended"):
        raise _malformed(f"a batch is {str(status)[:40]!r}")
    given = found.get("request_counts")
    counts = given if isinstance(given, dict) else {}
    numbers = {key: value for key, value in counts.items() if isinstance(value, int)}
    total = sum(numbers.values())
    done = total - numbers.get("processing", 0)
    return BatchStatus(identity, status == "ended", status == "canceling", done, total)


def _read_object(text: str) -> Json:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise _malformed("it is not JSON")
    return found


def _is_cut(line: str) -> bool:
    """Whether a line is no whole JSON; what is too deep or too long for us is not cut."""
    try:
        json.loads(line)
    except json.JSONDecodeError:
        return True
    except (ValueError, RecursionError):
        return False
    return False


def _malformed(why: str) -> MalformedAnswer:
    return MalformedAnswer(
        f"the model service sent an answer that cannot be read: {why}",
        hint="check ANTHROPIC_BASE_URL and any proxy between",
    )
