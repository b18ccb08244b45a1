"""A step that others run begins where what runs before it leads to, and that alone."""

from tests.allium.extract.declared import declare_python
from tests.allium.extract.python.values.test_inferred_states import list_edges

LINK = """
from enum import Enum

class State(Enum):
    CLOSED = 0
    OPENING = 1
    OPEN = 2
    READY = 3

class Link:
    def __init__(self, socket):
        self.state = State.CLOSED
        self.socket = socket

    def connect(self):
        if self.state != State.CLOSED:
            raise ValueError
        self.state = State.OPENING
        self.socket.on("open", self._on_open)

    def _on_open(self):
        self.state = State.OPEN
        self.socket.on("hello", self._on_hello)

    def _on_hello(self):
        self.state = State.READY
        self.socket.on("end", self._on_end)

    def _on_end(self):
        self.state = State.CLOSED
"""


def test_what_a_later_step_leads_to_begins_no_earlier_one() -> None:
    told = declare_python(LINK)
    assert "        opening -> open\n" in told
    assert "        open -> ready\n" in told
    assert "        ready -> closed\n" in told
    # What ends a link is handed on where it is ready: until then nothing ends it.
    assert "        closed -> open\n" not in told
    assert "        opening -> closed\n" not in told
    assert "        ready -> open\n" not in told


BASE = """
class BaseLink:
    def __init__(self):
        self.state = "off"

    def connect(self):
        if self.state != "off":
            raise RuntimeError
        self.state = "opening"
        self._greet()
        self.state = "off"

    def _greet(self):
        self.state = "on"
"""


def test_a_step_that_heirs_may_run_too_is_claimed_where_its_own_class_runs_it() -> None:
    found = declare_python(BASE)
    assert list_edges(found) == ["off -> opening", "opening -> on", "on -> off"]


def test_no_state_is_the_last_that_an_heir_may_leave_by_a_step() -> None:
    end = "self._greet()\n        self.state = "
    base = BASE.replace(f'{end}"off"', f'{end}"gone"')
    question = "what lets an operation leave gone cannot be read. Does any?"
    assert question in declare_python(base)
    assert "terminal: gone" in declare_python(base.replace("BaseLink", "Link"))
