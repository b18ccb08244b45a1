"""What objects have says what is moved: ``self.client.manager.set_state(State.UP)``."""

import pytest

from tests.allium.extract.declared import declare

STATE = """
from enum import Enum
class LinkState(Enum):
    DOWN = 1
    DIALING = 2
    UP = 3
"""
MANAGER = """
from app.state import LinkState
class Manager:
    def __init__(self):
        self._state = LinkState.DOWN
        self._watchers = []
    def change(self, state: LinkState) -> None:
        if state == self._state:
            return
        self._state = state
        for each in self._watchers:
            each(state)
"""
CLIENT = """
from app.manager import Manager
class Client:
    def __init__(self) -> None:
        self.count = 0
        self.links = Manager()
"""
TUNNEL = """
from app.client import Client
from app.state import LinkState
class Tunnel:
    def __init__(self, client: Client) -> None:
        self.client = client
    def connect(self):
        self.client.links.change(LinkState.DIALING)
        self.dial()
        self.client.links.change(LinkState.UP)
    def lose(self):
        self.client.links.change(LinkState.DOWN)
"""
EDGES = ["down -> dialing", "dialing -> down", "dialing -> up", "up -> down", "up -> dialing"]


def list_edges(*, manager: str = MANAGER, client: str = CLIENT, tunnel: str = TUNNEL) -> list[str]:
    files = {"app/state.py": STATE, "app/manager.py": manager, "app/client.py": client}
    found = declare({**files, "app/tunnel.py": tunnel})
    return [line.strip() for line in found.split("\n") if "->" in line]


def test_what_another_object_has_is_of_the_class_that_it_begins_with() -> None:
    assert sorted(list_edges()) == sorted(EDGES)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self, client: Client", 'self, client: "Client"'),
        ("class Tunnel:", "class Tunnel:\n    client: Client"),
        (
            "self.client.links.change(LinkState.DOWN)",
            "return self.client.links.change(LinkState.DOWN)",
        ),
        ("self.client.links.change(LinkState.UP)", "done = self.client.links.change(LinkState.UP)"),
        (
            "self.client.links.change(LinkState.DOWN)",
            "self.client.links.change(state=LinkState.DOWN)",
        ),
    ],
)
def test_it_may_be_said_in_other_ways(old: str, new: str) -> None:
    assert sorted(list_edges(tunnel=TUNNEL.replace(old, new))) == sorted(EDGES)


def test_a_parameter_of_a_function_has_it_too() -> None:
    tunnel = """
from app.client import Client
from app.state import LinkState
def dial(client: Client) -> None:
    client.links.change(LinkState.UP)
def close(client: Client) -> None:
    client.links.change(LinkState.DOWN)
"""
    assert list_edges(tunnel=tunnel) == [
        "down -> up",
        "dialing -> down",
        "dialing -> up",
        "up -> down",
    ]


def test_what_is_awaited_moves_a_state_where_it_is_a_coroutine() -> None:
    manager = MANAGER.replace("def change", "async def change")
    tunnel = TUNNEL.replace("    def ", "    async def ").replace(
        "async def __init__", "def __init__"
    )
    awaited = tunnel.replace("self.client.links", "await self.client.links")
    assert list_edges(manager=manager, tunnel=tunnel) == []
    assert sorted(list_edges(manager=manager, tunnel=awaited)) == sorted(EDGES)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self, client: Client", "self, client"),
        ("self.client = client", "self.client = wrap(client)"),
    ],
)
def test_where_nothing_says_it_nothing_is_moved(old: str, new: str) -> None:
    assert old in TUNNEL
    assert list_edges(tunnel=TUNNEL.replace(old, new)) == []


def test_a_base_class_in_another_file_lends_what_it_has() -> None:
    client = CLIENT.replace("class Client", "class Base")
    found = declare({
        "app/state.py": STATE, "app/manager.py": MANAGER, "app/base.py": client,
        "app/client.py": "from app.base import Base\nclass Client(Base):\n    name: str\n",
        "app/tunnel.py": TUNNEL,
    })  # fmt: skip
    assert sorted(line.strip() for line in found.split("\n") if "->" in line) == sorted(EDGES)


ORDERS = """
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"
    SENT = "sent"

class Line:
    def __init__(self):
        self.status = Status.NEW

    def take_back(self):
        if self.status == Status.SENT:
            self.status = Status.NEW

class Order:
    def __init__(self):
        self.status = Status.NEW
        self.line = Line()

    def pay(self):
        if self.status != Status.NEW:
            raise ValueError
        self.status = Status.PAID
        if self.line.status == Status.NEW:
            self.line.status = Status.PAID

    def send(self):
        if self.status != Status.PAID:
            raise ValueError
        if self.line.status == Status.PAID:
            self.line.status = Status.SENT
        self.status = Status.SENT
"""


@pytest.mark.parametrize("is_shared", [False, True])
def test_what_moves_its_own_state_and_that_of_a_part_moves_both(is_shared: bool) -> None:
    files = {"shop/orders.py": ORDERS}
    if is_shared:
        states, _, orders = ORDERS.partition("class Line")
        head = "from shop.states import Status\n\nclass Line"
        files = {"shop/states.py": states, "shop/orders.py": head + orders}
    found = declare(files)
    assert "        new -> paid\n        paid -> sent\n        terminal: sent\n" in found
    assert "        new -> paid\n        paid -> sent\n        sent -> new\n" in found
    assert "rule OrderPay {" in found
    assert "requires: order.status = new\n    ensures: order.status = paid\n" in found
