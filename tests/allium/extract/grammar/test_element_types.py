"""Variables of TypeScript that are one of several objects."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

STATE = "export enum State { New = 'new', Sent = 'sent' }"
LINE = """
import { State } from './state';
export class ShopLine { id: string; state: State; }
"""
ORDER = """
import { ShopLine } from './line';
import { State } from './state';
export class Order {
  id: string;
  parts: ShopLine[];
  send() {
    BODY
  }
}
"""


def declare_order(body: str) -> str:
    order = ORDER.replace("BODY", body)
    return declare({"shop/state.ts": STATE, "shop/line.ts": LINE, "shop/order.ts": order})


@pytest.mark.parametrize(
    "body",
    [
        "for (const each of this.parts) { each.state = State.Sent; }",
        "for (const each of this.parts.filter((p) => p.id)) { each.state = State.Sent; }",
        "const each = this.parts.find((p) => p.id === '1'); each.state = State.Sent;",
        "for (const each of parcel.shopLines) { each.state = State.Sent; }",
    ],
)
def test_one_of_what_a_field_has_is_of_its_type(body: str) -> None:
    assert "rule ShopLineSend {" in declare_order(body)


@pytest.mark.parametrize(
    "body",
    [
        "for (const each of this.others) { each.state = State.Sent; }",
        "for (const each of this.parts.map((p) => p.box)) { each.state = State.Sent; }",
    ],
)
def test_of_other_objects_nothing_is_known(body: str) -> None:
    assert "rule" not in declare_order(body)


HALL = """
export enum SeatState { Free = 'free', Held = 'held', Broken = 'broken' }
export enum HallState { Open = 'open', Closed = 'closed' }
export class Seat {
  state = SeatState.Free;
  hold() { if (this.state !== SeatState.Free) throw new Error(); this.state = SeatState.Held; }
}
export class Hall {
  private seats: Seat[] = [];
  private front: Seat;
  private state = HallState.Open;
  close() {
    if (this.state !== HallState.Open) throw new Error();
    this.state = HallState.Closed;
    for (const seat of this.seats) {
      if (seat.state === SeatState.Free) seat.state = SeatState.Broken;
    }
    if (this.front.state === SeatState.Held) this.front.state = SeatState.Free;
  }
}
"""


def test_what_moves_its_own_state_and_those_of_its_parts_moves_all() -> None:
    found = declare({"hall.ts": HALL})
    assert "        free -> held\n        free -> broken\n        held -> free\n" in found
    assert "        open -> closed\n        terminal: closed\n" in found


def test_a_part_of_a_type_without_operations_says_nothing() -> None:
    found = declare({"hall.ts": HALL.replace("front: Seat", "front: HTMLElement")})
    assert "held -> free" not in found
