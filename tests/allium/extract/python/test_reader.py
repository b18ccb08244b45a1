"""Python files: classes of all kinds, states, rules."""

import pytest

from git_retcon.allium.extract.python.reader import read_python
from tests.allium.extract.declared import declare, declare_python

ORDER = """
from dataclasses import dataclass
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"
    SHIPPED = "shipped"

@dataclass
class Order:
    id: int
    total: int
    status: Status = Status.NEW

    def pay(self, amount: int) -> None:
        if self.status != Status.NEW:
            raise ValueError("too late")
        if amount < self.total:
            raise ValueError("too little")
        self.status = Status.PAID

    @property
    def is_paid(self) -> bool:
        return self.status is Status.PAID

    def ship(self) -> None:
        if not self.is_paid:
            raise ValueError
        self.status = Status.SHIPPED
"""


def test_guards_and_assignments_are_rules_and_transitions() -> None:
    assert (
        declare_python(ORDER)
        == """\
enum Status { new | paid | shipped }

entity Order {
    id: Integer
    total: Integer
    status: Status

    transitions status {
        new -> paid
        paid -> shipped
        terminal: shipped
    }
}

rule OrderPay {
    when: PayOrder(order, amount)
    requires: order.status = new
    requires: amount >= order.total
    ensures: order.status = paid
}

rule OrderShip {
    when: ShipOrder(order)
    requires: order.status = paid
    ensures: order.status = shipped
}"""
    )


def test_a_state_that_nothing_leads_to_is_a_question_and_no_graph() -> None:
    told = declare_python(ORDER.replace('    SHIPPED = "shipped"', "    SHIPPED = 1\n    LOST = 2"))
    assert "transitions" not in told
    assert "no operation here leads to or from lost" in told
    assert "rule OrderShip" in told


def test_a_table_of_transitions_is_the_whole_graph() -> None:
    source = ORDER.partition("    def pay")[0] + (
        "NEXT = {Status.NEW: {Status.PAID, Status.SHIPPED}, Status.PAID: [Status.SHIPPED],\n"
        "        Status.SHIPPED: set()}\n"
    )
    assert """
    transitions status {
        new -> paid
        new -> shipped
        paid -> shipped
        terminal: shipped
    }""" in declare_python(source)


def test_a_method_is_followed_through_branches_errors_and_early_returns() -> None:
    source = (
        ORDER.partition("    def pay")[0]
        + """
    def run(self):
        if self.status == Status.SHIPPED:
            return
        if self.status == Status.NEW:
            try:
                self.status = Status.PAID
                work()
            except Exception:
                self.status = Status.NEW
                raise
        else:
            self.status = Status.SHIPPED
"""
    )
    told = declare_python(source)
    edges = [line.strip() for line in told.split("\n") if "->" in line]
    assert edges == ["new -> paid", "paid -> new", "paid -> shipped"]
    assert told.endswith("""
    ensures:
        if order.status = new: order.status = paid
        else if order.status = paid: order.status = shipped
}""")


def test_django() -> None:
    source = """
from django.db import models

class Stamped(models.Model):
    made = models.DateTimeField(auto_now_add=True)
    class Meta:
        abstract = True

class Order(Stamped):
    class Kind(models.TextChoices):
        HOME = "H", "Home"
        SHOP = "S", "Shop"
    OPEN, DONE = "o", "d"
    kind = models.CharField(max_length=1, choices=Kind.choices)
    state = models.CharField(max_length=1, choices=[(OPEN, "Open"), (DONE, "Done")], default=OPEN)
    customer = models.ForeignKey("people.Customer", null=True, on_delete=models.CASCADE)
    parent = models.ForeignKey("self", on_delete=models.CASCADE)
    tags = models.ManyToManyField("Tag")
    count = models.PositiveIntegerField()
    timeout = models.DurationField(null=True)
    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(count__lte=9), name="few")]

class Tag(models.Model):
    name = models.SlugField()
"""
    assert (
        declare_python(source)
        == """\
external entity Customer {}

enum OrderKind { home | shop }

entity Order {
    made: Timestamp
    kind: OrderKind
    state: open | done
    customer: Customer?
    parent: Order
    tags: Set<Tag>
    count: Integer
    timeout_: Duration?

    invariant Few {
        count <= 9
    }

    invariant CountInRange {
        count >= 0
    }
}

entity Tag {
    name: String
}"""
    )


def test_sqlalchemy_in_both_forms() -> None:
    source = """
import enum
from sqlalchemy import Column, Enum, ForeignKey, Integer, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

class Base(DeclarativeBase): ...

class Size(enum.Enum):
    SMALL = 1
    LARGE = 2

class User(Base):
    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    nick: Mapped[str | None]
    orders: Mapped[list["Order"]] = relationship(back_populates="user")

class Order(Base):
    __tablename__ = "orders"
    id = Column(Integer, primary_key=True)
    note = Column(String(40))
    size = Column(Enum(Size), nullable=False)
    user_id = Column(ForeignKey("users.id"), nullable=False)
    user = relationship("User", back_populates="orders")
    parts = relationship("Part", backref="order")

class Part(Base):
    __tablename__ = "parts"
    id = Column(Integer, primary_key=True)
"""
    assert (
        declare_python(source).partition("entity User")[2]
        == """ {
    id: Integer
    nick: String?
    orders: Order with user = this
}

entity Order {
    id: Integer
    note: String?
    size: Size
    user_id: Any
    user: User?
    parts: List<Part>
}

entity Part {
    id: Integer
    order: Order?
}"""
    )


def test_pydantic_and_names_for_types() -> None:
    source = """
from typing import Annotated, ClassVar, Literal, Optional, Union
from pydantic import BaseModel, Field

Mode = Literal["fast", "slow"]
Key = str

class Base(BaseModel):
    limit: ClassVar[int] = 3
    name: str

class Item(Base):
    id: Key
    mode: Mode = "fast"
    price: Annotated[float, Field(gt=0)]
    count: Optional[int] = Field(None, ge=1, le=5)
    either: Union[int, str]
    parts: list["Item"] = []
    _private: int = 0
"""
    assert (
        declare_python(source).partition("value Base")[2]
        == """ {
    name: String
}

entity Item {
    name: String
    id: String
    mode: Mode
    price: Decimal
    count: Integer?
    either: Any -- int or str
    parts: List<Item>

    invariant PriceInRange {
        price > 0
    }

    invariant CountInRange {
        count = null or (count >= 1 and count <= 5)
    }
}"""
    )


def test_plain_classes_are_entities_only_by_what_they_do() -> None:
    source = """
class Door:
    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.state = "closed"

    def open(self) -> None:
        if self.state != "closed":
            raise RuntimeError
        self.state = "open"

    def close(self) -> None:
        if self.state != "open":
            raise RuntimeError
        self.state = "closed"

class Service:
    def __init__(self, door: Door) -> None:
        self.door = door
    def work(self) -> int:
        return 3
"""
    told = declare_python(source)
    assert "Service" not in told
    assert "    state: closed | open\n" in told
    assert "        closed -> open\n        open -> closed\n" in told


def test_contracts_and_configuration() -> None:
    source = """
import os
from datetime import timedelta
from typing import Protocol

LIMIT = 3
UNUSED = 4
WAIT = timedelta(hours=2)
PORT = int(os.environ.get("PORT", "80"))

class Store(Protocol):
    def load(self, key: str, wait: timedelta = WAIT) -> bytes | None: ...
    def drop(self, key: str, limit: int = LIMIT) -> None: ...
"""
    assert (
        declare_python(source)
        == """\
contract Store {
    load: (key: String, wait: Duration) -> Any?
    drop: (key: String, limit: Integer) -> Void
}

config {
    limit: Integer = 3
    wait: Duration = 2.hours
    port: Integer = 80
}"""
    )


def test_names_lead_through_packages_to_other_files() -> None:
    told = declare({
        "shop/orders/models.py": "from ..people import User\nclass Order:\n    by: User\n",
        "shop/people/__init__.py": "from .user import *\n",
        "shop/people/user.py": "class User:\n    id: int\n",
    })  # fmt: skip
    assert "    by: shop/people/User\n" in told


@pytest.mark.parametrize("source", ["class X(", "x = '\\ud800'\n\x00", "(" * 5000 + ")" * 5000])
def test_what_cannot_be_parsed_is_said(source: str) -> None:
    assert read_python(b"a.py", source.encode()) is None


def test_dead_code_and_what_is_no_data_is_left_out() -> None:
    source = """
from rest_framework import serializers
class OrderError(Exception):
    code: int
class OrderSerializer(serializers.Serializer):
    name = serializers.CharField()
if False:
    class Old:
        id: int
def make():
    class Inner:
        id: int
"""
    assert declare_python(source) == ""
