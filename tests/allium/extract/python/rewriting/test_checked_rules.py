"""Rules that are objects of their own, read as the refusals that they are."""

import pytest

from tests.allium.extract.declared import declare, declare_python

STATUS = """
from dataclasses import dataclass
from enum import Enum

class Status(Enum):
    DRAFT = "draft"
    PLACED = "placed"
    PAID = "paid"
"""
RULES = """
class MustBeDraft:
    def __init__(self, status: Status):
        self._status = status

    def is_broken(self) -> bool:
        return self._status != Status.DRAFT

@dataclass
class MustBePlaced:
    status: Status
    message = "not placed"

    def is_broken(self) -> bool:
        return not self.status == Status.PLACED
"""
BASE = """
class Entity:
    def check_rule(self, rule):
        if rule.is_broken():
            raise RuntimeError(rule)
"""
ORDER = """
class Order(Entity):
    def __init__(self, id: int):
        self.id = id
        self._status = Status.DRAFT

    def place(self):
        self.check_rule(MustBeDraft(self._status))
        self._status = Status.PLACED

    def pay(self):
        self.check_rule(MustBePlaced(status=self._status))
        self._status = Status.PAID
"""
EDGES = ["draft -> placed", "placed -> paid", "terminal: paid"]


def list_edges(text: str) -> list[str]:
    lines = [each.strip() for each in text.split("\n")]
    return [each for each in lines if "->" in each or each.startswith("terminal")]


def test_an_object_refuses_what_breaks_a_rule_that_it_checks() -> None:
    found = declare_python(STATUS + RULES + BASE + ORDER)
    assert list_edges(found) == EDGES
    assert "    requires: order.status = draft\n" in found
    assert "    requires: order.status = placed\n" in found


def test_a_rule_says_when_it_is_kept() -> None:
    rules = (
        RULES.replace("is_broken", "is_satisfied").replace("!=", "==").replace("not self.", "self.")
    )
    base = BASE.replace("rule.is_broken()", "not rule.is_satisfied()")
    assert list_edges(declare_python(STATUS + rules + base + ORDER)) == EDGES


@pytest.mark.parametrize("in_one_file", [True, False])
def test_rules_and_the_base_class_may_be_in_other_files(in_one_file: bool) -> None:
    head = "from app.base import Entity\nfrom app.rules import MustBeDraft, MustBePlaced\n"
    order = f"{head}{STATUS if in_one_file else 'from app.status import Status'}{ORDER}"
    rules = f"from dataclasses import dataclass\nfrom app.status import Status\n{RULES}"
    files = {
        "app/base.py": BASE,
        "app/order.py": order,
        "app/rules.py": rules,
        "app/status.py": STATUS,
    }
    found = declare(files)
    assert list_edges(found) == EDGES
    assert "    requires: order.status = placed\n" in found


def test_a_rule_that_nobody_can_read_leaves_open_where_an_operation_begins() -> None:
    head = "from elsewhere import Entity, MustBeDraft, MustBePlaced\n"
    found = declare_python(head + STATUS + ORDER)
    assert list_edges(found) == []


def test_a_rule_that_asks_others_leaves_it_open_too() -> None:
    asking = RULES.replace("return self._status != Status.DRAFT", "return store.has(self._status)")
    assert "draft -> placed" not in list_edges(declare_python(STATUS + asking + BASE + ORDER))


def test_what_only_notes_a_broken_rule_refuses_nothing() -> None:
    noting = BASE.replace("raise RuntimeError(rule)", "self.broken.append(rule)")
    found = declare_python(STATUS + RULES + noting + ORDER)
    assert "    requires: order.status = draft\n" not in found
