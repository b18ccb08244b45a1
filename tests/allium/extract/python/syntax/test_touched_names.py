"""What an operation sets before it checks or uses it says nothing of what its caller gave."""

import pytest

from tests.allium.extract.declared import ORDER, declare_python


def declare_refund(body: str) -> str:
    method = "\n    def refund(self, amount: int):\n" + body
    return declare_python(ORDER + method).partition("rule OrderRefund")[2]


@pytest.mark.parametrize(
    "change",
    [
        "amount = abs(amount)",
        "amount: int = abs(amount)",
        "rest, amount = divmod(amount, 7)",
        "first, *amount = amount",
        "for amount in range(9):\n            pass",
        "with self.open() as amount:\n            pass",
        "if (amount := ask()):\n            pass",
        "if not amount:\n            amount = 7",
    ],
)
def test_a_parameter_that_was_set_is_no_demand_on_the_caller(change: str) -> None:
    told = declare_refund(f"""
        {change}
        if amount < 3:
            raise ValueError
        self.status = Status.NEW
""")
    assert "order.status = new" in told
    assert "requires" not in told


def test_a_field_that_an_own_method_sets_is_no_demand() -> None:
    told = declare_refund("""
        self.reset()
        if self.total < 3:
            raise ValueError
        self.status = Status.NEW

    def reset(self):
        self.total = 7
""")
    assert "order.total >=" not in told


def test_a_property_of_a_field_that_was_set_is_no_demand() -> None:
    told = declare_refund("""
        self.total = 7
        if self.is_small:
            raise ValueError
        self.status = Status.NEW

    @property
    def is_small(self):
        return self.total < 9
""")
    assert "requires" not in told


def test_of_what_a_field_gets_the_last_counts() -> None:
    told = declare_refund("""
        if self.status != Status.PAID:
            raise ValueError
        self.total = 7
        self.total = count()
""")
    assert "requires: order.status = paid" in told
    assert "order.total" not in told


def test_a_parameter_that_was_set_is_not_what_a_field_gets() -> None:
    told = declare_refund("""
        if self.status != Status.PAID:
            raise ValueError
        amount = abs(amount)
        self.total = amount
""")
    assert "order.total" not in told


def test_a_function_that_is_only_defined_sets_and_checks_nothing() -> None:
    told = declare_refund("""
        def check():
            self.total = 7
            return amount
        if self.total < 3:
            raise ValueError
        self.status = Status.NEW
""")
    assert "requires: order.total >= 3" in told
    assert "order.total =" not in told


def test_a_class_whose_methods_all_run_each_other_is_read_in_time() -> None:
    methods = "".join(
        f"""
    def step{at}(self):
        if self.is_open:
            raise ValueError
        self.is_open = True
        self.number = {at}
        if self.number == 1:
            self.step{(at + 1) % 1000}()
"""
        for at in range(1000)
    )
    source = f"class Job:\n    def __init__(self):\n        self.is_open = False\n{methods}"
    assert "rule JobStep7 {" in declare_python(source)


def test_what_another_object_answers_says_nothing_of_the_field() -> None:
    source = (
        ORDER.partition("    def ship")[0]
        + """
    def ship(self, others):
        if self.status != Status.PAID:
            raise ValueError
        if not all(each.is_paid for each in others):
            raise ValueError
        self.status = Status.SHIPPED
"""
    )
    assert "        paid -> shipped\n" in declare_python(source)
