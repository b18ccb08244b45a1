"""What a class does with each kind of event that it is handed."""

import ast

from git_retcon.allium.extract.python.rewriting.event_handlers import (
    list_announced,
    list_mutating,
    read_handlers,
)

SOURCE = """
class Order:
    class Sent:
        def apply(self, order):
            order.state = 3

    def _when(self, event):
        if isinstance(event, (OrderPaid, events.OrderSettled)):
            self._on_order_paid(event)
        elif type(event) is OrderLost:
            self.state = 2

    def _on_order_paid(self, event):
        self.state = 1

    def _on_noted(self, event):
        self.state = 4

    def close(self, when):
        if self.state:
            self.state = 0
"""
OWNER = next(each for each in ast.parse(SOURCE).body if isinstance(each, ast.ClassDef))
METHODS = {each.name: each for each in OWNER.body if isinstance(each, ast.FunctionDef)}


def test_kinds_of_events_have_the_handler_that_they_are_handed_to() -> None:
    found = read_handlers(METHODS["_when"], METHODS)
    assert [*found] == ["OrderPaid", "OrderSettled", "OrderLost"]
    assert found["OrderPaid"].method is METHODS["_on_order_paid"]
    assert [ast.unparse(each) for each in found["OrderLost"].body] == ["self.state = 2"]


def test_what_asks_for_no_kind_handles_none() -> None:
    assert read_handlers(METHODS["close"], METHODS) == {}


def test_handlers_are_announced_by_names_of_events_that_are_raised() -> None:
    found = dict(list_announced(METHODS, {"OrderPaidEvent"}))
    assert found["OrderPaidEvent"].method is METHODS["_on_order_paid"]
    assert "_on_noted" in found, "an event that others raise is handled alike"
    assert dict(list_announced(METHODS, {"Opened"})) == {}


def test_events_may_change_objects_themselves() -> None:
    (kind, handler), *others = list_mutating(OWNER)
    assert (kind, handler.owner, handler.event, others) == ("Sent", "order", "self", [])
