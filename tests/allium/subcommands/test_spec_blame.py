"""``git allium blame``, as its users run it."""

import json

import pytest

from tests.allium.history_shapes import BRANCH, evolve
from tests.program import allium_here
from tests.repository import TestRepository

ORDER = """from enum import Enum


class Status(Enum):
    NEW = 1
    PAID = 2


class Order:
    id: int
    status: Status = Status.NEW

    def pay(self) -> None:
        if self.status != Status.NEW:
            raise ValueError("paid already")
        self.status = Status.PAID
"""


@pytest.fixture
def shop(repo: TestRepository) -> TestRepository:
    repo.commit("Take orders", {"src/shop/order.py": ORDER})
    repo.commit("Weigh them", {"src/shop/order.py": ORDER.replace("id: int\n", "id: str\n")})
    evolve(repo)
    return repo


def test_each_part_has_its_commit_and_its_line(shop: TestRepository) -> None:
    new, old = (f"{oid[:12]}" for oid in shop.git("rev-list", "HEAD").split())
    date = shop.git("log", "-1", "--format=%ad", "--date=format:%Y-%m-%d")
    who = shop.git("log", "-1", "--format=%an")
    told = allium_here(shop.path, "blame", "Order").ok().out.splitlines()
    assert told == [
        "spec/shop.allium:8: entity Order",
        f" {old} {date} {who} src/shop/order.py:9   entity Order",
        f" {new} {date} {who} src/shop/order.py:10  field id: String",
        f" {old} {date} {who} src/shop/order.py:11  field status: Status",
        f" {old} {date} {who} src/shop/order.py:16  edge status: new -> paid",
        f" {old} {date} {who} src/shop/order.py:16  terminal status: paid",
    ]
    assert allium_here(shop.path, "blame", "Order.id").ok().out.splitlines() == [
        "spec/shop.allium:8: entity Order: field id",
        f" {new} {date} {who} src/shop/order.py:10  Weigh them (Integer became String)",
        f" {old} {date} {who} src/shop/order.py:10  Take orders (added)",
    ]


def test_what_somebody_wrote_on_the_spec_branch_is_by_hand(shop: TestRepository) -> None:
    shop.git("checkout", "-q", BRANCH)
    module = shop.path / "spec/shop.allium"
    module.write_text(module.read_text() + "\nvalue Weight {\n    grams: Integer\n}\n")
    shop.commit("Weights")
    shop.git("checkout", "-q", "main")
    told = allium_here(shop.path, "blame", "Weight.grams").ok().out.splitlines()
    assert told[1].startswith(" by hand      ")
    assert told[1].endswith("-  Weights (added)")
    (found,) = json.loads(allium_here(shop.path, "blame", "Weight", "--json").ok().out)[
        "declarations"
    ]
    assert [each["changes"][0]["source"] for each in found["parts"]] == [None, None]


def test_a_name_that_means_nothing_is_answered_with_what_may_be_meant(shop: TestRepository) -> None:
    wrong = allium_here(shop.path, "blame", "Ordr.id")
    assert (wrong.status, wrong.err) == (
        128,
        "fatal: the specification has no 'Ordr.id'\nhint: did you mean 'Order'?\n",
    )
    wrong = allium_here(shop.path, "blame", "Order.weight")
    assert wrong.err.endswith("hint: 'git allium blame Order' lists its parts\n")
    wrong = allium_here(shop.path, "blame", "")
    assert wrong.err == (
        "fatal: the specification has no ''\nhint: 'git allium show' prints all of it\n"
    )
