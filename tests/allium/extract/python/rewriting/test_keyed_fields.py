"""States under a key of a dictionary whose keys a class names."""

import pytest

from tests.allium.extract.declared import declare

STATES = """
from enum import IntEnum
class States(IntEnum):
    pending = 0
    launched = 1
    done = 2
"""
RECORD = """
from typing import TypedDict
from app.states import States
class TaskRecord(TypedDict, total=False):
    id: int
    status: States
"""
KERNEL = """
from app.states import States
from app.record import TaskRecord
class Kernel:
    def launch(self, record: TaskRecord):
        if record["status"] != States.pending:
            raise ValueError
        record["status"] = States.launched

    def finish(self, number):
        record: TaskRecord
        record = self.records[number]
        if record["status"] == States.launched:
            record["status"] = States.done
"""


def list_edges(kernel: str) -> list[str]:
    files = {"app/states.py": STATES, "app/record.py": RECORD, "app/kernel.py": kernel}
    return [line.strip() for line in declare(files).split("\n") if "->" in line]


def test_they_are_states_of_the_class() -> None:
    assert list_edges(KERNEL) == ["pending -> launched", "launched -> done"]


def test_the_class_may_be_in_the_same_file() -> None:
    found = declare({"app/all.py": STATES + RECORD.partition("States\n")[2].join(
        ["from typing import TypedDict\n", KERNEL.partition("TaskRecord\n")[2]]
    )})  # fmt: skip
    assert "pending -> launched" in found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Any dictionary has such keys.
        ("record: TaskRecord", "record: dict"),
        ("record: TaskRecord", "record: dict[str, TaskRecord]"),
        ('record["status"] = ', "record[status] = "),
        ('record["status"] = ', 'self.record["status"] = '),
    ],
)
def test_any_other_key_is_none(old: str, new: str) -> None:
    assert old in KERNEL
    assert list_edges(KERNEL.replace(old, new)) == []
