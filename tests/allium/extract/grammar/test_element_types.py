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
