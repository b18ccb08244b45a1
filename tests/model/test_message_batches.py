"""Batches over a real socket: what is sent, what comes back, and what of that is believed."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.model.budget import Budget
from git_retcon.model.failures import BudgetSpent, MalformedAnswer, RequestRejected
from git_retcon.model.ledger import Ledger
from git_retcon.model.message_batches import (
    Batches,
    BatchGone,
    ResultsCut,
    SendingUnclear,
    open_batches,
)
from git_retcon.model.messages import Request, Usage, user
from tests.model.loopback import Hangup, LoopbackApi, Raw, Says, malformed, says, status

SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


@pytest.fixture
def api() -> Iterator[LoopbackApi]:
    server = LoopbackApi()
    yield server
    server.close()


def open_here(api: LoopbackApi, top: Path, budget: Budget | None = None) -> Batches:
    env = {**api.env, "XDG_STATE_HOME": str(top)}
    return open_batches(budget or Budget(), env, lambda line: None)


def ask(text: str) -> Request:
    return Request("claude-haiku-5-5", "be brief", (user(text),), 1000)


def test_results_come_in_any_order_and_each_is_read_by_itself(
    api: LoopbackApi, tmp_path: Path
) -> None:
    batches = open_here(api, tmp_path)
    made: dict[str, Says | str] = {
        "one": says(f"yes, {SECRET}"),
        "two": "expired",
        "three": "errored",
        "four": says("half", without=("content",)),
        "five": "canceled",
        "six": says("no bill", usage={"input_tokens": -1, "output_tokens": 1}),
    }
    api.batches.garbage = b'{"custom_id": 1}\n[]\n'
    api.batches.answers = lambda body: made[body["messages"][0]["content"][0]["text"].split()[0]]
    bodies = batches.make_bodies([ask(f"{name} {SECRET}") for name in made])
    sent = batches.send(list(zip(made, bodies, strict=True)))
    assert SECRET not in json.dumps(api.batches.created)
    assert (sent.ended, sent.done, sent.total) == (False, 0, 6)
    assert batches.see(sent.identity).ended
    found = {one.name: one for one in batches.read_results(sent.identity)}
    assert [found[name].outcome for name in made] == [
        "succeeded", "expired", "errored", "succeeded", "canceled", "succeeded"
    ]  # fmt: skip
    first = found["one"].reply
    assert first is not None and first.text == "yes, [masked secret ..r8]"
    assert [found[name].why for name in ("two", "three", "five")] == [
        "the batch ended before its turn came",
        "the service refused it: it is refused",
        "it was cancelled",
    ]
    # It cannot be read, and was billed.
    assert found["four"].reply is None and "it has no content" in found["four"].why
    assert found["four"].usage == Usage(100, 20)
    assert "its input_tokens is -1" in found["six"].why


def test_results_that_break_off_are_read_as_far_as_they_came(
    api: LoopbackApi, tmp_path: Path
) -> None:
    batches = open_here(api, tmp_path)
    api.batches.answers = lambda body: says("yes")
    api.batches.cut = 10
    bodies = batches.make_bodies([ask("one"), ask("two")])
    sent = batches.send(list(zip(("one", "two"), bodies, strict=True)))
    results = batches.read_results(sent.identity)
    assert next(results).name == "two"
    with pytest.raises(ResultsCut, match=f"1 result of batch {sent.identity} came only in part"):
        next(results)


def test_a_batch_costs_half_and_the_ledger_says_so(api: LoopbackApi, tmp_path: Path) -> None:
    batches = open_here(api, tmp_path, Budget(max_cost=0.01))
    used = Usage(input=1_000_000, output=100_000)
    dollars = batches.spending.add_batched("claude-sonnet-5-5", used)
    assert dollars == pytest.approx((2 + 1) / 2)
    batches.book("claude-sonnet-5-5", used, dollars)
    batches.book("claude-sonnet-5-5", used, dollars)
    (total,) = Ledger(tmp_path / "git-retcon", print).statement().totals
    assert (total.way, total.requests) == ("batch", 2)
    assert total.dollars == pytest.approx(3.0)
    (body,) = batches.make_bodies([ask("why?")])
    # At most 1000 tokens of output of the small model, at half of $0.50 a million, and the prompt.
    assert 0.00025 < batches.spending.estimate_batch([body]) < 0.0003
    with pytest.raises(BudgetSpent, match="nothing was sent"):
        batches.spending.estimate_batch([body] * 50)
    assert api.requests == []


def test_what_the_service_has_no_more_refuses_or_garbles_is_said(
    api: LoopbackApi, tmp_path: Path
) -> None:
    batches = open_here(api, tmp_path)
    (body,) = batches.make_bodies([ask("why?")])
    api.batches.refusals = [status(400, "invalid_request_error", "no such model")]
    with pytest.raises(RequestRejected, match="no such model"):
        batches.send([("a", body)])
    strange: list[Mapping[str, object]] = [
        {}, {"id": "../../x", "processing_status": "ended"}, {"id": "b", "processing_status": "?"}
    ]  # fmt: skip
    # It may have taken them all the same: nothing is sent again.
    unclear: list[Raw | Hangup] = [*map(malformed, strange), status(500), Hangup()]
    for answer in unclear:
        api.batches.refusals = [answer, answer]
        with pytest.raises(SendingUnclear, match="whether it has the batch is not known"):
            batches.send([("a", body)])
        assert len(api.batches.refusals) == 1
    api.batches.refusals = [status(529, "overloaded_error", "Overloaded", retry_after=0)]
    assert batches.send([("a", body)]).total == 1
    with pytest.raises(BatchGone):
        batches.see("msgbatch_unknown")
    with pytest.raises(MalformedAnswer):
        batches.see("../messages")


def test_a_cassette_holds_no_batches(api: LoopbackApi, tmp_path: Path) -> None:
    env = {**api.env, "GIT_RETCON_CASSETTE": f"record:{tmp_path / 'tape'}"}
    with pytest.raises(Fatal, match="a cassette holds no batches"):
        open_batches(Budget(), env, print)
