"""What runs for each of some objects moves each of them."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.typescript.test_computed_members import declare_service

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")


@pytest.mark.parametrize(
    "loop",
    [
        "orders.forEach((order) => { BODY });",
        "orders.forEach(order => { BODY });",
        "orders.forEach((order: Order) => { BODY });",
        "orders.forEach(function (order) { BODY });",
        "orders.forEach((order, at) => { BODY });",
        "rows.forEach(({ order, total: sum }: Row) => { BODY });",
        "rows.forEach(([at, order]) => { BODY });",
        "names.forEach(() => { BODY });",
        "await Promise.all(orders.map(async (order) => { BODY }));",
        "const done = await Promise.allSettled(orders.map(async (order) => { BODY }));",
    ],
)
def test_a_call_for_each_is_a_loop(loop: str) -> None:
    paid = "if (order.status === Status.NEW) { order.status = Status.PAID; return; } "
    sent = "if (order.status === Status.PAID) { order.status = Status.SHIPPED; }"
    found = declare_service(loop.replace("BODY", paid + sent))
    assert "    transitions status {\n        new -> paid\n        paid -> shipped\n" in found


def test_what_is_run_for_each_by_its_name_is_left_open() -> None:
    found = declare_service("orders.forEach(pay); order.status = Status.PAID;")
    assert "rule" in found
    assert "rule" not in declare_service("orders.forEach(pay);")


def test_a_return_in_an_inner_loop_is_left_open() -> None:
    body = "for (const x of xs) { if (x) { return; } } order.status = Status.PAID;"
    found = declare_service(f"orders.forEach((order) => {{ {body} }});")
    assert "rule" not in found


def test_a_map_that_nobody_waits_for_here_is_no_loop() -> None:
    found = declare_service("return orders.map((order) => { order.status = Status.PAID; });")
    assert "rule" not in found


def test_a_variable_has_what_a_transaction_did_before() -> None:
    found = declare_service(
        "const done = await db.transaction(async (t) => {"
        " if (order.status !== Status.NEW) { throw new Error(); }"
        " order.status = Status.PAID; return t.count(); }); log(done);"
    )
    assert "    requires: order.status = new\n    ensures: order.status = paid\n" in found


def test_what_a_transaction_leaves_early_goes_on_behind_it() -> None:
    found = declare_service(
        "const done = await db.transaction(async (t) => {"
        " if (isBack) { return 0; } order.status = Status.PAID; return 1; });"
        " if (order.status === Status.NEW) { order.status = Status.SHIPPED; }"
    )
    assert "    ensures: order.status in {paid, shipped}\n" in found
    assert "        new -> paid\n        new -> shipped\n" in found
    assert "paid -> shipped" not in found
