"""Tables of other files."""

import pytest

from git_retcon.allium.extract.typescript.imported_tables import ask_imported
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

STATES = """
export enum State { Open = 'open', Busy = 'busy', Shut = 'shut' }
export const NEXT: Record<State, readonly State[]> = {
  [State.Open]: [State.Busy], [State.Busy]: [State.Shut], [State.Shut]: [],
};
"""
DESK = """
import { State, NEXT } from './states';
export class Desk {
  private state: State = State.Open;
  work(): void { this.become(State.Busy); }
  shut(): void { this.become(State.Shut); }
  private become(next: State): void {
    if (!NEXT[this.state].includes(next)) { throw new Error('not now'); }
    this.state = next;
  }
}
"""
MOVES = "open -> busy\n        busy -> shut\n        terminal: shut"


@pytest.mark.parametrize(
    "asked",
    [
        "if (!NEXT[this.state].includes(next))",
        "if (!NEXT[this.state]?.includes(next))",
        "if (!(NEXT[this.state] ?? []).includes(next))",
        "const listed = NEXT[this.state];\n    if (!listed.includes(next))",
    ],
)
def test_a_class_may_ask_a_table_of_another_file(asked: str) -> None:
    source = DESK.replace("if (!NEXT[this.state].includes(next))", asked)
    found = declare({"office/desk.ts": source, "office/states.ts": STATES})
    assert MOVES in found
    assert "requires: desk.state = busy\n    ensures: desk.state = shut" in found


def test_a_map_of_another_file_is_a_table_too() -> None:
    states = STATES.replace(
        "Record<State, readonly State[]> = {", "Map<State, State[]> = new Map(["
    )
    for name in ("Open", "Busy", "Shut"):
        states = states.replace(f"[State.{name}]: [", f"[State.{name}, [").replace("],", "]],")
    states = states.replace("]]]", "]]").replace("]]]", "]]").replace("};", "]);")
    assert "new Map([\n  [State.Open, [State.Busy]], [State.Busy, [State.Shut]]," in states
    source = DESK.replace("NEXT[this.state]", "NEXT.get(this.state)?")
    assert MOVES in declare({"office/desk.ts": source, "office/states.ts": states})


def test_a_table_that_is_nowhere_leaves_open_what_it_lists() -> None:
    found = declare(
        {"office/desk.ts": DESK, "office/states.ts": STATES[: STATES.index("export const")]}
    )
    assert "->" not in found


@pytest.mark.parametrize(
    "statement",
    [
        "return OTHER[this.state].includes(next);",
        "return this.names.includes(next);",
        "let listed = NEXT[this.state]; return listed.includes(next);",
    ],
)
def test_what_asks_something_else_stays_as_it_is(statement: str) -> None:
    source = f"import {{ NEXT }} from './a';\nclass Desk {{ ask(next) {{ {statement} }} }}".encode()
    assert ask_imported(source, "tree_sitter_typescript", "language_typescript") == source
