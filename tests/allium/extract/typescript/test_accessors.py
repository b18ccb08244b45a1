"""Accessors of TypeScript that give a field another name."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

CLIENT = """
export enum State { Idle = 'idle', Open = 'open', Closed = 'closed' }
export class Client {
  private _state: State = State.Idle;
  get state() { return this._state; }
  set state(value: State) {
    SETTER
  }
  connect() {
    if (this.state !== State.Idle) throw new Error('late');
    this.state = State.Open;
  }
  close = () => { this.state = State.Closed; };
}
"""


@pytest.mark.parametrize(
    "setter",
    [
        "this._state = value; this.emit('state', value);",
        "if (value === this._state) return; const old = this._state; this._state = value;",
        "if (this._state !== value) { this._state = value; }",
    ],
)
def test_what_sets_the_accessor_sets_the_field(setter: str) -> None:
    found = declare({"net/client.ts": CLIENT.replace("SETTER", setter)})
    assert "requires: client.state = idle\n    ensures: client.state = open" in found
    assert "open -> closed" in found


@pytest.mark.parametrize(
    "setter",
    [
        "if (this.locked) throw new Error(); this._state = value;",
        "if (this.locked) return; this._state = value;",
        "this._state = compute(value);",
    ],
)
def test_a_setter_that_may_do_something_else_is_no_other_name(setter: str) -> None:
    found = declare({"net/client.ts": CLIENT.replace("SETTER", setter)})
    assert "idle -> open" not in found


def test_services_set_the_field_of_a_class_by_its_own_accessor_alone() -> None:
    """An object of another class may have something else under that name."""
    text = CLIENT.replace("SETTER", "this._state = value;").replace(
        "close = () => {", "close = () => { this.other.state = State.Idle;"
    )
    assert "open -> closed" in declare({"net/client.ts": text})
