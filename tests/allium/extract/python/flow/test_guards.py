"""What an operation demands: before an error, before it does anything, and by what it asks."""

import pytest

from tests.allium.extract.declared import ORDER, declare_python


def declare_method(method: str, fields: str = "") -> str:
    """The rules of an order with one more method, and maybe more fields."""
    source = ORDER.replace("    total: int\n", f"    total: int\n{fields}")
    return declare_python(source + method).partition("rule OrderShip")[2]


def test_all_in_one_if_is_a_guard() -> None:
    told = declare_method(
        """
    def remind(self, text):
        message = text.strip()
        if self.status == Status.NEW and self.paused and message:
            send(message)
        else:
            logger.info("nothing to remind of")
""",
        "    paused: bool\n",
    )
    assert """
rule OrderRemind {
    when: RemindOrder(order)
    requires: order.status = new
    requires: order.paused
}""" in told  # fmt: skip


def test_an_else_that_does_something_makes_it_no_guard() -> None:
    told = declare_method("""
    def remind(self):
        if self.status == Status.NEW:
            send(1)
        else:
            send(2)
""")
    assert "Remind" not in told


def test_a_flag_is_a_state_of_two_values_and_logging_does_nothing() -> None:
    told = declare_method(
        """
    def remind(self):
        if self.paused:
            if DEBUG:
                logger.warning("paused")
            return self
        send(1)
""",
        "    paused: bool\n",
    )
    assert "requires: not order.paused" in told


def test_a_permission_that_cannot_be_read_is_named() -> None:
    told = declare_method("""
    def cancel(self):
        if not self.can_cancel():
            raise NotAllowed()
        send(1)

    def can_cancel(self):
        return policies.ask("cancel", self)
""")
    assert """
rule OrderCancel {
    when: CancelOrder(order)
    @guidance
        -- Fails unless can_cancel holds.
}""" in told  # fmt: skip


def test_a_permission_is_named_once_where_the_state_changes_too() -> None:
    told = declare_method("""
    def lose(self):
        if not self.can_lose():
            raise NotAllowed()
        self.status = Status.NEW

    def can_lose(self):
        return policies.ask("lose", self)
""")
    assert told.endswith("""
    ensures: order.status = new
    @guidance
        -- Fails unless can_lose holds.
}""")


def test_a_permission_that_can_be_read_is_what_it_returns() -> None:
    told = declare_method("""
    def cancel(self):
        if not self.can_cancel():
            raise NotAllowed()
        send(1)

    def can_cancel(self):
        return self.status != Status.SHIPPED
""")
    assert "requires: order.status != shipped" in told
    assert "guidance" not in told


def test_what_is_checked_behind_an_early_return_is_no_invariant() -> None:
    told = declare_python("""
from dataclasses import dataclass
@dataclass
class Price:
    total: int
    free: bool
    def __post_init__(self):
        if self.free:
            return
        if self.total <= 0:
            raise ValueError()
""")
    assert "invariant" not in told


@pytest.mark.parametrize(
    "way_out",
    ["if amount > 3:\n            return", "if amount:\n            send(1)\n            return 7"],
)
def test_a_check_behind_a_way_out_is_no_demand(way_out: str) -> None:
    told = declare_method(f"""
    def refund(self, amount):
        {way_out}
        if self.total < 3:
            raise ValueError
        self.status = Status.NEW
""")
    assert "rule OrderRefund" in told
    assert "order.total >=" not in told


def test_a_check_behind_a_quiet_refusal_is_a_demand() -> None:
    told = declare_method(
        """
    def refund(self, amount):
        if self.paused:
            return
        if self.total < 3:
            raise ValueError
        self.status = Status.NEW
""",
        "    paused: bool\n",
    )
    assert "requires: not order.paused" in told
    assert "requires: order.total >= 3" in told


@pytest.mark.parametrize("way_out", ["if urgent:", "if not urgent.is_near():"])
def test_a_quiet_refusal_behind_another_way_out_without_work_is_a_demand(way_out: str) -> None:
    method = f"""
    def remind(self, urgent):
        {way_out}
            return
        if self.status is Status.SHIPPED:
            return
        send(self.total)
"""
    assert "requires: order.status != shipped" in declare_method(method)
    assert "Remind" not in declare_method(
        method.replace("return\n        if self", "return 7\n        if self")
    )
    assert "Remind" not in declare_method(method.replace(way_out, "if urgent.move():"))


def test_what_an_error_follows_among_other_reasons_is_refused() -> None:
    told = declare_method(
        """
    def remind(self, urgent):
        if self.paused or urgent.is_late():
            raise ValueError
        send(self.total)
""",
        "    paused: bool\n",
    )
    assert "requires: not order.paused\n}" in told


def test_an_error_that_the_caller_gave_is_reported_and_no_demand() -> None:
    told = declare_method("""
    def record(self, error, again: bool = True):
        self.total += 1
        if again:
            raise error
        remind(self)
""")
    assert "Record" not in told


def test_an_error_that_the_caller_gave_is_a_demand_on_the_state() -> None:
    told = declare_method("""
    def record(self, error):
        if self.status == Status.NEW:
            raise error
        remind(self)
""")
    assert "requires: order.status in {paid, shipped}" in told


def test_what_is_behind_the_else_of_a_refusal_is_certain() -> None:
    told = declare_method(
        """
    def refund(self, amount):
        if self.paused:
            raise RuntimeError
        elif self.total < 3:
            raise ValueError
        else:
            self.total = 0
        remind(self)
""",
        "    paused: bool\n",
    )
    assert "requires: not order.paused" in told
    assert "requires: order.total >= 3" in told
    assert "ensures: order.total = 0" in told


def test_what_is_done_where_all_that_is_demanded_holds_is_certain() -> None:
    told = declare_method(
        """
    def pause(self):
        if not self.paused:
            self.paused = True
            self.total = 0

    def wake(self):
        if self.paused and self.total > 3:
            self.paused = False
""",
        "    paused: bool\n",
    )
    pause, wake = told.split("rule ")[1:]
    assert "requires: not order.paused" in pause
    assert "ensures: order.paused = true\n    ensures: order.total = 0" in pause
    assert "ensures" not in wake


@pytest.mark.parametrize("asked", ["not self.is_paid", "self.is_new()", "not self.is_settled"])
def test_who_answers_false_where_a_property_asks_the_state_refuses(asked: str) -> None:
    told = declare_method(f"""
    def is_new(self):
        return bool(self.status != Status.PAID)

    @property
    def is_settled(self):
        return self.is_paid

    def remind(self):
        if {asked}:
            return False
        send(self.total)
        return True
""")
    assert (
        "rule OrderRemind {\n    when: RemindOrder(order)\n    requires: order.status = paid\n"
        in told
    )


def test_who_does_all_where_a_state_holds_and_else_answers_false_refuses() -> None:
    method = """
    def notify(self):
        if self.status is Status.PAID:
            self.mail.send(self)
        else:
            return False
"""
    told = declare_python(ORDER + method)
    assert "requires: order.status = paid" in told.partition("rule OrderNotify {")[2]


def test_branches_that_all_ask_for_states_are_a_guard() -> None:
    told = declare_method("""
    def remind(self):
        if self.status is Status.NEW:
            send("pay")
        elif self.status in (Status.PAID, Status.NEW):
            send("wait")
""")
    assert "when: RemindOrder(order)\n    requires: order.status in {new, paid}\n" in told
    or_paused = declare_method(
        """
    def remind(self):
        if self.status is Status.NEW:
            send("pay")
        elif self.paused:
            send("wait")
        else:
            return
""",
        "    paused: bool\n",
    )
    assert "requires: order.status = new or order.paused" in or_paused


@pytest.mark.parametrize("last", ["elif self.status is Status.SHIPPED:", "elif urgent:", "else:"])
def test_branches_for_all_states_or_for_anything_else_are_no_guard(last: str) -> None:
    told = declare_method(f"""
    def remind(self, urgent):
        if self.status is Status.NEW:
            send(1)
        elif self.status is Status.PAID:
            send(2)
        {last}
            send(3)
""")
    assert "Remind" not in told


def test_a_state_that_makes_an_operation_leave_among_other_reasons_is_refused() -> None:
    told = declare_method("""
    def remind(self, urgent):
        if not urgent or self.status is Status.SHIPPED:
            logger.info("no")
            return
        if self.total < 3:
            raise ValueError
        send(self.total)
""")
    assert """
rule OrderRemind {
    when: RemindOrder(order)
    requires: order.status != shipped
}""" in told  # fmt: skip
    both = declare_method("""
    def remind(self, urgent):
        if urgent and self.status is Status.SHIPPED:
            return
        send(self.total)
""")
    assert "Remind" not in both


def test_what_a_logger_of_the_module_tells_is_nothing_that_is_done() -> None:
    told = declare_python(
        ORDER
        + """
    def remind(self):
        if self.status is not Status.NEW:
            _LOGGER.warning("paid")
            return
        self.mail()
"""
    )
    assert "when: RemindOrder(order)\n    requires: order.status = new\n" in told


def test_a_state_that_is_wrong_is_no_error_of_types() -> None:
    source = """
from enum import Enum

class State(Enum):
    NEW = 1
    SENT = 2

class Message:
    def __init__(self):
        self.state = State.NEW

    def send(self, data):
        if self.state == State.SENT:
            raise TypeError("sent before")
        if not isinstance(data, bytes):
            raise TypeError
        self.out(data)
        self.state = State.SENT
"""
    assert "    requires: message.state != sent\n" in declare_python(source)
    plain = source.replace("self.state == State.SENT", "data is None")
    assert "requires" not in declare_python(plain)


def test_what_a_private_log_is_told_before_a_refusal_is_no_work() -> None:
    source = """
class Line:
    def __init__(self):
        self._state = "open"

    def close(self):
        self._log.info("closing")
        if self._state != "open":
            return
        self._send(b"bye")
        self._state = "closed"

    def ping(self):
        self._log.info("pinging")
        if self._state != "open":
            return
        self._send(b"ping")
"""
    assert "    when: PingLine(line)\n    requires: line.state = open\n" in declare_python(source)
    other = source.replace("_log.info", "_wire.send")
    assert "when: PingLine(line)" not in declare_python(other)


@pytest.mark.parametrize(
    "answer",
    ['False, "too late"', 'Result.failure("too late")', 'Err("too late")', "Result.fail(LATE)"],
)
def test_an_answer_that_says_no_refuses(answer: str) -> None:
    told = declare_method(f"""
    def lose(self):
        if self.status != Status.PAID:
            return {answer}
        self.status = Status.NEW
        return True, ""
""")
    assert "    requires: order.status = paid\n    ensures: order.status = new\n" in told


@pytest.mark.parametrize("answer", ["self.fail(1)", "True, 1", "Order.failed(1)", "False, run()"])
def test_any_other_answer_may_have_done_something(answer: str) -> None:
    told = declare_method(f"""
    def lose(self):
        if self.status != Status.PAID:
            return {answer}
        self.status = Status.NEW
""")
    assert "requires: order.status = paid\n    ensures: order.status = new\n" not in told
