"""States in which an operation leaves before it has done anything, whichever way it takes."""

import pytest

from tests.allium.extract.declared import declare_python

CARET = """
from enum import Enum

class State(Enum):
    NONE = 1
    CHOSEN = 2
    LOCKED = 3

class Caret:
    def __init__(self, view):
        self._state = State.NONE
        self.view = view

    def choose(self):
        self._state = State.CHOSEN

    def lock(self):
        self._state = State.LOCKED

    def drop(self):
        self._state = State.NONE

    def _check(self):
        if self._state is State.LOCKED:
            return
        if self._state is State.NONE:
            raise ValueError

    def _look(self):
        return self.view

{method}
"""
NOT_LOCKED = "requires: caret.state in {none, chosen}"
ONLY_CHOSEN = "requires: caret.state = chosen"


def read(method: str) -> str:
    """The rule of an operation ``run``, "" if it is none."""
    body = "\n".join(f"    {line}" for line in method.splitlines())
    return declare_python(CARET.replace("{method}", body)).partition("rule CaretRun {")[2]


@pytest.mark.parametrize(
    ("method", "demand"),
    [
        ("def run(self):\n"
         "    if self._state is State.CHOSEN:\n        act = 1\n"
         "    elif self._state is State.LOCKED:\n        return\n"
         "    else:\n        act = 2\n"
         "    for _ in range(act):\n        self.view.run(act)", NOT_LOCKED),
        ("def run(self, parts):\n"
         "    if self._state is State.CHOSEN:\n        found = None\n"
         "        for part in parts:\n            if part.fits:\n                found = part\n"
         "        if not found:\n            return\n"
         "        found.show()", ONLY_CHOSEN),
        ("def run(self):\n    match self._state:\n"
         "        case State.NONE:\n            return\n"
         "        case State.LOCKED:\n            raise ValueError\n"
         "    with self._lock:\n        self.view.run()", ONLY_CHOSEN),
        ("def run(self, times):\n    if times:\n        if self._state is not State.CHOSEN:\n"
         "            return\n    elif self._state is not State.CHOSEN:\n        return\n"
         "    self.view.run()", ONLY_CHOSEN),
        ("def run(self):\n    import log\n    try:\n"
         "        if self._state is State.LOCKED:\n            return False\n"
         "        self.view.run()\n    finally:\n        pass", NOT_LOCKED),
    ],
)  # fmt: skip
def test_every_way_that_a_state_leaves_is_a_refusal(method: str, demand: str) -> None:
    assert demand in read(method)


def test_what_is_asked_for_is_refused_where_nothing_is_given() -> None:
    method = (
        "def get_text(self):\n    if self._state is State.CHOSEN:\n        return self.view\n"
        "    else:\n        return None"
    )
    told = declare_python(CARET.replace("{method}", "    " + method.replace("\n", "\n    ")))
    assert ONLY_CHOSEN in told.partition("rule CaretGetText {")[2]


@pytest.mark.parametrize(
    "method",
    [
        # One of the ways does something, or may.
        "def run(self):\n    if self._state is State.LOCKED:\n        self.view.beep()\n"
        "        return\n    self.view.run()",
        "def run(self, all):\n    if all and self._state is State.LOCKED:\n        return\n"
        "    self.view.run()",
        "def run(self):\n    self.view.begin()\n    if self._state is State.LOCKED:\n"
        "        return\n    self.view.run()",
        "def run(self):\n    for each in self.view:\n        if self._state is State.LOCKED:\n"
        "            return\n        each.run()\n    self.view.end()",
        "def run(self):\n    try:\n        if self._state is State.LOCKED:\n"
        "            raise ValueError\n        self.view.run()\n"
        "    except ValueError:\n        self.view.beep()",
        "def run(self):\n    if self._state is State.LOCKED:\n        return 7\n"
        "    self.view.run()",
        # It only tells of the state.
        "def run(self):\n    if self._state is State.LOCKED:\n        return self.view\n"
        "    return None",
        "def get_run(self):\n    return self.view if self._state is State.LOCKED else None",
    ],
)
def test_what_may_be_done_in_a_state_is_not_refused(method: str) -> None:
    assert read(method) == ""


def test_a_private_step_says_nothing_of_its_own() -> None:
    method = (
        "def _run(self):\n    if self._state is State.CHOSEN:\n        act = 1\n"
        "    elif self._state is State.LOCKED:\n        return\n    else:\n        act = 2\n"
        "    for _ in range(act):\n        self.view.run(act)"
    )
    assert NOT_LOCKED in read(method.replace("_run", "run"))
    assert read(method) == ""


def test_what_fails_later_and_what_is_left_at_once_are_both_refused() -> None:
    method = (
        "def run(self):\n    if self._state is State.LOCKED:\n        return\n"
        "    self.view.run()\n    if self._state is State.NONE:\n        raise ValueError"
    )
    assert ONLY_CHOSEN in read(method)


def test_flags_are_followed_too() -> None:
    told = declare_python("""
class Player:
    def __init__(self, out):
        self._running = False
        self._closed = False
        self.out = out

    def start(self):
        if self._running:
            raise ValueError
        self._running = True

    def close(self):
        if self._closed:
            return
        self._closed = True

    @property
    def is_open(self):
        return not self._closed

    def flush(self):
        if not self.is_open:
            log.info("closed")
        elif self._running:
            for each in self.out:
                each.flush()

    def send(self, data):
        if data:
            if self._running is False:
                return
            self.out.send(data)
        elif self._running and not self._closed:
            self.out.end()

    def put(self, data):
        if data or self._running:
            self.out.put(data)
""")
    flush = told.partition("rule PlayerFlush {")[2].partition("}")[0]
    assert "requires: player.running\n" in flush
    assert "requires: not player.closed\n" in flush
    send = told.partition("rule PlayerSend {")[2].partition("}")[0]
    assert "requires: player.running\n" in send
    assert "closed" not in send
    assert "rule PlayerPut" not in told


ASKED = """
from enum import Enum

class Status(Enum):
    NEW = 0
    OPEN = 1
    BROKEN = 2
    DONE = 3

class Run:
    def __init__(self, client):
        self.client = client
        self._status = Status.NEW

    def open(self):
        self._may("open", {each for each in Status if each != Status.NEW}, True)
        self._status = Status.OPEN
        if not self.client:
            self._status = Status.BROKEN

    def finish(self):
        if self._status in set(Status) - {Status.OPEN}:
            return
        self._status = Status.DONE

    def _may(self, name, bad, fails):
        if self._status in bad:
            if fails:
                raise RuntimeError(name)
            logger.warning(name)
            return False
        return True

    def log(self, value):
        if not self._may("log", GIVEN):
            return
        self.client.post(value)
"""


@pytest.mark.parametrize(
    ("given", "demand"),
    [
        ("{Status.BROKEN, Status.NEW}, False", "requires: run.status in {open, done}"),
        ("fails=False, bad=[Status.NEW]", "requires: run.status in {open, broken, done}"),
        ("value.states, False", ""),
    ],
)
def test_a_step_refuses_by_the_states_that_it_is_given(given: str, demand: str) -> None:
    told = declare_python(ASKED.replace("GIVEN", given)).partition("rule RunLog {")[2]
    assert demand in told and bool(told) is bool(demand)


def test_all_members_of_an_enum_but_some_are_listed() -> None:
    told = declare_python(ASKED)
    assert (
        "        new -> open\n        open -> broken\n        open -> done\n" in told
        and "terminal: broken, done" in told
    )
