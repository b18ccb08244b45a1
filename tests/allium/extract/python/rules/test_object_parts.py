"""What objects have, and keep in containers, says what is moved: ``client.links.set(State.UP)``."""

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


JOBS = """
from enum import Enum
from dataclasses import dataclass
class Phase(Enum):
    QUEUED = 1
    RUNNING = 2
    DONE = 3
@dataclass
class Job:
    id: str
    phase: Phase = Phase.QUEUED
@dataclass
class Batch:
    id: str
    phase: Phase = Phase.QUEUED
"""
QUEUE = """
from app.jobs import Job, Phase
class Queue:
    def __init__(self):
        self._held: dict[str, Job] = {}

    def start(self, key):
        one = self._held[key]
        if one.phase is not Phase.QUEUED:
            raise ValueError
        one.phase = Phase.RUNNING
"""
FINISH = """
    def finish(self, key):
        it = self._held[key]
        if it.phase is not Phase.RUNNING:
            raise ValueError
        it.phase = Phase.DONE
"""


def list_job_edges(queue: str) -> list[str]:
    found = declare({"app/jobs.py": JOBS, "app/queue.py": queue})
    return [line.strip() for line in found.split("\n") if "->" in line]


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        ("dict[str, Job]", "self._held.get(key)"),
        ('"dict[str, Job]"', "self._held.pop(key)"),
        ("OrderedDict[int, Job]", "self._held[key]"),
        ("list[Job]", "self._held[0]"),
        ("deque[Job]", "self._held.popleft()"),
    ],
)
def test_a_variable_may_be_an_element_of_any_container(annotation: str, value: str) -> None:
    queue = QUEUE.replace("dict[str, Job]", annotation) + FINISH
    found = list_job_edges(queue.replace("self._held[key]", value))
    assert found == ["queued -> running", "running -> done"]


@pytest.mark.parametrize(
    ("annotation", "loop"),
    [
        ("dict[str, Job]", "self._held.values()"),
        ("dict[str, Job]", "list(self._held.values())"),
        ("list[Job]", "self._held"),
        ("set[Job]", "self._held"),
    ],
)
def test_a_loop_gives_elements(annotation: str, loop: str) -> None:
    finish = f"""
    def finish(self):
        for it in {loop}:
            if it.phase is Phase.RUNNING:
                it.phase = Phase.DONE
"""
    queue = QUEUE.replace("dict[str, Job]", annotation)
    assert "running -> done" in list_job_edges(queue + finish)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("dict[str, Job]", "dict[str, list[Job]]"),
        ("dict[str, Job]", "dict[Job, str]"),
        ("dict[str, Job]", "dict"),
        ("one = self._held[key]", "one = self._held[1:2]"),
        ("one = self._held[key]", "one = self._held.copy()"),
    ],
)
def test_of_anything_else_nothing_is_known(old: str, new: str) -> None:
    assert old in QUEUE
    assert "queued -> running" not in list_job_edges(QUEUE.replace(old, new))


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


SHIPMENT = (
    ORDERS.partition("class Order")[0]
    + """
class Shipment:
    def __init__(self):
        self.status = Status.NEW
        self.lines: list[Line] = []

    def pay(self):
        if self.status != Status.NEW:
            raise ValueError
        self.status = Status.PAID
        for line in self.lines:
            if line.status == Status.NEW:
                line.status = Status.PAID

    def send(self):
        if self.status != Status.PAID:
            raise ValueError
        self.status = Status.SENT
        for line in self.lines:
            if line.status == Status.PAID:
                line.status = Status.SENT
"""
)


def test_what_moves_its_own_state_and_those_of_many_moves_all() -> None:
    found = declare({"shop/shipments.py": SHIPMENT})
    assert "        new -> paid\n        paid -> sent\n        terminal: sent\n" in found
    assert "        new -> paid\n        paid -> sent\n        sent -> new\n" in found
    assert "requires: shipment.status = paid\n    ensures: shipment.status = sent\n" in found


def test_what_begins_such_a_move_is_not_said_where_it_asks_only_of_its_own() -> None:
    found = declare(
        {"shop/shipments.py": SHIPMENT.replace("if line.status == Status.NEW:", "if True:")}
    )
    assert "sent -> paid" not in found
