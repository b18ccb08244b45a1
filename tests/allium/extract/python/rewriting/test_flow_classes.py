"""Transitions that a descriptor of viewflow guards."""

import pytest

from tests.allium.extract.declared import declare_python
from tests.allium.extract.test_service_rules import declare_files

OWN = """
from django.db import models
from viewflow.fsm import State

NEW = "new"
PAID = "paid"
SENT = "sent"
OPEN = [NEW, PAID]
CHOICES = [(NEW, "New"), (PAID, "Paid"), (SENT, "Sent")]

class Invoice(models.Model):
    status = models.CharField(choices=CHOICES)
    flow = State(default=NEW, states=CHOICES)

    @flow.getter()
    def _get(self):
        return self.status

    @flow.setter()
    def _set(self, value):
        self.status = value

    @flow.transition(source=NEW, target=PAID)
    def pay(self):
        pass

    @flow.transition(source=OPEN, target=SENT)
    def send(self):
        self.mail()
"""


def test_a_model_with_a_descriptor_for_one_of_its_fields() -> None:
    found = declare_python(OWN)
    assert "    requires: invoice.status = new\n    ensures: invoice.status = paid\n" in found
    assert (
        "    requires: invoice.status in {new, paid}\n    ensures: invoice.status = sent" in found
    )
    assert "        new -> paid\n        new -> sent\n        paid -> sent\n" in found


def test_without_a_setter_nobody_knows_where_the_state_is() -> None:
    assert "->" not in declare_python(OWN.replace("@flow.setter()", ""))


MODELS = """
    from django.db import models

    class Order(models.Model):
        class State(models.TextChoices):
            NEW = "new"
            PAID = "paid"
            LOST = "lost"
        state = models.CharField(choices=State.choices)
    """
FLOW = """
    from viewflow import fsm
    {head}

    class OrderFlow:
        state = fsm.State(states=["new", "paid", "lost"])

        def __init__(self, {given}):
            self.instance = {name}

        @state.setter()
        def _set(self, value):
            self.instance.state = value

        @state.transition(source=["new"], target="paid")
        def pay(self):
            self.instance.mail()

        @state.transition(source=fsm.State.ANY, target="lost")
        def lose(self):
            pass
    """
WANTED = (
    "rule OrderPay {\n    when: PayOrder(order)\n    requires: order.state = new\n"
    "    ensures: order.state = paid\n}"
)


@pytest.mark.parametrize(
    ("head", "given", "name"),
    [
        ("from shop.models.orders import Order", "instance: Order", "instance"),
        ("from shop.models.orders import Order", "order", "order"),
        ("from shop.models.orders import Order", "instance", "instance"),
        ("", "instance", "instance"),
    ],
    ids=["typed", "by-name", "by-class", "around"],
)
def test_a_class_that_moves_the_object_that_it_is_made_for(
    head: str, given: str, name: str
) -> None:
    code = FLOW.format(head=head, given=given, name=name)
    found = declare_files({"shop/models/orders.py": MODELS, "shop/flows/order.py": code})
    assert WANTED in found
    assert "ensures: order.state = lost" in found
    assert "        new -> paid\n        new -> lost\n        paid -> lost\n" in found


def test_what_is_called_otherwise_or_too_far_away_is_no_object_of_it() -> None:
    code = FLOW.format(head="", given="instance", name="instance")
    other = code.replace("OrderFlow", "BillFlow")
    assert "rule" not in declare_files({"shop/models.py": MODELS, "shop/flows.py": other})
    assert "rule" not in declare_files({"shop/models/orders.py": MODELS, "till/flows.py": code})
    made = code.replace("self.instance = instance", "self.instance = find(instance)")
    assert "rule" not in declare_files({"shop/models.py": MODELS, "shop/flows.py": made})


def test_a_descriptor_without_a_setter_is_a_field_of_its_class() -> None:
    told = declare_python("""
from enum import Enum
from viewflow.fsm import State

class Stage(Enum):
    NEW = 1
    LIVE = 2

class Page:
    stage = State(Stage, default=Stage.NEW)

    @stage.transition(source=Stage.NEW, target=Stage.LIVE)
    def publish(self):
        pass
""")
    assert "    stage: Stage\n" in told
    assert "        new -> live\n" in told
    assert "    requires: page.stage = new\n    ensures: page.stage = live\n" in told
