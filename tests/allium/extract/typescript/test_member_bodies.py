"""What the functions of a class do, whose states are in another file or in its own."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

ENUM = "enum State { New = 'new', Open = 'open', Closed = 'closed' }"
DOOR = """
export class Door {
  private state: State = State.New;
  open(callback: Function) {
    if (this.state !== State.New) { callback(new Error('opened')); return; }
    this.state = State.Open;
    this.tell(callback);
  }
  close(): void {
    if (this.state !== State.Open) { return this.warn('not open'); }
    this.state = State.Closed;
  }
}
"""
RULE = "requires: door.state = new\n    ensures: door.state = open"


@pytest.mark.parametrize("is_apart", [False, True])
def test_an_error_for_a_callback_refuses_wherever_the_states_are(is_apart: bool) -> None:
    files = {"door.ts": ENUM + DOOR}
    if is_apart:
        files = {
            "door.ts": "import { State } from './state';" + DOOR,
            "state.ts": f"export {ENUM}",
        }
    found = declare(files)
    assert RULE in found
    assert "new -> open\n        open -> closed\n        terminal: closed" in found


def test_a_call_whose_answer_is_taken_apart_runs_its_method() -> None:
    source = """
    enum State { New, Open, Closed }
    class Link {
      private state: State = State.New;
      async open(name: string) {
        const { peer, warnings } = await this.check(name);
        this.state = State.Open;
        return peer;
      }
      private async check(name: string) {
        if (this.state !== State.New) throw new Error('used');
        return await this.socket.ask(name);
      }
      close() { this.state = State.Closed; }
    }
    """
    found = declare({"net/link.ts": source})
    assert "requires: link.state = new" in found and "closed -> open" not in found


def test_a_type_before_a_value_changes_nothing() -> None:
    source = """
    enum State { New, Open, Closed }
    class Link {
      private state: State = State.New;
      open() { if (this.state !== <any>State.New) { return; } this.state = State.Open; }
      close() { this.state = State.Closed; }
    }
    """
    found = declare({"net/link.ts": source})
    assert "new -> open" in found and "closed -> open" not in found
