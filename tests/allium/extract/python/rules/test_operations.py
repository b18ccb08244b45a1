"""The rule that an operation is."""

import ast

import pytest

from git_retcon.allium.extract.python.rules.operations import BoundOperation, RuleText, make_rule
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.source_facts import Evidence

SUBJECT = Subject("self", "order", {}, {}, {}, {})


def make_operation(code: str) -> BoundOperation:
    node = ast.parse(code).body[0]
    assert isinstance(node, ast.FunctionDef)
    return BoundOperation(node, SUBJECT, "Order", Evidence(b"shop.py", f"Order.{node.name}"))


@pytest.mark.parametrize(
    ("method", "name", "trigger"),
    [
        ("pay", "OrderPay", "PayOrder"),
        ("_pay_back", "OrderPayBack", "PayBackOrder"),
        ("cancel_order", "CancelOrder", "CancelOrder"),
    ],
)
def test_it_is_named_after_the_entity_and_the_method(method: str, name: str, trigger: str) -> None:
    rule = make_rule(make_operation(f"def {method}(self): pass"), RuleText([], [], ["x"]))
    assert rule is not None
    assert (rule.name, rule.trigger, rule.parameters) == (name, trigger, ("order",))


def test_it_has_the_parameters_that_it_names_and_says_nothing_twice() -> None:
    said = RuleText(["order.total > least"] * 2, ["order.note = note"], [])
    rule = make_rule(make_operation("def pay(self, note, least, other): pass"), said)
    assert rule is not None
    assert rule.parameters == ("order", "note", "least")
    assert rule.requires == ("order.total > least",)


def test_a_name_that_cannot_be_spelled_makes_none() -> None:
    assert make_rule(make_operation("def ü(self): pass"), RuleText([], [], [])) is None
