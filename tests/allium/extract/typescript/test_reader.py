"""TypeScript by its grammar."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

ORDER = """
import { User } from '../people/user';
export enum OrderStatus { New = 'new', InWork = 'in-work', Done = 'done' }
@Entity('orders')
export class Order {
  @PrimaryGeneratedColumn('uuid') id: string;
  @Column({ nullable: true }) note: string;
  @Column({ type: 'enum', enum: OrderStatus }) status: OrderStatus = OrderStatus.New;
  @ManyToOne(() => User, (user) => user.orders) user: User;
  @OneToMany(() => Line, (line) => line.order) lines: Line[];
  cached = 0;
  get isBusy() { return this.status === OrderStatus.InWork; }
  start(): void {
    if (this.status !== OrderStatus.New) { throw new Error('late'); }
    this.status = OrderStatus.InWork;
  }
  finish() { if (!this.isBusy) throw new Error(); this.status = OrderStatus.Done; }
}
@Entity() export class Line { @PrimaryColumn() id: string; @ManyToOne(() => Order) order: Order; }
"""


def test_typeorm_with_states_and_guards() -> None:
    files = {
        "src/shop/order.ts": ORDER,
        "src/people/user.ts": "export interface User { id: string }",
    }
    assert (
        declare(files).partition("enum")[2]
        == """\
 OrderStatus { new | in_work | done }

entity Order {
    id: String
    note: String?
    status: OrderStatus
    user: people/User
    lines: Line with order = this

    transitions status {
        new -> in_work
        in_work -> done
        terminal: done
    }
}

entity Line {
    id: String
    order: Order
}

rule OrderStart {
    when: StartOrder(order)
    requires: order.status = new
    ensures: order.status = in_work
}

rule OrderFinish {
    when: FinishOrder(order)
    requires: order.status = in_work
    ensures: order.status = done
}"""
    )


def test_interfaces_types_and_contracts() -> None:
    source = """
export type Color = 'red' | 'blue';
export interface Line { sku: string; amount?: number; tags: string[];
  color: Color | null; at: Date }
export interface Store { find(id: string, limit?: number): Promise<Line>; drop(id: string): void }
"""
    assert (
        declare({"src/shop/line.ts": source})
        == """\
enum Color { red | blue }

value Line {
    sku: String
    amount: Decimal?
    tags: List<String>
    color: Color?
    at: Timestamp
}

contract Store {
    find: (id: String, limit: Decimal?) -> Line
    drop: (id: String) -> Void
}"""
    )


def test_a_switch_moves_states_case_by_case() -> None:
    source = """
type Light = 'red' | 'green' | 'off';
export class Lamp {
  private light: Light = 'red';
  next() {
    switch (this.light) {
      case 'red': this.light = 'green'; break;
      case 'green': this.light = 'red'; break;
      default: throw new Error('off');
    }
  }
  stop() { this.light = 'off'; }
}
"""
    told = declare({"src/lamp.ts": source})
    assert (
        "        red -> green\n        red -> off\n        green -> red\n        green -> off\n"
        in told
    )


def test_guards_ask_through_variables() -> None:
    source = """
export enum Status { New = 'new', Paid = 'paid', Sent = 'sent' }
export class Order {
  private status: Status = Status.New;
  pay() {
    const isNew = this.status === Status.New;
    if (!isNew) throw new Error('not new');
    this.status = Status.Paid;
  }
  send() {
    const { id, status: now } = this;
    if (now !== Status.Paid) throw new Error('not paid');
    this.status = Status.Sent;
  }
}
"""
    told = declare({"src/order.ts": source})
    assert "        new -> paid\n        paid -> sent\n        terminal: sent\n" in told
    assert "requires: order.status = paid\n    ensures: order.status = sent" in told


def test_a_state_with_the_name_of_a_keyword_is_a_state_like_others() -> None:
    source = """
enum DoorState { Open = 'open', Shut = 'shut' }
export class Door {
  private state: DoorState = DoorState.Open;
  close() { if (this.state !== DoorState.Open) { throw new Error(); } this.state = DoorState.Shut; }
}
"""
    found = declare({"a/door.ts": source})
    assert "requires: door.state = open\n" in found
    assert "        open -> shut\n" in found


@pytest.mark.parametrize("written", ["./states", "./states.ts", "./states.js", "./states.mjs"])
def test_an_enum_of_another_file_is_found_however_its_file_is_named(written: str) -> None:
    source = f"""
import {{ DoorState }} from '{written}';
export class Door {{
  state = DoorState.Shut;
  open() {{ this.state = DoorState.Open; }}
  close() {{ this.state = DoorState.Shut; }}
}}
"""
    states = "export enum DoorState { Open = 'open', Shut = 'shut' }"
    found = declare({"src/door.ts": source, "src/states.ts": states})
    assert "        open -> shut\n        shut -> open\n" in found


def test_what_makes_a_promise_runs_at_once() -> None:
    source = """
enum DoorState { Open = 'open', Shut = 'shut' }
export class Door {
  state = DoorState.Shut;
  open() {
    if (this.state !== DoorState.Shut) { throw new Error(); }
    return new Promise((resolve, reject) => { this.state = DoorState.Open; resolve(); });
  }
  close() { return new Promise(this.shut); }
}
"""
    found = declare({"a/door.ts": source})
    assert "    requires: door.state = shut\n    ensures: door.state = open\n" in found
    assert "DoorClose" not in found


SOCKET = """
export class Socket {
  state: 'opening' | 'open' | 'closed' = 'closed';
  paused: boolean = false;
  open() {
    if (~this.state.indexOf('open')) return this;
    this.state = 'opening';
    return this;
  }
  reopen() { if (this.state.indexOf('open') === -1) { this.state = 'opening'; } }
  close() { if (isBusy(this.state)) return; this.state = 'closed'; }
  flush(data: string) {
    if ('closed' !== this.state && !this.paused && data.length) { this.send(data); }
  }
}
"""


def test_states_by_a_part_of_their_text_and_what_cannot_be_read_claims_nothing() -> None:
    told = declare({"src/socket.ts": SOCKET})
    assert """
rule SocketOpen {
    when: OpenSocket(socket)
    ensures:
        if socket.state = closed: socket.state = opening
}""" in told  # fmt: skip
    assert "May change the state." in told
    assert "ensures: socket.state = closed" not in told
    assert """
rule SocketFlush {
    when: FlushSocket(socket)
    requires: socket.state != closed
    requires: not socket.paused
}""" in told  # fmt: skip


CAUGHT = """
export enum Status { New = 'new', Paid = 'paid' }
@Entity()
export class Order {
  @Column() total: number;
  @Column() status: Status;
  pay(amount: number): void {
    %s
    this.status = Status.Paid;
  }
}
"""
CHECK = "if (this.total < 5) { throw new Error('x'); }"


@pytest.mark.parametrize(
    "body",
    [
        f"try {{ {CHECK} }} catch (e) {{ console.log(e); }}",
        f"try {{ {CHECK} }} catch {{ }}",
        f"try {{ {CHECK} }} finally {{ return; }}",
        f"if (amount > 3) {{ return; }} {CHECK}",
        f"this.total = 9; {CHECK}",
        f"const check = () => {{ {CHECK} }};",
        f"names.forEach(() => {{ {CHECK} }});",
    ],
)
def test_an_error_that_may_not_leave_is_no_demand(body: str) -> None:
    told = declare({"shop/order.ts": CAUGHT % body})
    assert "entity Order" in told
    assert "requires" not in told


@pytest.mark.parametrize(
    "body",
    [
        f"try {{ {CHECK} }} catch (e) {{ log(e); throw e; }}",
        f"try {{ {CHECK} }} finally {{ log(); }}",
    ],
)
def test_an_error_that_leaves_is_a_demand(body: str) -> None:
    assert "requires: order.total >= 5" in declare({"shop/order.ts": CAUGHT % body})


def test_interfaces_with_one_name_are_one() -> None:
    told = declare(
        {
            "shop/a.ts": """
export interface Shop { id: string; city: string; }
export interface Shop { owner: string; }
"""
        }
    )
    assert told.count("entity Shop") == 1
    assert "city: String" in told
    assert "owner: String" in told


def test_an_interface_that_only_names_methods_hides_no_class() -> None:
    told = declare(
        {
            "net/peer.ts": """
enum Status { New, Open, Closed }
interface Peer { on(event: 'close', listener: () => void): this; }
class Peer extends EventEmitter {
  private status = Status.New;
  public open = () => { assert(this.status === Status.New); this.status = Status.Open; };
  public close = () => {
    if (this.status === Status.Closed) { return; }
    this.status = Status.Closed;
  };
}
export default Peer;
"""
        }
    )
    assert "        new -> open\n        new -> closed\n        open -> closed\n" in told
    assert "contract" not in told


@pytest.mark.parametrize(
    "imported",
    [
        "import Client from './customer';",
        "import type Client from './customer';",
        "import { default as Client } from './customer';",
        "import { Client } from './index';",
    ],
)
@pytest.mark.parametrize(
    "exported",
    [
        "export default class Customer { id: string; name: string; }",
        "class Customer { id: string; name: string; }\nexport default Customer;",
    ],
)
def test_a_class_that_is_exported_without_its_name(imported: str, exported: str) -> None:
    found = declare(
        {
            "src/customer.ts": exported,
            "src/index.ts": "export { default as Client } from './customer';",
            "src/order.ts": imported + "\nexport class Order { id: string; client: Client; }",
        }
    )
    assert "entity Order {\n    id: String\n    client: customer/Customer\n}" in found


def test_a_constructor_is_no_operation_on_what_it_is_given() -> None:
    agent = """
import { Device, State } from './device';
export class Agent {
  constructor(device: Device) {
    if (device.state === State.Lost) { throw new Error('lost'); }
    device.state = State.On;
  }
}
"""
    device = """
export enum State { Off, On, Lost }
export class Device {
  state = State.Off;
  start() { if (this.state !== State.Off) { throw new Error('started'); } this.state = State.On; }
}
"""
    found = declare({"src/device.ts": device, "src/agent.ts": agent})
    assert "rule DeviceStart {" in found
    assert "onstructor" not in found
