"""Rows that a query changes are moved as objects are."""

import pytest

from git_retcon.allium.extract.stored_updates import may_update
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare, declare_python

DJANGO = """
from django.db import models

class Order(models.Model):
    class Status(models.TextChoices):
        NEW = "new"
        PAID = "paid"
        SHIPPED = "shipped"
    status = models.CharField(choices=Status.choices, max_length=9, default=Status.NEW)
    closed = models.BooleanField(default=False)

def work(ids):
    {body}

def ship(pk):
    Order.objects.filter(pk=pk, status="paid").update(status="shipped")
"""
MAPPED = """
import enum
from sqlalchemy import Enum, update
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

class Base(DeclarativeBase):
    pass

class Status(enum.Enum):
    NEW = 1
    PAID = 2
    SHIPPED = 3

class Order(Base):
    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(primary_key=True)
    status: Mapped[Status] = mapped_column(Enum(Status))

async def work(session, ids):
    {body}

def ship(session):
    session.query(Order).filter_by(status=Status.PAID).update({"status": Status.SHIPPED})
"""
TYPESCRIPT = """
import { Column, Entity, PrimaryGeneratedColumn, Repository } from 'typeorm';
export enum Status { NEW = 'new', PAID = 'paid', SHIPPED = 'shipped' }
@Entity()
export class Order {
  @PrimaryGeneratedColumn() id: number;
  @Column({ type: 'enum', enum: Status }) status: Status;
}
export class OrderService {
  constructor(private readonly orderRepository: Repository<Order>) {}
  async work(id: number) {
    {body}
  }
  async ship(id: number) {
    await this.orderRepository.update({ id, status: Status.PAID }, { status: Status.SHIPPED });
  }
}
"""
NEEDS_GRAMMAR = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
PAYS = """\
rule OrderWork {
    when: WorkOrder(order)
    requires: order.status = new
    ensures: order.status = paid
}"""


def declare_body(source: str, body: str) -> str:
    whole = source.replace("{body}", body)
    return declare({"shop/order.ts": whole}) if source is TYPESCRIPT else declare_python(whole)


@pytest.mark.parametrize(
    ("source", "body"),
    [
        (DJANGO, "Order.objects.filter(status='new').update(status='paid')"),
        (DJANGO, "return Order.objects.filter(pk__in=ids, status=Order.Status.NEW)"
                 ".select_related().update(status=Order.Status.PAID)"),
        (DJANGO, "rows = Order.objects.filter(pk__in=ids)\n"
                 "    count = rows.filter(status__in=['new']).update(status='paid')"),
        (MAPPED, "await session.execute(update(Order).where(Order.id.in_(ids), "
                 "Order.status == Status.NEW).values(status=Status.PAID))"),
        (MAPPED, "session.execute(update(Order).values(status=Status.PAID)"
                 ".where(Order.status.in_([Status.NEW])))"),
        (MAPPED, "statement = update(Order).where(Order.status == Status.NEW)\n"
                 "    session.execute(statement.values(status=Status.PAID))"),
        pytest.param(
            TYPESCRIPT, "return this.orderRepository.update({ id, status: Status.NEW }, "
            "{ status: Status.PAID });", marks=NEEDS_GRAMMAR),
        pytest.param(
            TYPESCRIPT, "await Order.update({ status: Status.PAID }, "
            "{ where: { id, status: Status.NEW } });", marks=NEEDS_GRAMMAR),
        pytest.param(
            TYPESCRIPT, "await this.orderModel.updateOne({ id, status: { $in: [Status.NEW] } }, "
            "{ $set: { status: Status.PAID, 'address.city-code': 1 } }, { upsert: false });",
            marks=NEEDS_GRAMMAR),
    ],
)  # fmt: skip
def test_a_query_demands_what_it_asks_rows_for(source: str, body: str) -> None:
    told = declare_body(source, body)
    assert PAYS in told
    assert "        new -> paid\n        paid -> shipped\n        terminal: shipped\n" in told


@pytest.mark.parametrize(
    ("body", "edges"),
    [
        # From any, as nothing asks for a state.
        ("Order.objects.filter(pk=ids).update(status='paid')",
         ["new -> paid", "shipped -> paid"]),
        # Who listed the rows may have chosen them by their states.
        ("Order.objects.filter(pk__in=ids).update(status='paid')", []),
        ("Order.objects.filter(pk__in=ids, status='new').update(status='paid')", ["new -> paid"]),
        ("Order.objects.update(status='paid')", ["new -> paid", "shipped -> paid"]),
        # Two queries, one after the other.
        ("Order.objects.filter(status='new').update(status='paid')\n"
         "    Order.objects.filter(status='shipped').update(status='new')",
         ["new -> paid", "shipped -> new"]),
    ],
)  # fmt: skip
def test_each_row_goes_where_the_queries_lead_it(body: str, edges: list[str]) -> None:
    told = declare_body(DJANGO, body)
    found = {line.strip() for line in told.split("\n") if "->" in line}
    # One that nothing is known to lead to leaves the transitions open.
    assert found == ({*edges, "paid -> shipped"} if edges else set())


@pytest.mark.parametrize(
    "body",
    [
        "ids.update(status='paid')",
        "Other.objects.update(status='paid')",
        "Order.update_all(status='paid')",
        "settings.values(status='paid')",
        "rows = rows.filter(status='new')\n    rows.update(status='paid')",
        "Order.objects.filter(name='new').update(name='paid')",
    ],
)
def test_no_other_update_is_one_of_rows(body: str) -> None:
    assert "rule OrderWork" not in declare_body(DJANGO, body)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"Order.update(1)", True),
        (b"models.Order.bulk_update(1)", True),
        (b"Order.forceUpdate(1)", True),
        (b"Order.query(1).pdate()", True),
        (b"update(Order)", True),
        (b"order.update(1)", False),
        (b"Order.updated(1)", False),
        (b"Order.forcepdate(1)", False),
        (b"update = Order", False),
        (b"Update", False),
        (b".update(1)", False),
        (b"Order.query(1)", False),
    ],
)
def test_a_file_may_change_rows_of_a_class(content: bytes, expected: bool) -> None:
    assert may_update(content) is expected
