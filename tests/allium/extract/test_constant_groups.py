"""States that are constants of another file, each alone."""

import pytest

from git_retcon.allium.extract.constant_groups import is_code, name_constants
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

DOOR = """
IMPORT
class Door {
  constructor() { this._state = STATE_OPEN; }
  close() {
    if (this._state !== STATE_OPEN) { throw new Error('not open'); }
    this._state = STATE_CLOSED;
  }
  lock() {
    if (this._state !== STATE_CLOSED) { return; }
    this._state = STATE_LOCKED;
  }
}
module.exports = Door;
"""
CONSTANTS = """
export const STATE_OPEN = 'open';
export const STATE_CLOSED = 'closed';
export const STATE_LOCKED = 'locked';
export const TIMEOUT = 3000;
"""
NAMES = "{ STATE_OPEN, STATE_CLOSED, STATE_LOCKED }"
MOVES = "open -> closed\n        closed -> locked\n        terminal: locked"


def place(before: str, text: str = DOOR) -> str:
    """The class with what it imports, and its constants as members of ``before``."""
    name = before.partition(" ")[0]
    for each in ("STATE_OPEN", "STATE_CLOSED", "STATE_LOCKED") if name else ():
        text = text.replace(each, f"{name}.{each}")
    return text.replace("IMPORT", before.partition(" ")[2])


@pytest.mark.parametrize(
    "before",
    [
        f" import {NAMES} from './states';",
        f" const {NAMES} = require('./states');",
        "S import * as S from './states';",
        "states const states = require('./states');",
        "S const S = require('./states.js');",
    ],
)
def test_a_class_may_take_its_states_from_a_file_in_many_ways(before: str) -> None:
    found = declare({"lib/door.js": place(before), "lib/states.js": CONSTANTS})
    assert "state: open | closed | locked" in found
    assert MOVES in found
    assert "requires: door.state = closed\n    ensures: door.state = locked" in found


def test_they_may_have_other_names_there() -> None:
    text = place(" import { A as STATE_OPEN, B as STATE_CLOSED, C as STATE_LOCKED } from './all';")
    constants = "export const A = 'open', B = 'closed', C = 'locked';"
    assert MOVES in declare({"lib/door.js": text, "lib/all.js": constants})


def test_a_file_may_pass_them_on() -> None:
    text = place(f" import {NAMES} from './index';")
    passed = "export { STATE_OPEN } from './states';\nexport * from './states';"
    files = {"lib/door.js": text, "lib/index.js": passed, "lib/states.js": CONSTANTS}
    assert MOVES in declare(files)


@pytest.mark.parametrize(
    "constants",
    [
        "module.exports = { STATE_OPEN: 'open', STATE_CLOSED: 'closed', STATE_LOCKED: 'locked' };",
        "exports.STATE_OPEN = 0;\nexports.STATE_CLOSED = 1;\nmodule.exports.STATE_LOCKED = 2;",
        "const STATE_OPEN = 0, STATE_CLOSED = 1, STATE_LOCKED = 2;\nmodule.exports = " + NAMES,
    ],
)
def test_a_file_may_give_them_to_others_in_many_ways(constants: str) -> None:
    text = place(f" const {NAMES} = require('./states');")
    assert MOVES in declare({"lib/door.js": text, "lib/states.js": constants})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("'locked'", "make()"),
        ("'locked'", "'closed'"),  # nothing tells them apart
        ("'locked'", "60000"),
        ("'locked'", "'Not found: %s'"),
        ("export const STATE_LOCKED = 'locked';", ""),
    ],
)
def test_what_is_no_state_there_is_none_here(old: str, new: str) -> None:
    text = place(f" import {NAMES} from './states';")
    found = declare({"lib/door.js": text, "lib/states.js": CONSTANTS.replace(old, new)})
    assert "->" not in found
    assert "open |" not in found


def test_of_constants_of_another_package_the_names_are_known() -> None:
    found = declare({"lib/door.js": place(f" import {NAMES} from 'door-states';")})
    assert "state: open | closed | locked" in found
    assert MOVES in found


def test_the_type_of_a_file_that_is_an_enum_stays_it() -> None:
    text = place("State import State from './states';", DOOR.replace("STATE_", ""))
    for each in ("OPEN", "CLOSED", "LOCKED"):
        text = text.replace(f" {each}", f" State.{each}")
    enum = "enum State { OPEN, CLOSED, LOCKED, BROKEN }\nexport default State;"
    found = declare({"lib/door.ts": text, "lib/states.ts": enum})
    assert "open |" in found
    assert "broken" in found


def test_constants_are_called_by_their_texts_or_else_by_their_own_names() -> None:
    symbols = ["STATE_OPEN", "STATE_CLOSED"]
    assert name_constants(symbols, ["is-open", "is-closed"]) == ("is_open", "is_closed")
    assert name_constants(symbols, [0, 1]) == ("open", "closed")
    assert name_constants(["STATE_1", "STATE_2"], [0, 1]) == ()


@pytest.mark.parametrize(("stored", "known"), [(19, True), (-1, True), (20, False), ("a b", False)])
def test_a_large_number_is_an_amount_and_a_sentence_a_message(stored: object, known: bool) -> None:
    assert is_code(stored) is known
