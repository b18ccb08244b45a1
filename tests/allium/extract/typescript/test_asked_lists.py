"""Questions about each of a list."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

JOB = """
enum State { Queued = 'queued', Running = 'running', Done = 'done' }
export class Job {
  private state: State = State.Queued;
  start() {
    this.guard([State.Queued]);
    this.state = State.Running;
  }
  finish() {
    this.guard([State.Running]);
    this.state = State.Done;
  }
  private guard(from: State[]) {
    if (ASKED) { throw new Error('not now'); }
  }
}
"""
MOVES = "queued -> running\n        running -> done\n        terminal: done"


@pytest.mark.parametrize(
    "asked",
    [
        "!from.some((each) => each === this.state)",
        "!from.some(each => this.state === each)",
        "from.every((each: State) => each !== this.state)",
    ],
)
def test_one_of_a_list_may_have_to_be_the_state(asked: str) -> None:
    found = declare({"work/job.ts": JOB.replace("ASKED", asked)})
    assert MOVES in found
    assert "requires: job.state = running\n    ensures: job.state = done" in found


@pytest.mark.parametrize(
    "asked",
    [
        "!from.some((each) => matches(each, this.state))",
        "!from.some((each) => each > this.state)",
        "from.every((each) => each === this.state)",
        "!from.find((each) => each.includes(this.state))",
        "from.filter((each) => each === this.state).length === 0",
    ],
)
def test_what_else_it_asks_of_the_state_is_open(asked: str) -> None:
    found = declare({"work/job.ts": JOB.replace("ASKED", asked)})
    assert "->" not in found


def test_what_asks_nothing_of_the_object_leaves_the_state_alone() -> None:
    found = declare({"work/job.ts": JOB.replace("ASKED", "from.some((each) => !each)")})
    assert "done -> running" in found
