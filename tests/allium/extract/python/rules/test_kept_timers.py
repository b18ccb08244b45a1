"""Timers that an object keeps, and takes back, find no state behind that."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare, declare_python

LAMP = """
from enum import Enum

class State(Enum):
    OFF = 1
    WARMING = 2
    LIT = 3
    BROKEN = 4

class Lamp:
    def __init__(self, loop):
        self._loop = loop
        self._timer = None
        self.state = State.OFF

    def warm(self):
        if self.state is not State.OFF:
            return
        self.state = State.WARMING
        self._timer = self._loop.call_later(5, self._on_time)

    def light(self):
        if self.state is not State.WARMING:
            return
        self._log("lit")
        if not self.bulb:
            return
        TAKE
        self.state = State.LIT

    def _on_time(self):
        self.state = State.BROKEN

    def switch_off(self):
        self._take_back()
        self.state = State.OFF

    def _take_back(self):
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _log(self, text):
        print(text)
"""
TAKE = "self._timer.cancel()"


def list_broken(source: str) -> set[str]:
    """The states that break, as the timer finds them."""
    told = declare_python(source) if "class State" in source else declare({"a/lamp.ts": source})
    pairs = (line.strip().split(" -> ") for line in told.split("\n") if " -> " in line)
    return {source for source, target in pairs if target == "broken"}


@pytest.mark.parametrize(
    "take", [TAKE, "self._loop.remove_timer(self._timer)", "self._take_back()"]
)
def test_a_timer_that_is_taken_back_finds_only_what_waits_for_it(take: str) -> None:
    assert list_broken(LAMP.replace("TAKE", take)) == {"warming"}


@pytest.mark.parametrize(
    "take",
    [
        "pass",
        "self._timer.start()",
        "self._other.cancel()",
        "if self.is_quick: self._timer.cancel()",
    ],
)
def test_a_timer_that_may_go_on_finds_what_is_there_by_then(take: str) -> None:
    assert "lit" in list_broken(LAMP.replace("TAKE", take))


def test_a_timer_that_is_taken_back_behind_a_wait_may_have_been_over() -> None:
    waiting = LAMP.replace("    def light", "    async def light")
    moved = waiting.replace("        TAKE\n", "")
    late = moved.replace(
        "self.state = State.LIT\n",
        f"self.state = State.LIT\n        await glow()\n        {TAKE}\n",
    )
    assert list_broken(late) == {"warming", "lit"}


LAMP_TS = """
type State = 'off' | 'warming' | 'lit' | 'broken';

export class Lamp {
  private state: State = 'off';
  private timer: Timer | null = null;

  warm(socket: Socket) {
    if (this.state !== 'off') return;
    this.state = 'warming';
    this.timer = setTimeout(() => this.onTime(), 1000);
    MORE
  }

  light() {
    if (this.state !== 'warming') return;
    TAKE
    this.state = 'lit';
  }

  private onTime() { this.state = 'broken'; }

  switchOff() {
    if (this.timer) clearTimeout(this.timer);
    this.state = 'off';
  }
}
"""
CLEAR = "clearTimeout(this.timer);"
needs_typescript = pytest.mark.skipif(
    not is_available(), reason="the extra 'typescript' is missing"
)


@needs_typescript
@pytest.mark.parametrize(
    ("take", "more", "found"),
    [
        (CLEAR, "", {"warming"}),
        (CLEAR, f"socket.on('lit', () => {{ {CLEAR} this.state = 'lit'; }});", {"warming"}),
        # What else the method lets wait leaves the timer.
        (CLEAR, "socket.on('lit', () => { this.state = 'lit'; });", {"warming", "lit"}),
        ("if (this.isQuick) clearTimeout(this.timer);", "", {"warming", "lit"}),
    ],
)
def test_typescript_says_so_of_its_timers(take: str, more: str, found: set[str]) -> None:
    told = list_broken(LAMP_TS.replace("TAKE", take).replace("MORE", more))
    assert told == found
