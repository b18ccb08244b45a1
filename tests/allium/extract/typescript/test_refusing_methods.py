"""What methods do on objects whose states other files have."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

STATES = "export enum State { Draft = 'draft', Sent = 'sent', Paid = 'paid' }"
INVOICE = """
import { State } from './states';
import { Guard } from './guard';
import { Result } from './result';
export class Invoice {
  private state: State = State.Draft;
  send(): Result<void> {
    if (this.state !== State.Draft) { return Result.fail('sent'); }
    this.state = State.Sent;
    return Result.ok();
  }
  pay(): Result<void> {
    PAYING
    this.state = State.Paid;
    return Result.ok();
  }
  private requireSent(): Result<void> {
    if (this.state !== State.Sent) { return Result.fail('not sent'); }
    return Result.ok();
  }
  private follows(from: State, to: State): boolean {
    switch (from) {
      case State.Draft: return to === State.Sent;
      case State.Sent: return to === State.Paid;
      default: return false;
    }
  }
}
"""


@pytest.mark.parametrize(
    "paying",
    [
        "if (this.state !== State.Sent) { return Result.fail('not sent'); }",
        "const sent = this.requireSent(); if (sent.isFailure) { return sent; }",
        "Guard.against(this.state !== State.Sent, 'not sent');",
        "if (!this.follows(this.state, State.Paid)) { return Result.fail('not sent'); }",
    ],
)
def test_an_operation_refuses_as_where_its_own_file_has_the_states(paying: str) -> None:
    source = INVOICE.replace("PAYING", paying)
    apart = declare({"sales/invoice.ts": source, "sales/states.ts": STATES})
    whole = declare(
        {"sales/invoice.ts": source.replace("import { State } from './states';", STATES)}
    )
    for found in (apart, whole):
        assert "requires: invoice.state = draft\n    ensures: invoice.state = sent" in found
        assert "requires: invoice.state = sent\n    ensures: invoice.state = paid" in found
        assert "draft -> sent\n        sent -> paid\n        terminal: paid" in found


def test_what_a_method_keeps_of_a_failure_refuses_nothing() -> None:
    source = INVOICE.replace("PAYING", "this.last = this.requireSent();")
    found = declare({"sales/invoice.ts": source, "sales/states.ts": STATES})
    assert "requires: invoice.state = sent\n    ensures: invoice.state = paid" not in found
