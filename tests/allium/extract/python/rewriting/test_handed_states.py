"""States that an operation hands to a function of its file."""

import textwrap

import pytest

from tests.allium.extract.test_service_rules import declare_files, declare_service

STORE = """
class Store:
    def {name}(self, number):
        {body}

    def _update(self, number, status=None, **words):
        with self.session() as session:
            order, row = self._load(number, session)
            if status is not None:
                order.status = row.status = status
            session.add(order)
            return order
"""


def declare_store(body: str, name: str = "pay") -> str:
    return declare_service(STORE.format(name=name, body=body))


@pytest.mark.parametrize(
    "body",
    [
        "self._update(number, Order.Status.PAID)",
        "return self._update(number, status=Order.Status.PAID, reason=number)",
    ],
    ids=["called", "returned"],
)
def test_it_does_what_the_function_does(body: str) -> None:
    found = declare_store(body)
    assert "rule OrderPay {\n    when: PayOrder(order)\n    ensures: order.status = paid\n" in found


def test_it_may_do_it_only_sometimes() -> None:
    found = declare_store("if number:\n            self._update(number, Order.Status.PAID)")
    assert "        -- May change the status.\n" in found


@pytest.mark.parametrize(
    "body",
    [
        "self._update(number, find())",
        "self._update(number)",
        "other._update(number, Order.Status.PAID)",
        # A name of the caller is another object.
        "order = number\n        self._update(number, Order.Status.PAID)",
        # It goes on where the function returns.
        "self._update(number, Order.Status.PAID)\n        self.log()",
    ],
    ids=["open", "none", "other", "name", "goes-on"],
)
def test_where_that_cannot_be_told_nothing_is(body: str) -> None:
    assert "paid" not in declare_store(body).partition("rule")[2]


SET = """
def _set(order, status):
    order.status = status

def send(order: Order):
    if order.status != Order.Status.PAID:
        raise ValueError
    _set(order, Order.Status.SHIPPED)
    mail(order)
"""


def test_an_object_that_it_is_given_is_the_callers_own() -> None:
    found = declare_service(textwrap.dedent(SET))
    assert "    requires: order.status = paid\n    ensures: order.status = shipped\n" in found


def test_an_object_may_have_been_asked_under_another_name() -> None:
    """Then it is told what it gets, and no transition."""
    body = """one = self.find(number)
        if one.status != Order.Status.NEW:
            raise ValueError
        self._update(number, Order.Status.{state})"""
    asked = declare_store(body.format(state="PAID")) + declare_store(body.format(state="SHIPPED"))
    assert "ensures: order.status = paid" in asked
    assert "->" not in asked


JOB = """
    class State:
        NEW = "new"
        DONE = "done"

    class Job:
        def __init__(self, number, {state}):
            self.number = number
            self.state = state

        def spell(self):
            return self.state
    """
WORK = """
    from .jobs import Job, State

    class Store:
        def finish(self, number):
            self._update(number, State.DONE)

        def restart(self, number):
            self._update(number, State.NEW)

        def _update(self, number, state):
            job = self.find(number)
            job.state = state
    """


def test_a_plain_class_with_a_state_may_be_moved_by_others_alone() -> None:
    job = JOB.format(state="state=State.NEW")
    found = declare_files({"work/jobs.py": job, "work/store.py": WORK})
    assert "entity Job {\n    state: State\n" in found
    assert "        new -> done\n        done -> new\n" in found
    assert "    when: FinishJob(job)\n    ensures: job.state = done\n" in found
    assert "->" not in declare_files(
        {"work/jobs.py": JOB.format(state="state"), "work/store.py": WORK}
    )


CHAIN = """
def _set(order, status):
    order.status = status

def _end(order: Order, status, why):
    assert why
    _set(order, status)

def send(order: Order):
    if order.status != Order.Status.PAID:
        raise ValueError
    try:
        mail(order)
    except OSError:
        _end(order, Order.Status.NEW, "mail")
    else:
        _end(order, Order.Status.SHIPPED, "sent")
"""


def test_a_function_may_hand_on_what_it_is_given() -> None:
    found = declare_service(textwrap.dedent(CHAIN))
    rule = found.partition("rule OrderSend {")[2].partition("\n}")[0]
    assert "requires: order.status = paid\n" in rule
    assert "order.status in {new, shipped}" in rule


def test_what_hands_on_something_else_gives_no_state() -> None:
    found = declare_service(
        textwrap.dedent(CHAIN.replace("_set(order, status)", "_set(order, why)"))
    )
    assert "rule OrderSend {" in found
    assert "shipped}" not in found.partition("rule OrderSend {")[2]


SMALL = """
from enum import Enum
class State(Enum):
    new = 1
    paid = 2
    gone = 3
class Order:
    id: int
    state: State = State.new
def _set(order: Order, state):
    order.state = state
def pay(order: Order):
    if order.state != State.new:
        raise ValueError
    _set(order, State.paid)
def leave(order: Order):
    if order.state != State.paid:
        raise ValueError
    _set(order, State.gone)
"""


def test_members_may_be_written_small_in_an_enum_of_states() -> None:
    found = declare_files({"shop/orders.py": SMALL})
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert edges == ["new -> paid", "paid -> gone"]
