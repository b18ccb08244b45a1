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


def test_a_method_is_followed_through_branches_errors_and_early_returns() -> None:
    source = (
        ORDER.partition("    def pay")[0]
        + """
    def run(self):
        if self.status == Status.SHIPPED:
            return
        if self.status == Status.NEW:
            try:
                self.status = Status.PAID
                work()
            except Exception:
                self.status = Status.NEW
                raise
        else:
            self.status = Status.SHIPPED
"""
    )
    told = declare_python(source)
    edges = [line.strip() for line in told.split("\n") if "->" in line]
    assert edges == ["new -> paid", "paid -> new", "paid -> shipped"]
    assert told.endswith("""
    ensures:
        if order.status = new: order.status = paid
        else if order.status = paid: order.status = shipped
}""")
