"""Constants of a TypeScript file that list states."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="no grammar of TypeScript")

SUB = """
const Status = {
  IDLE: "idle",
  STARTING: "starting",
  CONNECTED: "connected",
  ENDED: "ended",
} as const;
type Status = typeof Status[keyof typeof Status];
const NEXT: Record<Status, Status[]> = {
  [Status.IDLE]: [Status.STARTING, Status.ENDED],
  [Status.STARTING]: [Status.CONNECTED, Status.ENDED],
  [Status.CONNECTED]: [Status.ENDED],
  [Status.ENDED]: [],
};
export class Sub {
  private status: Status = Status.IDLE;
  start() { this.update(Status.STARTING); }
  connect() { this.update(Status.CONNECTED); }
  end() { this.update(Status.ENDED); }
  private update(next: Status): void {
    if (this.status === next) { return; }
    if (!NEXT[this.status].includes(next)) { return; }
    this.status = next;
  }
}
"""
ORDER = """
export enum OrderStatus { New = 'new', Paid = 'paid', Sent = 'sent', Gone = 'gone' }
const FINAL = new Set([OrderStatus.Sent, OrderStatus.Gone]);
export class Order {
  static readonly OPEN = [OrderStatus.New, OrderStatus.Paid];
  status: OrderStatus = OrderStatus.New;
  pay() { if (this.status !== OrderStatus.New) throw new Error(); this.status = OrderStatus.Paid; }
  drop() { if (FINAL.has(this.status)) throw new Error(); this.status = OrderStatus.Gone; }
  send() {
    if (!Order.OPEN.includes(this.status)) throw new Error();
    this.status = OrderStatus.Sent;
  }
}
"""
SERVICE = """
import { Order, OrderStatus } from './order';
const ALLOWED: Record<OrderStatus, OrderStatus[]> = {
  [OrderStatus.New]: [OrderStatus.Paid],
  [OrderStatus.Paid]: [OrderStatus.Sent],
  [OrderStatus.Sent]: [],
  [OrderStatus.Gone]: [],
};
const LEFT = [OrderStatus.New, OrderStatus.Paid];
export class Service {
  finish(order: Order) {
    if (!LEFT.includes(order.status)) throw new Error();
    order.status = OrderStatus.Sent;
  }
  go(order: Order) {
    const allowed = ALLOWED[order.status];
    if (!allowed.includes(OrderStatus.Paid)) throw new Error();
    order.status = OrderStatus.Paid;
  }
}
"""


def list_edges(found: str) -> list[str]:
    return [line.strip() for line in found.split("\n") if "->" in line]


def test_sets_arrays_and_static_fields_are_what_a_guard_asks() -> None:
    found = declare({"order.ts": ORDER})
    assert "requires: order.status not in {sent, gone}\n    ensures: order.status = gone" in found
    assert "requires: order.status in {new, paid}\n    ensures: order.status = sent" in found
    assert list_edges(found) == [
        "new -> paid",
        "new -> sent",
        "new -> gone",
        "paid -> sent",
        "paid -> gone",
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Not a constant of a class, another name, a set of something that is no list.
        ("static readonly OPEN = [", "OPEN = ["),
        ("static readonly OPEN = [", "static readonly OTHERS = ["),
        ("[OrderStatus.New, OrderStatus.Paid]", "[OrderStatus.New, readStatus()]"),
    ],
)
def test_what_is_not_known_lets_nobody_know_where_a_state_comes_from(old: str, new: str) -> None:
    assert old in ORDER
    found = declare({"order.ts": ORDER.replace(old, new)})
    assert not any(each.endswith("-> sent") for each in list_edges(found))


def test_what_is_made_of_a_list_may_be_anything_but_a_set() -> None:
    assert "-> gone" in declare({"order.ts": ORDER})
    assert "-> gone" not in declare({"order.ts": ORDER.replace("new Set(", "new Others(")})


def test_a_table_says_which_state_follows_another() -> None:
    found = declare({"sub.ts": SUB})
    assert list_edges(found) == [
        "idle -> starting",
        "idle -> ended",
        "starting -> connected",
        "starting -> ended",
        "connected -> ended",
    ]


def test_services_ask_lists_and_tables_of_their_file() -> None:
    found = declare({"order.ts": ORDER, "service.ts": SERVICE})
    assert "when: FinishOrder(order)\n    requires: order.status in {new, paid}\n" in found
    assert "when: GoOrder(order)\n    requires: order.status = new\n" in found


GROUPED = """
export enum OrderStatus { New = 'new', Paid = 'paid', Sent = 'sent', Gone = 'gone' }
export namespace OrderStatus { export const OVER = [OrderStatus.Sent, OrderStatus.Gone]; }
export const finalStates = [OrderStatus.Sent, OrderStatus.Gone] as const;
"""
DROPPED = """
export class Order {
  private status: OrderStatus = OrderStatus.New;
  pay() { if (LIST.includes(this.status)) throw new Error(); this.status = OrderStatus.Paid; }
  drop() { this.status = OrderStatus.Gone; }
  send() { this.status = OrderStatus.Sent; }
}
"""


@pytest.mark.parametrize("name", ["OrderStatus.OVER", "finalStates"])
@pytest.mark.parametrize("is_apart", [False, True])
def test_a_list_may_have_any_name_and_be_beside_an_enum(name: str, is_apart: bool) -> None:
    order = DROPPED.replace("LIST", name)
    files = {"shop/order.ts": GROUPED + order}
    if is_apart:
        names = "import { OrderStatus, finalStates } from './status';"
        files = {"shop/status.ts": GROUPED, "shop/order.ts": names + order}
    found = declare(files)
    assert "requires: order.status not in {sent, gone}\n    ensures: order.status = paid" in found
    assert [line.strip() for line in found.split("\n") if line.endswith("-> paid")] == [
        "new -> paid"
    ]


def test_lists_of_two_namespaces_with_one_name_are_none() -> None:
    other = "namespace Other { export const OVER = [OrderStatus.New]; }"
    order = DROPPED.replace("LIST", "OrderStatus.OVER")
    found = declare({"shop/order.ts": f"{GROUPED}{other}{order}"})
    assert "-> paid" not in found
