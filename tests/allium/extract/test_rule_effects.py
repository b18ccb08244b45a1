"""What rules say of the states of their objects."""

from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.rule_effects import (
    moves_state,
    names_field,
    refuses_state,
    takes_state,
)
from git_retcon.allium.extract.source_facts import Choice, Edge, Evidence, Field, Rule, Type

STATUS, TOTAL = Field("status", Type("", source="Status")), Field("total", Type("Integer"))
CHOICES = (Choice("new", "NEW", "new"), Choice("paid", "PAID", "paid"))
SUBJECT = Subject(
    "order", "order", {"status": STATUS, "total": TOTAL}, {"status": States("Status", CHOICES)},
    {}, {}, flags={"is_open"}, methods={},
)  # fmt: skip
RULE = Rule(
    "OrderPay", (Evidence(b"a.py", "pay"),), "PayOrder", ("order", "status"), field="status"
)


def test_a_field_is_named_by_its_whole_name() -> None:
    rule = RULE._replace(requires=("order.status_code = 1",), ensures=("order.total = 1",))
    assert names_field(rule, SUBJECT, TOTAL)
    assert not names_field(rule, SUBJECT, STATUS)


def test_a_rule_moves_a_state_by_a_transition_a_value_or_a_flag() -> None:
    assert moves_state(RULE._replace(edges=(Edge("new", "paid"),)), SUBJECT)
    assert moves_state(RULE._replace(ensures=("order.status = paid",)), SUBJECT)
    assert moves_state(RULE._replace(ensures=("order.is_open = false",)), SUBJECT)
    assert not moves_state(RULE._replace(ensures=("order.total = 1",)), SUBJECT)


def test_a_rule_takes_a_state_that_it_is_given() -> None:
    assert takes_state(RULE._replace(ensures=("order.status = status",)), SUBJECT)
    assert not takes_state(RULE._replace(ensures=("order.status = paid",)), SUBJECT)


def test_a_rule_refuses_by_a_state_a_flag_or_what_is_not_there() -> None:
    for demand in ("order.status = new", "not order.is_open", "order.total != null"):
        assert refuses_state(RULE._replace(requires=(demand,)), SUBJECT)
    assert not refuses_state(RULE._replace(requires=("order.total = 1",)), SUBJECT)
