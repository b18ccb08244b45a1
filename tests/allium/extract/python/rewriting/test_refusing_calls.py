"""Functions that do nothing but refuse what they are given, read as guards of what calls them."""

import pytest

from tests.allium.extract.declared import declare, declare_python

STATUS = """
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"
    SENT = "sent"

NEXT = {Status.NEW: {Status.PAID}, Status.PAID: {Status.SENT}, Status.SENT: set()}
PAIRS = frozenset({(Status.NEW, Status.PAID), (Status.PAID, Status.SENT)})
"""
TABLE = """
def ensure_follows(current, new):
    allowed = NEXT.get(current, set())
    if new not in allowed:
        raise ValueError(new)
"""
LISTED = """
def ensure_follows(current, new):
    if (current, new) not in PAIRS:
        raise ValueError(new)
"""
NAMED = """
def ensure_follows(current, new):
    if new is Status.PAID and current is not Status.NEW:
        raise ValueError(new)
    if new is Status.SENT and current is not Status.PAID:
        raise ValueError(new)
"""
ORDER = """
class Order:
    def __init__(self):
        self.status = Status.NEW

    def pay(self):
        ensure_follows(self.status, Status.PAID)
        self.status = Status.PAID

    def send(self):
        ensure_follows(new=Status.SENT, current=self.status)
        self.status = Status.SENT
"""
EDGES = ["new -> paid", "paid -> sent", "terminal: sent"]


def list_edges(text: str) -> list[str]:
    lines = [each.strip() for each in text.split("\n")]
    return [each for each in lines if "->" in each or each.startswith("terminal")]


@pytest.mark.parametrize("function", [TABLE, LISTED])
def test_what_calls_them_refuses_the_same(function: str) -> None:
    found = declare_python(STATUS + function + ORDER)
    assert list_edges(found) == EDGES
    assert "    requires: order.status = paid\n    ensures: order.status = sent\n" in found


@pytest.mark.parametrize("function", [TABLE, LISTED, NAMED])
def test_functions_of_other_files_refuse_it_too(function: str) -> None:
    head = "from app.status import Status, ensure_follows\n"
    found = declare({"app/status.py": STATUS + function, "app/order.py": head + ORDER})
    if function is not NAMED:
        assert list_edges(found) == EDGES
        assert "    requires: order.status = paid\n" in found
    assert "sent -> paid" not in found


@pytest.mark.parametrize("function", ["from elsewhere import ensure_follows\n", ""])
def test_what_nobody_can_read_leaves_open_where_an_operation_begins(function: str) -> None:
    found = declare_python(function + STATUS + ORDER)
    assert "requires" not in found
    if function:
        assert list_edges(found) == []


def test_what_does_anything_else_is_no_refusal() -> None:
    noting = TABLE.replace("raise ValueError(new)", "print(new)")
    found = declare_python(STATUS + noting + ORDER)
    assert "requires" not in found


def test_questions_of_other_files_are_answered() -> None:
    asked = "\ndef may_follow(current, new):\n    return new in NEXT.get(current, [])\n"
    order = ORDER.replace(
        "ensure_follows(self.status, Status.PAID)",
        "if not may_follow(self.status, Status.PAID):\n            raise ValueError",
    ).replace(
        "ensure_follows(new=Status.SENT, current=self.status)",
        "if Status.SENT not in NEXT[self.status]:\n            raise ValueError",
    )
    head = "from app.status import NEXT, Status, may_follow\n"
    found = declare({"app/status.py": STATUS + asked, "app/order.py": head + order})
    assert list_edges(found) == EDGES
    assert "    requires: order.status = paid\n" in found


def test_enums_of_other_files_say_what_a_member_may_become() -> None:
    member = "    def may_become(self, new):\n        return new in NEXT.get(self, set())\n\nNEXT"
    order = ORDER.replace("ensure_follows(self.status, Status.PAID)", "self._ask(Status.PAID)")
    order = order.replace(
        "ensure_follows(new=Status.SENT, current=self.status)",
        "if not self.status.may_become(new=Status.SENT):\n            raise ValueError",
    )
    order += "\n    def _ask(self, new):\n        if not self.status.may_become(new):\n"
    order += "            raise ValueError\n"
    status = STATUS.replace("NEXT", member, 1)
    head = "from app.status import Status\n"
    found = declare({"app/status.py": status, "app/order.py": head + order})
    assert list_edges(found) == EDGES
    assert "    requires: order.status = new\n" in found
    assert list_edges(declare_python(status + order)) == EDGES


MEMBER = """
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"
    SENT = "sent"

    def may_become(self, new):
        return new in NEXT[self]

    def ensure_follows(self, new):
        if not self.may_become(new):
            raise ValueError(new)

    def go_to(self, new):
        if new not in NEXT[self]:
            raise ValueError(new)
        return new

NEXT = {Status.NEW: {Status.PAID}, Status.PAID: {Status.SENT}, Status.SENT: set()}
"""
ASKED = ORDER.replace("ensure_follows(self.status, ", "self.status.ensure_follows(")
ASKED = ASKED.replace("ensure_follows(new=Status.SENT, current=self.status)",
                      "self.status.ensure_follows(Status.SENT)")  # fmt: skip
MOVED = """
class Order:
    def __init__(self):
        self.status = Status.NEW

    def pay(self):
        self.status = self.status.go_to(Status.PAID)

    def send(self):
        self.status = self.status.go_to(Status.SENT)
"""


@pytest.mark.parametrize("order", [ASKED, MOVED])
def test_a_member_of_an_enum_refuses_what_it_may_not_become(order: str) -> None:
    found = declare_python(MEMBER + order)
    assert list_edges(found) == EDGES
    assert "    requires: order.status = paid\n    ensures: order.status = sent\n" in found


def test_so_it_does_in_another_file() -> None:
    head = "from app.status import Status\n"
    found = declare({"app/status.py": MEMBER, "app/order.py": head + ASKED})
    assert list_edges(found) == EDGES
    assert "    requires: order.status = paid\n" in found


def test_what_another_kind_of_state_refuses_nobody_knows() -> None:
    found = declare_python(ASKED.replace("class Order", f"{STATUS}\nclass Order"))
    assert list_edges(found) == []


def test_static_functions_of_classes_refuse_too() -> None:
    policy = """
class Policy:
    @staticmethod
    def ensure(current, new):
        if new not in NEXT[current]:
            raise ValueError(new)

    @classmethod
    def allows(cls, current, new):
        return new in NEXT[current]
"""
    order = ORDER.replace("ensure_follows(self", "Policy.ensure(self").replace(
        "ensure_follows(new=Status.SENT, current=self.status)",
        "if not Policy.allows(self.status, Status.SENT):\n            raise ValueError",
    )
    assert list_edges(declare_python(STATUS + policy + order)) == EDGES
    head = "from app.status import Policy, Status\n"
    found = declare({"app/status.py": STATUS + policy, "app/order.py": head + order})
    assert list_edges(found) == EDGES


GUARDED = """
from elsewhere import Aggregate, CanBePaid, can_send, ensure_payable
{status}
class Order(Aggregate):
    def __init__(self):
        self.status = Status.NEW

    def pay(self):
        {pay}
        self.status = Status.PAID

    def send(self):
        if self.status != Status.PAID:
            raise ValueError
        self.status = Status.SENT
"""


@pytest.mark.parametrize(
    "pay",
    [
        "self.ensure_new()",
        "self._check_can_pay()",
        "self.validate_transition(Status.PAID)",
        "ensure_payable(self)",
        "self.policy.check(self)",
        "if not CanBePaid().is_satisfied_by(self):\n            raise ValueError",
        "if not can_send(self):\n            raise ValueError",
    ],
)
def test_what_a_check_of_others_demands_nobody_knows(pay: str) -> None:
    found = declare_python(GUARDED.format(status=STATUS, pay=pay))
    assert "    ensures: order.status = paid\n" in found
    assert "sent -> paid" not in list_edges(found)


@pytest.mark.parametrize(
    "pay", ["self.ensure_amount(3)", "self.notify(self)", "self.check_rights()", "log(self)"]
)
def test_what_says_nothing_of_a_state_demands_none(pay: str) -> None:
    found = declare_python(GUARDED.format(status=STATUS, pay=pay))
    assert "sent -> paid" in list_edges(found)


def test_a_check_of_the_class_itself_is_read() -> None:
    order = GUARDED.format(status=STATUS, pay="self.ensure_new()")
    order += "\n    def ensure_new(self):\n        if self.status is not Status.NEW:\n"
    order += "            raise ValueError\n"
    assert list_edges(declare_python(order)) == EDGES
