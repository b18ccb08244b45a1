"""Results that say that an operation failed."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

INVOICE = """
import { err, left, failure } from './result';
export enum State { Draft = 'draft', Sent = 'sent', Paid = 'paid' }
export class Invoice {
  private state: State = State.Draft;
  send(): Result<void> {
    if (this.state !== State.Draft) { return Result.fail('sent'); }
    this.state = State.Sent;
    return Result.ok();
  }
  pay(amount: number): Result<void> {
    if (amount <= 0) { return Result.fail('nothing'); }
    const open = this.requireSent();
    if (open.isFailure) { return Result.fail(open.error); }
    this.state = State.Paid;
    return Result.ok();
  }
  private requireSent(): Result<void> {
    if (this.state !== State.Sent) { return Result.fail('not sent'); }
    return Result.ok();
  }
}
"""
SENT = "requires: invoice.state = draft\n    ensures: invoice.state = sent"
PAID = ("requires: invoice.state = sent\n", "requires: amount > 0\n", "sent -> paid\n")


@pytest.mark.parametrize(
    "failure",
    [
        "Result.fail('sent')", "Result.err(new Error())", "err('sent')", "left(new Sent())",
        "Either.left(new Sent())", "failure('sent')", "new Err('sent')", "Fail.create('sent')",
        "{ success: false, reason: 'sent' }", "{ ok: false }",
    ],
)  # fmt: skip
def test_a_failure_refuses_as_an_error_does(failure: str) -> None:
    source = INVOICE.replace("Result.fail('sent')", failure)
    assert SENT in declare({"sales/invoice.ts": source})


@pytest.mark.parametrize(
    "answer",
    ["left(this.items)", "error('sent')", "log.error('sent')", "box.left()", "this.tree.left()"],
)
def test_other_answers_refuse_nothing(answer: str) -> None:
    source = INVOICE.replace("err, left, failure", "Result").replace("Result.fail('sent')", answer)
    assert "requires: invoice.state = draft" not in declare({"sales/invoice.ts": source})


@pytest.mark.parametrize(
    "moved",
    [
        "this.state = State.Paid; if (amount < 0) { return Result.fail('late'); }",
        "if (amount > 9) { this.state = State.Paid; } if (amount < 0) { return err('late'); }",
        "this.move(); if (amount < 0) { return Result.fail('late'); }",
    ],
)
def test_a_failure_behind_a_move_is_no_refusal(moved: str) -> None:
    step = "private move() { this.state = State.Paid; }\n  private requireSent()"
    source = INVOICE.replace("this.state = State.Paid;", moved).replace(
        "private requireSent()", step
    )
    source = source.replace("if (amount <= 0) { return Result.fail('nothing'); }", "")
    assert "amount" not in declare({"sales/invoice.ts": source}).partition("rule InvoicePay")[
        2
    ].partition("}")[0].replace("(invoice, amount)", "")


def test_what_a_step_answers_so_is_handed_on() -> None:
    found = declare({"sales/invoice.ts": INVOICE})
    assert all(each in found for each in PAID)


@pytest.mark.parametrize(
    ("held", "asked"),
    [
        ("const open = this.requireSent();", "if (!open.isSuccess) { return open; }"),
        ("const open = this.requireSent();", "if (open.isErr()) return err(open.error);"),
        ("", "if (this.requireSent().isLeft()) return left(new Unsent());"),
    ],
)
def test_failures_are_asked_for_in_several_ways(held: str, asked: str) -> None:
    source = INVOICE.replace("const open = this.requireSent();", held)
    source = source.replace("if (open.isFailure) { return Result.fail(open.error); }", asked)
    found = declare({"sales/invoice.ts": source})
    assert all(each in found for each in PAID)


@pytest.mark.parametrize(
    "kept",
    [
        "if (open.isFailure) { this.warn(open.error); }",
        "this.last = open;",
        "",
    ],
)
def test_a_failure_that_an_operation_keeps_refuses_nothing(kept: str) -> None:
    asked = "if (open.isFailure) { return Result.fail(open.error); }"
    found = declare({"sales/invoice.ts": INVOICE.replace(asked, kept)})
    assert "requires: invoice.state = sent" not in found


def test_a_state_that_is_set_before_is_not_refused() -> None:
    source = INVOICE.replace(
        "{ return Result.fail('sent'); }",
        "{ this.state = State.Paid; return Result.fail('sent'); }",
    )
    assert SENT not in declare({"sales/invoice.ts": source})


def test_a_method_of_the_object_is_no_failure() -> None:
    source = INVOICE.replace("Result.fail('sent')", "this.fail('sent')")
    assert SENT not in declare({"sales/invoice.ts": source})


def test_a_result_itself_refuses_nothing() -> None:
    source = """
    export class Result<T> {
      constructor(readonly isSuccess: boolean, readonly value: T) {}
      map(change: Change): Result<T> {
        if (!this.isSuccess) { return Result.fail(this.value); }
        return Result.ok(change(this.value));
      }
    }
    """
    assert "rule" not in declare({"core/result.ts": source})
