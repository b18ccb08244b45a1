"""Texts of TypeScript that are states."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

MANAGER = """
export class Manager {
  state: string;
  constructor() { this.state = 'initial'; }
  connect() {
    if (this.state === 'open') { return; }
    this.updateState('open');
  }
  close() {
    if (this.state !== 'open') { throw new Error('not open'); }
    this.updateState('closed', { by: 'us' });
  }
  private updateState(next: string, data?: any) {
    const previous = this.state;
    this.state = next;
    if (previous !== next) { this.emit(next, data); }
  }
}
"""


def test_a_text_goes_through_what_its_class_gives_it() -> None:
    found = declare({"net/manager.ts": MANAGER})
    assert "state: initial | open | closed" in found
    assert "initial -> open\n        open -> closed\n        closed -> open" in found
    assert "requires: manager.state = open\n    ensures: manager.state = closed" in found


def test_it_may_begin_at_the_field() -> None:
    text = MANAGER.replace("state: string;", "private state = 'initial';").replace(
        "constructor() { this.state = 'initial'; }", ""
    )
    assert "initial -> open" in declare({"net/manager.ts": text})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("constructor() { this.state = 'initial'; }", ""),  # nobody knows how it begins
        ("private updateState", "updateState"),  # others may call it
        ("this.updateState('open');", "this.updateState(this.choose());"),
        ("this.updateState('open');", "this.run(this.updateState);"),
        ("this.updateState('open');", "this.updateState('open'); this.state = read();"),
        ("this.updateState('open');", "this.updateState('open'); this.state += 'x';"),
        ("this.updateState('open');", "this.updateState('open'); Object.assign(this, more);"),
        ("const previous = this.state;", "next = next.trim();"),
        ("if (this.state === 'open')", "if (this.state === 'other')"),  # it comes from elsewhere
    ],
)
def test_a_text_that_may_be_anything_is_a_text(old: str, new: str) -> None:
    assert old in MANAGER
    found = declare({"net/manager.ts": MANAGER.replace(old, new)})
    assert "->" not in found
    assert "initial |" not in found


ORDER = """
enum State { Idle = 'idle', Open = 'open', Closed = 'closed' }

export class Order {
  lines: string[] | undefined;
  state: State = State.Idle;

  open() { this.state = State.Open; }
  close() { this.shut(); }
  total() { this.throwIfMissing('total'); this.send(); }
  ship() { this.#look(); this.send(); }

  private shut() { this.state = State.Closed; }
  private throwIfMissing(name: string) { if (this.lines == null) { throw new Error(name); } }
  #look() { if (this.state == State.Idle) { throw new Error('idle'); } }
}
"""


def test_private_methods_are_steps_of_others() -> None:
    told = declare({"shop/order.ts": ORDER})
    assert "ensures: ShutOrder(order: order)" in told.partition("rule OrderClose {")[2]
    assert "requires: order.lines != null" in told.partition("rule OrderTotal {")[2]
    assert "requires: order.state in {closed, open}" in told.partition("rule OrderShip {")[2]
    assert "rule OrderThrowIfMissing" not in told
    assert "rule OrderLook" not in told
