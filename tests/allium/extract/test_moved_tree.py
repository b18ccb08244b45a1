"""What moved to another file means what it meant before, to itself and to all that rest on it."""

import pytest

from tests.allium.fresh_reading import expect_the_same_declarations
from tests.allium.history_shapes import evolve
from tests.program import allium_here
from tests.repository import TestRepository

KIND = "import enum\nclass Kind(enum.Enum):\n    A = 'a'\n    B = 'b'\n    C = 'c'\n"
BASE = """\
class Base:
    note: str
    kind: Kind = Kind.A
    def close(self):
        if self.kind != Kind.A:
            raise ValueError
        self.kind = Kind.B
"""
HEIR = "class Order(Base):\n    id: int\n    base: Base\n"
ENTITY = """\
class Parcel:
    id: int
    kind: Kind = Kind.A
    def pack(self):
        if self.kind != Kind.A:
            raise ValueError
        self.kind = Kind.B
"""
SHIPPING = """\
from base.parcel import Parcel
from base.parcel import Kind
def ship(parcel: Parcel):
    if parcel.kind != Kind.B:
        raise ValueError
    parcel.kind = Kind.C
"""
OTHER = "from shop.order import Order\nclass Parcel(Order):\n    order: Order\n"
SERVICE = """\
def reopen(base: Base):
    if base.kind != Kind.B:
        raise ValueError
    base.kind = Kind.C
"""
FROM_BASE = "from base.base import Base, Kind\n"
PACKAGES = {"src/base/__init__.py": "", "src/shop/__init__.py": ""}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # The file goes to a package that is there, and its users follow it.
        (
            {"src/base/base.py": KIND + BASE, "src/shop/order.py": FROM_BASE + HEIR},
            {"src/base/base.py": None, "src/shop/base.py": KIND + BASE,
             "src/shop/order.py": FROM_BASE.replace("base.base", "shop.base") + HEIR},
        ),
        # Its users do not follow it.
        (
            {"src/base/base.py": KIND + BASE, "src/shop/order.py": FROM_BASE + HEIR},
            {"src/base/base.py": None, "src/base/root.py": KIND + BASE + "    # New.\n"},
        ),
        # A part of the file goes with it, another goes away.
        (
            {"src/base/base.py": KIND + BASE + HEIR},
            {"src/base/base.py": None, "src/base/root.py": KIND + BASE},
        ),
        (
            {"src/base/base.py": KIND + BASE + SERVICE},
            {"src/base/base.py": None, "src/base/root.py": BASE + SERVICE},
        ),
        # A class goes to the file of its base class, or leaves it.
        (
            {"src/base/base.py": KIND + BASE, "src/shop/order.py": FROM_BASE + HEIR + SERVICE,
             "src/shop/other.py": OTHER},
            {"src/base/base.py": KIND + BASE + HEIR, "src/shop/order.py": FROM_BASE + SERVICE,
             "src/shop/other.py": OTHER.replace("shop.order", "base.base")},
        ),
        (
            {"src/base/base.py": KIND + BASE + HEIR, "src/shop/order.py": FROM_BASE + SERVICE,
             "src/shop/other.py": OTHER.replace("shop.order", "base.base")},
            {"src/base/base.py": KIND + BASE, "src/shop/order.py": FROM_BASE + HEIR + SERVICE,
             "src/shop/other.py": OTHER},
        ),
        # A class leaves the file that has what it names, and comes without it.
        (
            {"src/base/base.py": KIND + BASE, "src/shop/order.py": "class Cart:\n    id: int\n"},
            {"src/base/base.py": KIND, "src/shop/order.py": "class Cart:\n    id: int\n" + BASE},
        ),
        # An enum leaves the file of its entity, or comes to it, and a service cites both.
        (
            {"src/base/parcel.py": KIND + ENTITY, "src/shop/ship.py": SHIPPING},
            {"src/base/parcel.py": "from kinds.kind import Kind\n" + ENTITY,
             "src/kinds/kind.py": KIND},
        ),
        (
            {"src/base/parcel.py": "from kinds.kind import Kind\n" + ENTITY,
             "src/kinds/kind.py": KIND, "src/shop/ship.py": SHIPPING},
            {"src/base/parcel.py": KIND + ENTITY, "src/kinds/kind.py": None},
        ),
        # A class goes to another package while the file of its base class goes to a third one.
        (
            {"src/base/base.py": KIND + BASE, "src/shop/order.py": FROM_BASE + HEIR},
            {"src/base/base.py": None, "src/shop/order.py": None,
             "src/mid/base.py": KIND + BASE.replace("note: str", "note: str\n    label: str"),
             "src/cart/order.py": FROM_BASE.replace("base.base", "mid.base") + HEIR},
        ),
        # The files of a package go to two others, and one of them changes.
        (
            {"src/base/base.py": KIND + BASE, "src/base/cart.py": "class Cart:\n    id: int\n"},
            {"src/base/base.py": None, "src/base/cart.py": None,
             "src/mid/base.py": KIND + BASE + "    # New.\n",
             "src/shop/cart.py": "class Cart:\n    id: int\n"},
        ),
    ],
    ids=["to-package", "alone", "in-part", "service", "to-base", "from-base", "without-enum",
         "enum-away", "enum-back", "with-base", "apart"],
)  # fmt: skip
@pytest.mark.parametrize("command", ["evolve", "reconcile"])
def test_what_moved_is_as_if_read_afresh(
    repo: TestRepository, before: dict[str, str], after: dict[str, str | None], command: str
) -> None:
    repo.commit("before", {**PACKAGES, **before})
    evolve(repo)
    if command == "reconcile":
        # The first one compares all of the source.
        allium_here(repo.path, command, "--offline").ok()
    repo.commit("after", after)
    allium_here(repo.path, command, "--offline").ok()
    allium_here(repo.path, "check", "--drift").ok()
    expect_the_same_declarations(repo)
