"""Updates of an object's own row that ask for its state, read as what the object does itself."""

import pytest

from tests.allium.extract.declared import declare_python

ORDER = """
from django.db import models

class Order(models.Model):
    class Status(models.TextChoices):
        NEW = "new", "New"
        PAID = "paid", "Paid"
        SENT = "sent", "Sent"

    status = models.CharField(choices=Status.choices, default=Status.NEW, max_length=9)

    def pay(self):
        PAY

    def send(self):
        if self.status != self.Status.PAID:
            raise ValueError
        self.status = self.Status.SENT
        self.save()
"""
UPDATE = "objects.filter(pk=self.pk, status=self.Status.NEW).update(status=self.Status.PAID)"
HELD = f"updated = type(self).{UPDATE}\nif updated == 0:\n    raise ValueError\n"
EDGES = ["new -> paid", "paid -> sent"]


def declare(pay: str) -> str:
    return declare_python(ORDER.replace("PAY", pay.strip().replace("\n", "\n        ")))


def list_edges(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if "->" in line]


@pytest.mark.parametrize(
    "pay",
    [
        HELD,
        f"{HELD}self.status = self.Status.PAID",
        HELD.replace("updated == 0", "not updated").replace("type(self)", "Order"),
        f"if not self.__class__.{UPDATE}:\n    return False",
        f"if Order.{UPDATE} != 1:\n    raise ValueError",
        HELD.replace("pk=self.pk", "id=self.pk").replace(
            "status=self.Status.NEW)", "status__in=[self.Status.NEW])"
        ),
    ],
)
def test_an_object_refuses_what_its_update_does_not_find(pay: str) -> None:
    found = declare(pay)
    assert list_edges(found) == EDGES
    assert "    requires: order.status = new\n    ensures: order.status = paid\n" in found


def test_without_a_question_it_moves_what_it_finds() -> None:
    assert list_edges(declare(f"Order.{UPDATE}")) == EDGES


@pytest.mark.parametrize(
    "pay",
    [
        HELD.replace("pk=self.pk", "pk=other.pk"),
        HELD.replace("pk=self.pk, ", ""),
        HELD.replace("type(self)", "Other"),
    ],
)
def test_an_update_of_other_rows_is_none_of_its_own(pay: str) -> None:
    assert "new -> paid" not in list_edges(declare(pay)) or "requires" not in declare(pay)


def test_what_else_is_asked_leaves_open_where_it_begins() -> None:
    asked = HELD.replace("status=self.Status.NEW", "lock__lt=now").replace("PAID", "SENT")
    assert "sent -> sent" not in list_edges(declare(asked))
    assert "    requires: order.status = new\n" not in declare(asked)


def test_what_is_excluded_together_is_not_excluded_each_for_itself() -> None:
    both = "exclude(status=self.Status.PAID, lock=3)"
    excluding = HELD.replace("pk=self.pk, status=self.Status.NEW)", f"pk=self.pk).{both}")
    found = declare(excluding)
    assert "    ensures: order.status = paid\n" in found
    assert "requires: order.status != paid\n" not in found


def test_what_the_object_gets_before_its_row_is_asked_is_no_move() -> None:
    early = f"self.status = self.Status.PAID\n{HELD}"
    found = declare(early)
    assert list_edges(found) == EDGES
    assert "    requires: order.status = new\n    ensures: order.status = paid\n" in found


def test_another_value_before_leaves_open_what_the_row_is() -> None:
    found = declare(f"self.status = self.Status.SENT\n{HELD}")
    assert list_edges(found) == []
