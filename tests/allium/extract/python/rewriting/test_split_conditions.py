"""Conditions that ask a step and then something else."""

import ast

import pytest

from git_retcon.allium.extract.python.rewriting.split_conditions import split_conditions
from tests.allium.extract.declared import declare_python

JOB = """
class Job:
    def __init__(self):
        self.state = "new"
        self.is_quick = False

    def start(self):
        if self.state != "new":
            raise ValueError
        self.state = "started"

    def stop(self):
        if self._finish() and self.is_quick:
            self.state = "stopped"

    def _finish(self):
        if self.state == "started":
            self.state = "finishing"
            return True
        return False
"""
EDGES = ["new -> started", "started -> finishing", "finishing -> stopped"]
LEAVING = """if not self._finish() or not self.is_quick or self.is_late:
            return
        self.state"""


def list_edges(source: str) -> list[str]:
    return [line.strip() for line in declare_python(source).split("\n") if " -> " in line]


@pytest.mark.parametrize(
    "source",
    [
        JOB,
        JOB.replace("if self._finish() and self.is_quick:\n            self.state", LEAVING),
        JOB.replace("def stop", "async def stop")
        .replace("def _finish", "async def _finish")
        .replace("if self._finish()", "if await self._finish()"),
    ],
    ids=["and", "or", "awaited"],
)
def test_what_is_asked_behind_a_step_is_asked_where_it_leads(source: str) -> None:
    assert list_edges(source) == EDGES


def test_the_other_way_is_gone_from_where_either_fails() -> None:
    other = "        else:\n            self.state = 'failed'\n"
    found = list_edges(JOB.replace('= "stopped"\n', f'= "stopped"\n{other}'))
    assert {*found} == {*EDGES, "new -> failed", "finishing -> failed", "stopped -> failed",
                        "failed -> failed"} - {"failed -> failed"}  # fmt: skip


GATE = """
class Gate:
    def __init__(self):
        self.state = "closed"
        self.timer = None

    def open(self):
        if self.state != "closed":
            raise ValueError
        self.state = "open"

    def leave(self):
        LEAVE

    def _lock(self):
        self.state = "locked"
        return True
"""


@pytest.mark.parametrize(
    "statement",
    [
        "self.state == 'open' and self._lock()",
        "self.state != 'open' or self._lock()",
        "self.timer and self.state == 'open' and self._lock()",
        "return self.state == 'open' and self._lock()",
        "return self.state != 'open' or self._lock() or self.timer",
        "if self.state == 'open' and self._lock(): return",
        "if (self.timer and self.state == 'open') and self._lock(): print()",
        "if self.state != 'open' or not self._lock(): return",
        "if self.state != 'open' or self._lock(): print()",
    ],
)
def test_a_step_is_run_where_what_is_asked_before_it_holds(statement: str) -> None:
    assert list_edges(GATE.replace("LEAVE", statement)) == ["closed -> open", "open -> locked"]


def test_a_step_that_is_asked_first_is_run_anyway() -> None:
    statement = "return self._lock() and self.state == 'open'"
    found = list_edges(GATE.replace("LEAVE", statement))
    assert found == ["closed -> open", "closed -> locked", "open -> locked"]


def test_a_block_in_a_condition_that_is_split_is_split_too() -> None:
    statement = """if self.timer and self._lock():
            if self.timer and self._break():
                print()
            else:
                self.state = "idle"

    def _break(self):
        self.state = "broken"
        return False
"""
    found = list_edges(GATE.replace("LEAVE", statement))
    assert "locked -> broken" in found
    assert "open -> broken" not in found
    assert "locked -> idle" in found
    assert "open -> idle" not in found


def test_a_long_choice_of_steps_is_not_copied_for_each_of_them() -> None:
    others = "".join(
        f"        elif self.kind == {number} and self._finish():\n            pass\n"
        for number in range(12)
    )
    (job,) = ast.parse(JOB.replace('= "stopped"\n', f'= "stopped"\n{others}')).body
    assert isinstance(job, ast.ClassDef)
    before = len([*ast.walk(job)])
    split_conditions([job])
    assert before < len([*ast.walk(job)]) < 3 * before
