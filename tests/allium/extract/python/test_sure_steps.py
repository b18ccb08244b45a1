"""What a block does last was not interrupted, itself or by a setter."""

import pytest

from tests.allium.extract.declared import declare_python

SERVICE = """
from enum import Enum

class Service:
    class State(Enum):
        NEW = 0
        STARTING = 1
        RUNNING = 2
        FAILED = 3

    def __init__(self):
        self.state = self.State.NEW

    def start(self):
        if self.state != self.State.NEW:
            raise ValueError
        self._move(self.State.STARTING)
        try:
            self.server.listen()
            self._move(self.State.RUNNING)
        except OSError:
            self._move(self.State.FAILED)

    def _move(self, state):
        self.state = state
        for each in self.listeners:
            each.notify(state)
"""
LAST = "            self._move(self.State.RUNNING)\n"


def test_what_a_setter_sets_last_was_not_interrupted() -> None:
    told = declare_python(SERVICE)
    assert "        starting -> failed\n" in told
    assert "        running -> failed\n" not in told


@pytest.mark.parametrize(
    "behind",
    ["self.emit('running')", "self.error = None", "self.count = self.begun", "log.debug('it runs')",
     "return", "return True"],
)  # fmt: skip
@pytest.mark.parametrize("move", [LAST, "            self.state = self.State.RUNNING\n"])
def test_nor_was_it_where_nothing_behind_it_may_fail(move: str, behind: str) -> None:
    told = declare_python(SERVICE.replace(LAST, f"{move}            {behind}\n"))
    assert "        starting -> failed\n" in told
    assert "        running -> failed\n" not in told


@pytest.mark.parametrize(
    "behind", ["self.server.accept()", "self.last = self.clock.read()", "return self.server.wait()"]
)
@pytest.mark.parametrize("move", [LAST, "            self.state = self.State.RUNNING\n"])
def test_it_was_where_something_behind_it_may_fail(move: str, behind: str) -> None:
    told = declare_python(SERVICE.replace(LAST, f"{move}            {behind}\n"))
    assert "        running -> failed\n" in told


def test_a_method_that_finds_out_itself_may_fail() -> None:
    source = SERVICE.replace("self._move(self.State.RUNNING)", "self._run()")
    run = "\n    def _run(self):\n        self.state = self.State.RUNNING\n        self.accept()\n"
    assert "        running -> failed\n" in declare_python(source + run)


def test_what_a_try_does_at_last_it_does_where_it_leaves_early() -> None:
    source = SERVICE.replace("        except OSError:\n", "            return\n        finally:\n")
    told = declare_python(source)
    assert "        running -> failed\n" in told
    assert "        starting -> failed\n" in told


def test_a_branch_that_sets_a_state_last_was_not_interrupted() -> None:
    branch = f"            if self.server.is_up:\n    {LAST}"
    told = declare_python(SERVICE.replace(LAST, branch))
    assert "        starting -> failed\n" in told
    assert "        running -> failed\n" not in told
    told = declare_python(SERVICE.replace(LAST, f"{branch}            self.server.accept()\n"))
    assert "        running -> failed\n" in told


def test_nor_was_a_method_that_sets_it_last() -> None:
    source = SERVICE.replace("self._move(self.State.RUNNING)", "self._run()")
    run = "\n    def _run(self):\n        self.accept()\n        self.state = self.State.RUNNING\n"
    assert "        running -> failed\n" not in declare_python(source + run)
