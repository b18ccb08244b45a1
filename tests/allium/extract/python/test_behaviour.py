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


def test_doing_nothing_in_some_states_is_a_guard_before_anything_is_done() -> None:
    early = """
    def notify(self, text=None):
        if text is None:
            text = "paid"
        if self.status == Status.SHIPPED:
            return
        send(self.id)
"""
    late = early.replace("notify", "remind").replace("(self, text=None):", "(self):\n        log()")
    told = declare_python(ORDER + early + late)
    assert """
rule OrderNotify {
    when: NotifyOrder(order)
    requires: order.status != shipped
""" in told  # fmt: skip
    assert "Remind" not in told


def test_a_field_that_is_no_state_makes_no_guard_of_an_early_return() -> None:
    method = """
    def notify(self):
        if self.total is None:
            return
        send(self.id)
"""
    assert "Notify" not in declare_python(ORDER + method)


def test_a_private_check_of_the_state_is_no_rule_of_its_own() -> None:
    source = ORDER.replace(
        "    def ship", """    def __check_new(self) -> None:
        if self.status != Status.NEW:
            raise ValueError

    def ship"""
    )  # fmt: skip
    assert source != ORDER
    assert declare_python(source) == declare_python(ORDER)


def test_what_only_gives_something_and_fails_where_it_has_none_refuses() -> None:
    source = (
        ORDER
        + """
    def total_paid(self):
        if not self.owner:
            raise ValueError("nobody pays")
        return self.total

    def _total_paid(self):
        if not self.owner:
            raise ValueError("nobody pays")
        return self.total

    def has_total(self):
        if not self.owner:
            raise ValueError("nobody pays")
        return self.total > 0
"""
    )
    told = declare_python(
        source.replace("    total: int\n", "    total: int\n    owner: Owner | None\n")
    )
    assert told.count("    requires: order.owner != null\n") == 1
