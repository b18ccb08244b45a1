"""The members of enums that a call makes, and of plain classes that list states."""

import ast

import pytest

from git_retcon.allium.extract.python.syntax.enum_members import (
    read_functional_members,
    read_members,
)
from tests.allium.extract.declared import declare_python

JOB = """
class JobStatus(object):
    \"\"\"Where a job is.\"\"\"

    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    FAILED = "FAILED"
    FINISHED = {FAILED}

class Job:
    def __init__(self, name, status=JobStatus.QUEUED):
        self.name = name
        self.status = status

    def start(self):
        if self.status != JobStatus.QUEUED:
            raise ValueError(self.name)
        self.status = JobStatus.RUNNING

    def fail(self):
        self.status = JobStatus.FAILED
"""


def test_a_plain_class_of_constants_that_is_named_for_states_is_an_enum() -> None:
    found = declare_python(JOB)
    assert "enum JobStatus { queued | running | failed }\n" in found
    assert "    status: JobStatus\n" in found
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert edges == ["queued -> running", "queued -> failed", "running -> failed"]


@pytest.mark.parametrize("name", ["JOB_STATUS", "_JOB_STATES", "STATE"])
def test_its_name_may_be_written_as_that_of_a_constant(name: str) -> None:
    found = declare_python(JOB.replace("JobStatus", name))
    assert " { queued | running | failed }\n" in found
    assert "        queued -> running\n" in found


@pytest.mark.parametrize("name", ["JOB_ESTATE", "STATEMENT"])
def test_a_longer_word_names_no_states(name: str) -> None:
    # Those that the field gets are its states all the same.
    assert "enum " not in declare_python(JOB.replace("JobStatus", name))


def test_it_may_tell_of_its_constants() -> None:
    told = "    @staticmethod\n    def tell(status):\n        return TEXTS[status]"
    found = declare_python(JOB.replace("    FINISHED = {FAILED}", told))
    assert "enum JobStatus { queued | running | failed }\n" in found


def test_its_names_may_be_written_small_where_numbers_count() -> None:
    job = JOB.replace("    FINISHED = {FAILED}\n", "")
    for number, name in enumerate(("QUEUED", "RUNNING", "FAILED")):
        job = job.replace(f'{name} = "{name}"', f"{name.lower()} = {number}")
        job = job.replace(f"JobStatus.{name}", f"JobStatus.{name.lower()}")
    found = declare_python(job)
    assert "enum JobStatus { queued | running | failed }\n" in found
    assert "        queued -> running\n" in found
    # Others may be anything that an object begins with.
    assert "enum" not in declare_python(job.replace("running = 1", "running = 7"))


def test_texts_may_say_its_names() -> None:
    job = JOB.replace("    FINISHED = {FAILED}\n", "")
    for name in ("QUEUED", "RUNNING", "FAILED"):
        job = job.replace(f'{name} = "{name}"', f'In{name.title()} = "in_{name.lower()}"')
        job = job.replace(f"JobStatus.{name}", f"JobStatus.In{name.title()}")
    found = declare_python(job)
    assert "enum JobStatus { in_queued | in_running | in_failed }\n" in found
    assert "        in_queued -> in_running\n" in found
    assert "enum" not in declare_python(job.replace('"in_running"', '"7"'))


@pytest.mark.parametrize("base", ["object", "int"])
def test_a_range_may_number_them(base: str) -> None:
    members = JOB.partition("    QUEUED")[0].replace("object", base)
    rest = JOB.partition("class Job:")[2]
    job = f"{members}    QUEUED, RUNNING, FAILED = range(3)\n\nclass Job:{rest}"
    found = declare_python(job)
    assert "enum JobStatus { queued | running | failed }\n" in found
    assert "        queued -> running\n" in found


def test_choices_of_a_kind_of_a_project_are_an_enum() -> None:
    listed = JOB.replace("(object)", "(ChoiceSet)").replace(
        "FINISHED = {FAILED}",
        'CHOICES = ((QUEUED, "q", "blue"), (RUNNING, "r", "red"), (FAILED, "f", "red"))',
    )
    assert "enum JobStatus { queued | running | failed }\n" in declare_python(listed)
    assert "enum" not in declare_python(listed.replace("(ChoiceSet)", "(Set)"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("JobStatus", "JobNames"),
        ('RUNNING = "RUNNING"', 'RUNNING = "QUEUED"'),
        ('RUNNING = "RUNNING"', "RUNNING = 7"),
        ("JobStatus(object)", "JobStatus(Base)"),
        ('    QUEUED = "QUEUED"', '    def ask(self): pass\n    QUEUED = "QUEUED"'),
    ],
)
def test_a_class_of_anything_else_is_none(old: str, new: str) -> None:
    assert old in JOB
    assert "enum " not in declare_python(JOB.replace(old, new))


@pytest.mark.parametrize(
    "made",
    [
        'Enum("State", "NEW DONE")', 'enum.IntEnum("State", "NEW, DONE")',
        'Enum("State", ["NEW", "DONE"])', 'Enum("State", [("NEW", 1), ("DONE", 2)])',
        'Enum("State", {"NEW": 1, "DONE": 2})', '_Enum("State", "NEW DONE")',
    ],
)  # fmt: skip
def test_an_enum_may_be_made_by_a_call(made: str) -> None:
    told = declare_python(f"""
State = {made}

class Job:
    def __init__(self):
        self.state = State.NEW

    def finish(self):
        if self.state is State.DONE:
            raise RuntimeError
        self.state = State.DONE
""")
    assert "enum State { new | done }" in told
    assert "        new -> done\n" in told


@pytest.mark.parametrize(
    "made", ['Enum("State", names)', 'Enum("State", [*x, "A"])', "Enum(State)"]
)
def test_an_enum_whose_members_nobody_knows_here_is_none(made: str) -> None:
    assert declare_python(f"State = {made}\n") == ""


WORKER = """
from shop.states import RunState

class Worker:
    _state: RunState = RunState.stopped

    def __init__(self):
        self._events = []

    def stop(self):
        if self._state is RunState.started:
            self._state = RunState.stopping

    def wait(self):
        if self._state not in (RunState.stopped, RunState.stopping):
            self._events.append("stopped")
"""


@pytest.mark.parametrize("given", ["RunState.stopped", "field(default=RunState.stopped)"])
def test_members_of_another_file_are_written_small_where_an_attribute_gets_one(given: str) -> None:
    told = declare_python(WORKER.replace("= RunState.stopped", f"= {given}"))
    assert "requires: worker.state not in {stopped, stopping}\n" in told


def test_what_no_attribute_gets_may_be_anything_of_an_enum() -> None:
    worker = WORKER.replace(" = RunState.stopped", "").replace("= RunState.stopping", "= compute()")
    assert "stopping" not in declare_python(worker)


def test_a_function_called_enum_makes_members_of_its_keywords() -> None:
    node = ast.parse("common.enum(NoFade=1, Fading=2)", mode="eval").body
    members = read_functional_members(node)
    assert [(each.symbol, each.stored) for each in members] == [("NoFade", 1), ("Fading", 2)]
    assert read_functional_members(ast.parse("common.make(A=1, B=2)", mode="eval").body) == ()


def test_what_only_groups_members_is_none() -> None:
    node = ast.parse("class Status(BaseEnum):\n    NEW = 1\n    DONE = 2\n    ALL = (NEW, DONE)")
    enum = node.body[0]
    assert isinstance(enum, ast.ClassDef)
    assert [each.symbol for each in read_members(enum)] == ["NEW", "DONE"]


ORDERED = """
from enum import IntEnum, auto

class Phase(IntEnum):
    BEFORE = FIRST
    OPEN = SECOND
    OVER = THIRD

class Sale:
    def __init__(self):
        self.phase = Phase.BEFORE

    def open(self):
        if self.phase > Phase.BEFORE:
            raise ValueError
        self.phase = Phase.OPEN

    def end(self):
        if self.phase >= Phase.OPEN:
            self.phase = Phase.OVER
"""


@pytest.mark.parametrize("values", [("-1", "0", "1"), ("auto()",) * 3, ("-5", "auto()", "7")])
def test_members_that_are_numbers_have_an_order(values: tuple[str, str, str]) -> None:
    source = ORDERED
    for name, value in zip(("FIRST", "SECOND", "THIRD"), values, strict=True):
        source = source.replace(name, value)
    edges = [line.strip() for line in declare_python(source).split("\n") if "->" in line]
    assert edges == ["before -> open", "open -> over"]


def test_members_that_count_behind_a_text_have_none() -> None:
    source = ORDERED.replace("FIRST", '"-"').replace("SECOND", "auto()").replace("THIRD", "auto()")
    assert "->" not in declare_python(source)
