"""The transitions that tables allow, of classes whose operations ask them."""

from tests.allium.extract.declared import declare
from tests.allium.extract.python.tabled_order import HEAD, TABLE

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
