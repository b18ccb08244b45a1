"""Constants that TypeScript code takes out of objects."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

FORM = """
export const FormState = { idle: 'idle', inRequest: 'inRequest', stopped: 'stopped' };
export class Form {
  state = FormState.idle;
  start() {
    const { idle, inRequest } = FormState;
    if (this.state === idle) { this.state = inRequest; return this.send(); }
  }
  stop() {
    const { stopped } = FormState;
    if (this.state !== stopped) { this.state = stopped; this.cancel(); }
  }
}
"""


def test_a_method_may_take_constants_out_of_an_object() -> None:
    found = declare({"web/form.js": FORM})
    assert "state: idle | in_request | stopped" in found
    assert "idle -> in_request\n        idle -> stopped\n        in_request -> stopped" in found


def test_they_may_have_other_names() -> None:
    text = FORM.replace("idle, inRequest }", "idle: first, inRequest }").replace(
        "=== idle", "=== first"
    )
    assert "idle -> in_request" in declare({"web/form.js": text})


def test_a_name_that_means_more_says_nothing() -> None:
    text = FORM.replace("const { stopped }", "let stopped = this.last; const { stopped }")
    assert "transitions" not in declare({"web/form.js": text})


LINE = """
const { CLOSED, OPEN } = Lines.states;
class Line {
  constructor() { this.state = CLOSED; }
  open() { if (this.state !== CLOSED) { throw new Error('open'); } this.state = OPEN; }
  close() { this.state = CLOSED; }
}
"""


def test_a_file_may_take_them_for_all_its_classes() -> None:
    found = declare({"net/line.js": LINE})
    assert "state: closed | open" in found
    assert "closed -> open\n        open -> closed" in found
