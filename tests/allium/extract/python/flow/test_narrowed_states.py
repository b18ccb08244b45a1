"""A condition about a state leaves those that are possible where it holds, or does not."""

import pytest

from git_retcon.allium.extract.languages import read_facts
from git_retcon.allium.extract.source_facts import Edge, Rule
from tests.allium.extract.declared import ORDER, declare, declare_python


def test_a_comparison_means_the_same_the_other_way_round() -> None:
    turned = ORDER.replace("self.status != Status.NEW", "Status.NEW != self.status")
    assert turned != ORDER
    assert declare_python(turned) == declare_python(ORDER)


def test_properties_that_return_each_other_are_read_once() -> None:
    source = (
        ORDER
        + """
    @property
    def ready(self):
        return self.open

    @property
    def open(self):
        return self.ready

    def leave(self):
        if self.ready and self.status is Status.PAID:
            self.status = Status.SHIPPED
"""
    )
    assert "        paid -> shipped\n" in declare_python(source)


def test_a_property_that_gives_the_state_as_it_is_says_what_the_state_is() -> None:
    source = """
from enum import Enum

class State(Enum):
    OPEN = 1
    CLOSING = 2
    CLOSED = 3

class Connection:
    def __init__(self) -> None:
        self._state = State.OPEN

    @property
    def state(self) -> State:
        return self._state

    def close(self) -> None:
        if self.state is State.CLOSING:
            self._state = State.CLOSED
        elif self.state == State.OPEN:
            self._state = State.CLOSING
        else:
            raise RuntimeError
"""
    found = declare_python(source)
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert edges == ["open -> closing", "closing -> closed"]


def test_all_states_but_one_are_no_transition_while_the_states_are_not_known() -> None:
    source = """
from dataclasses import dataclass
from .states import State

@dataclass
class Channel:
    state: State = State.CLOSED

    def join(self) -> None:
        if self.state == State.LEAVING:
            return
        self.state = State.JOINING

    def open(self) -> None:
        if self.state != State.JOINING:
            raise RuntimeError
        self.state = State.JOINED
"""
    states = """
from enum import Enum

class State(Enum):
    CLOSED = 1
    JOINING = 2
    JOINED = 3
    LEAVING = 4
"""
    found = declare({"states.py": states, "channel.py": source})
    assert "rule ChannelOpen" in found
    assert "rule ChannelJoin" in found
    assert "leaving -> joining" not in found
    read = read_facts(b"channel.py", source.encode())
    assert read is not None
    rules = [each for each in read.declarations if isinstance(each, Rule)]
    edges = {rule.evidence[0].symbol: rule.edges for rule in rules}
    assert edges == {"Channel.join": (), "Channel.open": (Edge("joining", "joined"),)}


def list_archived_edges(method: str) -> list[str]:
    """The transitions of a project that may have no state."""
    source = f"""
import enum
from dataclasses import dataclass

class Status(enum.Enum):
    HELD = 1
    FREE = 2
    OLD = 3

@dataclass
class Project:
    id: int
    status: Status | None

    def hold(self):
        if self.status != Status.FREE:
            raise ValueError
        self.status = Status.HELD

    def free(self):
        if self.status != Status.HELD:
            raise ValueError
        self.status = Status.FREE

    def archive(self):
        {method}
        self.status = Status.OLD
"""
    found = declare_python(source)
    return [line.strip() for line in found.split("\n") if "-> old" in line]


def test_what_has_no_state_is_in_none_of_its_states() -> None:
    guard = "if self.status {} and self.status != Status.FREE: return"
    assert list_archived_edges(guard.format("is not None")) == ["free -> old"]
    assert list_archived_edges("if self.status is None: return") == ["held -> old", "free -> old"]
    assert list_archived_edges("if self.status is not None: raise ValueError") == []


def test_no_transition_begins_in_no_state_where_the_states_are_not_known() -> None:
    source = """
from dataclasses import dataclass
from .states import State

@dataclass
class Channel:
    state: State | None

    def open(self) -> None:
        if self.state is not None:
            raise RuntimeError
        self.state = State.OPEN

    def close(self) -> None:
        if self.state is None:
            raise RuntimeError
        self.state = State.CLOSED
"""
    read = read_facts(b"channel.py", source.encode())
    assert read is not None
    rules = [each for each in read.declarations if isinstance(each, Rule)]
    edges = {rule.evidence[0].symbol: rule.edges for rule in rules}
    assert edges == {"Channel.open": (), "Channel.close": (Edge("*", "closed"),)}


@pytest.mark.parametrize("test", ["self.status < Status.PAID", "Status.PAID > self.status"])
def test_an_order_that_nobody_knows_lets_only_some_states_pass(test: str) -> None:
    settle = f"    def settle(self):\n        if {test}:\n            self.status = Status.PAID\n"
    assert "shipped -> paid" not in declare_python(f"{ORDER}\n{settle}")


@pytest.mark.parametrize(
    ("begun", "asked", "edges"),
    [
        # Where it always has a state, it is one of those that are named.
        ("'off'", "if self.state not in (None, 'off'): raise ValueError", ["off -> on"]),
        ("None", "if self.state in (None, 'on'): raise ValueError", ["off -> on"]),
        # It may have none here, and then nothing is left.
        ("None", "if self.state not in (None, 'off'): raise ValueError", []),
    ],
)
def test_no_value_among_states_is_none_of_them(begun: str, asked: str, edges: list[str]) -> None:
    found = declare_python(f"""
class Lamp:
    def __init__(self):
        self.state = {begun}

    def dim(self):
        if self.state is None:
            self.state = "off"

    def light(self):
        {asked}
        self.state = "on"
""")
    assert [line.strip() for line in found.split("\n") if "->" in line] == edges


def test_a_list_with_what_is_no_known_state_lets_only_some_pass() -> None:
    source = (
        ORDER.partition("    def pay")[0]
        + """
    def ship(self):
        if self.status in (Status.PAID, LATER):
            self.status = Status.SHIPPED

    def pay(self):
        if self.status in self.open_states:
            self.status = Status.PAID
"""
    )
    assert "->" not in declare_python(source)


TILE = """
from enum import Enum

class State(Enum):
    IDLE = 1
    READY = 2
    EXPIRED = 3

class Tile:
    def __init__(self) -> None:
        self.state = State.IDLE
        self.empty = load()

    @property
    def usable(self):
        return self.state is State.READY or self.empty

    def load(self):
        self.state = State.READY

    def expire(self, now):
        if self.usable and not self.empty:
            self.state = State.EXPIRED
"""


def test_what_has_to_hold_beside_it_decides_which_part_of_a_condition_does() -> None:
    assert "idle -> expired" not in declare_python(TILE)
    assert "ready -> expired" in declare_python(TILE)
    refused = TILE.replace(
        "if self.usable and not self.empty:", "if self.empty or not self.usable:"
    )
    refused = f"{refused}            return\n        self.state = State.EXPIRED\n".replace(
        "            self.state = State.EXPIRED\n            return", "            return"
    )
    assert "idle -> expired" not in declare_python(refused)
    assert "idle -> expired" in declare_python(TILE.replace(" and not self.empty", ""))


LINK = """
from enum import Enum

class Mode(Enum):
    FAST_UP = "fast up"
    FAST_DOWN = "fast down"
    SLOW = "slow"

class Link:
    def __init__(self):
        self.state = Mode.SLOW

    def speed_up(self):
        if self.state == Mode.SLOW:
            self.state = Mode.FAST_UP

    def turn(self):
        if self.state.value.startswith("fast"):
            self.state = Mode.FAST_DOWN

    def slow_down(self):
        self.state = Mode.SLOW
"""


@pytest.mark.parametrize(
    "test",
    [
        'self.state.value.startswith("fast")',
        "self.state & Mode.FAST",
        "self.state.value & 3 == 1",
        "SPEEDS[self.state]",
    ],
)
def test_what_is_asked_of_a_part_of_the_state_lets_only_some_states_pass(test: str) -> None:
    found = declare_python(LINK.replace('self.state.value.startswith("fast")', test))
    edges = [line.strip() for line in found.split("\n") if " -> " in line]
    assert "slow -> fast_up" in edges
    assert not [each for each in edges if each.endswith("-> fast_down")]


def test_properties_that_all_ask_each_other_let_no_certain_state_in() -> None:
    names = [f"is_{number}" for number in range(20)]
    asked = " or ".join(f"self.{each}" for each in names)
    found = "".join(
        f"\n    @property\n    def {each}(self):\n        return {asked}\n" for each in names
    )
    leave = """
    def leave(self):
        if not self.is_0:
            raise ValueError
        self.status = Status.SHIPPED
"""
    assert "new -> shipped" not in declare_python(ORDER + found + leave)
