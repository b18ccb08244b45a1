"""Rules of operations in other files follow the types that they are about."""

import pytest

from git_retcon.allium.engine import Checkpoint
from git_retcon.allium.engines.engine_opening import open_offline
from git_retcon.allium.evolve.source_files import SourceFiles
from git_retcon.allium.store.spec_tree import SpecTrees
from git_retcon.git.graph import read_commit, tree_of
from tests.allium.fresh_reading import read_spec
from tests.allium.history_shapes import BRANCH, evolve
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.program import allium_here
from tests.repository import TestRepository

KINDS, MODEL, SERVICE = "src/shop/kinds.py", "src/shop/order.py", "src/till/service.py"
STATUS = "import enum\n\nclass Status(enum.Enum):\n    NEW = 1\n    PAID = 2\n    LOST = 3\n"
BARE = "class Order:\n    id: int\n    total: int\n"
ORDER = "from shop.kinds import Status\n\n" + BARE + "    status: Status = Status.NEW\n"
PAY = """\
from shop.kinds import Status
from shop.order import Order

def pay(order: Order):
    if order.status != Status.NEW:
        raise ValueError
    order.status = Status.PAID
"""
LOSE = "\ndef lose(order):\n    order.status = Status.LOST\n"
ALL: dict[str, str | None] = {KINDS: STATUS, MODEL: ORDER, SERVICE: PAY}
RULE = """\
-- Source: src/till/service.py, pay
-- Source: src/shop/order.py, Order
-- Source: src/shop/kinds.py, Status
rule OrderPay {
    when: PayOrder(order)
    requires: order.status = new
    ensures: order.status = paid
}
"""


def test_it_is_in_the_module_of_the_operation(repo: TestRepository) -> None:
    repo.commit("all", ALL)
    evolve(repo)
    assert RULE in read_spec(repo)["spec/till.allium"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({MODEL: BARE}, {MODEL: ORDER}),
        ({}, {MODEL: BARE}),
        ({}, {MODEL: None}),
        ({}, {KINDS: STATUS.replace("PAID", "SETTLED")}),
        ({KINDS: STATUS.replace("PAID", "SETTLED")}, {KINDS: STATUS}),
        ({}, {KINDS: STATUS.replace("LOST", "GONE")}),
        ({}, {SERVICE: PAY + LOSE}),
        ({SERVICE: PAY + LOSE}, {SERVICE: PAY}),
        ({}, {SERVICE: "pass\n"}),
        ({}, {SERVICE: None, "src/desk/service.py": PAY}),
        ({}, {SERVICE: "pass\n", "src/desk/other.py": PAY}),
        ({}, {MODEL: None, "src/desk/order.py": ORDER,
              SERVICE: PAY.replace("shop.order", "desk.order")}),
        ({}, {SERVICE: PAY.replace("pay(", "settle(")}),
        ({}, {SERVICE: "def pay((:\n"}),
    ],
    ids=["states-come", "states-go", "type-goes", "value-goes", "value-comes", "value-changes",
         "rule-comes", "rule-goes", "rules-go", "file-moves", "rule-moves", "type-moves", "renamed",
         "breaks"],
)  # fmt: skip
@pytest.mark.parametrize("command", ["evolve", "reconcile"])
def test_it_is_as_in_a_fresh_reading(
    repo: TestRepository,
    before: dict[str, str | None],
    after: dict[str, str | None],
    command: str,
) -> None:
    repo.commit("before", {**ALL, **before})
    evolve(repo)
    repo.commit("after", after)
    allium_here(repo.path, command, "--offline").ok()
    stepwise = read_spec(repo)
    repo.git("config", "allium.branch", "once")
    # What cannot be read is told as it was.
    evolve(repo, *([] if "def pay((" in str(after) else ["--last=1"]))
    assert stepwise == read_spec(repo, "once")


def test_a_whole_comparison_takes_out_what_no_source_says(repo: TestRepository) -> None:
    """Of a history that is not there: what the source said before is not known."""
    repo.commit("all", ALL)
    evolve(repo)
    repo.commit("gone", {SERVICE: PAY.replace("pay(", "look(").replace("PAID", "NEW")})
    opened = repo.open()
    store = SpecTrees(opened).read(tree_of(opened, repo.rev(BRANCH))).store
    checkpoint = Checkpoint(read_commit(opened, repo.rev("HEAD")), store, None)
    reconciler = open_offline(opened, SourceFiles(opened, ()).select)
    assert "rule OrderPay" in {each.section for each in reconciler.reconcile(checkpoint).findings}


def test_what_people_wrote_in_it_stays(repo: TestRepository) -> None:
    repo.commit("all", ALL)
    evolve(repo)
    edit(repo, "till", "status = new", "status in {new, lost}")
    repo.commit("more", {SERVICE: PAY + LOSE})
    evolve(repo)
    spec = read_spec(repo)["spec/till.allium"]
    assert "requires: order.status in {new, lost}" in spec and "rule OrderLose" in spec


@pytest.mark.parametrize("guard", ["", "if bill.status != Status.NEW:\n        raise E\n    "])
def test_an_object_of_which_the_name_tells_half_is_found_in_any_state(
    repo: TestRepository, guard: str
) -> None:
    """Which ones are found, nothing says: it may be those of one state. A guard does."""
    model = ORDER.replace("Order", "PaperBill")
    pay = (
        "from shop.kinds import Status\nfrom shop.order import PaperBill\n\ndef pay(store):\n"
        f"    bill = store.next()\n    {guard}bill.status = Status.PAID\n"
    )
    lose = pay.replace("pay", "lose").replace("PAID", "LOST").replace("Status.NEW", "Status.PAID")
    files = {KINDS: STATUS, MODEL: model, SERVICE: pay, "src/till/other.py": lose}
    repo.commit("whole", files)
    evolve(repo)
    spec = read_spec(repo)
    assert "ensures: paper_bill.status = paid" in spec["spec/till.allium"]
    assert ("new -> paid\n        paid -> lost" in spec["spec/shop.allium"]) == bool(guard)
    assert ("->" in spec["spec/shop.allium"]) == bool(guard)
