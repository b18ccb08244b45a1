"""Functions of a TypeScript file that do nothing but refuse what they are given."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

CALL = """
const NEW = 'new', JOINED = 'joined', LEFT = 'left';
export class Call {
  constructor() { this._state = NEW; }
  join() {
    if (this._state !== NEW) { throw new Error('joined'); }
    this._state = JOINED;
  }
  leave() { requireJoined(this._state, 'leave'); this._state = LEFT; }
  mute() { requireJoined(this._state, 'mute'); this.send('mute'); }
}
function requireJoined(state, name = 'This', more) {
  if (state !== JOINED) {
    let text = `${name} needs a call`;
    if (more) { text += more; }
    console.error(text);
    throw new Error(text);
  }
}
"""
MUTE = "rule CallMute {\n    when: MuteCall(call)\n    requires: call.state = joined\n"


def test_what_such_a_function_refuses_its_caller_refuses() -> None:
    found = declare({"call.js": CALL})
    assert MUTE in found
    assert "requires: call.state = joined\n    ensures: call.state = left" in found
    assert "joined -> left" in found
    assert "new -> left" not in found


def test_a_constant_may_hold_it() -> None:
    text = CALL.replace("function requireJoined(", "const requireJoined = (")
    assert MUTE in declare({"call.js": text.replace(", more) {", ", more) => {")})


def test_states_of_another_file_are_refused_by_it_too() -> None:
    first = "const NEW = 'new', JOINED = 'joined', LEFT = 'left';"
    text = CALL.replace(first, "import { NEW, JOINED, LEFT } from './states';")
    assert MUTE in declare({"call.js": text, "states.js": f"export {first}"})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("function requireJoined(", "async function requireJoined("),
        ("if (state !== JOINED) {", "state = read(); if (state !== JOINED) {"),
        ("if (state !== JOINED) {", "if (!more) { return; } if (state !== JOINED) {"),
        ("throw new Error(text);", "if (more) { throw new Error(text); }"),
        ("throw new Error(text);", "report(text);"),
        ("requireJoined(this._state, 'mute');", "try { requireJoined(this._state); } catch {}"),
        ("requireJoined(this._state, 'mute');", "requireJoined(other.state, 'mute');"),
    ],
)
def test_what_may_go_on_refuses_nothing(old: str, new: str) -> None:
    assert old in CALL
    assert MUTE not in declare({"call.js": CALL.replace(old, new)})
