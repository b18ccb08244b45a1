"""Functions of a file that classes bind to their objects."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

AGENT = """
const C = { INIT: 0, READY: 1, CLOSED: 2 };
class Agent {
  constructor() { this._status = C.INIT; }
  start() {
    if (this._status !== C.INIT) { throw new Error(); }
    this.link.onconnect = onConnect.bind(this);
  }
  stop() {
    if (this._status === C.CLOSED) { return; }
    this._status = C.CLOSED;
  }
}
function onConnect() {
  if (this._status === C.CLOSED) { return; }
  this._status = C.READY;
}
"""
GRAPH = "init -> closed\n        init -> ready\n        ready -> closed\n"


@pytest.mark.parametrize(
    "told",
    [
        "this.link.onconnect = onConnect.bind(this);",
        "this.link.on('connect', onConnect.bind(this));",
        "this.link = new Link({ onConnect: onConnect.bind(this) });",
        "setTimeout(onConnect.bind(this, 1), 10);",
    ],
)
def test_what_a_class_binds_is_what_it_does_later(told: str) -> None:
    text = AGENT.replace("this.link.onconnect = onConnect.bind(this);", told)
    found = declare({"lib/agent.js": text})
    assert GRAPH in found
    assert "ready -> init" not in found


@pytest.mark.parametrize(
    "told", ["onConnect.bind(this.link)", "onConnect", "this.link.onConnect.bind(this)"]
)
def test_what_is_bound_to_something_else_says_nothing_of_the_object(told: str) -> None:
    text = AGENT.replace("onConnect.bind(this)", told)
    assert "ready" not in declare({"lib/agent.js": text})


def test_what_two_functions_of_a_file_are_called_is_not_known() -> None:
    assert "ready" not in declare({"lib/agent.js": AGENT + "function onConnect() { }"})


def test_what_binds_itself_to_run_again_is_read_once() -> None:
    again = AGENT.replace("READY;", "READY; setTimeout(onConnect.bind(this), 10);")
    assert GRAPH in declare({"lib/agent.js": again})
