"""Operations that raise an event for their own object, read as what this does with it."""

import pytest

from tests.allium.extract.declared import declare_python

HEAD = """
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"
    SENT = "sent"
"""
ORDER = """
class Order{base}:
    def __init__(self, id: int):
        self.id = id
        self.status = Status.NEW

    def pay(self):
        if self.status != Status.NEW:
            raise ValueError
        self._raise(OrderPaid(self.id))

    def send(self):
        if self.status != Status.PAID:
            raise ValueError
        event = OrderSent(self.id)
        self._raise(event)
"""
RAISE = """
    def _raise(self, event):
        self._when(event)
        self.changes.append(event)
"""
ASKED = """
    def _when(self, event):
        if isinstance(event, OrderPaid):
            self.status = Status.PAID
        elif isinstance(event, OrderSent):
            self.status = Status.SENT
"""
MATCHED = """
    def _when(self, event):
        match event:
            case OrderPaid():
                self.status = Status.PAID
            case OrderSent(id=at):
                self.sent_at = at
                self.status = Status.SENT
"""
REGISTERED = """
    @singledispatchmethod
    def _when(self, event):
        raise NotImplementedError

    @_when.register
    def _(self, event: OrderPaid):
        self.status = Status.PAID

    @_when.register(OrderSent)
    def _sent(self, event):
        self.status = Status.SENT
"""
HANDLERS = """
    def _on_order_paid(self, event):
        self.status = Status.PAID

    def _on_order_sent(self, event):
        self.status = Status.SENT
"""
NAMED = """
    def _when(self, event):
        handler = getattr(self, f"_on_{snake(type(event).__name__)}", None)
        if handler is not None:
            handler(event)
"""
LISTED = """
    def _when(self, event):
        handlers = {OrderPaid: self._on_order_paid, OrderSent: self._on_order_sent}
        handlers[type(event)](event)
"""
EDGES = ["new -> paid", "paid -> sent", "terminal: sent"]


def list_edges(text: str) -> list[str]:
    lines = [each.strip() for each in text.split("\n")]
    return [each for each in lines if "->" in each or each.startswith("terminal")]


@pytest.mark.parametrize(
    "handling", [ASKED, MATCHED, REGISTERED, NAMED + HANDLERS, LISTED + HANDLERS]
)
def test_an_operation_does_what_its_event_is_handled_with(handling: str) -> None:
    found = declare_python(HEAD + ORDER.format(base="") + RAISE + handling)
    assert list_edges(found) == EDGES
    assert "    requires: order.status = paid\n    ensures: order.status = sent\n" in found
    assert "rule OrderWhen" not in found
    assert "rule OrderOn" not in found


MARKED = HANDLERS.replace("    def _on_order_paid", "    @handles(OrderPaid)\n    def paid")
MARKED = MARKED.replace("    def _on_order_sent", "    @handles(OrderSent)\n    def sent")


@pytest.mark.parametrize("handling", [ASKED, HANDLERS, MARKED])
def test_a_base_class_of_another_file_hands_events_on(handling: str) -> None:
    found = declare_python(HEAD + ORDER.format(base="(Aggregate)") + handling)
    assert list_edges(found) == EDGES


def test_what_an_event_is_made_with_is_what_the_object_gets() -> None:
    moved = ORDER.replace("OrderPaid(self.id)", "Moved(to=Status.PAID)")
    moved = moved.replace("OrderSent(self.id)", "Moved(to=Status.SENT)")
    handling = "\n    def _when(self, event):\n        if isinstance(event, Moved):\n"
    handling += "            self.status = event.to\n"
    found = declare_python(HEAD + moved.format(base="") + RAISE + handling)
    assert list_edges(found) == EDGES


def test_events_that_change_objects_themselves_are_no_operations() -> None:
    nested = """
    class Paid(Event):
        def apply(self, order):
            order.status = Status.PAID

    class Sent(Event):
        def mutate(self, order):
            order.status = Status.SENT
"""
    head, _, rest = ORDER.format(base="(Aggregate)").partition(":\n")
    order = f"{head}:\n{nested}{rest}".replace(
        "_raise(OrderPaid(self.id))", "trigger_event(self.Paid)"
    )
    order = order.replace("_raise(event)", "trigger_event(self.Sent)")
    found = declare_python(HEAD + order)
    assert list_edges(found) == EDGES
    assert "rule OrderApply" not in found


def test_methods_that_keep_what_they_do_as_events_do_it() -> None:
    marked = HEAD.replace("\n", "\nfrom eventsourcing.domain import Aggregate, event\n", 1)
    order = ORDER.format(base="(Aggregate)").replace(
        "self._raise(OrderPaid(self.id))", "self._pay()"
    )
    order = order.replace("        event = OrderSent(self.id)\n", "").replace(
        "self._raise(event)", "self.status = Status.SENT"
    )
    order = order.replace("    def send", '    @event("Sent")\n    def send')
    order += '\n    @event("Paid")\n    def _pay(self):\n        self.status = Status.PAID\n'
    assert list_edges(declare_python(marked + order)) == EDGES


def test_nobody_knows_where_an_event_comes_that_is_only_replayed() -> None:
    replayed = """
class Order:
    def __init__(self):
        self.status = Status.NEW

    @classmethod
    def load(cls, events):
        order = cls()
        for event in events:
            order._when(event)
        return order
"""
    assert list_edges(declare_python(HEAD + replayed + ASKED)) == []


def test_what_others_send_an_object_is_an_operation_of_its_own() -> None:
    actor = "\nclass Order:\n    def __init__(self):\n        self.status = Status.NEW\n"
    found = declare_python(HEAD + actor + ASKED.replace("_when", "receive"))
    assert "new -> paid" in list_edges(found)
    assert "paid -> sent" in list_edges(found)


def test_a_handler_that_may_leave_early_stays_where_it_is() -> None:
    early = HANDLERS.replace("        self.status = Status.PAID", "        if self.held:\n"
        "            return\n        self.status = Status.PAID")  # fmt: skip
    found = declare_python(HEAD + ORDER.format(base="") + RAISE + NAMED + early)
    assert "    requires: order.status = new\n    ensures" not in found
    assert "new -> paid" not in list_edges(found) or "terminal: sent" in list_edges(found)


def test_a_handler_that_operations_run_stays_a_step_of_its_own() -> None:
    run = "\n    def settle(self):\n        self._on_order_paid(None)\n"
    found = declare_python(HEAD + ORDER.format(base="") + RAISE + NAMED + HANDLERS + run)
    assert "    requires: order.status = paid\n    ensures: order.status = sent\n" in found
    assert "sent -> paid" in list_edges(found)


def test_what_is_published_for_others_does_nothing_at_once() -> None:
    published = ORDER.format(base="(Saga)").replace("self._raise(", "self.publish(")
    found = declare_python(HEAD + published + HANDLERS)
    assert "    requires: order.status = new\n    ensures: order.status = paid\n" not in found


def test_what_only_others_raise_is_told_without_where_it_begins() -> None:
    lost = ASKED + "        elif isinstance(event, OrderLost):\n            self.on_lost(event)\n"
    lost += "\n    def on_lost(self, event):\n        self.status = Status.NEW\n"
    found = declare_python(HEAD + ORDER.format(base="") + RAISE + lost)
    assert "    ensures: order.status = new\n" in found
    assert "sent -> new" not in list_edges(found)
    assert "new -> paid" in list_edges(found) or "what lets an operation leave" in found


@pytest.mark.parametrize(
    "lines",
    [
        ["self._raise(self._make_event())"],
        ["event = make_event(self)", "self._raise(event)"],
    ],
)
def test_an_event_that_cannot_be_named_may_do_what_any_does(lines: list[str]) -> None:
    body = "".join(f"        {line}\n" for line in lines)
    step = f"\n    def reopen(self):\n{body}"
    plain = declare_python(HEAD + ORDER.format(base="") + RAISE + ASKED)
    assert "terminal: sent" in plain
    found = declare_python(HEAD + ORDER.format(base="") + RAISE + ASKED + step)
    assert "terminal" not in found
    assert "    requires: order.status = new\n    ensures: order.status = paid\n" in found


def test_two_branches_for_one_event_are_not_told_as_one() -> None:
    held = "if isinstance(event, OrderPaid):\n            self.paid_at = event.at\n        "
    found = declare_python(
        HEAD + ORDER.format(base="") + RAISE + ASKED.replace("if ", held + "if ", 1)
    )
    assert "    ensures: order.status = paid\n" not in found
