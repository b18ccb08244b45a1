"""What a picture shows is what the specification says."""

from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.views.domain_model import read_domain

HEAD = b"-- allium: 3\n-- X.\n\n"
SHOP = (
    HEAD
    + b"""use "./people.allium" as people

enum Status { new | paid }

entity Order {
    buyer: people/Customer
    lines: Line with order = this
    status: Status
    odd: Unknown

    transitions status {
        new -> paid
        terminal: paid
    }
}

value Line {
    order: Order
}

rule OrderPay {
    when: PayOrder(order)
    ensures: order.status = paid
}
"""
)
PEOPLE = HEAD + b"entity Customer {\n    email: String\n}\n"


def test_types_relations_and_states_are_read() -> None:
    store = SpecStore(modules={b"shop.allium": SHOP, b"people.allium": PEOPLE})
    people, shop = read_domain(store)
    assert (people.name, [box.name for box in people.boxes]) == ("people", ["Customer"])
    boxes = {box.name: box for box in shop.boxes}
    assert boxes["Status"].lines == ["new", "paid"]
    assert boxes["Order"].lines[0] == "buyer: people/Customer"
    # What no module declares has no box to lead to.
    assert list(boxes["Order"].targets) == [
        (b"people.allium", "Customer"), (b"shop.allium", "Line"), (b"shop.allium", "Status"),
    ]  # fmt: skip
    (machine,) = boxes["Order"].machines
    assert (machine.field, list(machine.states)) == ("status", ["new", "paid"])
    assert set(machine.terminal) == {"paid"}
    assert shop.others == {"rule": 1}


def test_what_declares_nothing_is_no_part_of_it() -> None:
    assert read_domain(SpecStore()) == []
