"""States that nothing in a TypeScript file gives to anything."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

FILE = """
export class File {
  private state: State = State.NEW;
  open() {
    if (this.state !== State.NEW) { throw new Error(); }
    this.state = State.OPEN;
  }
  close() {
    if (this.state !== State.OPEN) { throw new Error(); }
    this.state = State.CLOSED;
  }
  MORE
}
"""
ENUM = "enum State { NEW, OPEN, CLOSED, LOST }\n"
OBJECT = (
    "const State = { NEW: 'new', OPEN: 'open', CLOSED: 'closed', LOST: 'lost' } as const;\n"
    "type State = (typeof State)[keyof typeof State];\n"
)
GRAPH = """\
    transitions state {
        new -> open
        open -> closed
        terminal: closed, lost
    }
"""
QUESTION = "File.state: no operation here leads to or from lost. What does?"


@pytest.mark.parametrize("states", [ENUM, OBJECT])
@pytest.mark.parametrize(
    "more",
    [
        "",
        "isLost() { return this.state === State.LOST; }",
        "lost() { return State.CLOSED !== this.state; }",
        "run() { switch (this.state) { case State.LOST: throw new Error(); } }",
    ],
)
def test_a_state_that_nothing_is_given_is_left_by_nothing(states: str, more: str) -> None:
    told = declare({"disk/file.ts": states + FILE.replace("MORE", more)})
    assert GRAPH in told
    assert QUESTION in told


def test_a_union_of_texts_names_its_states_in_its_type_alone() -> None:
    text = FILE.replace("state: State =", "state: 'new' | 'open' | 'closed' | 'lost' =")
    for each in ("NEW", "OPEN", "CLOSED"):
        text = text.replace(f"State.{each}", f"'{each.lower()}'")
    assert GRAPH in declare({"disk/file.ts": text.replace("MORE", "")})
    assert GRAPH not in declare({"disk/file.ts": text.replace("MORE", "") + "put('lost');\n"})


@pytest.mark.parametrize(
    "more",
    [
        "lose() { show(State.LOST); }",
        "lose() { this.set({ state: 'lost' }); }",
        "lose() { if (this.find(State.LOST) === 1) { return 1; } }",
        "setState(state: State) { this.state = state; }",
    ],
)
def test_where_it_may_be_given_the_graph_may_lack_something(more: str) -> None:
    told = declare({"disk/file.ts": ENUM + FILE.replace("MORE", more)})
    assert "transitions" not in told
    assert QUESTION in told
