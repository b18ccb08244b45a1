"""Fields of attrs are what they check, or what they begin with."""

import pytest

from tests.allium.extract.declared import declare_python

JOB = """
import attr
from attr import validators
from enum import Enum

class Status(Enum):
    NEW = 1
    BUSY = 2
    DONE = 3

@attr.s
class Job:
    status = attr.ib({given})

    def start(self):
        if self.status is not Status.NEW:
            raise ValueError
        self.status = Status.BUSY

    def finish(self):
        if self.status is not Status.BUSY:
            raise ValueError
        self.status = Status.DONE
"""


def declare_job(given: str) -> str:
    return declare_python(JOB.replace("{given}", given))


@pytest.mark.parametrize(
    "given",
    [
        "default=Status.NEW",
        "Status.NEW",
        "validator=attr.validators.instance_of(Status)",
        "default=Status.NEW, validator=[validators.instance_of(Status)]",
        "validator=validators.and_(validators.instance_of(Status), check)",
    ],
)
def test_a_field_has_the_states_of_its_enum(given: str) -> None:
    found = declare_job(given)
    assert "    status: Status\n" in found
    assert "new -> busy\n        busy -> done\n" in found
    assert "requires: job.status = new" in found


def test_a_field_that_may_begin_with_nothing_says_so() -> None:
    given = "default=None, validator=validators.optional(validators.instance_of(Status))"
    assert "    status: Status?\n" in declare_job(given)


@pytest.mark.parametrize("text", ['"new"', "NEW"])
def test_a_field_that_begins_with_a_text_has_the_texts_that_methods_give(text: str) -> None:
    source = 'NEW = "new"\n' + JOB.replace("{given}", f"default={text}")
    source = source.replace("Status.NEW", text)
    source = source.replace("Status.BUSY", '"busy"').replace("Status.DONE", '"done"')
    assert "    status: new | busy | done\n" in declare_python(source)


@pytest.mark.parametrize(
    "given",
    ["", "default=make()", "default=settings.NEW", "validator=validators.in_(Status)"],
)
def test_what_says_no_type_may_be_anything(given: str) -> None:
    assert "    status: Any\n" in declare_job(given)
