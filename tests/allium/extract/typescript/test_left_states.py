"""What nothing gives a private field is no state that an operation leaves."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

JOB = """
export enum State { New, Running, Lost, Done }
export class Job {
  private state = State.New;
  run() { if (this.state === State.New) this.state = State.Running; }
  end() { this.state = State.Done; }
}
"""


def list_ended(source: str) -> list[str]:
    lines = [line.strip() for line in declare({"net/job.ts": source}).split("\n")]
    return [line for line in lines if line.endswith(" -> done")]


def test_an_operation_leaves_no_state_that_nothing_gives() -> None:
    found = ["new -> done", "running -> done"]
    assert list_ended(JOB) == found
    assert list_ended(JOB.replace("private state", "#state").replace("this.", "this.#")) == found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("private state", "protected state"),
        ("private state = State.New;", "private state: State;"),
        ("  end()", "  private lose() { this.state = State.Lost; }\n  end()"),
        ("private state", "@Column() private state"),
        ("export class Job", "@observed\nexport class Job"),
        ("  end()", "  static of(kept) { return Object.assign(new Job(), kept); }\n  end()"),
        ("  end()", "  static of(kept) { const o = new Job(); o.state ??= kept; }\n  end()"),
        ("export class Job", "const lose = (o) => { o['state'] = State.Lost; };\nexport class Job"),
    ],
)
def test_what_others_may_give_is_left_too(old: str, new: str) -> None:
    assert list_ended(JOB.replace(old, new)) == ["new -> done", "running -> done", "lost -> done"]


@pytest.mark.parametrize(
    "setter",
    [
        "load(job) { this.state = job.state; }",
        "lose() { Reflect.set(this, 'state', State.Lost); }",
        "all(kept) { for (this.state of kept) { this.tell(); } }",
        "load(job) { ({ state: this.state } = job); }",
        "load(job) { Object.assign(this, job); }",
        "set now(state: State) { this.state = state; }",
        "become(state: State) { this.state = state; }",
        "become(state: State = State.New) { if (state) { this.state = state; } }",
        "become(text: string) { this.state = text as State; }",
        "become({ state }: Kept) { this.state = state; }",
        "private become(state: State) { this.state = state; }"
        " load(job) { this.become(job.state); }",
    ],
)
def test_what_may_give_any_state_lets_none_be_the_last(setter: str) -> None:
    job = JOB.replace("Lost, ", "")
    assert "terminal: done" in declare({"net/job.ts": job})
    found = declare({"net/job.ts": job.replace("  end()", f"  {setter}\n  end()")})
    assert "terminal" not in found


@pytest.mark.parametrize(
    "setter",
    [
        "private become(state: State) { this.state = state; } load() { this.become(State.Done); }",
        "become(state: State) { if (state !== State.Done) { return; } this.state = state; }",
    ],
)
def test_what_is_known_to_be_given_does_not(setter: str) -> None:
    job = JOB.replace("Lost, ", "")
    found = declare({"net/job.ts": job.replace("  end()", f"  {setter}\n  end()")})
    assert "terminal: done" in found


MANAGER = """
import { State } from './state';
export class Manager {
  private state = State.None;
  constructor(private server: Server) { this.state = State.Idle; }
  start() { this.state = State.Busy; this.server.run(); this.state = State.Ready; }
}
"""


def list_started(source: str) -> list[str]:
    files = {"net/state.ts": "export enum State { None, Idle, Busy, Ready, Lost }"}
    text = declare({**files, "net/manager.ts": source})
    return [line.strip() for line in text.split("\n") if line.endswith(" -> busy")]


def test_what_an_enum_of_another_file_has_besides_is_not_left_either() -> None:
    assert list_started(MANAGER) == []  # two states are told of by nothing
    assert len(list_started(MANAGER.replace("private state", "state"))) == 4


SCANNER = """
export enum State { Text, Tag, Name, Entity, Number }
export class Scanner {
  state = State.Text;
  base = State.Text;
  open() { this.state = State.Tag; }
  read() { if (this.state === State.Tag) this.state = State.Name; }
  escape() { this.base = this.state; this.state = State.Entity; }
  count() { this.base = this.state; this.state = State.Number; }
  reset() { this.state = State.Text; this.base = State.Text; }
}
"""


def test_what_takes_over_another_field_leaves_only_states_that_are_known() -> None:
    told = declare({"net/scanner.ts": SCANNER})
    assert "transitions state" in told
    assert "transitions base" not in told
