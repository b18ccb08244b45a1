"""The transitions that tables allow, of classes whose operations ask them."""

from tests.allium.extract.declared import declare
from tests.allium.extract.python.tabled_order import HEAD, TABLE
from tests.allium.history_shapes import evolve, spec
from tests.repository import TestRepository

MOVE = """
    def move(self, new):
        check(self.status, new)
        self.status = new
"""
HEIR = """
class Gift(Order):
    def give(self):
        if self.status == Status.NEW:
            self.status = Status.SENT
"""


def list_graph(name: str, files: dict[str, str]) -> list[str]:
    """The transitions and the last states of an entity."""
    block = declare(files).partition(f" {name} {{")[2].partition("\n}")[0]
    lines = [each.strip() for each in block.split("\n")]
    return [each for each in lines if "->" in each or each.startswith("terminal")]


def test_a_heir_goes_through_the_table_that_its_base_class_asks() -> None:
    files = {"app/orders.py": HEAD + MOVE + HEIR}
    assert list_graph("Order", files) == [*TABLE, "terminal: sent"]
    assert list_graph("Gift", files) == [TABLE[0], "new -> sent", TABLE[1], "terminal: sent"]


def test_another_file_asks_by_what_it_imports() -> None:
    table, _, order = HEAD.partition("@dataclass")
    head = "from dataclasses import dataclass\nfrom app.states import Status, check\n"
    files = {"app/states.py": table, "app/orders.py": f"{head}@dataclass{order}{MOVE}"}
    assert list_graph("Order", files) == [*TABLE, "terminal: sent"]
    other = files["app/orders.py"].replace("Status, check", "Status").replace("Status\n", "Status\n"
        "from app.rules import check\n", 1)  # fmt: skip
    assert list_graph("Order", {**files, "app/orders.py": other}) == []


def test_what_moves_beside_a_table_is_known_where_another_file_has_the_states() -> None:
    states, _, order = HEAD.partition("NEXT = ")
    table, _, order = order.partition("@dataclass")
    table = table.partition("\n\ndef check")[0]
    head = "from dataclasses import dataclass\nfrom app.states import Status\n"
    beside = """
    def move(self, new):
        if new not in NEXT[self.status]:
            raise ValueError
        self.status = new

    def take_back(self):
        if self.status == Status.NEW:
            raise ValueError
        if self.status == Status.PAID:
            raise ValueError
        self.status = Status.NEW
"""
    files = {
        "app/states.py": states,
        "app/orders.py": f"{head}\nNEXT = {table}\n\n@dataclass{order}{beside}",
    }
    assert list_graph("Order", files) == [*TABLE, "sent -> new"]


def test_what_operations_do_goes_by_a_table_that_another_one_asked_first(
    repo: TestRepository,
) -> None:
    order = (
        "from enum import Enum\nfrom app.rules import NEXT\n\nclass Status(Enum):\n"
        '    NEW = "new"\n    PAID = "paid"\n    SENT = "sent"\n\nclass Order:\n    id: int\n'
        "    status: Status\n\n    def move(self, new):\n"
        "        if new not in NEXT[self.status]:\n            raise ValueError\n"
        "        self.status = new\n"
    )
    rules = (
        "from app.orders import Status\nNEXT = {\n    Status.NEW: {FIRST},\n"
        "    Status.PAID: {Status.SENT},\n    Status.SENT: set(),\n}\n"
    )
    step = (
        "\ndef NAME(order: Order):\n    if order.status != Status.NEW:\n"
        "        raise ValueError\n    order.status = Status.NEXT\n"
    )
    give, skip = (
        step.replace("NAME", name).replace("NEXT", to)
        for name, to in (("give", "PAID"), ("skip", "SENT"))
    )
    head = "from app.orders import Order, Status\n"
    one = {"app/orders.py": order, "app/rules.py": rules.replace("FIRST", "Status.PAID")}
    repo.commit("a", {**one, "app/services.py": head + give + skip})
    repo.commit("b", {
        "app/rules.py": rules.replace("FIRST", "Status.PAID, Status.SENT"),
        "app/services.py": head + give + skip + "\ndef wait(order: Order):\n    print(order)\n",
    })  # fmt: skip
    evolve(repo)
    assert "rule OrderSkip" in spec(repo, "app")
