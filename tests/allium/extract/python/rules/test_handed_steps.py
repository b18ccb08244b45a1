"""A step that a class hands on begins in what follows from there, or in what a table says."""

import pytest

from tests.allium.extract.declared import declare_python

LINK = """
import asyncio
from enum import Enum

class State(Enum):
    NEW = 1
    OPEN = 2
    PAUSED = 3
    LOST = 4
    CLOSED = 5

class Link:
    def __init__(self, loop):
        self.loop = loop
        self._state = State.NEW

    async def open(self):
        if self._state is not State.NEW:
            raise ValueError
        self._state = State.OPEN
        HAND

    def pause(self):
        if self._state is State.OPEN:
            self._state = State.PAUSED

    def close(self):
        if self._state is not State.LOST:
            self._state = State.CLOSED

    ASYNC _lose(self):
        self._state = State.LOST
"""


def list_lost(source: str) -> list[str]:
    lines = [line.strip() for line in declare_python(source).split("\n")]
    return [line.partition(" ")[0] for line in lines if line.endswith("-> lost")]


FOLLOWING = ["open", "paused", "closed"]


@pytest.mark.parametrize(
    ("hand", "sources"),
    [
        ("self.loop.call_later(5, self._lose)", FOLLOWING),
        ("threading.Thread(target=self._lose).start()", FOLLOWING),
        ("self.timer = Timer(5, functools.partial(self._lose))", FOLLOWING),
        ("return self.peer.closed(self._lose)", FOLLOWING),
        # Before it is handed on, the operation may go on.
        ("self.peer.closed(self._lose)\n        self._state = State.CLOSED", ["closed"]),
        # What nobody follows may be run at any time.
        ("if self.peer.closed(self._lose):\n            return", ["new", *FOLLOWING]),
        ("self.peer.closed(lambda: self._lose())", ["new", *FOLLOWING]),
    ],
)
def test_a_step_is_run_in_what_follows_from_where_it_is_handed_on(
    hand: str, sources: list[str]
) -> None:
    assert list_lost(LINK.replace("ASYNC", "def").replace("HAND", hand)) == sources


@pytest.mark.parametrize(
    ("hand", "sources"),
    [
        ("self.task = asyncio.create_task(self._lose())", FOLLOWING),
        ("asyncio.ensure_future(self._lose())", FOLLOWING),
        ("await self._lose()", ["open"]),
    ],
)
def test_a_coroutine_is_run_later_unless_it_is_awaited(hand: str, sources: list[str]) -> None:
    assert list_lost(LINK.replace("ASYNC", "async def").replace("HAND", hand)) == sources


def test_what_hands_a_step_on_again_says_nothing_of_the_one_before() -> None:
    source = LINK.replace("ASYNC", "def").replace("HAND", "self.later(self._lose)")
    again = source.replace("is not State.NEW", "not in (State.NEW, State.CLOSED)")
    assert list_lost(again) == FOLLOWING
    back = again + "\n    def renew(self):\n        self._state = State.NEW\n"
    assert list_lost(back) == ["new", *FOLLOWING]


TABLED = """
from enum import Enum, auto

class Step(Enum):
    HELLO = auto()
    PROOF = auto()
    DONE = auto()

class Handshake:
    def __init__(self):
        self._step = Step.HELLO
        self._steps = {Step.HELLO: self._greet, Step.PROOF: self._prove}

    def feed(self, message):
        handler = ASKED
        if handler is None:
            raise ValueError
        return handler(message)

    def _greet(self, message):
        self._step = Step.PROOF

    def _prove(self, message):
        self._step = Step.DONE
"""


@pytest.mark.parametrize("asked", ["self._steps.get(self._step)", "self._steps[self._step]"])
def test_a_table_by_states_runs_each_step_in_its_own(asked: str) -> None:
    told = declare_python(TABLED.replace("ASKED", asked))
    edges = [line.strip() for line in told.split("\n") if "->" in line]
    assert edges == ["hello -> proof", "proof -> done"]


@pytest.mark.parametrize("asked", ["self._steps.get(message.step)", "ask(self._steps)"])
def test_a_table_that_others_ask_says_nothing(asked: str) -> None:
    told = declare_python(TABLED.replace("ASKED", asked))
    assert "done -> proof" in told


PAIRED = TABLED.replace("Step.HELLO: self", '("a", Step.HELLO): self').replace(
    "Step.PROOF: self", '("done", Step.PROOF): self'
)


@pytest.mark.parametrize(
    "asked",
    [
        "self._steps.get((message.name, self._step))",
        "self._steps[message.name, self._step]",
        "self._steps[key := 1, self._step] if (1, self._step) in self._steps else None",
        "None\n        key = (message.name, self._step)\n        handler = self._steps.get(key)",
    ],
)
def test_a_table_by_states_and_more_runs_each_step_in_its_own(asked: str) -> None:
    told = declare_python(PAIRED.replace("ASKED", asked))
    edges = [line.strip() for line in told.split("\n") if "->" in line]
    assert edges == ["hello -> proof", "proof -> done"]


@pytest.mark.parametrize(
    "asked",
    [
        "self._steps.get((message.name, message.step))",
        "self._steps.get((self._step, message.name))",
        "self._steps.get(self._step)",
        "self._steps.get(message.key)",
        "None\n        for key in message:\n            handler = self._steps[key]",
        "self._steps.get((message.name, self._step)) or self._steps.pop()",
    ],
)
def test_a_table_by_more_that_others_ask_says_nothing(asked: str) -> None:
    assert "done -> proof" in declare_python(PAIRED.replace("ASKED", asked))


def test_a_key_that_is_taken_before_the_state_moves_is_that_of_another_state() -> None:
    taken = "None\n        key = self._step\n        self._step = Step.DONE\n"
    told = declare_python(TABLED.replace("ASKED", f"{taken}        handler = self._steps[key]"))
    assert "done -> proof" in told
    assert "terminal" not in told


ONCE = """
import threading
from enum import Enum

class State(Enum):
    NEW = 1
    OPENING = 2
    OPEN = 3
    CLOSED = 4

class Link:
    def __init__(self):
        self._state = State.NEW
        self._thread = threading.Thread(target=self._run, name="link._run")

    def start(self):
        # now _run has its turn
        self._thread.start()

    def close(self):
        self._state = State.CLOSED

    def _run(self):
        self._state = State.OPENING
        self._dial()

    def _dial(self):
        self._state = State.OPEN
"""


def list_opening(source: str) -> list[str]:
    lines = [line.strip() for line in declare_python(source).split("\n")]
    return [line.partition(" ")[0] for line in lines if line.endswith("-> opening")]


def test_a_step_that_a_beginning_hands_on_does_not_follow_on_itself() -> None:
    assert list_opening(ONCE) == ["new", "closed"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self._thread.start()", "self._thread.start()\n        self._dial()"),
        ("def start(self):", "def start(self):\n        threading.Thread(target=self._run)"),
        ("self._thread.start()", "self._thread.start()\n        later(self._dial)"),
    ],
)
def test_a_step_that_begins_again_may_follow_on_what_it_leads_to(old: str, new: str) -> None:
    assert "open" in list_opening(ONCE.replace(old, new))
