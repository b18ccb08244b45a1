"""Enums inside namespaces of TypeScript."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

ORDER = """
class Order {
  private _state: Order.State = Order.State.New;
  pay() {
    if (this._state !== Order.State.New) throw new Error('late');
    this._state = Order.State.InWork;
  }
  finish() { this._state = Order.State.Done; }
}
namespace Order {
  export enum State { New = 'new', InWork = 'in-work', Done = 'done' }
  export type Kind = 'small' | 'large';
}
export default Order;
"""


def test_a_class_goes_through_the_states_of_its_namespace() -> None:
    found = declare({"shop/order.ts": ORDER})
    assert "enum OrderState { new | in_work | done }" in found
    assert "new -> in_work" in found
    assert "requires: order.state = new\n    ensures: order.state = in_work" in found


def test_a_file_that_imports_the_class_has_its_enum_too() -> None:
    bill = (
        "import Bought from '../shop/order';\nexport class Bill { id: string; of: Bought.State; }"
    )
    found = declare({"shop/order.ts": ORDER, "bills/bill.ts": bill})
    assert "of: shop/OrderState" in found


def test_a_union_of_texts_and_a_namespace_in_another_are_read() -> None:
    text = "export namespace A { namespace B { export type Kind = 'one' | 'two'; } }"
    assert "enum ABKind { one | two }" in declare({"shop/a.ts": text})


def test_a_module_of_another_package_is_none_of_the_file() -> None:
    text = "declare module 'express' { export enum State { New, Done } }"
    assert "enum" not in declare({"shop/a.ts": text})
