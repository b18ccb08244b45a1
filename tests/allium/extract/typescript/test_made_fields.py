"""Fields of JavaScript that only a constructor names."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

SOUND = """
const STATE_PLAYING = 0;
const STATE_PAUSED = 1;
const STATE_STOPPED = 2;

class Sound {
  constructor(manager) {
    this._manager = manager;
    this._suspended = false;
    this._buffers = [];
    this._state = STATE_STOPPED;
  }
  play() {
    if (this._state !== STATE_STOPPED) { throw new Error('playing'); }
    this._state = STATE_PLAYING;
  }
  pause() {
    if (this._state !== STATE_PLAYING) { return; }
    this._state = STATE_PAUSED;
  }
  stop() { this._state = STATE_STOPPED; }
  suspend() { this._suspended = true; }
}
"""
STATUS = "export const Status = { kIdle: 0, kBusy: 1, kDone: 2 };\n"
LOADER = """
import { Status } from './status.js';
export class Loader {
  constructor() { this._status = Status.kIdle; }
  isBusy() { return this._status === Status.kBusy; }
  open() {
    if (this._status !== Status.kIdle) { throw new Error(); }
    this._status = Status.kBusy;
  }
}
"""


def test_a_state_that_a_constructor_makes_is_a_field() -> None:
    found = declare({"audio/sound.js": SOUND})
    assert "state: stopped | playing | paused" in found
    assert "stopped -> playing\n        playing -> stopped\n        playing -> paused" in found
    assert "requires: sound.state = stopped\n    ensures: sound.state = playing" in found


def test_so_are_flags_beside_it_and_nothing_else() -> None:
    found = declare({"audio/sound.js": SOUND})
    assert "suspended: Boolean" in found
    assert "manager" not in found
    assert "buffers" not in found
    given = SOUND.replace("suspend() {", "set(on) { this._suspended = on; }\n  suspend() {")
    assert "suspended: Boolean" not in declare({"audio/sound.js": given})


def test_only_what_has_a_state_has_such_fields() -> None:
    assert "sound" not in declare(
        {
            "audio/sound.js": SOUND.replace("=== STATE", "== state").replace(
                "= STATE_STOPPED;\n  }\n  play", "= 2;\n  }\n  play"
            )
        }
    )


def test_a_state_may_be_of_another_file() -> None:
    found = declare({"io/status.js": STATUS, "io/loader.js": LOADER})
    assert "status: idle | busy | done" in found.replace("k_", "")
    assert "requires: loader.status = k_idle\n    ensures: loader.status = k_busy" in found


def test_what_typescript_does_not_declare_another_class_does() -> None:
    assert "entity Sound" not in declare({"audio/sound.ts": SOUND})


def test_a_field_may_be_set_with_others() -> None:
    text = SOUND.replace(
        "this._state = STATE_STOPPED;\n  }\n  play",
        "this._last = this._state = STATE_STOPPED;\n  }\n  play",
    )
    assert "stopped -> playing" in declare({"audio/sound.js": text})


CLIENT = """
class Client {
  constructor() { this._stage = NONE; }
  begin() {
    if (this._stage !== NONE) { throw new Error(); }
    this._stage = 'version';
  }
  next() { if (this._stage === 'version') { this._stage = 'security'; } }
  end() {
    switch (this._stage) {
      case 'security': this._stage = 'done'; break;
    }
  }
}
"""


@pytest.mark.parametrize("none", ["''", '""', "null"])
def test_what_begins_with_nothing_has_no_state_yet(none: str) -> None:
    found = declare({"net/client.js": CLIENT.replace("NONE", none)})
    assert "stage: version | security | done" in found
    assert "version -> security\n        security -> done\n        terminal: done" in found
    assert "requires: client.stage = null\n    ensures: client.stage = version" in found


SHARD = """
const EventEmitter = require('events');
class Shard extends EventEmitter {
  constructor() { super(); this.reset(); }
  reset() { this.status = 'disconnected'; }
  connect() {
    if (this.status !== 'disconnected') { throw new Error(); }
    this.status = 'connecting';
  }
  open() { if (this.status === 'connecting') { this.status = 'ready'; } }
}
"""


def test_what_a_constructor_has_another_method_make_is_a_field() -> None:
    found = declare({"gateway/shard.js": SHARD})
    assert "status: disconnected | connecting | ready" in found
    assert "connecting -> disconnected\n        connecting -> ready\n" in found
    assert "requires: shard.status = disconnected\n    ensures: shard.status = connecting" in found


@pytest.mark.parametrize(
    "base",
    [
        "const EventEmitter = require('./emitter');",
        "class EventEmitter { constructor() { this.status = 'new'; } }",
    ],
)
def test_what_another_class_may_make_is_its_own(base: str) -> None:
    text = SHARD.replace("const EventEmitter = require('events');", base)
    assert "connecting" not in declare({"gateway/shard.js": text})


def test_what_is_given_anything_else_has_no_states() -> None:
    text = SHARD.replace("open() {", "load(packet) { this.status = packet.status; }\n  open() {")
    assert "connecting" not in declare({"gateway/shard.js": text})


GATE = """
class Gate {
  TOLD
  up() {
    if (this._way !== 'down') { throw new Error(); }
    this._way = 'up';
  }
  down() { this._way = 'down'; }
  lift(way) { this._way = way; }
}
"""


@pytest.mark.parametrize(
    "told",
    [
        "/** @type {'up' | 'down'} */\n  // @ts-ignore\n  _way;",
        "/**\n   * The way.\n   * @type {'up' | 'down'}\n   */\n  _way = 'up';",
        "constructor() {\n    /** @type {'up' | 'down'} */\n    this._way = 'up';\n  }",
        "constructor() {\n    /** @type {'up' | \"down\" | null} */\n    this._way = null;\n  }",
    ],
)
def test_a_comment_may_tell_the_states(told: str) -> None:
    found = declare({"yard/gate.js": GATE.replace("TOLD", told)})
    assert "way: up | down" in found
    assert "requires: gate.way = down\n    ensures: gate.way = up" in found


@pytest.mark.parametrize("kind", ["string", "'up'", "Way", "'up' | string"])
def test_a_comment_that_tells_no_texts_tells_no_states(kind: str) -> None:
    told = f"/** @type {{{kind}}} */\n  _way;"
    assert "->" not in declare({"yard/gate.js": GATE.replace("TOLD", told)})


PHASES = "/** @enum {number} */\nexport default { IDLE: 0, BUSY: 1, DONE: 2 };\n"
TILE = """
import Phase from './phase.js';
class Tile {
  constructor(state) {
    /**
     * @protected
     * @type {import("./phase.js").default}
     */
    this.state = state;
    /** @type {Phase} */
    this.other = state;
  }
  drop() { if (this.state === Phase.DONE) { return; } this.changed(); }
}
export default Tile;
"""
HEIR = """
import Phase from './phase.js';
import Tile from './tile.js';
export default class Image extends Tile {
  constructor() { super(Phase.IDLE); }
  load() { if (this.state !== Phase.IDLE) { return; } this.state = Phase.BUSY; }
  end() { if (this.state !== Phase.BUSY) { throw new Error(); } this.state = Phase.DONE; }
}
"""


@pytest.mark.parametrize(
    "told", ['import("./phase.js").default', "Phase", "!Phase", '?import("./phase.js").default']
)
def test_a_comment_may_name_the_type_of_a_state(told: str) -> None:
    tile = TILE.replace('import("./phase.js").default', told)
    found = declare({"map/phase.js": PHASES, "map/tile.js": tile, "map/image.js": HEIR})
    assert "entity Tile {\n    state: idle | busy | done\n}" in found
    assert "requires: tile.state != done" in found
    assert "        idle -> busy\n        busy -> done\n" in found.partition("entity Image")[2]


@pytest.mark.parametrize("told", ['import("./other.js").default', "{a: 1}", "Other", "number"])
def test_what_a_comment_names_otherwise_is_no_field(told: str) -> None:
    tile = TILE.replace('import("./phase.js").default', told)
    assert "state" not in declare({"map/phase.js": PHASES, "map/tile.js": tile})


def test_an_object_of_many_members_or_of_options_is_no_state() -> None:
    options = PHASES.replace("IDLE", "idle")
    assert "idle | busy" not in declare({"map/phase.js": options, "map/tile.js": TILE})
    many = PHASES.replace("DONE: 2", ", ".join(f"N{n}: {n}" for n in range(2, 40)))
    assert "idle | busy" not in declare({"map/phase.js": many, "map/tile.js": TILE})


DOOR = """
const { OPEN, SHUT, GONE } = require('./states');
class Door {
  constructor(isOpen) { this.state = isOpen ? OPEN : SHUT; }
  shut() { if (this.state !== OPEN) { return; } this.state = SHUT; }
  drop() { if (this.state === GONE) { throw new Error(); } this.state = GONE; }
}
"""


def test_a_constructor_may_choose_how_an_object_begins() -> None:
    states = "module.exports = { OPEN: 'open', SHUT: 'shut', GONE: 'gone' };"
    found = declare({"lib/states.js": states, "lib/door.js": DOOR})
    assert "open -> shut\n        open -> gone\n        shut -> gone\n" in found
    other = DOOR.replace("? OPEN : SHUT", "? OPEN : read()")
    assert "->" not in declare({"lib/states.js": states, "lib/door.js": other})


def test_a_constant_may_be_called_a_state() -> None:
    text = """
        const IdleState = 'idle';
        const BusyState = 'busy';
        class Worker {
          constructor() { this.state = IdleState; }
          run() { if (this.state === BusyState) { return; } this.state = BusyState; }
        }"""
    assert "idle -> busy" in declare({"worker.js": text})


GAME = """
abstract class Game {
  phase: string;
  constructor() { this.phase = 'pending'; }
}
class Quiz extends Game {
  constructor() { super(); this.phase = 'pending'; }
  start() { if (this.phase !== 'pending') { return; } this.phase = 'started'; }
}
"""


def test_a_class_may_begin_what_its_base_class_leaves_to_it() -> None:
    assert "pending -> started" in declare({"game.ts": GAME})
    more = GAME.replace(
        "constructor() { this", "stop() { this.phase = 'over'; } constructor() { this"
    )
    assert "->" not in declare({"game.ts": more})
    assert "->" not in declare({"game.ts": GAME.replace("phase: string", "phase: Phase")})
