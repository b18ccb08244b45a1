"""Objects that an operation takes from what its own object has."""

import pytest

from tests.allium.extract.declared import ORDER, declare

SENT = """
rule OrderSend {
    when: SendOrder(order)
    requires: order.status = paid
}"""


def declare_store(taken: str, begun: str = "pass", head: str = "self, main: Order") -> str:
    """The rules of a store whose operation works on what it takes so."""
    store = f"""
from .models import Order

class Store:
    def __init__({head}):
        self._main = main
        self._known: dict[str, Order] = {{}}
        self._listed: list[Order] = []
        {begun}

    def find(self, key) -> Order | None:
        return self._known.get(key)

    async def load(self, key) -> Order:
        return await load(key)

    async def send(self, key):
        {taken}
        if not one.is_paid:
            raise ValueError
        await mail(one)
"""
    return declare({"shop/models.py": ORDER, "shop/store.py": store})


@pytest.mark.parametrize(
    "taken",
    [
        "one = self._main",
        "one = self._known[key]",
        "one = self._known.pop(key, None)",
        "one = self._listed[0]",
        "one = self._listed.pop()",
        "one = self.find(key)",
        "one = await self.load(key)",
    ],
)
def test_what_attributes_and_methods_say_of_their_types_is_known(taken: str) -> None:
    assert SENT in declare_store(taken)


@pytest.mark.parametrize(
    "each", ["self._known.values()", "list(self._known.values())", "self._listed"]
)
def test_each_that_a_loop_takes_from_a_collection_is_known(each: str) -> None:
    assert SENT in declare_store(f"for one in {each}: mark(one)")


@pytest.mark.parametrize(
    "taken",
    ["one = self._known", "one = self._listed[1:]", "one = self._main.next", "one = self.other"],
)
def test_what_nothing_says_is_unknown(taken: str) -> None:
    assert "OrderSend" not in declare_store(taken)


@pytest.mark.parametrize(
    ("begun", "head"), [("self._main = other", "self, main: Order"), ("pass", "self, main")]
)
def test_what_may_be_something_else_is_unknown(begun: str, head: str) -> None:
    assert "OrderSend" not in declare_store("one = self._main", begun, head)


def test_a_part_is_of_the_type_that_is_said_of_it() -> None:
    part = "if not self._main.is_paid:\n            raise ValueError\n        one = make()"
    assert SENT in declare_store(part)
