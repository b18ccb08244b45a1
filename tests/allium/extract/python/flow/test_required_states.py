"""What has to hold of states where something else is asked as well."""

import pytest

from tests.allium.extract.declared import ORDER, declare_python

REMIND = """
    def remind(self, urgent):
        if {}:
            return
        send(1)

    def may_remind(self):
        return self.status != Status.SHIPPED and ask(self.id)

    def may_open(self, urgent):
        if urgent:
            return False
        return self.status != Status.SHIPPED
"""


def declare_test(test: str) -> str:
    return declare_python(ORDER + REMIND.format(test))


@pytest.mark.parametrize(
    "test",
    [
        "not urgent or self.status is Status.SHIPPED",
        "not (urgent and self.status is not Status.SHIPPED)",
        "not self.may_remind()",
        "not urgent or not self.may_remind()",
        "not self.may_open(urgent)",
    ],
)
def test_each_part_that_makes_an_operation_leave_is_refused(test: str) -> None:
    assert "requires: order.status != shipped\n}" in declare_test(test)


@pytest.mark.parametrize(
    "test",
    ["urgent and self.status is Status.SHIPPED", "self.may_remind()", "self.may_open(urgent)"],
)
def test_a_part_that_makes_it_leave_only_with_another_is_not(test: str) -> None:
    assert "OrderRemind" not in declare_test(test)
