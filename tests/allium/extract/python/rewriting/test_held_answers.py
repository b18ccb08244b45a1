"""Conditions that ask what a variable holds of a step."""

import pytest

from tests.allium.extract.declared import declare_python

JOB = """
class Job:
    def __init__(self):
        self.state = "new"

    async def start(self):
        ok = self._begin()
        if not ok:
            return
        self.state = "started"

    def stop(self):
        done = self._finish()
        if done:
            self.state = "stopped"
        return done

    def _begin(self):
        if self.state != "new":
            return False
        self.state = "starting"
        return True

    def _finish(self):
        if self.state == "started":
            self.state = "finishing"
            return True
        return False
"""
EDGES = ["new -> starting", "started -> finishing", "starting -> started", "finishing -> stopped"]


def list_edges(source: str) -> list[str]:
    return [line.strip() for line in declare_python(source).split("\n") if " -> " in line]


@pytest.mark.parametrize(
    "source",
    [
        JOB,
        JOB.replace("ok = self", "ok = await self").replace("def _begin", "async def _begin"),
        JOB.replace("ok = self", "ok: bool = self"),
        JOB.replace("        return done\n", "        if done:\n            return 1\n"),
    ],
    ids=["held", "awaited", "typed", "asked-again"],
)
def test_a_condition_asks_the_step_whose_answer_a_variable_holds(source: str) -> None:
    assert list_edges(source) == EDGES


@pytest.mark.parametrize(
    "source",
    [
        JOB.replace("if done:", "if self.is_quick and done:"),
        JOB.replace("if done:", "if done is not None:"),
        JOB.replace("        return done\n", "        self.done = done\n"),
        JOB.replace("        done = ", "        done = self.begun\n        done = "),
    ],
    ids=["asked-later", "asked-for-none", "kept", "held-before"],
)
def test_what_is_held_for_more_stays_a_variable(source: str) -> None:
    assert "new -> stopped" in list_edges(source)
