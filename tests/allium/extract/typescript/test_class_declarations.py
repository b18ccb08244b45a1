"""Classes of TypeScript with what their methods refuse and move, and what they lend to others."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

ABSTRACT = """
export type State = 'off' | 'on';
export abstract class Channel {
  protected state: State = 'off';
  open(): Promise<void> {
    if (this.state === 'on') { return Promise.reject(new Error('open')); }
    this.state = 'on';
    return this.connect();
  }
  close() { this.state = 'off'; }
  abstract connect(): Promise<void>;
}
"""


def test_an_abstract_class_that_moves_its_own_state_is_told_itself() -> None:
    found = declare({"net/channel.ts": ABSTRACT})
    assert (
        "entity Channel {\n    state: State\n\n    transitions state {\n        off -> on" in found
    )


@pytest.mark.parametrize("union", ["'off' | 'on'", "// none\n | 'off' // dark\n /* more */ | 'on'"])
def test_comments_between_the_states_of_a_type_are_none_of_them(union: str) -> None:
    found = declare({"net/channel.ts": ABSTRACT.replace("'off' | 'on'", union)})
    assert "enum State { off | on }\n" in found
    assert "        off -> on\n" in found


def test_an_abstract_class_whose_states_are_elsewhere_may_refuse_by_others_too() -> None:
    head, _, body = ABSTRACT.partition("export abstract")
    stop = "  stop() { if (this.aborter) { this.aborter.abort(); } }\n  close()"
    aborter = "  protected aborter: AbortController | null = null;\n  open()"
    body = body.replace("  close()", stop).replace("  open()", aborter)
    own = f"import type {{ State }} from './state';\nexport abstract{body}"
    found = declare({"net/channel.ts": own, "net/state.ts": head})
    assert "        off -> on\n        on -> off\n" in found
    assert "requires: channel.aborter != null" in found


def test_a_promise_that_is_rejected_at_once_refuses() -> None:
    found = declare({"net/channel.ts": ABSTRACT})
    assert "requires: channel.state != on\n    ensures: channel.state = on" in found


def test_a_way_that_the_operation_did_not_go_moves_nothing_later() -> None:
    text = ABSTRACT.replace(
        "close() { this.state = 'off'; }",
        "close() { if (this.state === 'off') { this.later(() => { this.state = 'on'; }); } }",
    )
    assert "on -> off" not in declare({"net/channel.ts": text})
    assert "off -> on" in declare({"net/channel.ts": text})


def test_an_abstract_class_that_only_refuses_lends_that_to_others() -> None:
    lender = """
@Entity() export abstract class Bot {
  @Column() enabled: boolean;
  start() { if (!this.enabled) { throw new Error('off'); } this.run(); }
}
@Entity() export class ChatBot extends Bot { @Column() name: string; }
"""
    found = declare({"bots/bot.ts": lender})
    assert "rule ChatBotStart {" in found
    assert "rule BotStart {" not in found


ASSERTING = """
enum State { Off, On, Lost }
export class Device {
  private state = State.Off;
  start() { assert(this.state === State.Off, 'started'); this.state = State.On; }
  write(data: string) { assert(this.state === State.On); this.port.write(data); }
  lose() { assert(this.state !== State.Lost); this.state = State.Lost; }
}
"""


@pytest.mark.parametrize("name", ["invariant", "assert", "assert.ok", "assert.equal"])
def test_what_an_assertion_demands_is_demanded(name: str) -> None:
    text = ASSERTING.replace("assert(", f"{name}(")
    if name == "assert.equal":
        text = text.replace(" ===", ",").replace("equal(this.state !==", "notEqual(this.state,")
    found = declare({"src/device.ts": text})
    assert "transitions state {\n        off -> on\n        off -> lost\n" in found
    assert "        on -> off" not in found and "lost -> " not in found
    assert "when: WriteDevice(device)\n    requires: device.state = on\n" in found


HELD = """
export class Valve {
  private state: 'shut' | 'open' | 'broken' = 'shut';
  open() { if (this.state !== 'shut') { throw new Error(); } this.state = 'open'; }
  async break() { const ok = await this.force(); if (!ok) { return; } this.state = 'broken'; }
  private async force() { if (this.state !== 'open') { return false; } this.n(); return true; }
}
"""


def test_a_variable_may_hold_what_a_step_answers() -> None:
    found = declare({"pipe/valve.ts": HELD})
    assert "shut -> open\n        open -> broken\n" in found
    assert "shut -> broken" not in found


READER = """
enum State { Idle, Asked, Read }
export class Reader {
  private state = State.Idle;
  private peer?: Peer;
  ask() { if (this.state !== State.Idle) { throw new Error('busy'); } this.state = State.Asked; }
  read() { if (!this.canRead()) { throw new Error('early'); } this.state = State.Read; }
  send() { if (!this.canRead()) { throw new Error('early'); } this.socket.send(1); }
  private canRead() {
    if (this.state !== State.Asked) { return false; }
    if (!this.peer) { return false; }
    return true;
  }
}
"""


def test_a_question_that_leaves_early_is_asked_as_one_condition() -> None:
    found = declare({"net/reader.ts": READER})
    asked = "    requires: reader.state = asked and reader.peer != null\n"
    assert f"    when: ReadReader(reader)\n{asked}    ensures: reader.state = read\n" in found
    assert f"    when: SendReader(reader)\n{asked}}}" in found
    assert "        idle -> asked\n        asked -> read\n" in found


def test_a_question_that_does_more_than_to_answer_is_left_open() -> None:
    text = READER.replace(
        "    if (!this.peer)", "    this.state = State.Idle;\n    if (!this.peer)"
    )
    found = declare({"net/reader.ts": text})
    assert "requires: reader.state = asked\n" not in found.partition("SendReader")[2]


def test_what_it_answers_by_an_argument_is_followed_where_it_is_called() -> None:
    text = READER.replace("canRead()", "canRead(State.Asked)").replace(
        "private canRead(State.Asked) {\n    if (this.state !== State.Asked)",
        "private canRead(needed: State) {\n    if (this.state !== needed)",
    )
    found = declare({"net/reader.ts": text})
    assert "needed: State" in text
    assert "requires: reader.state = asked\n    ensures: reader.state = read\n" in found
    assert "idle -> read" not in found


ORDER = """
export type State = 'new' | 'paid' | 'sent';
export class Order {
  private state: State = 'new';
  pay() { if (this.state !== 'new') { throw new Error('no'); } this.state = 'paid'; }
  give() { if (this.state !== 'new') { throw new Error('no'); } this.state = 'sent'; }
  send() {
    const why = this.peer.findReason(this.state);
    if (why) { throw new Error(why); }
    this.state = 'sent';
  }
}
"""


def test_what_another_object_answers_about_a_state_is_left_open() -> None:
    found = declare({"shop/order.ts": ORDER})
    assert "Order.state: what lets an operation leave paid cannot be read. Does any?" in found
    assert "paid -> sent" not in found
    assert "terminal" not in found
    asked = declare({"shop/order.ts": ORDER.replace("findReason(this.state)", "findReason()")})
    assert "paid -> sent\n        terminal: sent\n" in asked


GATE = """
export class Gate {
  private state: 'shut' | 'open' | 'gone' = 'shut';
  open() {
    const why = this.refuse();
    if (why) { throw new Error(why); }
    this.state = 'open';
  }
  drop() {
    if (this.state === `gone`) { throw new Error(`no ${this.name}`); }
    this.state = `gone`;
  }
  private refuse() {
    if (this.state !== 'shut') { return `gate is ${this.state}`; }
    return undefined;
  }
}
"""


def test_what_a_template_says_is_a_text() -> None:
    found = declare({"lib/gate.ts": GATE})
    assert "shut -> open\n        shut -> gone\n        open -> gone\n" in found
    assert "requires: gate.state = shut\n    ensures: gate.state = open" in found
    # It may say nothing, and then nobody refuses.
    silent = declare({"lib/gate.ts": GATE.replace("gate is ", "")})
    assert "requires: gate.state = shut" not in silent


@pytest.mark.parametrize("value", ["parse(text)", "State[text]"])
def test_no_state_is_the_last_that_may_be_replaced_by_any_other(value: str) -> None:
    job = """
export enum State { New, Busy, Closed }
export class Job {
  private state = State.New;
  start() { if (this.state !== State.New) { throw new Error('no'); } this.state = State.Busy; }
  stop() { this.state = State.Closed; }
  load(text: string) { if (text) { this.state = VALUE; } else { this.state = State.Closed; } }
}
"""
    found = declare({"lib/job.ts": job.replace("VALUE", value)})
    assert "what lets an operation leave closed cannot be read. Does any?" in found
    plain = job.replace("if (text) { this.state = VALUE; } else { this.state = State.Closed; }", "")
    assert "terminal: closed" in declare({"lib/job.ts": plain})


def test_what_only_the_constructor_runs_begins_in_no_state_of_another_file() -> None:
    action = """
import { State } from './state';
export class Action {
  private state: State;
  constructor() { this.state = State.New; this.begin(); }
  private begin() { this.state = State.New; }
  halt() { if (this.state !== State.New) { return; } this.state = State.Halted; }
}
"""
    states = "export enum State { New, Halted }\n"
    found = declare({"lib/action.ts": action, "lib/state.ts": states})
    assert "    transitions state {\n        new -> halted\n        terminal: halted\n" in found
    again = action.replace("  halt() {", "  renew() { this.begin(); }\n  halt() {")
    assert "halted -> new" in declare({"lib/action.ts": again, "lib/state.ts": states})


def test_a_question_may_name_a_list_of_its_class_where_another_file_has_the_states() -> None:
    states = "export enum State { New = 'new', Paid = 'paid', Sent = 'sent' }"
    order = """
    import { State } from './states';
    export class Order {
      private static readonly OPEN: State[] = [State.New, State.Paid];
      private state: State = State.New;
      private note = '';
      get isOpen(): boolean { return Order.OPEN.includes(this.state); }
      pay() {
        if (this.state !== State.New) { throw new Error('paid'); }
        this.state = State.Paid;
      }
      send() {
        if (!this.isOpen) { throw new Error('sent'); }
        this.state = State.Sent;
      }
    }
    """
    found = declare({"sales/order.ts": order, "sales/states.ts": states})
    assert "requires: order.state in {new, paid}\n    ensures: order.state = sent" in found
