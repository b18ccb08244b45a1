"""What waits for an event runs in a state that something sets, or that it was left in."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

CALL = """
enum State { Ringing = 'ringing', Answered = 'answered', Active = 'active', Ended = 'ended' }
export class Call {
  private state: State = State.Ringing;
  answer(): void {
    if (this.state !== State.Ringing) return;
    this.move(State.Answered);
    this.line.on('change', this.onChange);
  }
  hangup(): void {
    if (this.state === State.Ended) return;
    this.move(State.Ended);
  }
  private move(state: State): void {
    this.state = state;
    this.line.log(state);
  }
  private onChange(): void {
    if (this.state === State.Ended) return;
    this.state = State.Active;
    this.line.log('active');
  }
}
"""


def declare_call(old: str = "", new: str = "") -> str:
    return declare({"net/call.ts": CALL.replace(old, new)})


@pytest.mark.parametrize(
    "handed",
    ["this.onChange", "this.onChange.bind(this)", "() => this.onChange()",
     "() => { this.onChange(); }"],
)  # fmt: skip
def test_an_event_does_not_come_in_a_state_that_nothing_sets_again(handed: str) -> None:
    told = declare_call(
        "this.line.on('change', this.onChange)", f"this.line.on('change', {handed})"
    )
    assert "        answered -> active\n" in told
    assert "        ringing -> active\n" not in told


def test_it_comes_in_one_that_something_sets() -> None:
    told = declare_call("  hangup()", "  again(): void { this.move(State.Ringing); }\n  hangup()")
    assert "        ringing -> active\n" in told


@pytest.mark.parametrize(
    "others",
    [
        "  again(state: State): void { this.move(state); }\n",
        "  again(): void { this.state = this.line.state; }\n",
        "  again(): void { this.line.run(this.move(this.line.state)); }\n",
    ],
)
def test_it_may_come_in_any_where_one_that_is_set_is_not_known(others: str) -> None:
    told = declare_call("  hangup()", f"{others}  hangup()")
    assert "if call.state = ringing: call.state = active\n" in told
    assert "terminal" not in told
