"""What a class has from those of other files."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare


def test_what_a_module_does_not_declare_is_not_its_packages_namesake() -> None:
    told = declare({
        "shop/__init__.py": "from shop.safe import Connection\n",
        "shop/safe.py": "class Connection:\n    def __init__(self):\n        self.depth: int = 1\n",
        "shop/connection.py": "import abc\nclass Connection(abc.ABC):\n    pass\n",
        "shop/base.py": "from dataclasses import dataclass\nfrom shop import connection\n"
        "@dataclass\nclass Base(connection.Connection):\n    got_eof: bool = False\n",
    })  # fmt: skip
    (base,) = [each for each in told.split("\n\n") if "Base" in each]
    assert "got_eof" in base
    assert "depth" not in base


def test_what_an_inherited_operation_leads_to_is_the_heirs_own() -> None:
    base = """
from django.db import models

class Payable(models.Model):
    class Status(models.TextChoices):
        NEW = "new"
        PAID = "paid"
    status = models.CharField(max_length=9, choices=Status.choices)

    class Meta:
        abstract = True

    def _pay(self):
        if self.status != self.Status.NEW:
            raise ValueError
        self.status = self.Status.PAID

    def settle(self):
        self._pay()
"""
    heir = "from .base import Payable\n\nclass Order(Payable):\n    total = models.IntegerField()\n"
    found = declare({"shop/base.py": base, "shop/order.py": heir})
    assert "when: SettleOrder(order)\n    ensures: PayOrder(order: order)\n" in found
    assert "Payable(" not in found


CALL = """
type State = 'retry' | 'hedging' | 'single' | 'committed';
export class Call {
  private state: State;
  constructor(mode: State) { this.state = mode; }
  commit() {
    if (this.state === 'committed') { throw new Error(); }
    this.state = 'committed';
  }
  giveUp() { if (this.state === 'hedging') { this.state = 'retry'; } }
}
"""
DRIVER = """
import { Call } from './call';
export class Driver {
  end(call: Call) {
    if (call.state === 'committed') { throw new Error(); }
    call.state = 'committed';
  }
}
"""


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_a_class_tells_its_states_where_others_do_only_what_it_does() -> None:
    found = declare({"net/call.ts": CALL, "net/driver.ts": DRIVER})
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert edges == [
        "retry -> committed", "hedging -> retry", "hedging -> committed", "single -> committed",
    ]  # fmt: skip
    assert "What does?" not in found


LINK = """
from .states import State, ENDS

class Link:
    def __init__(self):
        self.status = State.OPEN

    def connect(self):
        if self.status {asked}:
            return
        self.status = State.LOST

    def kill(self):
        self.status = State.SHUT
"""
STATES = """
from enum import Enum

class State(Enum):
    OPEN = 1
    SHUT = 2
    LOST = 3

ENDS = (State.SHUT,)
"""


@pytest.mark.parametrize(
    ("asked", "is_known"),
    [("== State.SHUT", True), ("in ENDS", True), ("in find_ends()", False)],
)
def test_a_guard_is_in_doubt_where_no_file_tells_what_it_asks(asked: str, is_known: bool) -> None:
    found = declare({"net/link.py": LINK.format(asked=asked), "net/states.py": STATES})
    question = "what lets an operation leave shut cannot be read. Does any?"
    assert ("lost -> shut\n        terminal: shut\n" in found) is is_known
    assert (question in found) is not is_known


def test_what_is_known_of_an_operation_is_not_in_doubt_where_another_does_the_same() -> None:
    lose = """
    def lose(self):
        if self.status is not State.OPEN:
            raise ValueError
        self.status = State.LOST
"""
    link = LINK.format(asked="in ENDS") + lose
    found = declare({"net/link.py": link, "net/states.py": STATES})
    assert "terminal: shut\n" in found
