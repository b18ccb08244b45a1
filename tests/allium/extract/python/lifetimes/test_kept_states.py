"""What a second field keeps of a state is what a field gets back from it."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

JOB = """
enum State { New, Running, Waiting, Paused, Done }
export class Job {
  private state = State.New;
  private before: State;
  constructor() { this.before = State.New; }
  run() { if (this.state === State.New) this.state = State.Running; }
  wait() { if (this.state === State.Running) this.state = State.Waiting; }
  end() { if (this.state === State.Waiting) this.state = State.Done; }
  pause() {
    if (this.state !== State.Running && this.state !== State.Waiting) return;
    this.before = this.state;
    this.state = State.Paused;
  }
  resume() {
    if (this.state !== State.Paused) throw new Error('goes on');
    this.state = this.before;
  }
}
"""


def list_resumed(source: str) -> list[str]:
    lines = [line.strip() for line in declare({"net/job.ts": source}).split("\n")]
    return [line for line in lines if line.startswith("paused -> ")]


def test_an_object_goes_on_where_it_was_kept() -> None:
    # What it begins with is gone by then.
    found = ["paused -> running", "paused -> waiting"]
    assert list_resumed(JOB) == found
    assert list_resumed(JOB.replace("this.before = State.New;", "this.before = null;")) == found


def test_what_nothing_gives_is_not_kept() -> None:
    every = JOB.replace(
        "    if (this.state !== State.Running && this.state !== State.Waiting) return;\n", ""
    )
    lost = every.replace("Done }", "Lost, Done }")
    found = ["paused -> new", "paused -> running", "paused -> waiting", "paused -> done"]
    assert list_resumed(lost) == list_resumed(every) == found


def test_a_field_that_a_method_gives_a_state_may_have_that() -> None:
    source = JOB.replace("  end()", "  reset() { this.before = State.Done; }\n  end()")
    found = ["paused -> running", "paused -> waiting", "paused -> done"]
    assert sorted(list_resumed(source)) == sorted(found)
    other = source.replace("State.Done; }", "this.choose(); }")
    assert list_resumed(other) == []


def test_what_a_step_keeps_that_others_guard_is_open() -> None:
    source = JOB.replace("    this.before = this.state;\n", "    this.keep();\n")
    source = source.replace(
        "  resume()", "  private keep() { this.before = this.state; }\n  resume()"
    )
    assert list_resumed(source) == []
    event = "constructor(bus) { bus.on('stop', () => this.keep());"
    handler = source.replace("constructor() {", event).replace("    this.keep();\n", "")
    assert "paused -> done" in list_resumed(handler)


def test_a_field_that_others_fill_says_nothing() -> None:
    filled = "load(event: Event) { this.before = event.state; }\n  resume()"
    assert list_resumed(JOB.replace("resume()", filled)) == []


def test_what_always_has_a_state_is_given_back_in_any() -> None:
    free = JOB.replace("    if (this.state !== State.Paused) throw new Error('goes on');\n", "")
    every = [line.strip() for line in declare({"net/job.ts": free}).split("\n")]
    assert "paused -> waiting" in every and "new -> waiting" in every
    # Nothing is kept yet where it begins with nothing.
    other = free.replace("this.before = State.New;", "this.before = null;")
    assert list_resumed(other) == []
