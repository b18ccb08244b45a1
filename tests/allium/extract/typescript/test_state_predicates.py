"""Functions of TypeScript that answer a question about a state they are given."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

STATUS = """
export enum Status { New = 'new', Active = 'active', Done = 'done', Failed = 'failed' }
const BROKEN = [Status.Failed];
"""
JOB = """
export class Job {
  private status = Status.New;
  start() {
    if (isOver(this.status)) { throw new Error('over'); }
    this.status = Status.Active;
  }
  finish() { this.status = Status.Done; }
  fail() { this.status = Status.Failed; }
}
"""
WAYS = [
    "export function isOver(s: Status) { return s === Status.Done || s === Status.Failed; }",
    "export function isOver(s: Status) { return s === Status.Done || BROKEN.includes(s); }",
    "export const isOver = (s: Status): boolean => [Status.Done, Status.Failed].includes(s);",
    "export function isOver(s) { if (s === Status.Done) return true; return s === Status.Failed; }",
]


def list_started(files: dict[str, str]) -> list[str]:
    """The transitions to where a job starts."""
    found = declare(files)
    return [line.strip() for line in found.split("\n") if line.endswith("-> active")]


@pytest.mark.parametrize("way", WAYS)
def test_a_condition_asks_what_a_function_answers(way: str) -> None:
    assert list_started({"work/job.ts": STATUS + way + JOB}) == ["new -> active"]


@pytest.mark.parametrize("way", WAYS)
def test_a_function_of_another_file_answers_too(way: str) -> None:
    job = "import { Status, isOver } from './status';" + JOB
    assert list_started({"work/status.ts": STATUS + way, "work/job.ts": job}) == ["new -> active"]


def test_an_answer_may_go_by_the_order_of_states() -> None:
    numbered = STATUS.replace("'new'", "0").replace("'active'", "1")
    numbered = numbered.replace("'done'", "2").replace("'failed'", "3")
    way = "export const isOver = (s: Status) => s >= Status.Done;"
    assert list_started({"work/job.ts": numbered + way + JOB}) == ["new -> active"]


@pytest.mark.parametrize(
    ("owner", "before"),
    [("Status", "export namespace Status { export function"), ("States", "class States { static")],
)
def test_a_function_may_be_beside_an_enum_or_in_a_class(owner: str, before: str) -> None:
    way = f"{before} isOver(s: Status) {{ return s === Status.Done || s === Status.Failed; }} }}"
    job = JOB.replace("isOver(", f"{owner}.isOver(")
    assert list_started({"work/job.ts": f"{STATUS}{way}{job}"}) == ["new -> active"]


@pytest.mark.parametrize(
    "way",
    [
        "export function isOver(s: Status) { log(s); return s === Status.Done; }",
        "export function isOver(s: Status) { return known === s || s === Status.Done; }",
        "export async function isOver(s: Status) { return s === Status.Done; }",
        "export function isOver(s: Status, t: Status) { return s === Status.Done || t === s; }",
        "export function isOver(s = Status.New) { return s === Status.Done; }",
        "import { isOver } from './elsewhere';",
    ],
)
def test_what_may_ask_for_something_else_leaves_it_open(way: str) -> None:
    assert list_started({"work/job.ts": STATUS + way + JOB}) == []


ALARM = """
type Mood = 'new' | 'ready' | 'broken';
export class Alarm {
  mood: Mood = 'new';
  start() { if (this.mood !== 'new') { return; } this.mood = 'ready'; }
  hear(error: Noise) { if (this.mayBreak(error)) { this.mood = 'broken'; } }
  private mayBreak(error: Noise, mood: Mood) { return ANSWER; }
}
"""


@pytest.mark.parametrize(
    ("answer", "sources"),
    [("this.mood === 'ready'", ["ready"]),
     ("error.isKnown() && this.mood === 'ready'", ["ready"]),
     ("(error as any).at > 3 && // a comment\n this.mood === 'ready'", ["ready"]),
     ("this.mood === mood", ["new", "ready"]),
     ("error || this.mood === 'ready'", ["new", "ready"])],
)  # fmt: skip
def test_a_method_answers_of_its_object_and_of_nothing_else(
    answer: str, sources: list[str]
) -> None:
    found = declare({"home/alarm.ts": ALARM.replace("ANSWER", answer)})
    edges = [line.strip() for line in found.split("\n") if line.endswith("-> broken")]
    assert edges == [f"{each} -> broken" for each in sources]


def test_a_method_answers_by_the_state_that_it_is_given() -> None:
    source = ALARM.replace("ANSWER", "this.mood === error").replace("(error))", "('ready'))")
    found = declare({"home/alarm.ts": source})
    assert [line.strip() for line in found.split("\n") if line.endswith("-> broken")] == [
        "ready -> broken"
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "return NEXT[from].includes(to);",
        "return NEXT[from]?.includes(to) ?? false;",
        "return (NEXT[from] ?? []).includes(to);",
        "const allowed = NEXT[from]; return allowed.includes(to);",
        "const next = { [State.Open]: [State.Shut], [State.Shut]: [State.Gone] };"
        " return next[from].includes(to);",
    ],
)
@pytest.mark.parametrize("is_map", [False, True])
def test_a_function_of_another_file_may_ask_a_table(answer: str, is_map: bool) -> None:
    table = "{ [State.Open]: [State.Shut], [State.Shut]: [State.Gone], [State.Gone]: [] }"
    if is_map and "const next" not in answer:
        pairs = "[[State.Open, [State.Shut]], [State.Shut, [State.Gone]]]"
        table, answer = (
            f"new Map<State, State[]>({pairs})",
            answer.replace("NEXT[from]", "NEXT.get(from)"),
        )
    states = f"""
    export enum State {{ Open, Shut, Gone }}
    const NEXT = {table};
    export function mayFollow(from: State, to: State): boolean {{ {answer} }}
    """
    door = """
    import { State, mayFollow } from './states';
    export class Door {
      private state: State = State.Open;
      shut() { this.become(State.Shut); }
      remove() { this.become(State.Gone); }
      private become(state: State) {
        if (!mayFollow(this.state, state)) { throw new Error('no'); }
        this.state = state;
      }
    }
    """
    found = declare({"house/door.ts": door, "house/states.ts": states})
    assert "open -> shut\n        shut -> gone\n        terminal: gone" in found
    assert "requires: door.state = shut\n    ensures: door.state = gone" in found


@pytest.mark.parametrize(
    ("marks", "asked"),
    [
        ("private static", "Door.mayFollow"),
        ("static", "Door.mayFollow"),
        ("private", "this.mayFollow"),
    ],
)
@pytest.mark.parametrize("shut", ["Shut", "shut"])
def test_a_class_may_have_its_own_question_of_two_states(marks: str, asked: str, shut: str) -> None:
    states = f"export enum State {{ Open = 'open', {shut} = 'shut', Gone = 'gone' }}"
    door = f"""
    import {{ State }} from './states';
    export class Door {{
      private state: State = State.Open;
      shut() {{ this.become(State.{shut}); }}
      remove() {{ this.become(State.Gone); }}
      private become(next: State) {{
        if (!{asked}(this.state, next)) {{ throw new Error('no'); }}
        this.state = next;
      }}
      {marks} mayFollow(from: State, to: State): boolean {{
        switch (from) {{
          case State.Open: return to === State.{shut};
          case State.{shut}: return to === State.Gone;
          default: return false;
        }}
      }}
    }}
    """
    found = declare({"house/door.ts": door, "house/states.ts": states})
    assert "open -> shut\n        shut -> gone\n        terminal: gone" in found


@pytest.mark.parametrize("is_apart", [False, True])
def test_a_function_may_say_which_state_follows(is_apart: bool) -> None:
    states = """
    export enum State { Open = 'open', Shut = 'shut', Gone = 'gone' }
    export function follow(state: State): State {
      return state === State.Open ? State.Shut : State.Gone;
    }
    """
    door = """
    export class Door {
      private state: State = State.Open;
      go() {
        if (this.state === State.Gone) { throw new Error('gone'); }
        this.state = follow(this.state);
      }
    }
    """
    imported = "import { State, follow } from './states';"
    files = {"house/door.ts": imported + door, "house/states.ts": states}
    found = declare(files if is_apart else {"house/door.ts": states + door})
    assert "open -> shut\n        shut -> gone\n        terminal: gone" in found
