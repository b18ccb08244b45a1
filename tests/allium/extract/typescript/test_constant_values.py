"""Texts and numbers that a TypeScript file gives names."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

POD = """
const Phase = Object.freeze({ New: 'new', Live: 'live' });
export class Pod {
  private phase = Phase.New;
  start() {
    if (this.phase !== Phase.New) { throw new Error('started'); }
    this.phase = Phase.Live;
  }
}
"""


@pytest.mark.parametrize(
    "made",
    [
        "{ New: 'new', Live: 'live' }",
        "{ New: 1, Live: 2 } as const",
        "{ New: 0x0a, Live: -1 } as const",
        "Object.freeze({ New: Symbol('new'), Live: Symbol('live') })",
        "{ New: Symbol(), Live: Symbol() }",
    ],
)
def test_members_of_an_object_are_states(made: str) -> None:
    assert "new -> live" in declare({"pod.ts": POD})
    text = POD.replace("Object.freeze({ New: 'new', Live: 'live' })", made)
    assert "new -> live" in declare({"pod.ts": text})


def test_members_with_one_value_or_none_are_no_states() -> None:
    assert "phase: new" not in declare({"pod.ts": POD.replace("'live'", "'new'")})
    assert "phase: new" not in declare({"pod.ts": POD.replace("'live'", "make()")})


def test_texts_of_an_object_that_is_written_small_are_states() -> None:
    text = POD.replace("Phase", "phases").replace(".New", ".new").replace(".Live", ".live")
    text = text.replace(
        "Object.freeze({ New: 'new', Live: 'live' })", "{ new: 'new', live: 'live' }"
    )
    assert "new -> live" in declare({"pod.ts": text})
    numbers = text.replace("'new'", "10").replace("'live'", "20")
    assert "phase: new" not in declare({"pod.ts": numbers})


def test_members_that_are_all_written_large_are_constants_of_an_object_that_is_not() -> None:
    text = POD.replace("Phase", "phases").replace("New", "NEW").replace("Live", "LIVE")
    numbers = text.replace("'new'", "1").replace("'live'", "2")
    assert "new -> live" in declare({"pod.ts": numbers})
    assert "new -> live" in declare({"pod.js": numbers.replace("private phase = phases.NEW;", (
        "constructor() { this.phase = phases.NEW; }"
    ))})  # fmt: skip


@pytest.mark.parametrize("word", ["let", "var"])
def test_an_object_that_nothing_changes_holds_constants(word: str) -> None:
    text = POD.replace("Object.freeze({ New: 'new', Live: 'live' })", "{ New: 0, Live: 1 }")
    text = text.replace("const Phase", f"{word} Phase")
    assert "new -> live" in declare({"pod.ts": text})
    for change in ("Phase.New = 7;", "Phase = {};", "Phase['Live'] += 1;", "Phase.Live++;"):
        assert "new -> live" not in declare({"pod.ts": text + change})


RUN = """
export class Run {
  phase: Phase = Phase.notStarted;
  start() {
    if (this.phase !== Phase.notStarted) { throw new Error(); }
    this.phase = Phase.inTest;
  }
  end() { if (this.phase !== Phase.inTest) { return; } this.phase = Phase.allDone; }
}
"""
ENUM = "enum Phase { notStarted = 'notStarted', inTest = 'inTest', allDone = 'allDone' }\n"
OBJECT = (
    "const Phase = { notStarted: 'not-started', inTest: 'in-test', allDone: 'done' } as const;\n"
    "type Phase = (typeof Phase)[keyof typeof Phase];\n"
)


@pytest.mark.parametrize("values", [ENUM, OBJECT])
def test_constants_may_begin_small(values: str) -> None:
    moved = "not_started -> in_test\n        in_test -> all_done\n"
    assert moved in declare({"test/run.ts": values + RUN})
    apart = {
        "test/run.ts": f"import Phase from './phase';\n{RUN}",
        "test/phase.ts": f"{values}export default Phase;\n",
    }
    assert moved in declare(apart)
    assert "requires: run.phase = in_test\n    ensures: run.phase = all_done" in declare(apart)


SOCKET = """
class Socket {
  BEFORE
  constructor() { this._ready = CONNECTING; }
  open() {
    if (this._ready !== CONNECTING) { throw new Error(); }
    this._ready = OPEN;
  }
  close() { this._ready = CLOSED; }
}
AFTER
"""


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ("static CONNECTING = 0; static OPEN = 1; static CLOSED = 3;", "", "Socket"),
        ("", "Socket.CONNECTING = 0; Socket.OPEN = 1; Socket.CLOSED = 3;", "Socket"),
        (
            "static get CONNECTING() { return 0; } static get OPEN() { return 1; }"
            " static get CLOSED() { return 2; }",
            "",
            "Socket",
        ),
        ("static STATES = { CONNECTING: 0, OPEN: 1, CLOSED: 2 };", "", "Socket.STATES"),
        ("", "Socket.STATES = { CONNECTING: 0, OPEN: 1, CLOSED: 2 };", "Socket.STATES"),
        (
            "static get STATES() { return { CONNECTING: 0, OPEN: 1, CLOSED: 2 }; }",
            "",
            "Socket.STATES",
        ),
    ],
)
def test_a_class_may_be_given_its_constants_in_many_ways(
    before: str, after: str, place: str
) -> None:
    text = SOCKET.replace("BEFORE", before).replace("AFTER", after)
    for name in ("CONNECTING;", "OPEN;", "CLOSED;", "CONNECTING)"):
        text = text.replace(f" {name}", f" {place}.{name}")
    found = declare({"net/socket.js": text})
    assert "connecting -> open\n        connecting -> closed\n        open -> closed\n" in found
    assert "requires: socket.ready = connecting\n    ensures: socket.ready = open" in found


READER = """
const STATE_LEN = 0x04;
const STATE_VAL = 0x05;
class Reader {
  constructor() { this.state = STATE_LEN; }
  readLength() { if (this.state !== STATE_LEN) { return; } this.state = STATE_VAL; }
  readValue() { if (this.state !== STATE_VAL) { return; } this.state = STATE_LEN; }
}
"""


@pytest.mark.parametrize(
    ("first", "second"),
    [("0x04", "0x05"), ("-2", "-1"), ("Symbol('len')", "Symbol.for('val')"), ("Symbol()", "1")],
)
def test_constants_alone_may_be_any_that_are_apart(first: str, second: str) -> None:
    text = READER.replace("0x04", first).replace("0x05", second)
    assert "len -> val\n        val -> len" in declare({"lib/reader.js": text})


@pytest.mark.parametrize("value", ["0x04", "make()", "0x05n", "0xfff"])
def test_constants_that_are_no_states_stay_apart(value: str) -> None:
    assert "->" not in declare({"lib/reader.js": READER.replace("0x05", value)})


NOTIFIER = """
const C = { LOST: 0, REFUSED: 1, STATE_PENDING: 0, STATE_ACTIVE: 1, STATE_DONE: 2, EXPIRES: 900 };
module.exports = class Notifier {
  constructor({ pending }) { this._state = pending ? C.STATE_PENDING : C.STATE_ACTIVE; }
  activate() { if (this._state === C.STATE_PENDING) { this._state = C.STATE_ACTIVE; } }
  end() {
    if (this._state === C.STATE_DONE) { return; }
    this._state = C.STATE_DONE;
    this.emit('done', C.REFUSED);
  }
};
"""


def test_an_object_may_hold_constants_of_several_kinds() -> None:
    found = declare({"lib/notifier.js": NOTIFIER})
    assert "state: pending | active | done" in found
    graph = "pending -> active\n        pending -> done\n        active -> done\n"
    assert f"{graph}        terminal: done" in found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("STATE_DONE: 2", "STATE_DONE: 1"),
        ("STATE_DONE: 2", "STATE_DONE: read()"),
        (" C = ", " c = "),
    ],
)
def test_of_these_each_state_is_apart_and_nothing_is_made(old: str, new: str) -> None:
    assert "->" not in declare({"lib/notifier.js": NOTIFIER.replace(old, new)})


def test_such_an_object_may_hold_other_things_as_well() -> None:
    text = NOTIFIER.replace("EXPIRES: 900", "waits: { LONG: 1, SHORT: 1 }, EXPIRES: read()")
    assert "active -> done" in declare({"lib/notifier.js": text})


def test_a_class_may_be_given_an_object_of_the_file_by_its_name() -> None:
    text = SOCKET.replace("BEFORE", "").replace("AFTER", "Socket.STATE = STATE;")
    text += "const STATE = Object.freeze({ CONNECTING: 0, OPEN: 1, CLOSED: 2 });"
    for name in ("CONNECTING;", "OPEN;", "CLOSED;", "CONNECTING)"):
        text = text.replace(f" {name}", f" Socket.STATE.{name}")
    assert "connecting -> open" in declare({"net/socket.js": text})
    other = text.replace("Socket.STATE = STATE", "Socket.STATE = Other")
    assert "->" not in declare({"net/socket.js": other})


def test_numbers_of_an_object_that_is_called_after_states_are_some() -> None:
    text = """
        const state = { initial: 0, shutDown: 4 };
        class Pool {
          constructor() { this._state = state.initial; }
          stop() { if (this._state !== state.initial) { return; } this._state = state.shutDown; }
        }"""
    assert "initial -> shut_down" in declare({"pool.js": text})
    assert "->" not in declare(
        {"pool.js": text.replace("state.", "option.").replace("const state", "const option")}
    )
