"""Fields that a class sets without saying to what."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

ORDER = """
export enum Status { Open = 'open', Paid = 'paid' }
export class Order {
  private status: Status = Status.Open;
  pay() { if (this.status !== Status.Open) throw new Error(); this.status = Status.Paid; }
  METHOD
}
"""


@pytest.mark.parametrize(
    "statement",
    [
        "Object.assign(this, changes);",
        "Object.assign(this, { ...changes });",
        "Reflect.set(this, key, changes);",
        "this[key] = changes;",
        "(this as any)[key] = changes;",
        "({ status: this.status } = changes);",
        "[this.status] = changes;",
        "for (this.status of changes) { this.tell(); }",
        "this.status++;",
        "other.status = changes.status;",
    ],
)
def test_they_may_leave_any_state(statement: str) -> None:
    method = f"change(key: string, other: Order, changes: any) {{ {statement} }}"
    found = declare({"sales/order.ts": ORDER.replace("METHOD", method)})
    assert "ensures: order.status = paid" in found
    assert "terminal" not in found


@pytest.mark.parametrize(
    "method",
    [
        "",
        "constructor(given: any) { Object.assign(this, given); }",
        "static from(given: any) { return Object.assign(new Order(), given); }",
        "read(key: string) { return this[key] === this.status; }",
        "tell(other: Order) { this.log({ status: this.status }, [this.status]); }",
    ],
)
def test_what_makes_or_asks_an_object_leaves_none(method: str) -> None:
    assert "terminal: paid" in declare({"sales/order.ts": ORDER.replace("METHOD", method)})
