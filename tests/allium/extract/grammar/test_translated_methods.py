"""Methods of other languages, with what their parameters are where nothing is given."""

import ast

import pytest

from git_retcon.allium.extract.grammar.translated_methods import (
    Parameter,
    make_method,
    make_property,
)
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

QUEUE = """
MODES
export class Queue {
  private mode: Mode = Mode.Polling;
  fetch(job: Job) { CALL }
  poll() { if (this.mode !== Mode.Waiting) throw new Error(); this.mode = Mode.Polling; }
  close() { this.mode = Mode.Closed; }
  private wait(PARAMETERS) {
    if (!afterError) { if (this.mode !== Mode.Polling) throw new Error(); }
    this.mode = Mode.Waiting;
  }
}
"""
MODES = "enum Mode { Polling = 'polling', Waiting = 'waiting', Closed = 'closed' }"


def test_only_the_last_parameters_have_defaults_as_in_python() -> None:
    one, two = ast.Constant(1), ast.Constant(2)
    method = make_method("go", [Parameter("a", default=one), Parameter("b"),
                                Parameter("c", default=two)], [])  # fmt: skip
    assert method.node.args.defaults == [two]
    assert (method.member, make_property("go", []).member) == ("go()", "go")


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
@pytest.mark.parametrize(
    ("parameters", "call", "is_refused"),
    [
        ("afterError = false", "this.wait();", True),
        ("afterError?: boolean", "this.wait();", True),
        ("{ why }: Options, afterError = false", "this.wait({ why: job });", True),
        ("{ why }: Options, afterError = false", "this.wait({ why: job }, true);", False),
        ("afterError = true", "this.wait();", False),
        ("afterError: boolean", "this.wait(job.failed);", False),
    ],
)
def test_a_call_gives_what_its_step_has_where_nothing_is_given(
    parameters: str, call: str, is_refused: bool
) -> None:
    source = QUEUE.replace("PARAMETERS", parameters).replace("CALL", call)
    told = declare({"jobs/queue.ts": source.replace("MODES", MODES)})
    assert "polling -> waiting" in told
    assert ("closed -> waiting" in told) is not is_refused
