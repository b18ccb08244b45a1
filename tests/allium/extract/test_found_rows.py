"""An object that a query found was in the states that the query asked for."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare, declare_python

DJANGO = """
from django.db import models
from django.shortcuts import get_object_or_404

class Order(models.Model):
    class Status(models.TextChoices):
        NEW = "new"
        PAID = "paid"
        SHIPPED = "shipped"
    status = models.CharField(choices=Status.choices, max_length=9, default=Status.NEW)
    name = models.CharField(max_length=9)

def work(pk, name):
    {body}
"""
MAPPED = """
import enum
from sqlalchemy import Enum, select
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

async def work(session, ids, late):
    {body}
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
}
"""


def list_paid_edges(source: str, body: str, *, is_typescript: bool = False) -> list[str]:
    """The transitions to paid that an operation makes, with another that ships what is paid."""
    if is_typescript:
        ship = "if (order.status !== Status.PAID) throw new Error(); order.status = Status.SHIPPED;"
        source = source.replace("async work(", f"ship(order: Order) {{ {ship} }}\n  async work(")
        found = declare({"src/order.ts": source.replace("{body}", body)})
    else:
        paid = "'paid'" if "django" in source else "Status.PAID"
        ship = f"    if order.status != {paid}:\n        raise ValueError\n    order.status = "
        ship += paid.replace("paid", "shipped").replace("PAID", "SHIPPED")
        source += f"\ndef ship(order: Order):\n{ship}\n"
        found = declare_python(source.replace("{body}", body.replace("\n", "\n    ")))
    return [line.strip() for line in found.split("\n") if "-> paid" in line]


@pytest.mark.parametrize(
    "body",
    [
        "for order in Order.objects.filter(status='new', name=name):\n    order.status = 'paid'",
        "orders = Order.objects.filter(status='new')\n"
        "for order in list(orders):\n    order.status = 'paid'",
        "order = Order.objects.select_for_update().get(pk=pk, status=Order.Status.NEW)\n"
        "order.status = 'paid'",
        "order = Order.objects.filter(status__in=['new']).first()\norder.status = 'paid'",
        "order = get_object_or_404(Order, pk=pk, status='new')\norder.status = 'paid'",
        "for each in Order.objects.exclude(status__in=['paid', 'shipped']):\n"
        "    try:\n        ask(each)\n    except OSError:\n        each.status = 'paid'",
    ],
)
def test_what_django_found_was_in_the_state_that_was_asked_for(body: str) -> None:
    assert list_paid_edges(DJANGO, body) == ["new -> paid"]


@pytest.mark.parametrize(
    "body",
    [
        "for order in session.query(Order).filter(Order.status == Status.NEW).all():\n"
        "    order.status = Status.PAID",
        "order = await session.scalar(select(Order).where(Order.status == Status.NEW))\n"
        "order.status = Status.PAID",
        "found = await session.execute(select(Order).where(Order.status.in_([Status.NEW])))\n"
        "for order in found.scalars():\n    order.status = Status.PAID",
    ],
)
def test_what_sqlalchemy_found_was_in_the_state_that_was_asked_for(body: str) -> None:
    assert list_paid_edges(MAPPED, body) == ["new -> paid"]


@pytest.mark.parametrize(
    "body",
    [
        "const order = await this.orderRepository.findOne({ where: { id, status: Status.NEW } });\n"
        "order.status = Status.PAID;",
        "const order = await this.orderRepository.findOneBy({ id, status: Status.NEW });\n"
        "order.status = Status.PAID;",
        "const orders = await this.orderRepository.find({ where: { status: Status.NEW } });\n"
        "for (const order of orders) { order.status = Status.PAID; }",
    ],
)
@pytest.mark.skipif(not is_available(), reason="needs the grammar of TypeScript")
def test_what_typeorm_found_was_in_the_state_that_was_asked_for(body: str) -> None:
    assert list_paid_edges(TYPESCRIPT, body, is_typescript=True) == ["new -> paid"]


ANY = ["new -> paid", "shipped -> paid"]


@pytest.mark.parametrize(
    ("body", "edges"),
    [
        # Which one is meant is no state, and a state that nobody knows may be any of them.
        ("order = Order.objects.get(name=name)\norder.status = 'paid'", ANY),
        ("order = Order.objects.get(status=name)\norder.status = 'paid'", []),
        ("order = Order.objects.create(name=name)\norder.status = 'paid'", []),
        # One of several queries, and a row that may be new.
        (
            "orders = Order.objects.all()\nif name:\n"
            "    orders = Order.objects.filter(status='new')\n"
            "for order in orders:\n    order.status = 'paid'",
            ANY,
        ),
        ("order, _ = Order.objects.get_or_create(status='new')\norder.status = 'paid'", ANY),
    ],
)
def test_what_a_query_does_not_ask_for_is_not_known(body: str, edges: list[str]) -> None:
    assert list_paid_edges(DJANGO, body) == edges


def test_what_says_which_row_is_meant_is_no_demand() -> None:
    body = "order = Order.objects.get(name=name)\n    order.status = 'paid'"
    found = declare_python(DJANGO.replace("{body}", body))
    assert "rule OrderWork {" in found
    assert "requires" not in found


def test_a_name_for_objects_of_two_classes_has_no_class() -> None:
    parcel = """
class Parcel(Base):
    __tablename__ = "parcels"
    id: Mapped[int] = mapped_column(primary_key=True)
    status: Mapped[Status] = mapped_column(Enum(Status))

async def work("""
    body = (
        "for each in session.query(Order).filter(Order.status == Status.NEW):\n"
        "    each.status = Status.PAID\n"
        "for each in session.query(Parcel):\n    each.status = Status.PAID"
    )
    assert list_paid_edges(MAPPED.replace("\nasync def work(", parcel), body) == []


CHOSEN = """
class Jobs:
    def work(self):
        for order in self.{call}:
            order.status = Order.Status.SHIPPED
"""


@pytest.mark.parametrize(
    ("call", "sources"),
    [
        # What a finder of the project's own is given of the states, it asks for.
        ("rows.find_by_status(Order.Status.PAID)", ["paid"]),
        ("rows.find_by_status([Order.Status.NEW, Order.Status.PAID])", ["new", "paid"]),
        ("rows.find_some(state=Order.Status.NEW, limit=3)", ["new"]),
        # Where it is given none, nobody knows which it finds, unless it gives all.
        ("rows.find_pending()", []),
        ("rows.find_by_name(name)", []),
        ("rows.find_by_kind(Other.Status.PAID)", []),
        ("rows.find_all()", ["new", "paid"]),
        ("orders", ["new", "paid"]),
    ],
)
def test_a_finder_of_the_projects_own_chooses_the_rows_of_a_loop(
    call: str, sources: list[str]
) -> None:
    source = DJANGO.partition("def work")[0] + CHOSEN.format(call=call)
    pay = """
def pay(name):
    order = Order.objects.filter(name=name, status=Order.Status.NEW).get()
    order.status = Order.Status.PAID
"""
    found = declare_python(source + pay)
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert [each for each in edges if each.endswith("shipped")] == [
        f"{each} -> shipped" for each in sources
    ]
