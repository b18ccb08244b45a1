"""States that come to a field through a variable."""

import textwrap

import pytest

from tests.allium.extract.declared import declare

HEAD = """\
import enum

class Status(enum.Enum):
    NEW = 1
    PAID = 2
    SENT = 3

class Order:
    def __init__(self, status: Status, is_fast: bool) -> None:
        self.status = status
        self.is_fast = is_fast
        self.total = 1

    def move(self, other, orders):
"""


def list_edges(body: str) -> list[str]:
    """The transitions of an operation with this body."""
    text = HEAD + textwrap.indent(textwrap.dedent(body), " " * 8)
    found = declare({"shop/order.py": text})
    return [line.strip() for line in found.splitlines() if " -> " in line]


@pytest.mark.parametrize(
    ("body", "edges"),
    [
        ("""\
         if self.status == Status.NEW:
             new = Status.PAID
         elif self.status == Status.PAID:
             new = Status.SENT
         else:
             return
         self.status = new
         """, ["new -> paid", "paid -> sent"]),
        ("""\
         if self.status != Status.NEW:
             raise ValueError
         new = Status.PAID if other else Status.SENT
         self.status = new
         """, ["new -> paid", "new -> sent"]),
        ("""\
         if self.status is Status.SENT:
             raise ValueError
         first = Status.PAID
         second = first
         if other:
             second = Status.SENT
         self.status = second
         """, ["new -> paid", "new -> sent", "paid -> sent"]),
        ("""\
         if self.status is not Status.NEW:
             raise ValueError
         new = Status.PAID
         try:
             other()
         except KeyError:
             new = Status.SENT
         self.status = new
         """, ["new -> paid", "new -> sent"]),
        ("""\
         if self.status is not Status.NEW:
             raise ValueError
         new = Status.SENT
         try:
             other()
             new = Status.PAID
         finally:
             self.status = new
         """, ["new -> paid", "new -> sent"]),
        ("""\
         if self.status is not Status.NEW:
             raise ValueError
         new = Status.PAID if other else Status.SENT
         try:
             other()
         except KeyError:
             new = orders
             raise
         self.status = new
         """, ["new -> paid", "new -> sent"]),
    ],
    ids=["branches", "either", "passed-on", "caught", "in-any-case", "raised-again"],
)  # fmt: skip
def test_what_a_variable_holds_is_what_the_field_gets(body: str, edges: list[str]) -> None:
    assert list_edges(body) == edges


@pytest.mark.parametrize(
    "body",
    [
        "new = Status.PAID\nnew = other\nself.status = new\n",
        "new = Status.PAID\nfor new in orders:\n    self.status = new\n",
        "new = Status.PAID\nwith other as new:\n    self.status = new\n",
        "new, old = Status.PAID, other\nself.status = new\n",
        "new = Status.PAID\nif other:\n    new = other\nself.status = new\n",
        "try:\n    new = Status.PAID\n    other()\nexcept KeyError:\n    self.status = new\n",
        "new = Status.PAID\ntry:\n    new = other()\nfinally:\n    self.status = new\n",
        "new = Status.PAID\ntry:\n    new, old = other()\n    new = Status.SENT\n"
        "except KeyError:\n    pass\nself.status = new\n",
    ],
    ids=["set-again", "loop", "with", "unpacked", "one-branch", "interrupted", "any", "partly"],
)
def test_what_is_open_makes_no_transition(body: str) -> None:
    assert list_edges(body) == []


TABLE = '{"pay": Status.PAID, "send": Status.SENT}'


@pytest.mark.parametrize(
    "body",
    [
        f"self.status = {TABLE}[other]\n",
        f"self.status = {TABLE}.get(other, Status.PAID)\n",
        f"new = {TABLE}.get(other)\nif new is None:\n    raise ValueError\nself.status = new\n",
        f"new = {TABLE}[other]\nself.status = new\n",
    ],
)
def test_a_table_of_states_has_one_for_anything(body: str) -> None:
    body = "if self.status != Status.NEW:\n    raise ValueError\n" + body
    assert list_edges(body) == ["new -> paid", "new -> sent"]


@pytest.mark.parametrize(
    "body",
    [
        # It may have none.
        f"self.status = {TABLE}.get(other)\n",
        "self.status = {'pay': Status.PAID, 'send': other}[other]\n",
        # What it has for a state is no more than that.
        "self.status = {Status.NEW: Status.PAID, Status.PAID: Status.SENT}[other]\n",
        "self.status = {(Status.NEW, 1): Status.PAID, (Status.PAID, 2): Status.SENT}[other]\n",
    ],
)
def test_any_other_table_is_open(body: str) -> None:
    body = "if self.status != Status.NEW:\n    raise ValueError\n" + body
    assert list_edges(body) == []
