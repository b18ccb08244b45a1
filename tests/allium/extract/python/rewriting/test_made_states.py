"""States that are objects of a class which makes each of them."""

import pytest

from tests.allium.extract.declared import declare

STATUS = """
class OrderStatus:
    def __init__(self, name: str):
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    @staticmethod
    def created() -> "OrderStatus":
        \"\"\"A new order.\"\"\"
        return OrderStatus("created")

    @classmethod
    def paid(cls):
        return cls("paid")

    @staticmethod
    def sent():
        return OrderStatus("sent")

    def __eq__(self, other):
        return self._name == other._name
"""
ORDER = """
class Order:
    def __init__(self, number):
        self._number = number
        self._status = OrderStatus.created()

    def pay(self):
        if self._status != OrderStatus.created():
            raise ValueError
        self._status = OrderStatus.paid()

    def send(self):
        if self._status == OrderStatus.paid():
            self._status = OrderStatus.sent()
"""
EDGES = "        created -> paid\n        paid -> sent\n        terminal: sent\n"


@pytest.mark.parametrize("is_shared", [False, True])
@pytest.mark.parametrize("suffix", ["()", "().name"])
def test_they_are_members_as_of_an_enum(is_shared: bool, suffix: str) -> None:
    order = ORDER.replace("()\n", f"{suffix}\n").replace("():\n        ", "():\n        ")
    order = order.replace("created():", f"created{suffix}:").replace("paid():", f"paid{suffix}:")
    order = order.replace("def pay(self)" + suffix[2:], "def pay(self)")
    files = {"shop/order.py": STATUS + order}
    if is_shared:
        order = "from shop.status import OrderStatus\n" + order
        files = {"shop/status.py": STATUS, "shop/order.py": order}
    found = declare(files)
    assert EDGES in found
    assert is_shared or "enum OrderStatus { created | paid | sent }" in found


def test_a_class_that_is_not_named_for_states_keeps_its_fields() -> None:
    files = {"shop/order.py": (STATUS + ORDER).replace("OrderStatus", "OrderPlace")}
    assert "enum OrderPlace" not in declare(files)


def test_what_is_made_of_something_is_no_member() -> None:
    files = {"shop/order.py": STATUS.replace("def paid(cls)", "def paid(cls, amount)") + ORDER}
    assert EDGES not in declare(files)


def test_an_enum_may_answer_by_methods() -> None:
    found = declare(
        {
            "shop/order.py": """
from shop.states import OrderStatus
class Order:
    def __init__(self):
        self.status = OrderStatus.NEW
    def pay(self):
        if self.status != OrderStatus.first():
            raise ValueError
        self.status = OrderStatus.last()
"""
        }
    )
    assert "first" not in found
    assert "last" not in found
