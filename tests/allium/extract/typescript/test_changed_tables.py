"""Lists and tables of a source that something changes."""

import pytest

from git_retcon.allium.extract.typescript.changed_tables import list_changed
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

CHANGES = [
    "NEXT[State.Done].push(State.Open);",
    "NEXT[State.Done] = [State.Open];",
    "NEXT[State.Open].length = 0;",
    "delete NEXT[State.Done];",
    "Object.assign(NEXT, more);",
    "const next = NEXT[State.Done]; next.push(State.Open);",
    "function extend(state: State) { NEXT[State.Done]!.unshift(state); }",
]
JOB = """
export enum State { Open = 'open', Done = 'done' }
TABLE
export class Job {
  private state: State = State.Open;
  move(next: State) {
    INNER
    if (!NEXT[this.state].includes(next)) { throw new Error(); }
    this.state = next;
  }
}
"""
TABLE = "const NEXT = { [State.Open]: [State.Done], [State.Done]: [] };"


@pytest.mark.parametrize("change", CHANGES)
def test_a_table_of_the_file_may_be_changed(change: str) -> None:
    source = JOB.replace("TABLE", TABLE).replace("INNER", "")
    assert "open -> done" in declare({"net/job.ts": source})
    assert "->" not in declare({"net/job.ts": f"{source}\n{change}"})


@pytest.mark.parametrize("change", CHANGES[:-1])
def test_a_table_of_a_method_may_be_changed(change: str) -> None:
    source = JOB.replace("TABLE", "")
    assert "open -> done" in declare({"net/job.ts": source.replace("INNER", TABLE)})
    assert "->" not in declare({"net/job.ts": source.replace("INNER", f"{TABLE} {change}")})


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("const NEXT: Next = { a: [] };", set()),
        ("NEXT[a].includes(b); NEXT.get(a)?.has(b); NEXT[a] === b;", set()),
        ("this.state = NEXT[a];", set()),
        ("const f = (a) => NEXT[a];", set()),
        ("this.next[a] = b;", {"next"}),
        ("Job.NEXT = {};", {"Job", "NEXT"}),
        ("Job.NEXT.get(a)!.add(b);", {"Job", "NEXT"}),
    ],
)
def test_it_has_what_is_changed(text: str, changed: set[str]) -> None:
    assert list_changed(text) == changed
