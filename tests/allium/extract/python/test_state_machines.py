"""Machines that are written down as such."""

import re

import pytest

from tests.allium.extract.declared import ORDER, declare_python


def test_a_table_of_transitions_is_the_whole_graph() -> None:
    source = ORDER.partition("    def pay")[0] + (
        "NEXT = {Status.NEW: {Status.PAID, Status.SHIPPED}, Status.PAID: [Status.SHIPPED],\n"
        "        Status.SHIPPED: set()}\n"
    )
    assert """
    transitions status {
        new -> paid
        new -> shipped
        paid -> shipped
        terminal: shipped
    }""" in declare_python(source)


def test_decorators_of_django_fsm_are_rules_and_the_whole_graph() -> None:
    source = """
from django.db import models
from django_fsm import FSMField, transition

class Post(models.Model):
    state = FSMField(default="draft")

    @transition(field=state, source="draft", target="live")
    def publish(self): ...

    @transition(field=state, source=["draft", "live"], target="gone")
    def drop(self): ...
"""
    assert (
        declare_python(source)
        == """\
entity Post {
    state: draft | live | gone

    transitions state {
        draft -> live
        draft -> gone
        live -> gone
        terminal: gone
    }
}

rule PostPublish {
    when: PublishPost(post)
    requires: post.state = draft
    ensures: post.state = live
}

rule PostDrop {
    when: DropPost(post)
    requires: post.state in {draft, live}
    ensures: post.state = gone
}"""
    )


def test_states_from_elsewhere_have_the_names_of_their_constants_and_callers_are_rules() -> None:
    told = declare_python("""
from django.db import models
from django_fsm import FSMField, transition
from . import states

class Post(models.Model):
    state = FSMField(default=states.DRAFT, choices=states.ALL)

    @transition(field=state, source=states.DRAFT, target=states.LIVE)
    def _go_live(self): ...

    def publish(self, user):
        self._go_live()
        self.save()
""")
    assert "    state: draft | live\n" in told
    assert """
rule PostPublish {
    when: PublishPost(post)
    requires: post.state = draft
    ensures: post.state = live
}""" in told  # fmt: skip


def test_a_machine_of_the_library_transitions_is_its_class() -> None:
    source = """
from transitions import Machine

class Lamp:
    states = ["off", "on", "broken"]

    def __init__(self):
        self.machine = Machine(model=self, states=Lamp.states, initial="off", transitions=[
            {"trigger": "press", "source": "off", "dest": "on"},
            ["drop", "*", "broken"],
        ])
"""
    told = declare_python(source)
    assert "    state: off | on | broken\n" in told
    edges = [line.strip() for line in told.split("\n") if "->" in line or "terminal" in line]
    assert edges == ["off -> on", "off -> broken", "on -> broken", "terminal: broken"]
    assert "rule LampPress {\n    when: PressLamp(lamp)\n    requires: lamp.state = off\n" in told


def test_transitions_may_be_added_to_a_machine_one_by_one() -> None:
    told = declare_python("""
from transitions import Machine

class Session:
    states = ["new", "connected", "gone"]

    def __init__(self):
        self.name = "s"
        self._init_states()

    def _init_states(self):
        self.transitions = Machine(states=Session.states, initial="new")
        self.transitions.add_transition(trigger="connect", source="new", dest="connected")
        self.transitions.add_transition("leave", "connected", "gone")
""")
    assert "transitions_: new | connected | gone" in told
    assert [line.strip() for line in told.split("\n") if "->" in line] == [
        "new -> connected",
        "connected -> gone",
    ]
    assert "rule SessionConnect" in told


def test_a_projects_own_decorator_around_django_fsm_is_a_transition_too() -> None:
    found = declare_python("""
from django.db import models
from django_fsm import FSMField
from .locks import locked_transition

class Payment(models.Model):
    class States:
        Waiting = "waiting"
        Settled = "settled"

        @classmethod
        def list_all(cls):
            return ()

    state = FSMField(default=States.Waiting, choices=States.list_all())

    @locked_transition(field=state, source=States.Waiting, target=States.Settled)
    def settle(self):
        pass
""")
    assert "    state: waiting | settled\n" in found
    assert "        waiting -> settled\n" in found
    assert "rule PaymentSettle" in found


PAIRS = """
from dataclasses import dataclass
from enum import Enum

class Status(Enum):
    new = 1
    paid = 2
    sent = 3
{method}
@dataclass
class Order:
    status: Status

{table}
"""


@pytest.mark.parametrize(
    ("method", "table"),
    [
        ("", "ALLOWED_TRANSITIONS = [(Status.new, Status.paid), (Status.paid, Status.sent)]"),
        (
            """
    def may_become(self, other):
        allowed: dict = {Status.new: {Status.paid}, Status.paid: {Status.sent}, Status.sent: set()}
        return other in allowed[self]
""",
            "",
        ),
    ],
)
def test_a_list_of_pairs_and_a_table_in_a_method_of_the_enum_are_tables(
    method: str, table: str
) -> None:
    found = declare_python(PAIRS.format(method=method, table=table))
    assert "        new -> paid\n        paid -> sent\n        terminal: sent\n" in found


@pytest.mark.parametrize(
    "table",
    [
        "PAIRS = [(Status.new, Status.paid), (Status.paid, Status.sent)]",
        "TRANSITIONS = [(Status.new, Status.paid), (Status.paid, other())]",
        "TRANSITIONS = [(Status.new, Status.paid, Status.sent), (Status.paid, Status.sent)]",
        "TRANSITIONS = [Status.new, Status.paid]",
        "TRANSITIONS = Status.new",
    ],
)
def test_pairs_of_anything_else_are_none(table: str) -> None:
    assert "->" not in declare_python(PAIRS.format(method="", table=table))


SEVERAL = """
@dataclass
class Line:
    status: Status

    def may_become(self, other):
        return (self.status, other) in TRANSITIONS

@dataclass
class Reply:
    status: Status

    def serialize(self):
        return {"status": self.status}

TRANSITIONS = [(Status.new, Status.paid), (Status.paid, Status.sent)]
"""


def test_a_table_of_one_other_for_each_is_no_table_of_transitions() -> None:
    method = """
    def spell(self):
        others = {Status.new: Status.paid, Status.paid: Status.sent}
        return others[self]
"""
    assert "->" not in declare_python(PAIRS.format(method=method, table=""))


def test_of_several_classes_only_those_that_ask_for_a_state_go_through_it() -> None:
    found = declare_python(PAIRS.format(method="", table=SEVERAL))
    blocks = re.split(r"^(?=value |entity |enum )", found, flags=re.MULTILINE)
    assert [each.split()[1] for each in blocks if "->" in each] == ["Line"]
