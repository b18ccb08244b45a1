"""A step that says why it refuses is what it asks."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare, declare_python

PORT = """
from enum import Enum

class State(Enum):
    IDLE = 0
    OPEN = 1
    CLOSED = 2

class Port:
    def __init__(self):
        self.state = State.IDLE

    def open(self):
        if self.state != State.IDLE:
            raise ValueError
        self.state = State.OPEN

    def close(self):
        why = self._refuse()
        if why:
            raise ValueError(why)
        self.state = State.CLOSED

    def _refuse(self):
        if self.state != State.OPEN:
            return "it is not open"
        return None
"""
ASKED = """        why = self._refuse()
        if why:
"""
SAID = """        if self.state != State.OPEN:
            return "it is not open"
        return None
"""


@pytest.mark.parametrize(
    "asked",
    [
        ASKED,
        ASKED.replace("if why", "if why is not None"),
        "        if self._refuse() is not None:\n",
        "        if self._refuse():\n",
        "        if (why := self._refuse()):\n",
        "        log.info('it closes')\n        why = self._refuse()\n"
        "        log.info(why)\n        if why:\n",
    ],
)
def test_an_operation_refuses_where_its_step_says_why(asked: str) -> None:
    told = declare_python(PORT.replace(ASKED, asked))
    assert "        open -> closed\n" in told
    assert "        idle -> closed\n" not in told
    assert "    requires: port.state = open\n" in told


@pytest.mark.parametrize(
    "said",
    [
        "        if self.state == State.OPEN:\n            return\n"
        "        return f'it is {self.state}'\n",
        "        if self.state != State.OPEN:\n            return 'it is %s' % self.state\n",
        "        if self.state is State.OPEN:\n            return None\n        else:\n"
        "            return 'it is {}'.format(self.state)\n",
        "        if self.state == State.IDLE:\n            return 'early'\n"
        "        if self.state == State.CLOSED:\n            return ValueError('late')\n",
        # Two texts are no states that a variable gets.
        "        if self.state == State.IDLE:\n            return 'early'\n"
        "        if self.state == State.CLOSED:\n            return 'late'\n        return None\n",
    ],
)
def test_it_may_say_it_in_another_way(said: str) -> None:
    told = declare_python(PORT.replace(SAID, said).replace("raise ValueError(why)", "return"))
    assert "        open -> closed\n" in told
    assert "        idle -> closed\n" not in told


def test_a_way_on_asks_the_opposite() -> None:
    way = ASKED.replace("if why", "if why is None")
    body = "            raise ValueError(why)\n        self.state = State.CLOSED\n"
    source = PORT.replace(ASKED, way).replace(body, "            self.state = State.CLOSED\n")
    told = declare_python(source)
    assert "        open -> closed\n" in told
    assert "        idle -> closed\n" not in told


@pytest.mark.parametrize(
    "said",
    [
        SAID.replace("None", "self.peer.find()"),
        SAID.replace('"it is not open"', '""'),
        "        for each in self.rules:\n            if each(self.state):\n"
        "                return each\n",
    ],
)
def test_what_cannot_be_read_lets_no_state_pass_for_sure(said: str) -> None:
    told = declare_python(PORT.replace(SAID, said))
    assert "        idle -> closed\n" not in told


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
@pytest.mark.parametrize("asked", ["why", "why !== null"])
def test_a_step_of_typescript_says_why_as_well(asked: str) -> None:
    port = """
enum State { Idle, Open, Closed }
export class Port {
  state = State.Idle;
  open() { if (this.state === State.Idle) this.state = State.Open; }
  close() {
    const why = this.refuse();
    if (ASKED) throw new Error(why);
    this.state = State.Closed;
  }
  private refuse(): string | null {
    if (this.state === State.Idle) return 'it is not open';
    if (this.state === State.Closed) return 'it is closed';
    return null;
  }
}
"""
    told = declare({"net/port.ts": port.replace("ASKED", asked)})
    assert "        open -> closed\n" in told
    assert "        idle -> closed\n" not in told
