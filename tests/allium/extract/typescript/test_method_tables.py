"""Tables that methods write out."""

import pytest

from git_retcon.allium.extract.typescript.method_tables import lift_tables
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

TABLE = "{ [State.Open]: [State.Busy], [State.Busy]: [State.Shut], [State.Shut]: [] }"
DESK = f"""
export enum State {{ Open = 'open', Busy = 'busy', Shut = 'shut' }}
export class Desk {{
  private state: State = State.Open;
  work(): void {{ this.become(State.Busy); }}
  shut(): void {{ this.become(State.Shut); }}
  private become(next: State): void {{
    const rules: Record<State, State[]> = {TABLE};
    if (!rules[this.state].includes(next)) {{ throw new Error('not now'); }}
    this.state = next;
  }}
}}
"""
MOVES = "open -> busy\n        busy -> shut\n        terminal: shut"


@pytest.mark.parametrize(
    ("table", "asked"),
    [
        (TABLE, "rules[this.state].includes(next)"),
        (f"{TABLE} as const", "(rules[this.state] ?? []).includes(next)"),
        ("new Map([[State.Open, [State.Busy]], [State.Busy, [State.Shut]]])",
         "rules.get(this.state)?.includes(next)"),
    ],
)  # fmt: skip
def test_a_method_may_have_the_table(table: str, asked: str) -> None:
    source = DESK.replace(TABLE, table).replace("rules[this.state].includes(next)", asked)
    assert MOVES in declare({"office/desk.ts": source})


QUESTION = f"""
  private mayFollow(from: State, to: State): boolean {{
    const allowed = {TABLE};
    return allowed[from].includes(to);
  }}
"""


def test_a_question_may_have_the_table() -> None:
    source = DESK.replace(f"const rules: Record<State, State[]> = {TABLE};", "")
    source = source.replace("rules[this.state].includes(next)", "this.mayFollow(this.state, next)")
    source = source.replace("  private become", f"{QUESTION}  private become")
    assert MOVES in declare({"office/desk.ts": source})


@pytest.mark.parametrize(
    "statement",
    [
        "const rules = { a: [this.first], b: [] }; ask(rules[key]);",  # it is computed
        "const rules = { a: ['x'], b: [] }; rules[key] = [];",  # it is changed
        "const rules = { a: ['x'], b: [] }; send(rules);",  # others may change it
        "let rules = { a: ['x'], b: [] }; ask(rules[key]);",
        "const rules = { a: 'x', b: 'y' }; ask(rules[key]);",  # no lists
        "const rules = { a: ['x'] }; ask(rules[key]);",  # one alone is no table
    ],
)
def test_what_is_no_fixed_table_stays_where_it_is(statement: str) -> None:
    source = f"class Desk {{\n run(key) {{\n    {statement}\n }} }}".encode()
    assert lift_tables(source, "tree_sitter_typescript", "language_typescript") == source
