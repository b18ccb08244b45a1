"""Stored fields that begin with a constant that has the field's name in its own."""

import pytest

from tests.allium.extract.declared import declare_python

DJANGO = """
from django.db import models

class Job(models.Model):
    STATUS_NEW = "new"
    STATUS_DONE = "done"
    STATUS_LIMIT = 3
    MAX_RETRIES = 5
    status = models.CharField(max_length=9, default=STATUS_NEW)

    def finish(self):
        if self.status != self.STATUS_NEW:
            raise ValueError
        self.status = Job.STATUS_DONE
        self.save()
"""
ALCHEMY = """
from sqlalchemy import Column, Integer, String
from sqlalchemy.orm import declarative_base

Base = declarative_base()
NEW_STATE = "new"
DONE_STATE = "done"
DONE = "other"

class Job(Base):
    __tablename__ = "jobs"
    id = Column(Integer, primary_key=True)
    state = Column(String(9), nullable=False, default=NEW_STATE)

    def finish(self):
        if self.state != NEW_STATE:
            raise ValueError
        self.state = DONE_STATE
"""


@pytest.mark.parametrize(("source", "field"), [(DJANGO, "status"), (ALCHEMY, "state")])
def test_a_field_has_the_constants_that_begin_or_end_as_the_first_one_does(
    source: str, field: str
) -> None:
    told = declare_python(source)
    assert f"    {field}: new | done\n" in told
    assert "        new -> done\n" in told
    assert f"    requires: job.{field} = new\n    ensures: job.{field} = done\n" in told


def test_numbers_have_the_names_of_their_constants() -> None:
    source = DJANGO.replace('"new"', "1").replace('"done"', "2").replace("_LIMIT = 3", "_X = 'x'")
    assert "    status: new | done\n" in declare_python(source.replace("Char", "Integer"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("default=STATUS_NEW", 'default="new"'),
        ("default=STATUS_NEW", "default=MAX_RETRIES"),
        ('STATUS_DONE = "done"', "STATUS_DONE = load()"),
        ('STATUS_DONE = "done"', 'STATUS_DONE = "new"'),
        ('STATUS_NEW = "new"', "STATUS_NEW = load()"),
    ],
)
def test_what_no_constants_are_named_for_is_a_text(old: str, new: str) -> None:
    assert "    status: String\n" in declare_python(DJANGO.replace(old, new))
