"""Objects that are never changed, but copied with another state."""

import pytest

from tests.allium.extract.declared import declare_python

STEP = """
import attr
import copy
import dataclasses
from dataclasses import dataclass, replace
from enum import Enum

class State(Enum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"

@dataclass(frozen=True)
class Step:
    id: int
    state: State = State.QUEUED
    tries: int = 0

    def begin(self):
        if self.state is not State.QUEUED:
            raise ValueError
        RETURN

    def end(self):
        if self.state is not State.RUNNING:
            raise ValueError
        return replace(self, state=State.DONE)
"""


def declare(returned: str) -> str:
    return declare_python(STEP.replace("RETURN", returned.replace("\n", "\n        ")))


def list_edges(returned: str) -> list[str]:
    return [line.strip() for line in declare(returned).split("\n") if "->" in line]


@pytest.mark.parametrize(
    "returned",
    [
        "return replace(self, state=State.RUNNING)",
        "return dataclasses.replace(self, tries=self.tries + 1, state=State.RUNNING)",
        "return copy.replace(self, state=State.RUNNING)",
        "return attr.evolve(self, state=State.RUNNING)",
        "return self._replace(state=State.RUNNING)",
        'return self.model_copy(update={"state": State.RUNNING}, deep=True)',
        'return self.copy(update={"state": State.RUNNING})',
        "return self.copy(update=dict(state=State.RUNNING))",
        "self = replace(self, state=State.RUNNING)",
    ],
)
def test_a_copy_that_is_given_in_place_of_the_object_moves_it(returned: str) -> None:
    assert list_edges(returned) == ["queued -> running", "running -> done"]
    assert "requires: step.state = queued\n    ensures: step.state = running\n" in declare(returned)


@pytest.mark.parametrize(
    "returned",
    [
        "other = replace(self, state=State.RUNNING)",
        "return replace(other, state=State.RUNNING)",
        "return replace(self, **changes)",
        "return replace(self, state=State.RUNNING, **changes)",
        'return self.text.replace("a", "b")',
        "return self.model_copy(update=changes)",
        "return self.model_copy(update=dict(changes, state=State.RUNNING))",
        "return self.model_copy(update=dict(state=State.RUNNING, **changes))",
        'return self.model_copy(update={"state": State.RUNNING, name: 1})',
        "return self.change(state=State.RUNNING)",
    ],
)
def test_any_other_copy_moves_nothing(returned: str) -> None:
    assert list_edges(returned) == []


def test_what_reads_a_field_that_is_set_reads_it_as_it_was() -> None:
    told = declare("return replace(self, tries=self.id, id=self.tries, state=State.RUNNING)")
    assert "step.tries = " not in told
    assert "step.id = " not in told
    assert "ensures: step.state = running\n" in told


def test_a_function_may_keep_the_copy_by_the_name_of_the_object() -> None:
    told = declare_python(
        STEP.replace("RETURN", "pass")
        + """
def finish(step: Step) -> Step:
    if step.state != State.RUNNING:
        raise ValueError
    step = replace(step, state=State.DONE)
    return step
"""
    )
    assert "requires: step.state = running\n    ensures: step.state = done\n" in told
