"""Statements that set attributes, each read as one assignment."""

import ast

import pytest

from git_retcon.allium.extract.python.rewriting.plain_assignments import replace_setters
from tests.allium.extract.declared import declare_python


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("object.__setattr__(self, 'status', DONE)", "self.status = DONE"),
        ("setattr(order.line, 'status', DONE)", "order.line.status = DONE"),
        ("if a:\n    setattr(self, 'x', 1)", "if a:\n    self.x = 1"),
        ("self.state, self.error = State.DONE, None", "self.state = State.DONE\nself.error = None"),
        ("self.state, found = DONE, 1", "self.state = DONE\nfound = 1"),
        ("self.state, self.error = DONE, text", "self.state = DONE\nself.error = text"),
        ("self.state, self.at = DONE, now()", "self.state = DONE\nself.at = now()"),
        ("self.state, self.at = DONE, self.now()", "self.state, self.at = (DONE, self.now())"),
        ("self.state, x = DONE, (x := 1)", "self.state, x = (DONE, (x := 1))"),
        ("old, self.state = self.state, DONE", "old = self.state\nself.state = DONE"),
        ("if (s := self.state) == A:\n    pass", "s = self.state\nif self.state == A:\n    pass"),
        ("if (s := self.find()) == A:\n    pass", "if (s := self.find()) == A:\n    pass"),
        ("while (s := self.state) == A:\n    pass", "while (s := self.state) == A:\n    pass"),
        ("self.state, old = DONE, self.state", "self.state, old = (DONE, self.state)"),
        # What it gets may be what the one before gets.
        ("text, self.state = DONE, text", "text, self.state = (DONE, text)"),
        ("self.a, self.b = self.b, self.a", "self.a, self.b = (self.b, self.a)"),
        ("self.a, self.b = both", "self.a, self.b = both"),
        ("a, b = 1, 2", "a, b = (1, 2)"),
        ("self.db_set('status', DONE, commit=True)", "self.status = DONE"),
        ("self.db_set({'status': DONE, 'at': 1})", "self.status = DONE\nself.at = 1"),
        (
            "frappe.db.set_value(self.doctype, self.name, 'status', DONE)",
            "self.status = DONE",
        ),
        (
            "frappe.db.set_value('Order', self.name, 'status', DONE)",
            "frappe.db.set_value('Order', self.name, 'status', DONE)",
        ),
        # Which attribute it is, is open.
        ("self.db_set(name, DONE)", "self.db_set(name, DONE)"),
        ("self.db_set({**given, 'at': 1})", "self.db_set({**given, 'at': 1})"),
        ("setattr(self, name, DONE)", "setattr(self, name, DONE)"),
        ("setattr(self, 'not a name', DONE)", "setattr(self, 'not a name', DONE)"),
        ("done = setattr(self, 'x', 1)", "done = setattr(self, 'x', 1)"),
        ("super().__setattr__('x', 1)", "super().__setattr__('x', 1)"),
    ],
)
def test_they_are_assignments(code: str, meant: str) -> None:
    body = "\n    ".join(code.split("\n"))
    source = f"def finish(self):\n    {body}\n"
    node = ast.parse(source).body[0]
    assert isinstance(node, ast.FunctionDef)
    replace_setters(source.encode(), [node])
    assert "\n".join(map(ast.unparse, node.body)) == meant


def test_both_are_transitions() -> None:
    found = declare_python("""
class Status(Enum):
    NEW = 1
    PAID = 2
    SENT = 3

class Order:
    def __init__(self):
        self.status = Status.NEW
        self.reason = ""

    def pay(self):
        if self.status != Status.NEW:
            raise ValueError
        self.status, self.reason = Status.PAID, None

    def send(self):
        if self.status != Status.PAID:
            raise ValueError
        object.__setattr__(self, "status", Status.SENT)
""")
    assert "        new -> paid\n        paid -> sent\n" in found


def test_one_value_for_two_states_sets_both() -> None:
    found = declare_python("""
class Status(Enum):
    NEW = 1
    BUSY = 2
    DONE = 3

class Job:
    def __init__(self):
        self.local = self.remote = Status.NEW

    def start(self):
        self.local = Status.BUSY

    def answer(self):
        self.remote = Status.BUSY

    def end(self):
        self.local = self.remote = Status.DONE
""")
    assert "    ensures: job.local = done\n    ensures: job.remote = done\n" in found


NAMED = """
class Status(Enum):
    NEW = 1
    PAID = 2
    SENT = 3

class Order:
    def __init__(self):
        self.status = Status.NEW

    def pay(self):
        if {asked} is not Status.NEW:
            raise ValueError
        self.status = Status.PAID

    def send(self):
        self.status = Status.SENT
"""


@pytest.mark.parametrize("asked", ['getattr(self, "status")', 'getattr(self, "status", None)'])
def test_an_attribute_that_is_read_by_its_name_is_that_attribute(asked: str) -> None:
    told = declare_python(NAMED.replace("{asked}", asked))
    assert "    requires: order.status = new\n" in told
    assert "        new -> paid\n        new -> sent\n        paid -> sent\n" in told


def test_what_is_asked_by_a_name_that_nobody_knows_here_may_be_the_state() -> None:
    told = declare_python(NAMED.replace("{asked}", "getattr(self, FIELD)"))
    assert "-> paid" not in told
