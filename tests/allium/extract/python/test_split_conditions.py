"""Conditions that ask a step and then something else."""

import pytest

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


def test_a_condition_with_another_way_stays_one() -> None:
    other = "        else:\n            self.state = 'failed'\n"
    found = list_edges(JOB.replace('= "stopped"\n', f'= "stopped"\n{other}'))
    assert "new -> failed" in found
