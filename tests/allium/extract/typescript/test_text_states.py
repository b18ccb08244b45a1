"""Texts of TypeScript that are states."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

MANAGER = """
export class Manager {
  state: string;
  constructor() { this.state = 'initial'; }
  connect() {
    if (this.state === 'open') { return; }
    this.updateState('open');
  }
  close() {
    if (this.state !== 'open') { throw new Error('not open'); }
    this.updateState('closed', { by: 'us' });
  }
  private updateState(next: string, data?: any) {
    const previous = this.state;
    this.state = next;
    if (previous !== next) { this.emit(next, data); }
  }
}
"""


def test_a_text_goes_through_what_its_class_gives_it() -> None:
    found = declare({"net/manager.ts": MANAGER})
    assert "state: initial | open | closed" in found
    assert "initial -> open\n        open -> closed\n        closed -> open" in found
    assert "requires: manager.state = open\n    ensures: manager.state = closed" in found


def test_it_may_begin_at_the_field() -> None:
    text = MANAGER.replace("state: string;", "private state = 'initial';").replace(
        "constructor() { this.state = 'initial'; }", ""
    )
    assert "initial -> open" in declare({"net/manager.ts": text})


def test_a_field_may_be_given_a_parameter_of_its_name() -> None:
    text = MANAGER.replace("state: string;", "#state: string;").replace("this.state", "this.#state")
    text = text.replace("next", "state")
    assert "initial -> open" in declare({"net/manager.ts": text})


def test_what_is_called_a_state_may_have_a_text_that_it_is_only_asked_for() -> None:
    """Others may set it; of any other text nobody knows what it may be."""
    asked = MANAGER.replace("=== 'open'", "=== 'open' || this.state === 'retired'")
    found = declare({"net/manager.js": asked.replace(": string", "").replace(": any", "")})
    assert "state: initial | open | closed | retired" in found
    assert "requires: manager.state != open and manager.state != retired" in found
    assert "label: String" in declare({"net/manager.ts": asked.replace(".state", ".label").replace(
        "state:", "label:"
    )})  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("constructor() { this.state = 'initial'; }", ""),  # nobody knows how it begins
        ("private updateState", "updateState"),  # others may call it
        ("this.updateState('open');", "this.updateState(this.choose());"),
        ("this.updateState('open');", "this.run(this.updateState);"),
        ("this.updateState('open');", "this.updateState('open'); this.state = read();"),
        ("this.updateState('open');", "this.updateState('open'); this.state += 'x';"),
        ("this.updateState('open');", "this.updateState('open'); Object.assign(this, more);"),
        ("const previous = this.state;", "next = next.trim();"),
    ],
)
def test_a_text_that_may_be_anything_is_a_text(old: str, new: str) -> None:
    assert old in MANAGER
    found = declare({"net/manager.ts": MANAGER.replace(old, new)})
    assert "->" not in found
    assert "initial |" not in found


ORDER = """
enum State { Idle = 'idle', Open = 'open', Closed = 'closed' }

export class Order {
  lines: string[] | undefined;
  state: State = State.Idle;

  open() { this.state = State.Open; }
  close() { this.shut(); }
  total() { this.throwIfMissing('total'); this.send(); }
  ship() { this.#look(); this.send(); }

  private shut() { this.state = State.Closed; }
  private throwIfMissing(name: string) { if (this.lines == null) { throw new Error(name); } }
  #look() { if (this.state == State.Idle) { throw new Error('idle'); } }
}
"""


def test_private_methods_are_steps_of_others() -> None:
    told = declare({"shop/order.ts": ORDER})
    assert "ensures: ShutOrder(order: order)" in told.partition("rule OrderClose {")[2]
    assert "requires: order.lines != null" in told.partition("rule OrderTotal {")[2]
    assert "requires: order.state in {closed, open}" in told.partition("rule OrderShip {")[2]
    assert "rule OrderThrowIfMissing" not in told
    assert "rule OrderLook" not in told


LINK = """
import { Wire } from './wire';
export const LINK_IDLE = 'idle';
const LINK_OPEN = 'open';
const LINK_SHUT = 'shut';
export class Link {
  private state: string = LINK_IDLE;
  open() {
    if (this.state !== LINK_IDLE) { throw new Error('opened before'); }
    this.state = LINK_OPEN;
  }
  shut() {
    if (this.state === LINK_SHUT) { return; }
    this.state = LINK_SHUT;
  }
}
"""
LINK_EDGES = "idle -> open\n        idle -> shut\n        open -> shut"


def test_a_text_that_gets_constants_alone_has_these_as_states() -> None:
    found = declare({"net/link.ts": LINK})
    assert "state: idle | open | shut" in found
    assert LINK_EDGES in found
    assert "requires: link.state = idle\n    ensures: link.state = open" in found


def test_numbers_have_the_names_of_their_constants_as_states() -> None:
    text = LINK.replace("'idle';", "0;").replace("'open';", "1;").replace("'shut';", "2;")
    assert LINK_EDGES in declare({"net/link.ts": text.replace("state: string", "state: number")})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("const LINK_SHUT = 'shut'", "const LINK_SHUT = 'open'"),
        ("const LINK_SHUT = 'shut'", "const LINK_SHUT = make()"),
        ("const LINK_SHUT = 'shut'", "const LINK_SHUT = 3000"),
        ("this.state = LINK_OPEN", "this.state = LINK_OPEN + 1"),
        ("string = LINK_IDLE", "string"),
    ],
)
def test_what_may_be_anything_else_has_no_states(old: str, new: str) -> None:
    assert old in LINK
    assert "->" not in declare({"net/link.ts": LINK.replace(old, new)})


SESSION = """
export class Session {
  static readonly NEW = 0;
  static readonly LIVE = 1;
  private parent: Session;
  private status = Session.NEW;
  start() {
    if (this.status !== Session.NEW) { throw new Error('started'); }
    this.status = Session.LIVE;
  }
}
"""


def test_fixed_fields_of_a_class_are_states() -> None:
    found = declare({"net/session.ts": SESSION})
    assert "parent: Session\n    status: new | live\n" in found
    assert "new -> live" in found


def test_members_of_an_object_of_another_file_are_states() -> None:
    states = "export const State = { New: 'new', Live: 'live' } as const;"
    text = "import { State } from './states';\n" + SESSION.replace("Session.", "State.")
    text = text.replace("private status", "private status: string").replace("NEW;", "New;")
    text = text.replace("NEW)", "New)").replace("LIVE;", "Live;")
    found = declare({"net/session.ts": text, "net/states.ts": states})
    assert "status: new | live" in found
    assert "new -> live" in found
    assert "enum State" not in found


PLAYER = """
type Status = 'idle' | 'playing';
export class Player {
  private state: Status = 'idle';
  play() { this.setState('playing'); }
  stop() { this.setState('idle'); }
  private setState(next: Status) {
    if (this.state === next) return;
    this.state = next;
    this.emit('state', next);
  }
}
"""


def test_a_private_method_that_leaves_the_same_state_is_no_rule() -> None:
    found = declare({"player.ts": PLAYER})
    assert "idle -> playing" in found
    assert "rule PlayerSetState" not in found
    more = PLAYER.replace("this.emit('state', next);", "this.count += 1;")
    assert "rule PlayerSetState" in declare({"player.ts": more})


KEEPER = """
enum KeeperState { Paused, Running, Closed }
export class Keeper {
  private state: number = KeeperState.Paused;
  start() {
    if (this.state !== KeeperState.Paused) { return; }
    this.state = KeeperState.Running;
  }
  close() { this.state = KeeperState.Closed; }
}
"""


def test_a_number_that_gets_members_of_one_enum_alone_has_these_as_states() -> None:
    edges = "        paused -> running\n        paused -> closed\n        running -> closed\n"
    assert edges in declare({"keeper.ts": KEEPER})


@pytest.mark.parametrize("other", ["7", "Other.Closed", "read()"])
def test_a_number_that_gets_another_has_no_states(other: str) -> None:
    text = KEEPER.replace("= KeeperState.Closed", f"= {other}")
    assert "transitions" not in declare({"keeper.ts": text})


@pytest.mark.parametrize("name", ["Nullable", "Maybe", "Optional"])
def test_a_state_may_be_missing_by_a_type_that_says_so(name: str) -> None:
    text = KEEPER.replace("state: number =", f"state: {name}<KeeperState> =")
    assert "    state: KeeperState?\n" in declare({"keeper.ts": text})


MACHINE = """
class Machine {
  #machineState = 'Idle';
  #parts = {};
  get machineState() { return this.#machineState; }
  set machineState(next) { this.#machineState = next; this.tell(); }
  run() {
    if (this.machineState !== 'Idle') { throw new Error('busy'); }
    Object.assign(this.#parts, { speed: 1 });
    this.machineState = 'Run';
  }
  hold() { if (this.machineState === 'Run') { this.machineState = 'Hold'; } }
  safe() { if (this.machineState === 'Door') { return; } this.halt(); }
}
"""


def test_a_text_may_be_behind_a_setter_which_others_may_use() -> None:
    found = declare({"sim/machine.js": MACHINE})
    assert "state: idle | run | hold | door" in found.replace("machineState", "state")
    assert "requires: machine.machineState = idle\n    ensures: machine.machineState = run" in found


def test_its_setter_may_have_another_name_than_the_field() -> None:
    text = MACHINE.replace("machineState", "state").replace("#state", "_ownState")
    found = declare({"sim/machine.js": text})
    assert "ownState: idle | run | hold | door" in found
    assert "ensures: machine.ownState = run" in found


def test_what_sets_all_of_an_object_may_set_its_state() -> None:
    text = MACHINE.replace("Object.assign(this.#parts", "Object.assign(this")
    assert "idle |" not in declare({"sim/machine.js": text})


def test_a_name_for_what_the_state_was_is_no_other_state() -> None:
    text = MACHINE.replace(
        "this.halt();", "const before = this.machineState; this.#machineState = before;"
    )
    assert "idle | run | hold | door" in declare({"sim/machine.js": text})


EMOJIS = """
class Emojis {
  constructor() { this.status = "pending"; }
  async load() {
    if (["loading", "success"].indexOf(this.status) !== -1) return this;
    this.status = "loading";
    this.take(await fetch("/emojis.json"));
    this.status = "success";
  }
}
"""


@pytest.mark.parametrize("asked", [".indexOf(this.status) !== -1", ".includes(this.status)"])
def test_a_list_of_texts_asks_for_a_state_that_is_looked_for_in_it(asked: str) -> None:
    found = declare({"chat/emojis.js": EMOJIS.replace(".indexOf(this.status) !== -1", asked)})
    assert "        pending -> loading\n        loading -> success\n" in found


SUBSCRIBER = """
class Subscriber {
  constructor() { this.state = 'init'; }
  receive(message) {
    const next = this._parse(message.state);
    if (next === undefined) { this.reply(400); return; }
    if (this.state !== 'done') { this.state = next; }
  }
  _parse(text) {
    switch (text) {
      case 'PENDING': { return 'pending'; }
      case 'ACTIVE': { return 'active'; }
      case 'DONE': { return 'done'; }
      default: { return undefined; }
    }
  }
}
"""


def test_an_own_method_may_say_which_state_is_next() -> None:
    found = declare({"lib/subscriber.js": SUBSCRIBER})
    assert "state: init | pending | active | done" in found
    assert "init -> pending\n        init -> active\n        init -> done\n" in found
    assert "active -> pending\n        active -> done\n        terminal: done" in found
    direct = SUBSCRIBER.replace("this.state = next", "this.state = this._parse(message)")
    assert "active -> done" in declare({"lib/subscriber.js": direct})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return 'active'", "return text"),
        ("const next = ", "let next = message.next; next = "),
        ("this._parse(", "this.link._parse("),
        ("switch (text) {", "// return 'old';\n    switch (text) {"),
        ("switch (text) {", "this.all.map(() => { return 'name'; }); switch (text) {"),
        ("switch (text) {", "this.read += 1; switch (text) {"),
        ("switch (text) {", "if (this.state === 'done') { return 'init'; } switch (text) {"),
    ],
)
def test_what_it_says_otherwise_is_no_state(old: str, new: str) -> None:
    assert "->" not in declare({"lib/subscriber.js": SUBSCRIBER.replace(old, new)})


REFUSING = """
class Manager {
  constructor() { this._state = 'idle'; }
  get state() { return this._state; }
  set state(given) {
    if (this._state === 'exiting') { return; }
    this._state = given;
  }
  start() { if (this.state === 'idle') { this.state = 'started'; } }
  close() { this.state = 'exiting'; }
}
"""


def test_a_setter_that_may_refuse_gives_the_field_what_it_is_given() -> None:
    found = declare({"src/manager.js": REFUSING})
    assert "state: idle | started | exiting" in found
    edges = {line.strip() for line in found.split("\n") if " -> " in line}
    assert edges == {"idle -> started", "idle -> exiting", "started -> exiting"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("this._state = given;", "given = given || this.next; this._state = given;"),
        ("this._state = given;", "this._state = given; this._state = this.next;"),
        ("this._state = given;", "if (given === 'started') { this._state = given; }"),
        ("'exiting'; }\n}", "makeState(); }\n}"),
        ("'exiting'; }\n}", "this.next || 'exiting'; }\n}"),
    ],
)
def test_what_may_be_another_text_behind_a_setter_is_no_state(old: str, new: str) -> None:
    assert old in REFUSING
    assert "->" not in declare({"src/manager.js": REFUSING.replace(old, new)})


def test_a_state_may_be_what_something_answers_or_else_a_text() -> None:
    told = REFUSING.replace("= 'started'", "= await this.agent.start() || 'started'")
    found = declare({"src/manager.js": told.replace("start() {", "async start() {")})
    assert "idle -> started" in found


SERVER = """
const RUNNING = 0;
const CLOSING = 1;
const CLOSED = 2;
class Server {
  constructor() { this._state = RUNNING; }
  get state() { return this._state; }
  close() {
    if (ASKED === CLOSED) { throw new Error('closed'); }
    if (ASKED === CLOSING) { return; }
    this._state = CLOSING;
  }
}
function finish(server) { server._state = CLOSED; }
"""


@pytest.mark.parametrize("asked", ["this._state", "this.state"])
def test_a_state_may_be_a_constant_that_functions_of_the_file_give_it(asked: str) -> None:
    found = declare({"net/server.js": SERVER.replace("ASKED", asked)})
    assert "state: running | closing | closed" in found
    assert "requires: server.state != closed\n    requires: server.state != closing" in found


PIPE = """
export class Pipe {
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSED = 2;
  public readyState: number;
  constructor(private socket: Socket) { this.readyState = this.CONNECTING; }
  close() {
    if (this.readyState === this.CLOSED) { return; }
    this.readyState = this.CLOSED;
  }
  open() { if (this.readyState === this.CONNECTING) { this.readyState = this.OPEN; } }
  follow() { this.readyState = VALUE; }
}
"""


def test_a_state_may_be_taken_over_from_another_object() -> None:
    found = declare({"net/pipe.ts": PIPE.replace("VALUE", "this.socket.readyState")})
    assert "readyState: connecting | closed | open" in found
    assert "ensures:\n        if pipe.readyState = connecting: pipe.readyState = open" in found
    assert "terminal" not in found
    for other in ("this.socket.size", "this.nextState"):
        assert "->" not in declare({"net/pipe.ts": PIPE.replace("VALUE", other)})


def test_another_field_may_keep_a_state() -> None:
    kept = MANAGER.replace("this.state = next;", "this.state = this.last; this.state = next;")
    kept = kept.replace("const previous = this.state;", "const previous = this.state; KEPT;")
    assert "initial -> open" in declare(
        {"net/manager.ts": kept.replace("KEPT", "this.last = this.state")}
    )
    assert "->" not in declare({"net/manager.ts": kept.replace("KEPT", "this.last = data")})
