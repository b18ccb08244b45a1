"""A row that a method reads again to change it is the object itself."""

import pytest

from tests.allium.extract.declared import declare_python

JOB = """
from django.db import models, transaction
class Job(models.Model):
    class Status(models.TextChoices):
        PENDING = "pending"
        RUNNING = "running"
        DONE = "done"
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.PENDING)
    def start(self):
        with transaction.atomic():
            row = READ
            if row.status != Job.Status.PENDING:
                return self
            row.status = Job.Status.RUNNING
            row.save(update_fields=["status"])
        self.refresh_from_db()
        return self
    def finish(self):
        if self.status == Job.Status.RUNNING:
            self.status = Job.Status.DONE
"""
EDGES = "        pending -> running\n        running -> done\n        terminal: done\n"


@pytest.mark.parametrize(
    "read",
    [
        "type(self).objects.select_for_update().get(pk=self.pk)",
        "self.__class__.objects.select_for_update().get(id=self.id)",
        "Job.objects.get(pk=self.pk)",
        "Job.objects.select_related('owner').select_for_update(nowait=True).get(pk=self.id)",
    ],
)
def test_it_is_asked_and_moved_as_the_object(read: str) -> None:
    found = declare_python(JOB.replace("READ", read))
    assert EDGES in found
    assert "    requires: job.status = pending\n    ensures: job.status = running\n" in found


@pytest.mark.parametrize(
    "read",
    [
        "type(self.owner).objects.get(pk=self.pk)",
        "self.children.get(parent_id=self.pk)",
        "find_rows(self).get(pk=self.pk)",
    ],
)
def test_another_row_is_not(read: str) -> None:
    assert "pending -> running" not in declare_python(JOB.replace("READ", read))


def test_what_the_object_was_given_before_its_row_has_not() -> None:
    lines = "self.status = Job.Status.DONE\n            row = Job.objects.get(pk=self.pk)"
    found = declare_python(JOB.replace("row = READ", lines))
    assert "pending -> running" not in found
