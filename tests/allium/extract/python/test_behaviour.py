"""Guards and states that methods assign, followed as they run."""

from tests.allium.extract.declared import ORDER, declare_python


def test_guards_and_assignments_are_rules_and_transitions() -> None:
    assert (
        declare_python(ORDER)
        == """\
enum Status { new | paid | shipped }

entity Order {
    id: Integer
    total: Integer
    status: Status

    transitions status {
        new -> paid
        paid -> shipped
        terminal: shipped
    }
}

rule OrderPay {
    when: PayOrder(order, amount)
    requires: order.status = new
    requires: amount >= order.total
    ensures: order.status = paid
}

rule OrderShip {
    when: ShipOrder(order)
    requires: order.status = paid
    ensures: order.status = shipped
}"""
    )


def test_a_state_that_nothing_leads_to_is_a_question_and_no_graph() -> None:
    told = declare_python(ORDER.replace('    SHIPPED = "shipped"', "    SHIPPED = 1\n    LOST = 2"))
    assert "transitions" not in told
    assert "no operation here leads to or from lost" in told
    assert "rule OrderShip" in told
