"""What operations do is read again only where something that it goes by is another."""

from collections.abc import Mapping

import pytest

from git_retcon.allium.extract.known_rules import KnownRules
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.service_rules import ServiceRule, ServiceRules
from git_retcon.allium.extract.source_facts import FileFacts, share_facts
from git_retcon.allium.extract.state_setters import parse_operation
from tests.allium.extract.declared import Sources

STATUS = """
from enum import Enum

class Status(Enum):
    NEW = "new"
    PAID = "paid"
    LOST = "lost"
"""
BASE = """
from dataclasses import dataclass
from shop.status import Status

@dataclass
class Base:
    id: int
    status: Status = Status.NEW
"""
ORDER = "from shop.base import Base\n\nclass Order(Base):\n    total: int\n"
LIMITS = "from shop.status import Status\n\nOPEN = (Status.NEW, Status.LOST)\n"
DESK = """
from shop import limits
from shop.order import Order
from shop.status import Status

class Desk:
    def pay(self, order: Order):
        if order.status not in limits.OPEN:
            raise ValueError
        order.status = Status.PAID
"""
FILES = {
    "shop/status.py": STATUS, "shop/base.py": BASE, "shop/order.py": ORDER,
    "shop/limits.py": LIMITS, "shop/desk.py": DESK,
}  # fmt: skip


class Later(Sources):
    """A source tree after another one: what says the same is the same."""

    def __init__(self, files: Mapping[str, str], before: Sources | None = None) -> None:
        super().__init__(files)
        self._before = before
        self._known: dict[bytes, FileFacts | None] = {}

    def read(self, path: bytes) -> FileFacts | None:
        if path not in self._known:
            facts = super().read(path)
            before = self._before.read(path) if self._before is not None else None
            self._known[path] = share_facts(facts, before) if facts and before else facts
        return self._known[path]


def list_rules(tree: Sources, known: KnownRules[ServiceRule] | None = None) -> list[ServiceRule]:
    facts = tree.read(b"shop/desk.py")
    assert facts is not None
    return [*ServiceRules(tree, known=known).list_rules(facts, lambda _: True)]


CHANGES = {
    "the operation": ("shop/desk.py", "= Status.PAID", "= Status.LOST"),
    "what it imports": ("shop/desk.py", "shop.order import", "shop.other import"),
    "a list of another file": ("shop/limits.py", "(Status.NEW, Status.LOST)", "(Status.NEW,)"),
    "the field of a base class": ("shop/base.py", "status: Status", "state: Status"),
    "the base class": ("shop/order.py", "class Order(Base)", "class Order"),
    "the values of an enum": ("shop/status.py", '    PAID = "paid"\n', ""),
    "where the enum is": ("shop/base.py", "shop.status", "shop.nowhere"),
}


@pytest.mark.parametrize(("path", "old", "new"), CHANGES.values(), ids=CHANGES.keys())
def test_each_thing_that_a_rule_goes_by_changes_it(path: str, old: str, new: str) -> None:
    known: KnownRules[ServiceRule] = KnownRules()
    before = Later(FILES)
    first = list_rules(before, known)
    assert [each.rule.name for each in first] == ["OrderPay"]
    files = {**FILES, path: FILES[path].replace(old, new)}
    found = list_rules(Later(files, before), known)
    assert found == list_rules(Later(files))
    assert found != first
    assert list_rules(Later(FILES, before), known) == first


def test_a_file_that_comes_changes_it() -> None:
    known: KnownRules[ServiceRule] = KnownRules()
    before = Later({each: text for each, text in FILES.items() if each != "shop/status.py"})
    first = list_rules(before, known)
    found = list_rules(Later(FILES, before), known)
    assert found == list_rules(Later(FILES))
    assert found != first


def test_what_goes_by_nothing_that_changed_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    known: KnownRules[ServiceRule] = KnownRules()
    before = Later(FILES)
    first = list_rules(before, known)
    desk = DESK + DESK.partition("class Desk:")[2].replace("def pay", "def settle")
    changed = {"shop/desk.py": desk, "shop/other.py": "class Other: pass\n"}
    read: list[str] = []

    def note(code: str, name: str) -> Function | None:
        read.append(code)
        return parse_operation(code, name)

    monkeypatch.setattr("git_retcon.allium.extract.service_rules.parse_operation", note)
    assert len(list_rules(Later({**FILES, **changed}, before), known)) == len(first) + 1
    assert [code.partition("(")[0] for code in read] == ["def settle"]
