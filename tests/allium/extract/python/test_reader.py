"""Python files that cannot be read, and what is left out."""

import pytest

from git_retcon.allium.extract.python.file_versions import read_python
from tests.allium.extract.declared import ORDER, declare, declare_python


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


def test_what_only_type_checkers_or_programs_see_is_nothing() -> None:
    told = declare_python("""
from dataclasses import dataclass
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    @dataclass
    class Ghost:
        id: int
@dataclass
class Real:
    id: int
if __name__ == "__main__":
    @dataclass
    class Demo:
        id: int
""")
    assert "entity Real" in told
    assert "Ghost" not in told
    assert "Demo" not in told


def test_of_two_classes_with_one_name_only_what_both_have_is_sure() -> None:
    told = declare_python("""
import sys
from dataclasses import dataclass
if sys.version_info >= (3, 12):
    @dataclass
    class Real:
        id: int
        fresh: int
else:
    @dataclass
    class Real:
        id: int
        stale: int
""")
    assert "id: Integer" in told
    assert "fresh" not in told
    assert "stale" not in told


def test_of_two_methods_with_one_name_the_later_counts() -> None:
    told = declare_python(
        ORDER
        + """
    def refund(self):
        self.status = Status.NEW

    def refund(self):
        self.status = Status.PAID
"""
    ).partition("rule OrderRefund")[2]
    assert "order.status = paid" in told
    assert "order.status = new" not in told


def test_a_second_name_of_a_value_is_no_state() -> None:
    source = ORDER.replace('    PAID = "paid"\n', '    PAID = "paid"\n    SETTLED = "paid"\n')
    told = declare_python(source.replace("= Status.PAID", "= Status.SETTLED"))
    assert "enum Status { new | paid | shipped }" in told
    assert "settled" not in told


def test_an_operation_that_moves_two_fields_leads_to_states_of_both() -> None:
    found = declare_python("""
class Stream:
    def __init__(self):
        self.state = "idle"
        self.path_state = "unknown"

    def wait(self):
        if self.state != "idle":
            raise ValueError
        self.state = "waiting"

    def succeed(self):
        if self.state != "waiting" or self.path_state != "unknown":
            raise ValueError
        self.path_state = "used"
        self.state = "ready"
""")
    assert "        idle -> waiting\n        waiting -> ready\n" in found
    assert "        unknown -> used\n" in found
    assert found.count("rule StreamSucceed {") == 1


def test_a_class_of_states_may_come_with_all_names_of_its_module() -> None:
    job = """
from {module} import *

class Job:
    def __init__(self):
        self.state = JobState.NEW

    def run(self):
        if self.state is not JobState.NEW:
            raise ValueError
        self.state = JobState.RUNNING

    def stop(self):
        self.state = JobState.DONE
"""
    states = (
        "from enum import Enum\nclass JobState(Enum):\n    NEW = 1\n    RUNNING = 2\n    DONE = 3\n"
    )
    files = {"jobs/states.py": states, "jobs/job.py": job}
    found = declare({**files, "jobs/job.py": job.replace("{module}", ".states")})
    assert "        new -> running\n        new -> done\n        running -> done\n" in found
    other = declare({**files, "jobs/job.py": job.replace("{module}", ".other")})
    # Nothing declares it there: the members that the file names are all that is known.
    assert "    state: new | running | done\n" in other
    assert "JobState" not in other.replace("Source: jobs/states.py, JobState", "").replace(
        "enum JobState {", ""
    )


def test_what_leaves_operations_to_others_may_hold_the_enum_of_its_state() -> None:
    found = declare_python("""
from abc import ABC, abstractmethod
from enum import Enum

class Task(ABC):
    class State(Enum):
        NEW = 1
        DONE = 2

    def __init__(self):
        self.state = Task.State.NEW

    def finish(self):
        self.state = Task.State.DONE

    @abstractmethod
    def run(self): ...
""")
    assert "        new -> done\n" in found
