"""A private step begins in the states in which its class runs it."""

import re

import pytest

from tests.allium.extract.declared import declare_python

CHANNEL = """
from enum import Enum

class Channel:
    class State(Enum):
        CLOSED = 0
        OPENING = 1
        OPEN = 2
        CLOSING = 3

    def __init__(self):
        self.state = self.State.CLOSED

    def connect(self):
        self.state = self.State.OPENING

    def accept(self):
        self.state = self.State.OPEN

    def finish(self):
        self.state = self.State.CLOSED

    def disconnect(self):
        if self.state != self.State.OPEN:
            raise ValueError
        self._shut()

    def configure(self, options):
        if self.state not in (self.State.OPENING, self.State.OPEN):
            return
        for each in options:
            if each.is_wrong:
                self._shut()
                return

    def _shut(self):
        self.state = self.State.CLOSING
        self.send()
"""


def test_a_step_follows_on_the_states_that_let_its_callers_run_it() -> None:
    told = declare_python(CHANNEL)
    assert "        open -> closing\n" in told
    assert "        opening -> closing\n" in told
    assert "        closed -> closing\n" not in told


def test_a_step_of_another_class_may_have_the_same_name() -> None:
    server = """
class Server:
    def stop(self):
        self._shut()

    def _shut(self):
        self.ports.clear()
"""
    assert "        closed -> closing\n" not in declare_python(CHANNEL + server)


def test_a_step_of_a_step_follows_on_what_lets_both_run() -> None:
    source = CHANNEL.replace("def configure", "def _configure")
    assert "        closed -> closing\n" not in declare_python(source)
    run = "\n    def receive(self):\n        if self.state == self.State.OPEN:\n            "
    told = declare_python(source + run + "self._configure([])\n")
    assert "        open -> closing\n" in told
    assert "        opening -> closing\n" not in told


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # It is handed on, or run by what nobody follows.
        ("        self.send()", "        self.later(self._shut)"),
        ("self.state = self.State.OPENING", "return self._shut() or 1"),
        ("self._shut()\n                return", "other._shut()\n                return"),
    ],
)
def test_it_follows_on_any_state_where_others_may_run_it(old: str, new: str) -> None:
    assert "        closed -> closing\n" in declare_python(CHANNEL.replace(old, new))


@pytest.mark.parametrize(
    ("call", "is_known"),
    [("await self._shut()", True), ("self.loop.create_task(self._shut())", False)],
)
def test_a_step_that_is_awaited_begins_where_its_caller_is(call: str, is_known: bool) -> None:
    source = CHANNEL.replace("self._shut()", call)
    source = re.sub(r"def (disconnect|configure|_shut)", r"async def \1", source)
    told = declare_python(source)
    assert "        open -> closing\n" in told
    assert ("        closed -> closing\n" in told) is not is_known


STEP_WITH_A_WISH = """
from enum import Enum

class State(Enum):
    OPEN = 1
    CLOSING = 2
    DRAINING = 3
    CLOSED = 4

class Connection:
    def __init__(self):
        self.state = State.OPEN
        self.handlers = {28: self._handle_close}

    def send(self):
        if self.state != State.OPEN:
            return
        self._begin(is_ours=True)

    def finish(self):
        self.state = State.CLOSED

    def _handle_close(self, frame):
        self._begin(is_ours=False)

    def _begin(self, is_ours):
        if is_ours:
            self.state = State.CLOSING
        else:
            self.state = State.DRAINING
"""


def test_each_call_of_a_step_leads_to_what_it_asks_for_alone() -> None:
    told = declare_python(STEP_WITH_A_WISH)
    assert "        open -> closing\n" in told
    # A handler in a table may begin anywhere.
    assert "        closing -> draining\n" in told
    assert "        draining -> closing\n" not in told
    assert "        closed -> closing\n" not in told


def test_a_function_that_waits_may_run_a_step_in_any_state() -> None:
    source = CHANNEL.replace(
        "        self.state = self.State.OPENING\n",
        "        self.state = self.State.OPENING\n"
        "        def on_lost(reason):\n            self.reason = reason\n            self._shut()\n"
        "        self.loop.call_later(on_lost)\n",
    )
    assert "        closed -> closing\n" in declare_python(source)


def test_what_an_object_begins_with_is_no_transition() -> None:
    begun = "        self.state = self.State.CLOSED\n"
    source = CHANNEL.replace(begun, begun + "        self._shut()\n", 1)
    told = declare_python(source)
    assert "        open -> closing\n" in told
    assert "        closed -> closing\n" not in told


def test_steps_that_run_each_other_in_many_ways_are_followed_a_part_of_the_way() -> None:
    # Each of forty runs the next three: there are millions of ways through them.
    steps = "".join(
        f"\n    def _step{at}(self):\n        self.state = self.State.OPEN\n"
        + "".join(f"        self._step{after}()\n" for after in range(at + 1, min(at + 4, 40)))
        for at in range(40)
    )
    told = declare_python(CHANNEL + steps)
    assert "        opening -> closing\n" in told
    assert "        closed -> closing\n" not in told


def test_steps_that_run_each_other_begin_where_others_run_them() -> None:
    again = """
    def _again(self):
        if self.peer.is_gone():
            return
        self._shut()
"""
    source = CHANNEL.replace("        self.send()\n", "        self._again()\n") + again
    told = declare_python(source)
    assert "        open -> closing\n" in told
    assert "        closed -> closing\n" not in told


FIRST = """
READY = "ready"
BUSY = "busy"
DONE = "done"

class Job:
    def __init__(self):
        self._reset()

    def _reset(self):
        self.state = READY

    def start(self):
        if self.state != READY:
            raise ValueError
        self.state = BUSY

    def finish(self):
        if self.state != BUSY:
            raise ValueError
        self.state = DONE
"""
HEIR = """
class Heir(Job):
    def _reset(self):
        self.parts = []
        super()._reset()
"""


def list_transitions(code: str) -> list[str]:
    return re.findall(r"\w+ -> \w+", declare_python(code))


def test_a_step_that_only_a_beginning_runs_leads_from_no_state() -> None:
    assert list_transitions(FIRST) == ["ready -> busy", "busy -> done"]
    assert list_transitions(FIRST + HEIR) == 2 * ["ready -> busy", "busy -> done"]


@pytest.mark.parametrize(
    "code",
    [
        FIRST.replace("        self.state = DONE", "        self._reset()"),
        FIRST.replace("        self._reset()", "        on_end(lambda: self._reset())"),
        FIRST.replace(
            "        self._reset()", "        on_end(self._reset)\n        self._reset()"
        ),
        FIRST + HEIR.replace("def _reset", "def again"),
    ],
)
def test_a_step_that_others_run_again_leads_back(code: str) -> None:
    assert any(each.endswith("-> ready") for each in list_transitions(code))


def test_a_step_that_sets_its_own_parameter_begins_where_it_is_run() -> None:
    source = CHANNEL.replace("def accept(self):", "def greet(self, data, at):\n        at += 1")
    run = """
    def feed(self, data):
        at = 0
        while at < len(data):
            if self.state == self.State.OPENING:
                at = self._greet(data, at)
"""
    told = declare_python(source.replace("def greet", "def _greet") + run)
    assert [line for line in told.splitlines() if line.endswith(" -> open")] == [
        "        opening -> open"
    ]
