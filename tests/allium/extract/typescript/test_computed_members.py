"""A field by its name as a text, or one of two by a condition, is that field."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

MODELS = """
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
export enum Status { NEW = 'new', PAID = 'paid', SHIPPED = 'shipped' }
@Entity()
export class Order {
  @PrimaryGeneratedColumn() id: number;
  @Column({ type: 'enum', enum: Status }) status: Status;
  @Column({ type: 'enum', enum: Status }) backStatus: Status;
}
"""


def declare_service(body: str) -> str:
    head = "import { Order, Status } from './order';\n"
    function = f"export function work(order: Order, isBack: boolean) {{\n{body}\n}}\n"
    return declare({"src/order.ts": MODELS, "src/service.ts": head + function})


def test_a_member_by_its_name() -> None:
    found = declare_service(
        "if (order['status'] !== Status.NEW) { throw new Error(); } order['status'] = Status.PAID;"
    )
    assert "    requires: order.status = new\n    ensures: order.status = paid\n" in found


def test_one_of_two_members_is_asked_and_set() -> None:
    place = "order[isBack ? 'backStatus' : 'status']"
    found = declare_service(
        f"if ({place} === Status.NEW) {{ {place} = Status.PAID; }}\n"
        f"if ({place} === Status.PAID) {{ {place} = Status.SHIPPED; }}"
    )
    graph = "{\n        new -> paid\n        paid -> shipped\n"
    assert f"    transitions status {graph}" in found
    assert f"    transitions backStatus {graph}" in found


def test_a_member_whose_name_nobody_knows_says_nothing() -> None:
    assert "rule" not in declare_service("order[name] = Status.PAID;")
    assert "rule" not in declare_service("order[isBack ? name : 'status'] = Status.PAID;")
