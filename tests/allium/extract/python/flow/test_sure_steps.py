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


LINK = """
from enum import Enum

class State(Enum):
    IDLE = 1
    CONNECTING = 2
    UP = 3
    FAILED = 4

class Link:
    def __init__(self):
        self.state = State.IDLE

    def _set_state(self, state):
        self.state = state
        self.tell()

    def close(self):
        self._set_state(State.IDLE)

    def connect(self):
        if self.state is not State.IDLE:
            raise ValueError
        try:
            BEGIN
            self.open()
            END
        except OSError:
            self.state = State.FAILED
"""


def list_failing(begin: str, end: str) -> list[str]:
    return list_edges_to_failed(LINK.replace("BEGIN", begin).replace("END", end))


def list_edges_to_failed(source: str) -> list[str]:
    told = declare_python(source)
    return [line.strip() for line in told.split("\n") if line.endswith("-> failed")]


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("self.state = State.CONNECTING", "self.state = State.UP"),
        ("self._set_state(State.CONNECTING)", "self._set_state(State.UP)"),
        (
            "now = time.monotonic()\n            self.state = State.CONNECTING",
            "self.state = State.UP",
        ),
    ],
)
def test_what_sets_the_state_first_or_last_raises_no_error(begin: str, end: str) -> None:
    assert list_failing(begin, end) == ["connecting -> failed"]


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        ("self.ask()\n            self.state = State.CONNECTING", "idle -> failed"),
        ("self._set_state(self.choose())", "idle -> failed"),
        ("self.state = State.CONNECTING\n            self.state = State.UP", "up -> failed"),
    ],
)
def test_what_may_raise_one_ends_in_the_state_before_it(begin: str, more: str) -> None:
    assert more in list_failing(begin, "self.state = State.UP")


def test_a_step_that_refuses_may_raise_one_before_it_sets_the_state() -> None:
    source = LINK.replace(
        "        self.state = state\n",
        "        if self.is_shut:\n            raise OSError\n        self.state = state\n",
    )
    source = source.replace("BEGIN", "self._set_state(State.CONNECTING)")
    assert "        idle -> failed\n" in declare_python(
        source.replace("END", "self.state = State.UP")
    )


def test_what_somebody_thought_may_fail_fails_where_it_begins() -> None:
    source = LINK.replace(
        "            self.open()\n            END\n", "            self.count = 1\n"
    )
    assert list_edges_to_failed(source.replace("BEGIN", "self.kept = None")) == ["idle -> failed"]


@pytest.mark.parametrize(
    ("caught", "edges"),
    [("OSError", ["connecting -> failed"]), ("Exception", ["idle -> failed"])],
)
def test_an_error_goes_on_past_what_does_not_catch_all(caught: str, edges: list[str]) -> None:
    """What catches all leaves the state that its handler sets."""
    inner = f"""try:
                self.state = State.CONNECTING
                self.open()
                self.state = State.UP
            except {caught}:
                self.state = State.IDLE"""
    source = LINK.replace("BEGIN", inner).replace("            self.open()\n            END\n", "")
    assert list_edges_to_failed(source) == edges


def test_what_returns_before_anything_may_fail_is_not_caught() -> None:
    inner = SERVICE.replace(
        "        if self.state != self.State.NEW:\n            raise ValueError\n", ""
    )
    inner = inner.replace(
        "        self._move(self.State.STARTING)\n        try:\n",
        "        try:\n            if self.state != self.State.NEW:\n                return\n"
        "            self._move(self.State.STARTING)\n",
    )
    told = declare_python(inner)
    assert "starting -> failed" in told and "running -> failed" not in told
