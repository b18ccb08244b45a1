"""What an operation makes of a state: the one that it is given, and those in which it fails."""

import pytest

from tests.allium.extract.declared import ORDER, declare_python

METHODS = """
    def set_status(self, status):
        if status != self.status:
            self.status = status
            notify(self)

    def update(self, status):
        if frozen():
            return
        self.status = status

    def lend(self, status, after):
        self.status = status
        self.work()
        self.status = after

    def assign(self, total):
        self.total = total

    def ensure_open(self):
        if self.status == Status.NEW:
            if self.total == 0:
                return
            raise Empty()
        if self.status is Status.PAID:
            raise Paid()
        raise Gone()
"""


def test_a_state_that_is_given() -> None:
    told = declare_python(ORDER + METHODS)
    assert """
rule OrderSetStatus {
    when: SetStatusOrder(order, status)
    ensures: order.status = status
}""" in told  # fmt: skip
    assert """
rule OrderUpdate {
    when: UpdateOrder(order)
    @guidance
        -- May change the status.
}""" in told  # fmt: skip
    assert """
rule OrderLend {
    when: LendOrder(order)
    @guidance
        -- May change the status.
}""" in told  # fmt: skip
    assert "OrderAssign" not in told


def test_states_in_which_an_operation_always_fails_are_refused() -> None:
    told = declare_python(ORDER + METHODS)
    assert """
rule OrderEnsureOpen {
    when: EnsureOpenOrder(order)
    requires: order.status = new
}""" in told  # fmt: skip


def test_a_state_that_an_operation_runs_another_to_leave_is_what_it_demands() -> None:
    source = (
        ORDER
        + """
    def cancel(self):
        if self.status != Status.PAID:
            raise ValueError
        self.reset()

    def reset(self):
        self.total = 0
        self.status = Status.NEW
"""
    )
    rule = "rule OrderCancel {\n    when: CancelOrder(order)\n    requires: order.status = paid\n"
    assert rule in declare_python(source)


def test_switching_a_stored_flag_is_a_rule() -> None:
    model = """
from django.db import models
class Task(models.Model):
    active = models.BooleanField(default=True)
    def deactivate(self):
        self.active = False
        self.save()
"""
    assert "    ensures: task.active = false\n" in declare_python(model)
    assert "rule" not in declare_python(model.replace("models.BooleanField(default=True)", "True"))


@pytest.mark.parametrize(
    "asked", ["self.is_paid", "self.is_paid and self.total", "not self.is_new()"]
)
def test_an_assertion_demands_states_too(asked: str) -> None:
    source = (
        ORDER
        + f"""
    def is_new(self):
        return self.status is Status.NEW

    def print_label(self):
        assert {asked}
        self.printer.print(self)
"""
    )
    states = "paid" if "new" not in asked else ""
    expected = f"= {states}" if states else "in {paid, shipped}"
    assert (
        f"rule OrderPrintLabel {{\n    when: PrintLabelOrder(order)\n"
        f"    requires: order.status {expected}\n}}" in declare_python(source)
    )


def test_a_state_that_an_operation_is_given_leaves_none_out() -> None:
    """Only of the new ones is it known which states they get."""
    source = (
        ORDER
        + """
    def move(self, state):
        if self.status == Status.NEW:
            if state != Status.SHIPPED:
                raise ValueError
        elif self.status == Status.PAID:
            raise ValueError
        self.status = state
"""
    )
    assert "requires: order.status in {new, shipped}" in declare_python(source)


@pytest.mark.parametrize("asked", ["not self.status", "self.status is None"])
def test_a_state_for_what_has_none_is_no_move(asked: str) -> None:
    source = (
        f"{ORDER}\n    def save(self):\n        if {asked}:\n            self.status = Status.NEW\n"
    )
    told = declare_python(source)
    assert "rule OrderSave" not in told
    assert "paid -> new" not in told
    assert "rule OrderReset" in declare_python(
        source
        + "\n    def reset(self):\n        if self.status:\n            self.status = Status.NEW\n"
    )


def test_what_ends_well_in_all_states_demands_none() -> None:
    examine = """
    def examine(self):
        super().examine()
        if self.status in (Status.NEW, Status.PAID):
            if others.filter(total=self.total).exists():
                raise ValueError
"""
    assert "rule OrderExamine" not in declare_python(ORDER + examine)


STOPPING = """
from enum import Enum

class State(Enum):
    NEW = 1
    RUNNING = 2
    STOPPED = 3
    FAILED = 4

class Service:
    def __init__(self):
        self.state = State.NEW

    def stop(self):
        if self.state is not State.RUNNING:
            return
        try:
            self.work()
        except OSError:
            self.state = State.FAILED
        else:
            self.state = State.STOPPED
"""


def test_what_an_operation_leads_to_says_nothing_of_states_that_it_refuses() -> None:
    told = declare_python(STOPPING)
    assert "    requires: service.state = running\n" in told
    assert "    ensures: service.state in {stopped, failed}\n" in told
    is_refused = STOPPING.replace("is not State.RUNNING", "in (State.NEW, State.STOPPED)")
    assert "    ensures: service.state in {stopped, failed}\n" in declare_python(is_refused)
