"""What a declaration says, in facts."""

from git_retcon.allium.store.declared_facts import compare_facts, compare_stores, read_facts
from git_retcon.allium.store.spec_store import SpecStore
from tests.allium.specs import HEAD

ORDER = """entity Order {
    total: Integer
    lines: OrderLine with order = this
    status: placed | paid
    transitions status {
        placed -> paid
        terminal: paid
    }
}
"""
PAY = """rule Pay {
    when: PaymentReceived(order)
    requires: order.status = placed
    ensures: order.status = paid
}
"""


def changes(before: str, after: str) -> list[str]:
    found = compare_facts(b"", (HEAD + before).encode(), (HEAD + after).encode())
    return [f"{each.kind} {each.title}" for each in found]


def test_a_change_is_told_in_one_line() -> None:
    now = ORDER.replace("total: Integer", "total: Decimal") + PAY.replace(
        "(order)\n", "(order, n)\n", 1
    )
    found = compare_facts(b"", (HEAD + ORDER + PAY).encode(), (HEAD + now).encode())
    assert [each.summary for each in found] == [
        "entity Order: field total: Integer became Decimal",
        "rule Pay: when: PaymentReceived(order) became PaymentReceived(order, n)",
    ]
    found = compare_facts(b"", HEAD.encode(), (HEAD + PAY).encode())
    assert [each.summary for each in found] == ["rule Pay"]


def test_every_part_of_a_declaration_is_a_fact() -> None:
    assert [" ".join(name) for name in read_facts((HEAD + ORDER + PAY).encode())] == [
        "entity Order ",
        "entity Order field total",
        "entity Order field lines",
        "entity Order field status",
        "entity Order state status.placed",
        "entity Order state status.paid",
        "entity Order edge status: placed -> paid",
        "entity Order terminal status: paid",
        "rule Pay ",
        "rule Pay when",
        "rule Pay requires: order.status = placed",
        "rule Pay ensures: order.status = paid",
    ]


def test_layout_order_and_comments_are_no_change() -> None:
    other = ORDER.replace("    total: Integer\n", "").replace(
        "    status: placed", "    -- in cents\n    total:   Integer -- always\n    status: placed"
    )
    assert changes(ORDER + PAY, PAY + "\n-- of customers\n" + other) == []


def test_each_change_is_named_where_it_is() -> None:
    assert changes(ORDER, ORDER.replace("total: Integer", "total: Decimal?")) == [
        "changed entity Order: field total"
    ]
    assert changes(ORDER, ORDER.replace("| paid", "| paid | sent")) == [
        "added entity Order: state status.sent"
    ]
    assert changes(ORDER, ORDER.replace("        placed -> paid\n", "")) == [
        "removed entity Order: edge status: placed -> paid"
    ]
    assert changes(ORDER + PAY, ORDER) == ["removed rule Pay"], "and not its clauses"


def test_a_declaration_that_moves_to_another_module_is_no_change() -> None:
    one, other = (HEAD + ORDER).encode(), (HEAD + PAY).encode()
    before = SpecStore(modules={b"a.allium": one + PAY.encode()})
    after = SpecStore(modules={b"a.allium": one, b"b.allium": other})
    assert compare_stores(before, after) == []
    gone = SpecStore(modules={b"a.allium": one})
    assert [each.title for each in compare_stores(before, gone)] == ["rule Pay"]


def test_what_changes_in_a_declaration_that_moves_is_named_where_it_arrives() -> None:
    changed = ORDER.replace("total: Integer", "sum: Integer")
    changed = changed.replace("placed -> paid", "paid -> placed")
    before = SpecStore(modules={b"a.allium": (HEAD + ORDER).encode()})
    after = SpecStore(modules={b"b.allium": (HEAD + changed).encode()})
    found = compare_stores(before, after)
    assert {each.module for each in found} == {b"b.allium"}
    assert [f"{each.kind} {each.title}" for each in found] == [
        "removed entity Order: field total",
        "removed entity Order: edge status: placed -> paid",
        "added entity Order: field sum",
        "added entity Order: edge status: paid -> placed",
    ]
