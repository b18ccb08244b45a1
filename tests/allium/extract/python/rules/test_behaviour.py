"""Guards and states that methods assign, followed as they run."""

import pytest

from tests.allium.extract.declared import ORDER, declare_python


def test_guards_and_assignments_are_rules_and_transitions() -> None:
    assert (
        declare_python(ORDER)
        == """\
enum Status { new | paid | shipped }

entity Order {
    id: Integer
    total: Integer
    status: Status

    transitions status {
        new -> paid
        paid -> shipped
        terminal: shipped
    }
}

rule OrderPay {
    when: PayOrder(order, amount)
    requires: order.status = new
    requires: amount >= order.total
    ensures: order.status = paid
}

rule OrderShip {
    when: ShipOrder(order)
    requires: order.status = paid
    ensures: order.status = shipped
}"""
    )


def test_a_state_that_may_be_left_unseen_is_a_question_and_no_graph() -> None:
    lost = ORDER.replace('    SHIPPED = "shipped"', "    SHIPPED = 1\n    LOST = 2")
    told = declare_python(f"{lost}\nBEGUN = Status.LOST\n")
    assert "transitions" not in told
    assert "no operation here leads to or from lost" in told
    assert "rule OrderShip" in told


def test_doing_nothing_in_some_states_is_a_guard_before_anything_is_done() -> None:
    early = """
    def notify(self, text=None):
        if text is None:
            text = "paid"
        if self.status == Status.SHIPPED:
            return
        send(self.id)
"""
    late = early.replace("notify", "remind").replace("(self, text=None):", "(self):\n        log()")
    told = declare_python(ORDER + early + late)
    assert """
rule OrderNotify {
    when: NotifyOrder(order)
    requires: order.status != shipped
""" in told  # fmt: skip
    assert "Remind" not in told


def test_a_field_that_is_no_state_makes_no_guard_of_an_early_return() -> None:
    method = """
    def notify(self):
        if self.total is None:
            return
        send(self.id)
"""
    assert "Notify" not in declare_python(ORDER + method)


def test_a_private_check_of_the_state_is_no_rule_of_its_own() -> None:
    source = ORDER.replace(
        "    def ship", """    def __check_new(self) -> None:
        if self.status != Status.NEW:
            raise ValueError

    def ship"""
    )  # fmt: skip
    assert source != ORDER
    assert declare_python(source) == declare_python(ORDER)


def test_what_only_gives_something_and_fails_where_it_has_none_refuses() -> None:
    source = (
        ORDER
        + """
    def total_paid(self):
        if not self.owner:
            raise ValueError("nobody pays")
        return self.total

    def _total_paid(self):
        if not self.owner:
            raise ValueError("nobody pays")
        return self.total

    def has_total(self):
        if not self.owner:
            raise ValueError("nobody pays")
        return self.total > 0
"""
    )
    told = declare_python(
        source.replace("    total: int\n", "    total: int\n    owner: Owner | None\n")
    )
    assert told.count("    requires: order.owner != null\n") == 1


CLIENT = """
class Client:
    def __init__(self):
        self._closed = False
        self._limit = 0

    def close(self):
        self._closed = True

    def add(self, {given}):
        {asked}
        {kept}
        if self._closed:
            return
"""


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("if callback is None: raise ValueError", "self.table.insert(callback)"),
        ("if callback is None or name is None: raise ValueError", "self.table.insert(name)"),
        ("if limit < 0: raise ValueError", "self._limit = limit"),
    ],
)
def test_what_only_checks_its_input_is_no_rule(asked: str, kept: str) -> None:
    given = "callback: object, name: str, limit: int"
    source = CLIENT.partition("        if self._closed")[0].replace("{given}", given)
    told = declare_python(
        source.replace("{asked}", asked).replace("{kept}", kept)
        + "\n    def go(self):\n        if self._closed: raise ValueError\n        self.run()\n"
    )
    assert "rule ClientGo" in told
    assert "rule ClientAdd" not in told


def test_an_operation_that_refuses_in_its_one_condition_demands_no_opposite() -> None:
    clean = """
    def examine(self):
        if self.status == Status.PAID and not self.receipt:
            raise ValueError
"""
    assert "rule OrderExamine" not in declare_python(ORDER + clean)


def test_what_only_prints_does_nothing() -> None:
    show = """
    def show(self):
        if self.status == Status.PAID:
            print(self.total)
"""
    assert "rule OrderShow" not in declare_python(ORDER + show)


def test_states_have_no_order_but_that_of_their_numbers() -> None:
    source = """
class Door:
    CLOSED = 0
    OPEN = 1

    def __init__(self):
        self.state = self.CLOSED

    def open(self):
        if self.state > self.CLOSED:
            raise ValueError
        self.state = self.OPEN

    def close(self):
        if self.state == self.CLOSED:
            raise ValueError
        self.state = self.CLOSED
"""
    told = declare_python(source)
    assert "<= closed" not in told
    assert "requires: door.state != open" in told


def test_what_only_computes_something_of_what_it_may_lack_refuses_nothing() -> None:
    item = """
from dataclasses import dataclass

@dataclass
class Item:
    plan: Plan | None = None
    cost: int = 0

    def count(self) -> None:
        if self.plan:
            self.cost = self.plan.estimate()
"""
    assert "rule " not in declare_python(item)
    raised = "if not self.plan:\n            raise ValueError\n        if 1:"
    refused = item.replace("if self.plan:", raised)
    dropped = item.replace("self.plan.estimate()", "1\n            self.plan = None")
    told = item.replace("self.plan.estimate()", "1\n            self.plan.close()")
    for each in (refused, dropped, told):
        assert "requires: item.plan != null\n" in declare_python(each)


def test_a_state_that_is_left_again_sometimes_is_not_what_an_operation_ends_in() -> None:
    told = declare_python("""
from enum import Enum

class State(Enum):
    FREE = 1
    WAITING = 2
    HELD = 3

class Lock:
    def __init__(self):
        self.state = State.FREE

    def take(self):
        if self.state != State.FREE:
            return False
        self.state = State.WAITING
        if not self.server.ask():
            self.state = State.FREE
            return False
        self.state = State.HELD
        return True
""")
    assert "        free -> waiting\n        waiting -> free\n        waiting -> held\n" in told
    assert "ensures: lock.state" not in told


def test_a_property_that_gives_its_object_another_state_is_a_rule() -> None:
    source = """
from enum import Enum

class State(Enum):
    CLOSED = 1
    OPEN = 2
    HALF_OPEN = 3

class Breaker:
    def __init__(self):
        self._state = State.CLOSED

    @property
    def state(self):
        if self._state is State.OPEN and self.is_late():
            self._state = State.HALF_OPEN
        return self._state

    def trip(self):
        self._state = State.OPEN

    def succeed(self):
        if self._state is State.HALF_OPEN:
            self._state = State.CLOSED
"""
    told = declare_python(source)
    assert "rule BreakerState {\n    when: StateBreaker(breaker)\n" in told
    assert "        open -> half_open\n" in told
    told = declare_python(source.replace("self._state = State.HALF_OPEN", "self.is_asked = True"))
    assert "BreakerState" not in told


ABSTRACT = """
import abc

class Task(abc.ABC):
    def __init__(self):
        self.state = "ready"

    @abc.abstractmethod
    def start(self):
        if self.state != "ready":
            raise ValueError
        self.state = "busy"

    def finish(self):
        if self.state != "busy":
            raise ValueError
        self.state = "done"
"""


def test_what_heirs_have_to_add_to_does_what_it_does() -> None:
    found = declare_python(ABSTRACT)
    assert "        ready -> busy\n        busy -> done\n" in found
    assert "rule TaskStart" in found


def test_what_only_heirs_do_is_no_rule() -> None:
    code = ABSTRACT.replace('self.state = "busy"', "raise NotImplementedError")
    assert "rule TaskStart" not in declare_python(code)


def test_what_gives_the_next_object_may_refuse_to() -> None:
    source = """
class Feed:
    def __init__(self):
        self.state = "open"

    async def __anext__(self):
        if self.state == "closed":
            raise RuntimeError
        return await self.read()

    def __next__(self):
        if self.state == "closed":
            raise StopIteration
        self.state = "closed"

    def __contains__(self, item):
        if self.state == "closed":
            raise RuntimeError
"""
    found = declare_python(source)
    assert (
        "rule FeedAnext {\n    when: AnextFeed(feed)\n    requires: feed.state != closed\n}"
        in found
    )
    assert "rule FeedNext {" in found
    assert "Contains" not in found
