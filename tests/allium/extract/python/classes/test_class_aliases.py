"""Enums by the names that a class gives them."""

from tests.allium.extract.declared import declare, declare_python

JOB = """
from enum import Enum

class JobStatus(Enum):
    NEW = 1
    DONE = 2

class Job:
    Status = JobStatus

    def __init__(self):
        self._status = self.Status.NEW

    def finish(self):
        if self._status != self.Status.NEW:
            raise RuntimeError
        self._status = self.Status.DONE
"""


def list_edges(source: str) -> list[str]:
    return [line.strip() for line in declare_python(source).split("\n") if "->" in line]


def test_a_class_may_call_an_enum_beside_it_by_another_name() -> None:
    assert list_edges(JOB) == ["new -> done"]


def test_a_class_may_hold_its_enum() -> None:
    inside = JOB.replace(
        "    Status = JobStatus", "    class Status(Enum):\n        NEW = 1\n        DONE = 2"
    )
    assert list_edges(inside) == ["new -> done"]


def test_what_methods_set_stays_a_field() -> None:
    told = declare_python(
        JOB.replace("self._status = self.Status.DONE", "self.Status = self.Status.DONE")
    )
    assert "->" not in told


BASE = """
from enum import Enum

class Task:
    class _Status(Enum):
        NEW = 1
        DONE = 2

    def close(self):
        pass
"""
HEIR = (
    JOB[JOB.index("class Job:") :]
    .replace("    Status = JobStatus\n", "")
    .replace("class Job:", "class Job(Task):")
)


def test_an_enum_of_a_base_class_is_named_through_an_heir() -> None:
    for owner in ("self", "Job"):
        job = HEIR.replace("self.Status", f"{owner}._Status")
        assert list_edges(BASE + job) == ["new -> done"]
        files = {"task.py": BASE, "job.py": f"from task import Task\n{job}"}
        assert "    status: task/TaskStatus\n" in declare(files)
        assert "        new -> done\n" in declare(files)


def test_what_an_object_gets_is_not_the_enum_of_its_base_class() -> None:
    given = HEIR.replace("self.Status", "self._Status").replace(
        "        self._status = self._Status.NEW",
        "        self._Status = make()\n        self._status = self._Status.NEW",
    )
    assert "    status: new | done\n" in declare_python(BASE + given)
