"""Fields that an object gets of another one."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

ORDER = """
export enum State { New = 'new', Paid = 'paid' }
export class Order extends Model<Order> {
  state: State = State.New;
  at?: Date;
  async pay() {
    if (this.state !== State.New) { throw new Error('paid'); }
    SET
  }
}
"""
PAID = "requires: order.state = new\n    ensures: order.state = paid"


def tell(statement: str, base: str = "extends Model<Order> ") -> str:
    source = ORDER.replace("SET", statement).replace("extends Model<Order> ", base)
    return declare({"sales/order.ts": source})


@pytest.mark.parametrize(
    "statement",
    [
        "Object.assign(this, { state: State.Paid, at: new Date() });",
        "await this.update({ state: State.Paid });",
        "return this.update({ state: State.Paid });",
        "this.set({ state: State.Paid }); await this.save();",
    ],
)
def test_each_field_is_set(statement: str) -> None:
    found = tell(statement)
    assert PAID in found
    assert "new -> paid\n        terminal: paid" in found


def test_any_object_may_get_fields_of_another() -> None:
    assert PAID in tell("Object.assign(this, { state: State.Paid });", "")


@pytest.mark.parametrize(
    ("statement", "base"),
    [
        ("this.update({ state: State.Paid });", ""),  # nobody knows what that does
        ("this.send({ state: State.Paid });", "extends Model<Order> "),
        ("Object.assign(other, { state: State.Paid });", ""),
        ("Object.assign(this, { ...others, state: State.Paid });", ""),
        ("Object.assign(this, changes);", ""),
    ],
)
def test_what_may_do_something_else_is_left_alone(statement: str, base: str) -> None:
    assert "ensures: order.state = paid" not in tell(statement, base)
