"""Operations that run one of an object that their own has."""

import pytest

from tests.allium.extract.declared import declare_python

LINK = """
from enum import Enum

class State(Enum):
    IDLE = 1
    OPEN = 2
    CLOSED = 3

class Machine:
    def __init__(self):
        self.state = State.IDLE

    def open(self):
        if self.state != State.IDLE:
            raise RuntimeError
        self.state = State.OPEN

    async def close(self):
        if self.state != State.OPEN:
            raise RuntimeError
        self.state = State.CLOSED

class Link:
    def __init__(self):
        self._machine = Machine()
        self.name: str = ""

    def begin(self, data):
        if not data:
            raise ValueError
        self._machine.open()
        return frame(data)

    def _begin(self):
        self._machine.open()

    def get_begun(self):
        self._machine.open()
        return self.name

    def maybe(self, data):
        if data:
            self._machine.open()

    def later(self):
        self._machine.close()

    async def end(self):
        await self._machine.close()
"""
BEGUN = """
rule LinkBegin {
    when: BeginLink(link)
    @guidance
        -- Leads to OpenMachine.
}
"""
ENDED = """
rule LinkEnd {
    when: EndLink(link)
    @guidance
        -- Leads to CloseMachine.
}"""


def test_what_always_runs_an_operation_of_a_part_leads_to_its_rule() -> None:
    told = declare_python(LINK)
    assert BEGUN in told
    assert ENDED in told
    assert told.count("rule Link") == 3


def test_a_private_step_that_runs_an_operation_of_a_part_leads_to_its_rule() -> None:
    assert BEGUN in declare_python(LINK.replace("def begin(", "def other("))


def test_a_part_may_be_given() -> None:
    given = "def __init__(self, machine: Machine):\n        self._machine = machine"
    source = LINK.replace("def __init__(self):\n        self._machine = Machine()", given)
    assert ENDED in declare_python(source)


@pytest.mark.parametrize("other", ["make()", "None", "Link()", "Other()"])
def test_what_may_be_something_else_is_no_part(other: str) -> None:
    more = f"        self._machine = Machine()\n        self._machine = {other}\n"
    told = declare_python(LINK.replace("        self._machine = Machine()\n", more))
    assert "rule Link" not in told
