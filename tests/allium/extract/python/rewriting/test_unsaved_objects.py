"""What is set while an object is not stored yet is how it begins."""

import pytest

from tests.allium.extract.declared import declare_python

TICKET = """
from django.db import models
class Ticket(models.Model):
    class Status(models.TextChoices):
        NEW = "new"
        OPEN = "open"
        DONE = "done"
    status = models.CharField(max_length=9, choices=Status.choices)
    def save(self, *args, **kwargs):
        if CONDITION:
            self.status = self.Status.NEW
        super().save(*args, **kwargs)
    def open(self):
        if self.status != self.Status.NEW:
            raise ValueError
        self.status = self.Status.OPEN
    def finish(self):
        if self.status == self.Status.OPEN:
            self.status = self.Status.DONE
"""
EDGES = "        new -> open\n        open -> done\n        terminal: done\n"


@pytest.mark.parametrize(
    "condition",
    ["self.pk is None", "not self.pk", "not self.id", "self._state.adding",
     "self.id is None and not self.status"],
)  # fmt: skip
def test_it_leads_from_no_state(condition: str) -> None:
    assert EDGES in declare_python(TICKET.replace("CONDITION", condition))


@pytest.mark.parametrize("condition", ["self.pk", "self.pk is not None", "not self.parent_id"])
def test_what_is_set_later_does(condition: str) -> None:
    found = declare_python(TICKET.replace("CONDITION", condition))
    assert "        done -> new\n" in found


def test_a_class_that_keeps_its_own_number_may_have_states_before() -> None:
    found = declare_python("""
from dataclasses import dataclass
from enum import Enum
class Status(Enum):
    NEW = 1
    OPEN = 2
@dataclass
class Ticket:
    id: int | None = None
    status: Status = Status.NEW
    def open(self):
        if self.id is not None or self.status != Status.NEW:
            raise ValueError
        self.status = Status.OPEN
""")
    assert "        new -> open\n" in found
