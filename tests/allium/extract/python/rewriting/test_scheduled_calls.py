"""What an operation lets the event loop run."""

import pytest

from tests.allium.extract.declared import declare_python

DEVICE = """
from enum import Enum

class Link(Enum):
    DOWN = "down"
    UP = "up"
    LOST = "lost"

class Device:
    def __init__(self, loop):
        self.link = Link.DOWN
        self.loop = loop

    def _change(self, link):
        self.link = link

    async def _enter(self, link):
        self.link = link

    def connect(self):
        if self.link is Link.UP:
            raise RuntimeError
        BODY

    def lose(self):
        self.link = Link.LOST
"""


def list_edges(body: str) -> list[str]:
    told = declare_python(DEVICE.replace("BODY", body.replace("\n", "\n        ")))
    return [line.strip() for line in told.split("\n") if "-> up" in line]


@pytest.mark.parametrize(
    "body",
    [
        "self.loop.call_soon(self._change, Link.UP)",
        "if self.loop:\n    self.loop.call_soon_threadsafe(self._change, Link.UP)",
        "self.timer = self.loop.call_later(3, self._change, Link.UP)",
        "asyncio.get_running_loop().call_at(self.time, self._change, Link.UP)",
        "self.task = asyncio.create_task(self._enter(Link.UP))",
        "asyncio.ensure_future(self._enter(Link.UP))",
    ],
)
def test_a_state_that_an_own_method_is_given_is_the_next_one(body: str) -> None:
    assert list_edges(body) == ["down -> up", "lost -> up"]


@pytest.mark.parametrize(
    "body",
    [
        "self.loop.call_soon(self.other._change, Link.UP)",
        "self.loop.call_soon(self._log, Link.UP)",
        "self.loop.call_back(self._change, Link.UP)",
        "self._enter(Link.UP)",
    ],
)
def test_anything_else_says_nothing(body: str) -> None:
    assert list_edges(body) == []
