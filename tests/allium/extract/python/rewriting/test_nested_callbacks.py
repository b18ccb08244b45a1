"""Functions in an operation that others run later."""

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
        "def on_ok(future):\n    self.link = Link.UP\nself.find().add_done_callback(on_ok)",
        "async def dial():\n    self.link = Link.UP\nreturn self.loop.run(dial)",
        "def up():\n    self.link = Link.UP\nif self.loop:\n    self.timer = Timer(3, action=up)",
        "@self.socket.event\ndef up():\n    self.link = Link.UP",
        "def up():\n    self.link = Link.UP\nreturn up",
        "async def up(call):\n    self.link = Link.UP\nreturn {'name': 'up', 'run': up}",
    ],
)
def test_what_is_handed_on_or_decorated_moves_the_state_that_is_left(body: str) -> None:
    assert list_edges(body) == ["down -> up", "lost -> up"]


def test_the_operation_itself_leads_nowhere() -> None:
    told = declare_python(DEVICE.replace("BODY", (
        "def on_ok(future):\n            self.link = Link.UP\n        self.later(on_ok)"
    )))  # fmt: skip
    rule = told.partition("rule DeviceConnect {")[2].partition("}\n")[0]
    assert "requires: device.link != up" in rule
    assert "ensures" not in rule


@pytest.mark.parametrize(
    "body",
    [
        "def on_ok(future):\n    self.link = Link.UP",
        "def on_ok(self):\n    self.link = Link.UP\nself.later(on_ok)",
        "def on_ok(future):\n    self.link = Link.UP\nself.later(on_no)",
    ],
)
def test_what_nobody_is_given_or_what_is_of_another_object_moves_nothing(body: str) -> None:
    assert list_edges(body) == []


MOVE = """
    def _move(self, link):
        self.link = link
"""


@pytest.mark.parametrize(
    "body",
    [
        "self.queue.put(Marker(lambda: self._move(Link.UP)))",
        "return self.find(action=lambda: self._move(Link.UP))",
        "def up():\n    self._move(Link.UP)\nself.queue.put(Marker(up))",
        "def up():\n    if self.link is not Link.UP:\n        self._move(Link.UP)\nrun(up)",
    ],
)
def test_what_is_handed_on_may_have_a_step_move_the_state(body: str) -> None:
    told = declare_python(DEVICE.replace("BODY", body.replace("\n", "\n        ")) + MOVE)
    edges = [line.strip() for line in told.split("\n") if "-> up" in line]
    assert edges == ["down -> up", "lost -> up"]


@pytest.mark.parametrize(
    "body", ["lambda: self._move(Link.UP)", "run(lambda each: self.ask(each))"]
)
def test_a_lambda_that_nobody_gets_or_that_only_asks_moves_nothing(body: str) -> None:
    told = declare_python(DEVICE.replace("BODY", body) + MOVE)
    assert "-> up" not in told
