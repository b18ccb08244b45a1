"""Steps of a service that set something of an object that they are given."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

STATE = "export enum State { New = 'new', Paid = 'paid', Sent = 'sent' }"
ORDER = """
import { State } from './state';
export class Order extends Stored {
  id: string;
  state!: State;
  note?: string;
  assertState(expected: State | State[]) {
    if (!Array.isArray(expected)) {
      expected = [expected];
    }
    if (!expected.includes(this.state)) { throw new Error('wrong state'); }
  }
}
"""
SERVICE = """
import { Order } from './order';
import { State } from './state';
export class OrderService {
  async pay(context: Context, order: Order) {
    order.assertState(State.New);
    await this.updateState(context, order, State.Paid);
  }
  async send(context: Context, order: Order) {
    order.assertState([State.Paid]);
    if (!order.note) { throw new Error('no note'); }
    return this.updateState(context, order, State.Sent);
  }
  private async updateState(context: Context, changed: Order, state: State) {
    BEFORE
    const previous = changed.state;
    changed.state = state;
    await this.repository.update(context, changed);
  }
}
"""


def declare_service(before: str = "", service: str = SERVICE) -> str:
    files = {
        "shop/state.ts": STATE,
        "shop/order.ts": ORDER,
        "shop/service.ts": service.replace("BEFORE", before),
    }
    return declare(files)


def test_what_a_step_sets_the_operation_sets_in_the_states_that_it_asserts() -> None:
    """That the class is an entity, only the operations of another file tell."""
    found = declare_service()
    assert (
        "transitions state {\n        new -> paid\n        paid -> sent\n        terminal: sent"
        in found
    )
    assert (
        "rule OrderPay {\n    when: PayOrder(order)\n    requires: order.state = new\n"
        "    ensures: order.state = paid\n}" in found
    )
    assert "requires: order.state = paid" in found


@pytest.mark.parametrize(
    "before",
    [
        "if (context.isDry) { return; }",  # nobody knows whether it sets anything
        "state = this.choose(state);",
    ],
)
def test_a_step_that_may_do_something_else_moves_nothing(before: str) -> None:
    assert "->" not in declare_service(before)


def test_a_step_that_runs_behind_an_error_moves_nothing() -> None:
    """What was set before the error may never have been stored."""
    caught = SERVICE.replace(
        "await this.updateState(context, order, State.Paid);",
        "try { order.state = State.Sent; await this.store(order); } "
        "catch (e) { await this.updateState(context, order, State.Paid); }",
    )
    assert "sent -> paid" not in declare_service(service=caught)


def test_a_step_that_refuses_by_itself_demands_it_of_the_operation() -> None:
    asserting = SERVICE.replace("order.assertState(State.New);", "")
    check = "if (changed.state !== State.New && state === State.Paid) throw new Error();"
    found = declare_service(check, asserting)
    assert "requires: order.state = new\n    ensures: order.state = paid" in found


def test_nothing_is_told_of_a_class_that_no_operation_moves() -> None:
    found = declare_service(service=SERVICE.replace("changed.state = state;", ""))
    assert "entity Order" not in found
    assert "rule" not in found


def test_a_variable_may_have_the_last_words_of_its_type() -> None:
    long = {
        "shop/state.ts": STATE,
        "shop/order.ts": ORDER.replace("class Order", "class ShopOrder"),
        "shop/service.ts": SERVICE.replace("BEFORE", "")
        .replace("order: Order", "id: string")
        .replace("changed: Order", "changed: ShopOrder")
        .replace("{ Order }", "{ ShopOrder }")
        .replace("string) {\n", "string) {\n    const order = await this.repository.find(id);\n"),
    }
    assert "rule ShopOrderPay {" in declare(long)
