"""What uses a type is described again where its file says something else of it."""

from collections.abc import Mapping

import pytest

from tests.allium.fresh_reading import expect_a_fresh_reading, read_spec
from tests.allium.history_shapes import evolve
from tests.program import allium_here
from tests.repository import TestRepository

BARE = "class Base:\n    def hello(self):\n        return 1\n"
FULL = """\
import enum
class Status(enum.Enum):
    OPEN = 'open'
    DONE = 'done'
class Base:
    status: Status = Status.OPEN
    def close(self):
        if self.status != Status.OPEN:
            raise ValueError
        self.status = Status.DONE
"""
ORDER = """\
from base.base import Base
class Order(Base):
    total: int
    def pay(self):
        if self.total < 0:
            raise ValueError
"""


def evolve_both_ways(
    repo: TestRepository, before: Mapping[str, str | None], after: Mapping[str, str | None]
) -> dict[str, str]:
    """The specification of two commits, which a fresh reading of the second alone has to say."""
    repo.commit("before", before)
    evolve(repo)
    repo.commit("after", after)
    evolve(repo)
    return expect_a_fresh_reading(repo)


@pytest.mark.parametrize(
    "middle",
    [
        {},
        # A class between the two, of which nothing was said either.
        {"src/mid/mid.py": "from base.base import Base\nclass Mid(Base):\n    pass\n",
         "src/shop/order.py": ORDER.replace("base.base", "mid.mid").replace("Base", "Mid")},
    ],
)  # fmt: skip
def test_a_base_class_that_gets_its_first_fields(
    repo: TestRepository, middle: dict[str, str]
) -> None:
    before = {"src/base/base.py": BARE, "src/shop/order.py": ORDER, **middle}
    spec = evolve_both_ways(repo, before, {"src/base/base.py": FULL})
    assert (
        "entity Order {\n    status: base/Status\n    total: Integer\n"
        in (spec["spec/shop.allium"])
    )


@pytest.mark.parametrize("first", [BARE, FULL.replace("def close", "note: str\n    def close")])
def test_a_reconciliation_sees_files_that_did_not_change(repo: TestRepository, first: str) -> None:
    repo.commit("before", {"src/base/base.py": first, "src/shop/order.py": ORDER})
    evolve(repo)
    # The first one compares all of the source.
    allium_here(repo.path, "reconcile", "--offline").ok()
    repo.commit("after", {"src/base/base.py": FULL})
    allium_here(repo.path, "reconcile", "--offline").ok()
    allium_here(repo.path, "check", "--drift").ok()
    assert "note" not in expect_a_fresh_reading(repo)["spec/shop.allium"]


@pytest.mark.parametrize("new", [FULL, FULL.replace("def close", "label: str\n    def close")])
def test_a_reconciliation_cites_a_base_class_where_it_is_now(
    repo: TestRepository, new: str
) -> None:
    repo.commit("before", {"src/base/base.py": FULL, "src/shop/order.py": ORDER})
    evolve(repo)
    moved = {"src/mid/base.py": new, "src/shop/order.py": ORDER.replace("base.base", "mid.base")}
    repo.commit("after", {"src/base/base.py": None, **moved})
    allium_here(repo.path, "reconcile", "--offline").ok()
    expect_a_fresh_reading(repo)


def test_a_class_that_becomes_an_enum(repo: TestRepository) -> None:
    order = "from base.kinds import Kind\nclass Order:\n    id: int\n    kind: Kind\n"
    before = {"src/base/kinds.py": "class Kind:\n    pass\n", "src/shop/order.py": order}
    after = {"src/base/kinds.py": "import enum\nclass Kind(enum.Enum):\n    A = 'a'\n    B = 'b'\n"}
    spec = evolve_both_ways(repo, before, after)
    assert "kind: base/Kind" in spec["spec/shop.allium"]


def test_a_file_that_is_no_source_is_not_searched(repo: TestRepository) -> None:
    repo.commit("before", {"src/base/base.py": BARE, "tests/test_order.py": ORDER})
    evolve(repo)
    repo.commit("after", {"src/base/base.py": FULL})
    evolve(repo)
    assert "Order" not in "".join(read_spec(repo).values())


def test_what_inherits_from_a_file_that_left_its_import_behind(repo: TestRepository) -> None:
    order = "from base.base import Base\nclass Order(Base):\n    id: int\n"
    base = "class Base:\n    note: str\n    label: str\n"
    repo.commit("whole", {"src/base/base.py": base, "src/shop/order.py": order})
    evolve(repo)
    repo.commit("moved", {"src/base/base.py": None, "src/base/model.py": base})
    evolve(repo)
    repo.commit("changed", {"src/base/model.py": base.replace("    label: str\n", "")})
    evolve(repo)
    spec = evolve_both_ways(
        repo, {}, {"src/shop/order.py": order.replace("base.base", "base.model")}
    )
    assert "entity Order {\n    note: String\n    id: Integer\n}" in spec["spec/shop.allium"]


ENUM = "import enum\nclass Kind(enum.Enum):\n    A = 'a'\n    B = 'b'\n"
HEIR = "from base.base import Base\nclass Order(Base):\n    id: int\n"
NOTED = "class Base:\n    note: str\n"
SERVICE = """\
from base.order import Order
def ship(order: Order):
    if order.status != 'paid':
        raise ValueError
    order.status = 'shipped'
"""
ENTITY = """\
from typing import Literal
class Order:
    id: int
    status: Literal['new', 'paid', 'shipped'] = 'new'
    def pay(self):
        if self.status != 'new':
            raise ValueError
        self.status = 'paid'
"""
PAYING = """\
export async function pay(id: number) {
  await prisma.order.updateMany({ where: { id, status: 'NEW' }, data: { status: 'PAID' } });
}
"""
SCHEMA = """\
enum Status {
  NEW
  PAID
}
model Order {
  id     Int    @id
  status Status
}
"""
MODEL = """\
export enum Status { NEW = 'new', PAID = 'paid' }
export class Order { id: number; status: Status; }
"""
KEEPING = """\
import { OrderRepository } from '../base/order.repository';
import { Status } from '../base/order';
export class PayService {
  constructor(private readonly orders: OrderRepository) {}
  async pay(id: number) {
    await this.orders.update({ id, status: Status.NEW }, { status: Status.PAID });
  }
}
"""
KEPT = """\
import { Order } from './order';
export class OrderRepository extends BaseRepository<Order> {
  count(): number { return 1; }
}
"""
LATE_TYPES = [
    # What a file uses, the file that lacks, what it says, and what the specification says of it.
    ({"src/shop/order.py": HEIR}, {"src/base/base.py": NOTED}, "note: String\n    id: Integer"),
    (
        {"src/shop/order.py": HEIR.replace("    id: int", "    pass")},
        {"src/base/base.py": NOTED},
        "entity Order {\n    note: String",
    ),
    (
        {"src/shop/order.py": HEIR, "src/base/base.py": "VERSION = 1\n"},
        {"src/base/base.py": NOTED},
        "note: String\n    id: Integer",
    ),
    (
        {"src/shop/order.py": HEIR, "src/base/base.py": NOTED.replace(":", "(")},
        {"src/base/base.py": NOTED},
        "note: String\n    id: Integer",
    ),
    (
        {"src/shop/order.py": HEIR.replace("base.base", "base"), "src/base/deep.py": NOTED},
        {"src/base/__init__.py": "from base.deep import Base\n", "src/shop/__init__.py": ""},
        "note: String\n    id: Integer",
    ),
    (
        {"src/shop/order.py": HEIR.replace("base.base", "base"), "src/base/deep.py": NOTED},
        {"src/base/__init__.py": "from base.deep import *\n", "src/shop/__init__.py": ""},
        "note: String\n    id: Integer",
    ),
    (
        {"src/shop/order.py": HEIR.replace("base.base", "mid.mid").replace("Base", "Mid"),
         "src/mid/mid.py": "from base.base import Base\nclass Mid(Base):\n    pass\n"},
        {"src/base/base.py": NOTED},
        "note: String\n    id: Integer",
    ),
    # The class between the two changes in the same commit.
    (
        {"src/shop/order.py": HEIR.replace("base.base", "mid.mid").replace("Base", "Mid"),
         "src/mid/mid.py": "class Mid(Base):\n    pass\n"},
        {"src/base/base.py": NOTED,
         "src/mid/mid.py": "from base.base import Base\nclass Mid(Base):\n    pass\n"},
        "note: String\n    id: Integer",
    ),
    # The file of the type has what inherits from the class between the two as well.
    (
        {"src/shop/order.py": HEIR.replace("Base", "Last"),
         "src/base/base.py": "from mid.mid import Mid\nclass Last(Mid):\n    pass\n",
         "src/mid/mid.py": "from base.base import Base\nclass Mid(Base):\n    pass\n"},
        {"src/base/base.py": "from mid.mid import Mid\n" + NOTED + "class Last(Mid):\n    pass\n"},
        "note: String\n    id: Integer",
    ),
    # A class gets a kind of its own, and those that inherit from it get it too.
    (
        {"src/shop/order.py": HEIR, "src/base/base.py": NOTED.replace("Base", "Base(Unknown)")},
        {"src/base/base.py": NOTED},
        "note: String\n    id: Integer",
    ),
    # A class without anything of its own gets a base class.
    (
        {"src/shop/order.py": HEIR, "src/base/base.py": "class Base:\n    pass\n",
         "src/mid/mid.py": NOTED.replace("Base", "Mid")},
        {"src/base/base.py": "from mid.mid import Mid\nclass Base(Mid):\n    pass\n"},
        "note: String\n    id: Integer",
    ),
    # A class finds its base class again.
    (
        {"src/shop/order.py": HEIR, "src/base/base.py": "class Base(Mid):\n    pass\n",
         "src/mid/mid.py": NOTED.replace("Base", "Mid")},
        {"src/base/base.py": "from mid.mid import Mid\nclass Base(Mid):\n    pass\n"},
        "note: String\n    id: Integer",
    ),
    (
        {"src/shop/order.py": HEIR, "src/base/other.py": NOTED},
        {"src/base/other.py": None, "src/base/base.py": NOTED},
        "note: String\n    id: Integer",
    ),
    (
        {"src/shop/order.py": "from base.kinds import Kind\n"
         "class Order:\n    id: int\n    kind: Kind\n"},
        {"src/base/kinds.py": ENUM},
        "kind: base/Kind",
    ),
    # It inherits a field of the type.
    (
        {"src/shop/order.py": "from mid.mid import Mid\nclass Order(Mid):\n    id: int\n",
         "src/mid/mid.py": "from base.kinds import Kind\nclass Mid:\n    kind: Kind\n"},
        {"src/base/kinds.py": ENUM},
        "kind: base/Kind\n    id: Integer",
    ),
    ({"src/shop/ship.py": SERVICE}, {"src/base/order.py": ENTITY}, "requires: order.status = paid"),
    ({"src/shop/pay.ts": PAYING}, {"src/prisma/schema.prisma": SCHEMA},
     "requires: order.status = new"),
    ({"src/shop/pay.ts": KEEPING, "src/base/order.ts": MODEL},
     {"src/base/order.repository.ts": KEPT}, "requires: order.status = new"),
    ({"src/shop/pay.ts": KEEPING, "src/base/order.ts": MODEL,
      "src/base/order.repository.ts": KEPT.replace("{ Order", "{ Bill").replace("<Order", "<Bill")},
     {"src/base/order.repository.ts": KEPT}, "requires: order.status = new"),
    (
        {"src/shop/order.ts": "import Root from '../base/root'\n"
         "export class Order extends Root { id: number = 0 }\n"},
        {"src/base/root.ts": "export default class Base { note: string = '' }\n"},
        "note: String\n    id: Decimal",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("before", "late", "expected"), LATE_TYPES)
def test_a_type_that_arrives_after_its_users(
    repo: TestRepository,
    before: Mapping[str, str | None],
    late: Mapping[str, str | None],
    expected: str,
) -> None:
    spec = evolve_both_ways(repo, before, late)
    assert expected in spec["spec/shop.allium"]


@pytest.mark.parametrize(("before", "late", "expected"), LATE_TYPES)
def test_a_file_that_is_deleted_and_restored(
    repo: TestRepository,
    before: Mapping[str, str | None],
    late: Mapping[str, str | None],
    expected: str,
) -> None:
    repo.commit("users", before)
    repo.commit("whole", late)
    evolve(repo)
    repo.git("revert", "--no-edit", "HEAD")
    evolve(repo)
    repo.git("revert", "--no-edit", "HEAD")
    evolve(repo)
    allium_here(repo.path, "check", "--drift").ok()
    assert expected in expect_a_fresh_reading(repo)["spec/shop.allium"]


@pytest.mark.parametrize(("before", "late", "expected"), LATE_TYPES)
def test_a_reconciliation_sees_the_users_of_a_type_that_arrives(
    repo: TestRepository,
    before: Mapping[str, str | None],
    late: Mapping[str, str | None],
    expected: str,
) -> None:
    repo.commit("users", before)
    evolve(repo)
    # The first one compares all of the source.
    allium_here(repo.path, "reconcile", "--offline").ok()
    repo.commit("late", late)
    allium_here(repo.path, "reconcile", "--offline").ok()
    assert expected in expect_a_fresh_reading(repo)["spec/shop.allium"]


ITEM = "class Item:\n    id: int\n    kind: Kind\n"
KIND_OF_ITEM = "from base.kinds import Kind\n"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", KIND_OF_ITEM, "kind: base/Kind\n    size: Integer"),
        (KIND_OF_ITEM, "", "kind: Any -- Kind\n    size: Integer"),
        (KIND_OF_ITEM, KIND_OF_ITEM.replace("base", "mid"), "kind: mid/Kind\n    size: Integer"),
    ],
)
def test_a_class_whose_file_imports_otherwise(
    repo: TestRepository, before: str, after: str, expected: str
) -> None:
    repo.commit("kinds", {
        "src/base/kinds.py": ENUM,
        "src/mid/kinds.py": ENUM.replace("A = 'a'", "C = 'c'"),
        "src/shop/order.py": "from stock.item import Item\nclass Order(Item):\n    size: int\n",
    })  # fmt: skip
    files = ({"src/stock/item.py": each + ITEM} for each in (before, after))
    spec = evolve_both_ways(repo, *files)
    assert expected in spec["spec/shop.allium"]


def test_an_import_that_is_corrected_after_its_file_moved(repo: TestRepository) -> None:
    item = "from people.user import User\nclass Item(User):\n    total: int\n"
    order = "from stock.item import Item\nclass Order:\n    id: int\n    item: Item\n"
    user = "class User:\n    name: str\n"
    start = {"src/people/user.py": user, "src/stock/item.py": item, "src/shop/order.py": order}
    repo.commit("start", start)
    evolve(repo)
    spec = evolve_both_ways(
        repo,
        {"src/people/user.py": None, "src/base/user.py": user},
        {"src/stock/item.py": item.replace("people", "base")},
    )
    assert "item: stock/Item" in spec["spec/shop.allium"]


@pytest.mark.parametrize("command", ["evolve", "reconcile"])
def test_a_class_that_goes_and_comes_with_the_file_of_its_base(
    repo: TestRepository, command: str
) -> None:
    parcel = "from shop.order import Order\nclass Parcel:\n    size: int\n    order: Order\n"
    whole = {"src/base/base.py": NOTED, "src/shop/order.py": HEIR, "src/mail/parcel.py": parcel}
    repo.commit("whole", whole)
    evolve(repo)
    # The first one compares all of the source.
    allium_here(repo.path, "reconcile", "--offline").ok()
    repo.commit("without", {"src/base/base.py": None})
    allium_here(repo.path, command, "--offline").ok()
    without = read_spec(repo)
    assert "order: Any -- Order\n" in without["spec/mail.allium"]
    assert "open question" not in "".join(without.values())
    repo.commit("with", {"src/base/base.py": NOTED})
    allium_here(repo.path, command, "--offline").ok()
    assert "order: shop/Order\n" in expect_a_fresh_reading(repo)["spec/mail.allium"]


def test_another_order_is_no_difference_for_a_reconciliation(repo: TestRepository) -> None:
    repo.commit("before", {"src/base/kinds.py": ENUM, "src/base/base.py": FULL})
    evolve(repo)
    allium_here(repo.path, "reconcile", "--offline").ok()
    turned = ENUM.partition("    A")[0] + "    B = 'b'\n    A = 'a'\n"
    repo.commit("turned", {"src/base/kinds.py": turned})
    assert "0 findings" in allium_here(repo.path, "reconcile", "--offline").ok().err
    allium_here(repo.path, "check", "--drift").ok()


TABLES = """
from base.states import Status
NEXT = {Status.NEW: [Status.PAID], Status.PAID: [Status.SENT], Status.SENT: []}
"""
ASKING = """
from base.states import Status
from base.tables import NEXT
class Order:
    id: int
    def __init__(self):
        self.status = Status.NEW
    def move(self, new: Status):
        if new not in NEXT[self.status]:
            raise ValueError(new)
        self.status = new
    def send(self):
        if self.status != Status.PAID:
            raise ValueError
        self.status = Status.SENT
"""


def test_a_table_that_changes_alone_is_read_again(repo: TestRepository) -> None:
    states = "import enum\nclass Status(enum.Enum):\n    NEW = 1\n    PAID = 2\n    SENT = 3\n"
    before = {"src/base/states.py": states, "src/base/tables.py": TABLES,
              "src/shop/order.py": ASKING}  # fmt: skip
    after = {"src/base/tables.py": TABLES.replace("SENT: []", "SENT: [Status.NEW]")}
    spec = evolve_both_ways(repo, before, after)["spec/shop.allium"]
    assert "paid -> sent\n        sent -> new\n" in spec
    assert "terminal" not in spec


def test_a_table_that_arrives_after_what_asks_it(repo: TestRepository) -> None:
    states = "import enum\nclass Status(enum.Enum):\n    NEW = 1\n    PAID = 2\n    SENT = 3\n"
    before = {"src/base/states.py": states, "src/shop/order.py": ASKING}
    spec = evolve_both_ways(repo, before, {"src/base/tables.py": TABLES})["spec/shop.allium"]
    assert "new -> paid\n        paid -> sent\n        terminal: sent\n" in spec


def test_constants_alone_that_are_another_value_than_before(repo: TestRepository) -> None:
    door = (
        "import { STATE_OPEN, STATE_SHUT } from '../common/states';\nexport class Door {\n"
        "  private state: string = STATE_OPEN;\n  shut() {\n"
        "    if (this.state !== STATE_OPEN) { throw new Error(); }\n"
        "    this.state = STATE_SHUT;\n  }\n}\n"
    )
    states = "export const STATE_OPEN = 'open';\nexport const STATE_SHUT = 'shut';\n"
    before = {"src/common/states.ts": states, "src/house/door.ts": door}
    after = {"src/common/states.ts": states.replace("'shut'", "'closed'")}
    spec = evolve_both_ways(repo, before, after)
    assert "state: open | closed\n" in spec["spec/house.allium"]


@pytest.mark.parametrize(
    "asked",
    [
        "self.check_rule(MustBeNew(self.status))",
        "ensure_new(self.status)",
        "if not NewPolicy.allows(self.status):\n            raise ValueError",
    ],
)
def test_a_rule_of_another_file_that_demands_something_else(
    repo: TestRepository, asked: str
) -> None:
    status = "import enum\nclass Status(enum.Enum):\n    NEW = 1\n    PAID = 2\n    SENT = 3\n"
    rules = """\
from shop.status import Status
class MustBeNew:
    def __init__(self, status):
        self.status = status
    def is_broken(self):
        return self.status != Status.NEW
def ensure_new(status):
    if status != Status.NEW:
        raise ValueError
class NewPolicy:
    @staticmethod
    def allows(status):
        return status == Status.NEW
"""
    order = f"""\
from shop.rules import MustBeNew, NewPolicy, ensure_new
from shop.status import Status
from shop.base import Entity
class Order(Entity):
    def __init__(self, id: int):
        self.id = id
        self.status = Status.NEW
    def pay(self):
        {asked}
        self.status = Status.PAID
"""
    before = {"shop/status.py": status, "shop/rules.py": rules, "shop/order.py": order}
    after = {"shop/rules.py": rules.replace("Status.NEW", "Status.SENT")}
    spec = evolve_both_ways(repo, before, after)
    assert "    requires: order.status = sent\n" in "".join(spec.values())
