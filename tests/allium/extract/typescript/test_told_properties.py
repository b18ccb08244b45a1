"""What a property tells of several values is known where methods compare it."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

MANAGER = """
class Manager {
  constructor() { this._state = 'idle'; }
  get state() {
    TELL
  }
  get exiting() { return this._state === 'exiting'; }
  start() { ASK this._state = 'started'; }
  close() { this._state = 'exiting'; }
}
"""
EARLY = "if (this.exiting) { return 'exiting'; } return this._state;"
LEAVE = "if (this.state === 'started' || this.state === 'exiting') { return; }"
EDGES = {"idle -> started", "idle -> exiting", "started -> exiting"}


def list_edges(tell: str, ask: str) -> set[str]:
    source = MANAGER.replace("TELL", tell).replace("ASK", ask)
    found = declare({"src/manager.js": source})
    return {line.strip() for line in found.split("\n") if " -> " in line}


@pytest.mark.parametrize(
    ("tell", "ask"),
    [
        (EARLY, LEAVE),
        ("return this.exiting ? 'exiting' : this._state;", LEAVE),
        (EARLY, "if (this.state !== 'idle') { return; }"),
        (EARLY, "switch (this.state) { case 'started': case 'exiting': return; }"),
    ],
)
def test_what_is_asked_of_the_property_is_asked_of_the_field(tell: str, ask: str) -> None:
    assert list_edges(tell, ask) == EDGES


@pytest.mark.parametrize(
    "tell",
    [
        "if (this.line.isGone()) { return 'exiting'; } return this._state;",
        "if (this.exiting) { return this.line.name(); } return this._state;",
        "if (this.exiting) { return 'exiting'; } return this.line.state();",
        "if (this.exiting) { return Word.EXITING; } return this._state;",
    ],
)
def test_what_others_say_is_left_open(tell: str) -> None:
    assert not list_edges(tell, LEAVE) & {"idle -> started", "exiting -> started"}
