"""Methods that answer false, or true, before their end, as the conditions of those that ask."""

import textwrap

import pytest

from tests.allium.extract.declared import ORDER, declare

ASKING = """
    from .models import Order

    def remind(order: Order):
        if not order.may_open(urgent=False):
            raise ValueError
        send(1)
    """
REMINDED = """
rule OrderRemind {
    when: RemindOrder(order)
    requires: order.status != shipped
    @guidance
        -- Fails unless may_open holds.
}"""


def declare_answer(answer: str, asking: str = ASKING) -> str:
    """What an operation of another file demands that asks a method which is made of these lines."""
    method = f"    def may_open(self, *, urgent):\n{textwrap.indent(answer, ' ' * 8)}\n"
    return declare(
        {"shop/models.py": f"{ORDER}\n{method}", "shop/services.py": textwrap.dedent(asking)}
    )


def test_all_that_makes_it_answer_false_is_demanded() -> None:
    told = declare_answer("""\
"Whether it may be opened."
if self.status not in (Status.NEW, Status.PAID):
    logger.info("too late")
    return False
if self.total >= 9:
    return False
return True""")
    assert "requires: order.status in {new, paid} and order.total < 9" in told


@pytest.mark.parametrize(
    "condition", ["if urgent:\n", "when = later()\nif when:\n", "if urgent:\n    if self.total:\n"]
)
def test_what_depends_on_more_than_the_object_is_left_open(condition: str) -> None:
    answer = "if self.status == Status.SHIPPED:\n    return False\n"
    inner = f"{condition}{' ' * 8}return False\nreturn True"
    assert REMINDED in declare_answer(answer + inner)


def test_one_that_makes_it_answer_true_is_enough() -> None:
    answer = "if self.status == Status.NEW:\n    return True\nreturn self.status == Status.PAID"
    told = declare_answer(answer, ASKING.replace("not ", ""))
    assert "requires: order.status != new and order.status != paid" in told


@pytest.mark.parametrize(
    "answer",
    [
        "if self.status == Status.NEW:\n    return None\nreturn True",
        "if self.status == Status.NEW:\n    self.total = 3\n    return False\nreturn True",
        "if self.total < 3:\n    return True\nif self.status == Status.NEW:\n    return False\n"
        "return True",
    ],
)
def test_what_answers_something_else_or_does_something_demands_nothing(answer: str) -> None:
    assert "OrderRemind" not in declare_answer(answer)
