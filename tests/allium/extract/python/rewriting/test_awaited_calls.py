"""What an operation waits for in other words is run in its place."""

import pytest

from tests.allium.extract.declared import declare_python

LINK = """
import asyncio
from enum import Enum

class State(Enum):
    IDLE = 1
    OPENING = 2
    UP = 3

class Link:
    def __init__(self):
        self.state = State.IDLE

    async def connect(self):
        if self.state is not State.IDLE:
            raise ValueError
        self.state = State.OPENING
        WAIT

    async def _open(self):
        self.state = State.UP
"""


def list_edges(source: str) -> list[str]:
    return [line.strip() for line in declare_python(source).split("\n") if "->" in line]


@pytest.mark.parametrize(
    "way",
    [
        "await self._open()",
        "await asyncio.wait_for(self._open(), 5)",
        "self.reply = await asyncio.wait_for(self._open(), timeout=5)",
        "return await asyncio.shield(self._open())",
        "await asyncio.wait_for(asyncio.shield(self._open()), 5)",
        "await asyncio.create_task(self._open())",
    ],
)
def test_a_method_that_is_waited_for_follows_on_what_was_set(way: str) -> None:
    assert list_edges(LINK.replace("WAIT", way)) == ["idle -> opening", "opening -> up"]


def test_a_generator_is_run_by_what_yields_from_it() -> None:
    source = LINK.replace("async ", "").replace("WAIT", "yield from self._open()")
    source = source.replace("= State.UP", "= State.UP\n        yield 1")
    assert list_edges(source) == ["idle -> opening", "opening -> up"]


@pytest.mark.parametrize(
    "way",
    ["asyncio.create_task(self._open())", "await asyncio.wait_for(other._open(), 5)",
     "await asyncio.wait_for(self.reader, self._open())"],
)  # fmt: skip
def test_what_is_not_waited_for_runs_when_the_operation_is_over(way: str) -> None:
    told = declare_python(LINK.replace("WAIT", way)).partition("rule LinkConnect {")[2]
    assert "ensures: link.state = opening" in told.partition("}")[0]
