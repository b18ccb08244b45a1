"""Functions that a class has as methods, or that its fields hold."""

import textwrap

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

ORDER = """\
    enum State { Creating = 'creating', Complete = 'complete', Expired = 'expired' }

    @Table({ tableName: "orders" })
    class Order extends Model {
      @Column(DataType.ENUM(...Object.values(State))) state: State;
      @BelongsTo(() => Customer, "customerId") customer: Customer;
      notStored: string;
    """


@pytest.mark.parametrize(
    ("head", "end"),
    [
        ("expire = async () => {", "}"), ("expire = () => {", "}"), ("async expire() {", "}"),
        ("expire() {", "}"), ("expire = (() => {", "}).bind(this);"),
        ("expire = (function () {", "}).bind(this);"),
    ],
)  # fmt: skip
def test_an_arrow_function_is_an_operation_like_a_method(head: str, end: str) -> None:
    code = (
        f"  {head}\n"
        "    if (this.state !== State.Complete) {\n"
        "      throw new Error();\n"
        "    }\n"
        "    this.state = State.Expired;\n"
        f"  {end}\n}}\n"
    )
    found = declare({"src/order.ts": textwrap.dedent(ORDER) + code})
    assert "entity Order {\n    state: State\n    customer: Customer\n" in found
    assert (
        "rule OrderExpire {\n"
        "    when: ExpireOrder(order)\n"
        "    requires: order.state = complete\n"
        "    ensures: order.state = expired\n}"
    ) in found


ROW = """
export enum State { Creating = 'creating', Complete = 'complete', Expired = 'expired' }
export class Order {
  id: number;
  state: State;
}
"""
EXPIRES = "    requires: order.state = complete\n    ensures: order.state = expired\n}"


@pytest.mark.parametrize(
    ("head", "tail", "name"),
    [
        ("export const expire = guarded(async (order: Order) => {", "});", "OrderExpire"),
        ("export const expire = route.input(Schema).mutation(async (order: Order) => {", "});",
         "OrderExpire"),
        ("export const orders = { async expire(_root, order: Order) {", "} };", "OrderExpire"),
        ("const orders = { name: 'x', expire: async (order: Order) => {", "} } satisfies Table;",
         "OrderExpire"),
        ("const orders = { expire: guarded(async (order: Order) => {", "}) };", "OrderExpire"),
        ("const all = router({ expire: route.mutation(async (order: Order) => {", "}) });",
         "OrderExpire"),
    ],
)  # fmt: skip
def test_a_function_that_is_given_to_what_guards_it_or_to_an_object_is_an_operation(
    head: str, tail: str, name: str
) -> None:
    code = f"""{ROW}{head}
  if (order.state !== State.Complete) {{
    throw new Error();
  }}
  order.state = State.Expired;
{tail}
"""
    found = declare({"src/order.ts": code})
    assert f"rule {name} {{\n    when: ExpireOrder(order)\n{EXPIRES}" in found


def test_a_call_of_two_functions_runs_nobody_knows_which() -> None:
    code = f"""{ROW}
const expire = either((order: Order) => {{ order.state = State.Expired; }}, () => {{ }});
"""
    assert "rule" not in declare({"src/order.ts": code})


STATES = """
export const Modes = { Idle: 'IDLE', Polling: 'POLLING', Released: 'RELEASED' } as const;
export type Mode = (typeof Modes)[keyof typeof Modes];
"""
QUEUE = """
import { Mode, Modes } from './modes';
export class Queue {
  private mode: Mode = Modes.Idle;
  poll() { this.mode = Modes.Polling; }
  end() { this.mode = Modes.Released; }
  ASKING
}
"""


@pytest.mark.parametrize(
    "asking",
    [
        "pulse() { if (this.mode !== Modes.Polling) { return; } this.go(); }",
        "pulse() { assert.equal(this.mode, 'POLLING'); this.go(); }",
    ],
)
def test_what_only_refuses_by_a_state_of_another_file_is_told(asking: str) -> None:
    told = declare({"src/queue.ts": QUEUE.replace("ASKING", asking), "src/modes.ts": STATES})
    assert "when: PulseQueue(queue)\n    requires: queue.mode = polling\n" in told


PROMISED = """
export class Promised {
  state: 'pending' | 'resolved' | 'rejected' = 'pending';
  reject = (error) => { void error; };
  constructor() {
    this.resolve = (value) => {
      if (this.state !== 'pending') { throw new Error('settled'); }
      this.state = 'resolved';
    };
    this.promise = new Promise((done, fail) => {
      this.reject = (error) => { this.state = 'rejected'; fail(error); };
    });
  }
}
"""


def test_a_function_that_a_constructor_gives_its_object_is_an_operation() -> None:
    found = declare({"src/promised.ts": PROMISED})
    assert "pending -> resolved\n        pending -> rejected\n" in found
    assert "resolved -> rejected" in found
    assert "when: ResolvePromised(promised)\n    requires: promised.state = pending" in found
    assert found.count("when: RejectPromised(promised)") == 1


def test_a_function_with_another_this_and_one_beside_a_method_are_none() -> None:
    other = PROMISED.replace("(done, fail) =>", "function (done, fail)")
    assert "rejected" not in declare({"src/promised.ts": other}).partition("transitions")[2]
    method = PROMISED.replace("reject = (error) => { void error; };", "reject(error) {}")
    assert "RejectPromised" not in declare({"src/promised.ts": method})


LINK = """
import * as Wire from './wire';
export class Link {
  private _linkStatus: Wire.LinkStatus = 'connecting';
  private _status: Wire.Status = 'unknown';
  dispose() {
    if (this._status === 'dead') { return; }
    this._setStatus('dead');
    this._setLink('disconnected');
  }
  connect() { this._setLink('connecting'); }
  ready() { this._setLink('connected'); this._setStatus('idle'); }
  private _setStatus(status: Wire.Status): void {
    if (this._status === status) { return; }
    this._status = status;
    this.emit(status);
  }
  private _setLink(status: Wire.LinkStatus): void {
    if (this._linkStatus === status) { return; }
    this._linkStatus = status;
    if (status !== 'connecting') { this.attempts = 0; }
    this.emit(status);
  }
}
"""
WIRE = """
export type LinkStatus = 'connecting' | 'connected' | 'disconnected';
export type Status = 'unknown' | 'idle' | 'dead';
"""


def test_a_state_beside_another_may_be_called_so_in_its_last_word() -> None:
    found = declare({"link.ts": LINK, "wire.ts": WIRE})
    assert "LinkConnect {\n    when: ConnectLink(link)\n    ensures: link.linkStatus = con" in found
    assert "connecting -> connected\n        connecting -> disconnected\n" in found


def test_what_a_store_runs_for_a_new_object_is_no_operation() -> None:
    source = """
    import { BeforeInsert, Column, Entity } from 'typeorm';
    enum State { New = 'new', Paid = 'paid' }
    @Entity()
    export class Order {
      @Column() state: State;
      @BeforeInsert()
      begin() { this.state = State.New; }
      pay() {
        if (this.state !== State.New) { throw new Error('paid'); }
        this.state = State.Paid;
      }
    }
    """
    found = declare({"sales/order.ts": source})
    assert "new -> paid\n        terminal: paid" in found
    assert "OrderBegin" not in found
    # Another mark says nothing of when it runs.
    assert "OrderBegin" in declare({"sales/order.ts": source.replace("@BeforeInsert()", "@Log()")})
