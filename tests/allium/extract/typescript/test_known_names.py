"""What code names that no file declares, or only another one."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

LINE = """
const constants = require('line-constants');
const states = constants.line.state;
class Line {
  constructor() { this.state = states.CLOSED; this.before = null; }
  open() {
    if (this.state !== states.CLOSED) { throw new Error('open'); }
    this.state = states.OPEN;
  }
  close() { if (TEST) { return; } this.state = states.CLOSED; }
}
module.exports = Line;
"""
CLOSE = LINE.replace("if (TEST) { return; } ", "")


@pytest.mark.parametrize(
    "before",
    [
        "const constants = require('line-constants');\nconst states = constants.line.state;",
        "const { states } = require('line-constants');",
        "const states = require('./not-here');",
        "const states = makeStates('OPEN', 'CLOSED');",
    ],
)
def test_constants_that_no_file_shows_are_states_by_their_names(before: str) -> None:
    text = CLOSE.partition("class")
    found = declare({"net/line.js": f"{before}\nclass{text[2]}"})
    assert "state: closed | open" in found
    assert "closed -> open\n        open -> closed" in found


def test_a_class_may_have_them_in_ways_that_are_not_read() -> None:
    text = CLOSE.replace("states.", "Line.") + "define(Line, 'OPEN', 'CLOSED');"
    assert "closed -> open\n        open -> closed" in declare({"net/line.js": text})


@pytest.mark.parametrize("names", ["OPEN, CLOSED", "OPEN, CLOSED, VERSION"])
def test_a_package_may_have_them_one_by_one(names: str) -> None:
    text = f"import {{ {names} }} from 'line-constants';\n" + CLOSE.replace("states.", "")
    assert "closed -> open\n        open -> closed" in declare({"net/line.js": text})


@pytest.mark.parametrize("test", ["this.state >= states.OPEN", "!this.state", "this.state"])
def test_what_they_mean_stays_open(test: str) -> None:
    assert "closed -> open" in declare({"net/line.js": LINE.replace("TEST", "this.off")})
    assert "open -> closed" not in declare({"net/line.js": LINE.replace("TEST", test)})


def test_what_is_not_called_a_state_has_no_such_ones() -> None:
    assert "->" not in declare({"net/line.js": CLOSE.replace("this.state", "this.mode")})


def test_two_that_a_file_shows_to_be_the_same_are_no_states() -> None:
    values = "const states = Object.freeze({ OPEN: 1, CLOSED: 1 });"
    assert "->" not in declare({"net/line.js": f"{values}\nclass{CLOSE.partition('class')[2]}"})


def test_texts_beside_them_may_say_the_same() -> None:
    assert "->" not in declare({"net/line.js": CLOSE.replace("= states.OPEN;", "= 'open';")})


def test_an_imported_object_with_these_members_has_all_its_states() -> None:
    values = "const states = { OPEN: 'open', CLOSED: 'closed', LOST: 'lost' };"
    text = CLOSE.replace("constants.line.state", "require('./states')")
    states = f"{values}\nmodule.exports = states;"
    assert "state: open | closed | lost" in declare({"net/line.js": text, "net/states.js": states})


ORDER = """
const states = require('./states');
class Order {
  constructor() { this.status = states.NEW; this.done = false; }
  cancel() { this.status = states.CANCELLED; this.done = true; }
  fill() { this.status = states.FILLED; this.done = true; }
}
module.exports = Order;
"""
STATES = """
const states = { NEW: 'NEW', CANCELLED: 'CANCELLED', FILLED: 'FILLED' };
module.exports = states;
"""
STICKY = """
const Order = require('./order');
const states = require('./states');
class StickyOrder extends Order {
  renew() { if (this.done) { return; } this.status = states.NEW; }
}
"""


def test_what_is_called_after_states_may_be_left_for_others_to_ask() -> None:
    """Its heirs may ask flags instead that their base class sets."""
    found = declare({"a/order.js": ORDER, "a/states.js": STATES, "a/sticky.js": STICKY})
    assert "status: new | cancelled | filled" in found
    assert "new -> cancelled\n        new -> filled\n        cancelled -> filled" in found
    assert "-> new" not in found
    named = {"a/order.js": ORDER.replace("states.", "kinds.").replace("states =", "kinds =")}
    assert "->" not in declare({**named, "a/states.js": STATES})
