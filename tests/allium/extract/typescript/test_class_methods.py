"""The private steps of a TypeScript class begin where it runs them, what it waits for anywhere."""

import re

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

DRIVER = """
enum State { Idle = 'idle', Opening = 'opening', Open = 'open', Closed = 'closed' }
export class Driver {
  private state: State = State.Idle;
  constructor(private bus: Bus) {
    this.bus.on('event', (event) => { this.handle(event); });
  }
  private handle(event: string): void {
    if (this.state === State.Idle) {
      this.state = State.Opening;
    } else if (this.state === State.Opening) {
      this.handleOpening(event);
    } else if (this.state === State.Open) {
      this.handleOpen(event);
    }
  }
  private handleOpening(event: string): void {
    if (event === 'up') this.state = State.Open;
    this.bus.log(event);
  }
  private handleOpen(event: string): void {
    if (event === 'down') this.state = State.Closed;
    this.bus.log(event);
  }
}
"""


def declare_driver(source: str) -> str:
    return declare({"net/driver.ts": source})


@pytest.mark.parametrize(
    "name",
    ["private handleOpen", "private async handleOpen", "#handleOpen", "async #handleOpen",
     "_handleOpen", "handleOpen_"],
)  # fmt: skip
def test_a_step_of_one_state_follows_on_it_alone(name: str) -> None:
    source = DRIVER.replace("private handleOpen(", f"{name}(")
    source = source.replace("this.handleOpen(", f"this.{name.rpartition(' ')[2]}(")
    told = declare_driver(source)
    assert "        open -> closed\n" in told
    assert "        idle -> closed\n" not in told
    assert "        opening -> closed\n" not in told


def test_a_step_of_a_step_follows_on_what_lets_both_run() -> None:
    source = DRIVER.replace("this.bus.log(event);\n  }\n}", "this.shut();\n  }\n  private shut() {"
        "\n    this.state = State.Idle;\n    this.bus.end();\n  }\n}")  # fmt: skip
    told = declare_driver(source)
    assert "        open -> idle\n" in told
    assert "        opening -> idle\n" not in told


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # It is handed on, and runs when something happens.
        ("this.handle(event); });", "this.handleOpen(event); this.handle(event); });"),
        ("this.bus.on(", "this.bus.on('down', this.handleOpen); this.bus.on("),
        # It is run later, if ever.
        ("private handleOpen(", "private *handleOpen("),
        # Heirs may run it, or others.
        ("private handleOpen(", "protected handleOpen("),
        ("private handleOpen(", "handleOpen("),
    ],
)
def test_it_follows_on_any_state_where_others_may_run_it(old: str, new: str) -> None:
    assert "        idle -> closed\n" in declare_driver(DRIVER.replace(old, new))


def test_heirs_of_an_abstract_class_run_what_is_not_marked_as_its_own() -> None:
    source = DRIVER.replace("export class", "export abstract class")
    assert "        idle -> closed\n" not in declare_driver(source)
    source = source.replace("private handleOpen(", "_handleOpen(")
    told = declare_driver(source.replace("this.handleOpen(", "this._handleOpen("))
    assert "        idle -> closed\n" in told


def test_a_function_that_waits_runs_a_step_in_the_states_that_it_asks_for() -> None:
    asked = "if (this.state === State.Open) this.handleOpen(event);"
    source = DRIVER.replace("this.handle(event); });", f"this.handle(event); {asked} }});")
    told = declare_driver(source)
    assert "        open -> closed\n" in told
    assert "        idle -> closed\n" not in told


def declare_parted(source: str) -> str:
    """A driver whose states are in another file."""
    enum, _, driver = source.partition("\nexport class")
    imported = f"import {{ State }} from './state';\nexport class{driver}"
    return declare({"net/driver.ts": imported, "net/state.ts": f"export {enum.strip()}\n"})


def test_a_step_follows_on_its_states_where_another_file_has_all_of_them() -> None:
    told = declare_parted(DRIVER)
    assert "        open -> closed\n" in told
    assert "        idle -> closed\n" not in told
    told = declare_parted(DRIVER.replace("private handleOpen(", "handleOpen("))
    assert "        idle -> closed\n" in told


def test_what_waits_in_a_step_may_run_in_any_state() -> None:
    source = DRIVER.replace(
        "this.bus.log(event);", "this.bus.on('end', () => { this.state = State.Idle; });", 1
    )
    for told in (declare_driver(source), declare_parted(source)):
        assert "        closed -> idle\n" in told
        assert "        closed -> open\n" not in told


def test_what_goes_on_behind_something_in_a_step_does_so_in_its_states() -> None:
    told = declare_driver(
        DRIVER.replace(
            "this.bus.log(event);", "this.bus.ask().then(() => { this.state = State.Idle; });", 1
        )
    )
    assert "        opening -> idle\n" in told
    assert "        closed -> idle\n" not in told


ENUM = "enum State { Idle = 'idle', Open = 'open', Closed = 'closed' }\n"
LINK = """
export class Link {
  private state: State = State.Idle;
  constructor(private socket: Socket, private wire: Wire) {
    WAITS
    this.socket.start();
  }
  open(): void {
    if (this.state !== State.Idle) throw new Error();
    this.state = State.Open;
  }
}
"""
CLOSE = "() => { this.state = State.Closed; }"


def declare_link(waits: str) -> str:
    return declare({"net/link.ts": ENUM + LINK.replace("WAITS", waits)})


@pytest.mark.parametrize(
    "waits",
    [
        f"this.socket.on('close', {CLOSE});",
        f"this.socket.addEventListener('close', {CLOSE});",
        f"this.socket.onclose = {CLOSE};",
        f"socket.on('data', {CLOSE});",
        f"this.socket.closed.subscribe({CLOSE});",
        f"const close = {CLOSE}; this.socket.on('close', close);",
        f"this.wire.run({{ onClose: {CLOSE} }});",
        f"setTimeout({CLOSE}, 1000);",
    ],
)
def test_an_event_leads_on_from_any_state(waits: str) -> None:
    told = declare_link(waits)
    assert "        idle -> closed\n        open -> closed\n        terminal: closed\n" in told


def test_it_leads_on_from_the_states_that_it_does_not_refuse() -> None:
    asked = CLOSE.replace("{ this", "{ if (this.state !== State.Open) return; this")
    told = declare_link(f"this.socket.on('close', {asked});")
    assert "        open -> closed\n" in told
    assert "        idle -> closed\n" not in told


def test_it_is_no_rule_of_its_own() -> None:
    told = declare_link(f"this.socket.on('close', {CLOSE});")
    assert told.count("rule ") == 1
    assert declare_link(f"this.socket.end().then({CLOSE});").count("rule ") == 1


def test_the_states_may_be_those_of_another_file() -> None:
    link = LINK.replace("WAITS", f"this.socket.on('close', {CLOSE});")
    told = declare(
        {
            "net/state.ts": f"export {ENUM}",
            "net/link.ts": f"import {{ State }} from './state';\n{link}",
        }
    )
    assert "        open -> closed\n" in told


BASE = """
export const State = { IDLE: 'IDLE', LOADING: 'LOADING', WAITING: 'WAITING', ENDED: 'ENDED' };
export default class BaseLoader {
  protected _state: (typeof State)[keyof typeof State] = State.IDLE;
  set state(next: (typeof State)[keyof typeof State]) {
    if (next !== this._state) { this._state = next; }
  }
  get state(): (typeof State)[keyof typeof State] { return this._state; }
}
"""
HEIR = """
import BaseLoader, { State } from './base';
export default class Loader extends BaseLoader {
  tick() {
    switch (this.state) {
      case State.IDLE:
        this.loadNext();
        break;
      case State.WAITING:
        this.state = State.LOADING;
    }
  }
  private loadNext() {
    if (!this.media) { this.state = State.ENDED; return; }
    this.state = State.WAITING;
  }
}
"""


def declare_heir(source: str) -> str:
    return declare({"base.ts": BASE, "loader.ts": source})


def test_a_step_of_an_heir_follows_on_its_states_of_the_base_class() -> None:
    told = declare_heir(HEIR)
    assert "        idle -> ended\n" in told
    assert "        loading -> ended\n" not in told
    assert "        waiting -> loading\n" in told


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("private loadNext(", "protected loadNext("),
        ("private loadNext(", "loadNext("),
        ("  tick() {", "  retry() { this.loadNext(); }\n  tick() {"),
        ("  tick() {", "  later() { this.bus.on('end', this.loadNext); }\n  tick() {"),
    ],
)
def test_an_heirs_step_follows_on_any_state_where_others_may_run_it(old: str, new: str) -> None:
    assert "        loading -> ended\n" in declare_heir(HEIR.replace(old, new))


def test_a_base_class_may_run_what_only_has_a_private_name() -> None:
    source = HEIR.replace("private loadNext(", "_loadNext(").replace(".loadNext(", "._loadNext(")
    assert "        loading -> ended\n" in declare_heir(source)


def test_a_function_moves_what_it_only_gives_a_state() -> None:
    door = """
    export enum State { Open = 'open', Locked = 'locked' }
    export class Door {
      private state: State = State.Open;
      move(next: State): void { this.state = next; }
    }
    """
    lock = """
    import { Door, State } from './door';
    export function lock(door: Door): void { door.move(State.Locked); }
    """
    told = declare({"door.ts": door, "house.ts": lock})
    assert "    when: LockDoor(door)\n    ensures: door.state = locked" in told


@pytest.mark.parametrize(
    ("check", "asked"),
    [
        ("assertState(...states: State[])", "State.Opening, State.Open"),
        ("assertState(reason: string, ...states: State[])", "'no', State.Opening, State.Open"),
        ("assertState(states: State[])", "[State.Opening, /* or */ State.Open]"),
    ],
)
def test_a_check_is_given_the_states_that_it_lets_pass(check: str, asked: str) -> None:
    told = declare_driver(
        DRIVER.replace(
            "  private handle(",
            f"""
  stop(): void {{
    this.assertState({asked});
    this.state = State.Closed;
  }}
  private {check} {{
    if (!states.includes(this.state)) throw new Error();
  }}
  private handle(""",
        )
    )
    assert (
        "    requires: driver.state in {opening, open}\n    ensures: driver.state = closed" in told
    )


def test_comments_between_the_cases_of_a_switch_are_none() -> None:
    told = declare_driver(
        DRIVER.replace(
            "  private handle(",
            """
  stop(): void {
    switch (this.state) {
      case State.Open:
        break; // it goes on
      // Nothing to do.
      case State.Closed: // it is over
        return; /* quietly */
      case State.Idle:
      // Not yet.
      case State.Opening:
        throw new Error();
    }
    this.state = State.Closed;
  }
  private handle(""",
        )
    )
    assert (
        "    requires: driver.state in {open, closed}\n    ensures: driver.state = closed" in told
    )
    assert "        opening -> closed\n" not in told


def test_a_loop_of_one_state_goes_on_in_it_alone() -> None:
    told = declare_driver(
        DRIVER.replace(
            "  private handle(",
            """
  async poll() {
    if (this.state !== State.Idle) return;
    this.state = State.Open;
    while (this.state === State.Open) {
      try {
        await this.bus.ask();
      } catch (error) {
        this.state = State.Closed;
      }
    }
  }
  private handle(""",
        )
    )
    assert "        open -> closed\n" in told
    assert "        idle -> closed\n" not in told


@pytest.mark.parametrize("answer", ["true", "false", "null"])
def test_what_a_method_says_in_any_case_heirs_may_say_otherwise(answer: str) -> None:
    told = declare_driver(
        DRIVER.replace(
            "  private handle(",
            f"""
  stop(): void {{
    if (this.state !== State.Open) return;
    if (!this.mayStop()) {{ this.state = State.Idle; return; }}
    this.state = State.Closed;
  }}
  protected mayStop() {{ return {answer}; }}
  private handle(""",
        )
    )
    assert "        open -> idle\n" in told
    assert "        open -> closed\n" in told


def test_a_setter_that_tells_whether_it_set_the_state_has_set_it() -> None:
    told = declare_driver(
        DRIVER.replace(
            "  private handle(",
            """
  stop(): void {
    if (this.state !== State.Idle) return;
    if (!this.move(State.Closed)) return;
    this.move(State.Opening);
  }
  private move(next: State): boolean {
    if (this.state === next) return false;
    this.state = next;
    return true;
  }
  private handle(""",
        )
    )
    assert "        idle -> closed\n" in told
    assert "        closed -> opening\n" in told


PARSER = """
const HEAD = 'head';
const BODY = 'body';
const DONE = 'done';
export class Parser {
  constructor() { this._state = HEAD; }
  run() {
    switch (this._state) {
      case HEAD: this.readHead(); break;
      case BODY: this.readBody(); break;
    }
  }
  /**
   * Reads the head.
   *
   * @private
   */
  readHead() { this._state = BODY; }
  /** @private */
  readBody() { this._state = DONE; }
}
"""


def test_a_comment_may_say_that_a_method_is_private() -> None:
    found = declare({"net/parser.js": PARSER})
    assert "head -> body\n        body -> done\n" in found
    assert "head -> done" not in found
    assert "head -> done" in declare({"net/parser.js": PARSER.replace("@private", "")})


STOP = """
enum State { Idle = 'idle', Open = 'open', Closed = 'closed' }
export class Client {
  state: State = State.Idle;
  open() { if (this.state === State.Idle) { this.state = State.Open; } }
  async stop(): Promise<void> {
    if (this.state !== State.Open) { REFUSED }
    this.state = State.Closed;
  }
}
"""


@pytest.mark.parametrize(
    "refused",
    [
        "return Promise.resolve();",
        "return undefined;",
        "this._log.debug('not open'); return;",
        "this.#logger.warn(`not ${this.name}`); return;",
        "this.trace('not open'); return;",
        "debug('not open'); return;",
    ],
)
def test_what_only_tells_people_and_leaves_refuses(refused: str) -> None:
    found = declare({"net/client.ts": STOP.replace("REFUSED", refused)})
    assert "requires: client.state = open\n    ensures: client.state = closed" in found


def test_what_does_something_and_leaves_refuses_nothing() -> None:
    text = STOP.replace("REFUSED", "this.close(); return;")
    assert "requires:" not in declare({"net/client.ts": text})


def test_what_a_method_returns_that_answers_nothing_is_no_answer() -> None:
    text = STOP.replace("REFUSED", "return this.stopping;")
    assert "requires: client.state = open" in declare({"net/client.ts": text})
    assert "requires:" not in declare({"net/client.ts": text.replace("<void>", "<string>")})


ASKED_FOR_MANY = """
enum State { Idle, On, Off }
const RESTING = load();
export class Fan {
  private state = State.Idle;
  isIn(...states: State[]) { return states.includes(this.state); }
  start() { if (!this.isIn(GIVEN)) { throw new Error(); } this.state = State.On; }
  stop() { if (!this.isIn(State.On)) { return; } this.state = State.Off; }
}
"""


def test_a_question_may_be_given_any_number_of_states() -> None:
    told = declare({"fan.ts": ASKED_FOR_MANY.replace("GIVEN", "State.Idle, State.Off")})
    assert "requires: fan.state in {idle, off}\n    ensures: fan.state = on" in told
    assert "idle -> on\n        on -> off\n        off -> on\n    }" in told
    told = declare({"fan.ts": ASKED_FOR_MANY.replace("GIVEN", "...RESTING")})
    assert "requires: fan.state in" not in told
    assert "requires: fan.state = on\n    ensures: fan.state = off" in told


MOTION = """
type State = 'pending' | 'running' | 'done' | 'aborted';
export class Motion {
  private state: State = 'pending';
  constructor(private frames: Frames) { this.tick = this.tick.bind(this); }
  start() {
    if (this.state !== 'pending') return;
    this.state = 'running';
    this.tick(0);
  }
  private tick(at: number) {
    if (this.state === 'aborted') return;
    if (at > 9) { this.state = 'done'; } else { HAND }
  }
  abort() { this.state = 'aborted'; }
}
"""


@pytest.mark.parametrize(
    "hand", ["request(this.tick);", "const next = request(this.tick.bind(this));"]
)
def test_a_step_that_hands_itself_on_begins_in_what_follows_from_there(hand: str) -> None:
    told = declare({"ui/motion.ts": MOTION.replace("HAND", hand)})
    assert "running -> done" in told
    assert "pending -> done" not in told


def test_a_step_that_others_may_run_too_begins_anywhere() -> None:
    hand = "if (request(this.tick)) { this.frames.skip(); }"
    assert "pending -> done" in declare({"ui/motion.ts": MOTION.replace("HAND", hand)})


CHAIN = """
type Status = 'stopped' | 'syncing' | 'done' | 'failed';
export class Chain {
  private status: Status = 'stopped';
  constructor(private batches: Batches) { RUN }
  start() { if (this.status !== 'stopped') throw new Error(); this.status = 'syncing'; }
  stop() { if (this.status !== 'syncing') throw new Error(); this.status = 'stopped'; }
  private async sync() {
    try {
      await this.batches.next();
      this.status = 'done';
    } catch (e) {
      this.status = 'failed';
    }
  }
}
"""


@pytest.mark.parametrize(
    "run", ["this.sync().then(() => batches.end());", "batches.open().then(() => this.sync());"]
)
def test_what_a_constructor_lets_run_follows_on_what_its_object_begins_with(run: str) -> None:
    told = declare({"sync/chain.ts": CHAIN.replace("RUN", run)})
    assert "stopped -> done" in told
    assert "syncing -> failed" in told
    assert "failed -> done" not in told
    assert "done -> failed" not in told


def test_a_step_that_only_its_constructor_runs_makes_what_the_object_begins_with() -> None:
    source = DRIVER.replace("    this.bus.on(", "    this.begin();\n    this.bus.on(")
    begin = "  private begin() { this.state = State.Idle; }\n  private handle("
    told = declare_driver(source.replace("  private handle(", begin, 1))
    assert "-> idle" not in told


WATCHER = """
const State = { STOPPED: 'stopped', STARTING: 'starting', RUNNING: 'running' };
class Watcher {
  constructor() { this.state = State.STOPPED; }
  async start() {
    if (this.state !== State.STOPPED) { return; }
    this.state = State.STARTING;
    await this.watch();
    this.state = State.RUNNING;
  }
  watch() { FAIL; }
}
"""


@pytest.mark.parametrize(
    ("fail", "is_left"),
    [
        ("return Promise.reject(new Error('watch() not overridden'))", True),
        ("throw new NotImplementedError()", True),
        ("/* for heirs */ throw new Error('subclasses must implement watch')", True),
        ("throw new Error('cannot watch')", False),
        ("this.log(); throw new Error('not implemented')", False),
    ],
)
def test_a_step_that_only_heirs_have_does_not_fail(fail: str, is_left: bool) -> None:
    told = declare({"watcher.js": WATCHER.replace("FAIL", fail)})
    assert ("        starting -> running\n" in told) is is_left


def test_a_private_step_has_no_heirs() -> None:
    source = WATCHER.replace("FAIL", "throw new Error('not implemented')")
    told = declare({"watcher.js": source.replace("watch()", "#watch()").replace("s.w", "s.#w")})
    assert "starting -> running" not in told


TASK = """
enum State { Pending = 'pending', Done = 'done', Failed = 'failed', Canceled = 'canceled' }
export class Task {
  private state = State.Pending;
  private promise: Promise<void>;
  constructor(executor: Executor) {
    this.promise = new Promise((resolve, reject) => {
      const succeed = () => {
        if (this.state === State.Pending) { resolve(); this.state = State.Done; }
      };
      const fail = () => { GUARD reject(); this.state = State.Failed; };
      executor(succeed, fail);
    });
  }
  cancel() {
    if (this.state !== State.Pending) return;
    this.state = State.Canceled;
  }
}
"""


def test_what_a_constructor_hands_on_leads_on_from_the_states_that_it_asks_for() -> None:
    asked = TASK.replace("GUARD", "if (this.state !== State.Pending) return;")
    moved = ["done", "failed", "canceled"]
    told = declare({"net/task.ts": asked})
    assert re.findall(r"        (\w+ -> \w+)\n", told) == [f"pending -> {one}" for one in moved]
    told = declare({"net/task.ts": TASK.replace("GUARD", "")})
    # It may run once more, and nobody says so: only from the first state it leads on for certain.
    assert re.findall(r"        (\w+) -> failed\n", told) == ["pending"]


LEASE = """
enum Lease { Held, Over }
export class Seat {
  private lease: Lease = Lease.Held;
  sit() { if (this.lease !== Lease.Held) { throw new Error('over'); } this.warm(); }
  [Symbol.dispose]() {
    if (this.lease === Lease.Over) { return; }
    this.lease = Lease.Over;
  }
}
"""


def test_a_symbol_may_name_an_operation() -> None:
    found = declare({"hall/seat.ts": LEASE})
    assert "rule SeatDispose {" in found
    assert "held -> over" in found


def test_one_of_its_plain_name_is_another() -> None:
    plain = (
        "  dispose() { if (this.lease !== Lease.Held) { throw new Error(); } this.cool(); }\n}\n"
    )
    found = declare({"hall/seat.ts": LEASE.rstrip().removesuffix("}") + plain})
    assert "rule SeatDispose {" in found
    assert "rule SeatSymbolDispose {" in found


def test_a_question_with_an_argument_may_ask_a_table() -> None:
    source = """
    enum State { New = 'new', Paid = 'paid', Sent = 'sent' }
    const NEXT: Record<State, State[]> = {
      [State.New]: [State.Paid], [State.Paid]: [State.Sent], [State.Sent]: [],
    };
    export class Order {
      private state: State = State.New;
      canBecome(next: State): boolean { return NEXT[this.state].includes(next); }
      pay() { this.become(State.Paid); }
      send() { this.become(State.Sent); }
      private become(next: State) {
        if (!this.canBecome(next)) { throw new Error('not now'); }
        this.state = next;
      }
    }
    """
    found = declare({"sales/order.ts": source})
    assert "new -> paid\n        paid -> sent\n        terminal: sent" in found
    assert "requires: order.state = paid\n    ensures: order.state = sent" in found
    # What it is asked that it computes is not known.
    other = source.replace("this.canBecome(next)", "this.canBecome(this.pick(next))")
    assert "requires" not in declare({"sales/order.ts": other})


@pytest.mark.parametrize("table", ["allowedTransitions", "flowOfStates", "unknownTable"])
def test_what_a_table_has_for_a_state_may_be_held(table: str) -> None:
    source = f"""
    enum State {{ New = 'new', Paid = 'paid', Sent = 'sent' }}
    const {table}: Record<State, State[]> = {{
      [State.New]: [State.Paid], [State.Paid]: [State.Sent], [State.Sent]: [],
    }};
    export class Order {{
      private state: State = State.New;
      pay() {{ this.become(State.Paid); }}
      send() {{ this.become(State.Sent); }}
      private become(next: State) {{
        const listed = {table}[this.state];
        if (!listed.includes(next)) {{ throw new Error('not now'); }}
        this.state = next;
      }}
    }}
    """
    found = declare({"sales/order.ts": source})
    assert "sent -> paid" not in found
    is_known = table != "unknownTable"
    assert ("new -> paid\n        paid -> sent\n        terminal: sent" in found) is is_known


@pytest.mark.parametrize(("mark", "is_told"), [("BeforeInsert", False), ("BeforeUpdate", True)])
def test_what_is_set_before_an_object_is_stored_first_leads_from_no_state(
    mark: str, is_told: bool
) -> None:
    found = declare(
        {
            "order.ts": f"""
export enum Status {{ New = 'new', Paid = 'paid', Sent = 'sent' }}
@Entity()
export class Order {{
  @Column({{ type: 'enum', enum: Status }}) status: Status;
  @{mark}()
  begin() {{ this.status = Status.New; }}
  pay() {{ if (this.status !== Status.New) throw new Error(); this.status = Status.Paid; }}
  send() {{ if (this.status !== Status.Paid) throw new Error(); this.status = Status.Sent; }}
}}
"""
        }
    )
    assert "        new -> paid\n" in found
    assert ("        sent -> new\n" in found) == is_told
