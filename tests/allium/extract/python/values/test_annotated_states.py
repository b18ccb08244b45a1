"""States of data classes that are texts by their type."""

import pytest

from tests.allium.extract.declared import declare, declare_python

JOB = """
from dataclasses import dataclass, field

@dataclass
class Job:
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    name: str
    status: str = QUEUED

    def start(self):
        if self.status != self.QUEUED:
            raise ValueError
        self.status = self.RUNNING

    def finish(self):
        self.status = self.DONE
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("= QUEUED", '= "queued"'),
        ("= QUEUED", "= field(default=QUEUED)"),
        ("@dataclass\nclass Job:", "class Job(BaseModel):"),
    ],
)
def test_constants_of_a_data_class_are_the_states_of_its_field(old: str, new: str) -> None:
    told = declare_python(JOB.replace(old, new))
    assert "    status: queued | running | done\n" in told
    assert "        queued -> running\n" in told


def test_other_files_may_set_them() -> None:
    job = JOB[: JOB.index("    def start")]
    run = """
from shop.job import Job

def finish(job: Job):
    if job.status != Job.RUNNING:
        return
    job.status = Job.DONE
"""
    told = declare({"shop/job.py": job, "shop/run.py": run})
    assert "    requires: job.status = running\n    ensures: job.status = done\n" in told


def test_constants_of_the_file_that_are_named_alike_are_states_too() -> None:
    told = declare_python("""
from pydantic import BaseModel
STATUS_NEW = "new"
STATUS_DONE = "done"

class Task(BaseModel):
    status: str = STATUS_NEW

    def finish(self):
        self.status = STATUS_DONE
""")
    assert "    status: new | done\n" in told


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("status", "title"),  # not called a state
        ("= QUEUED", "= compute()"),
        ("self.status = self.RUNNING", "self.status = read()"),
    ],
)
def test_what_may_be_another_text_is_a_text(old: str, new: str) -> None:
    field = "title" if new == "title" else "status"
    assert f"    {field}: String\n" in declare_python(JOB.replace(old, new))


def test_a_constant_that_a_class_uses_for_something_else_is_no_state() -> None:
    told = declare_python(
        JOB.replace("    name: str", '    QUEUE = "jobs"\n    name: str')
        + "        self.send(self.QUEUE)\n"
    )
    assert "    status: queued | running | done\n" in told


def test_a_parameter_may_begin_with_a_constant_of_the_class() -> None:
    told = declare_python("""
class Order:
    NEW = "new"
    PAID = "paid"

    def __init__(self, status: str = NEW):
        self.status = status

    def pay(self):
        if self.status != self.NEW:
            raise ValueError
        self.status = self.PAID
""")
    assert "        new -> paid\n" in told
