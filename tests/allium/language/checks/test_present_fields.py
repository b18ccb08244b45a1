"""Fields that exist in some states only, read and derived from.

The numbers are those of the validation rules in the language's reference, and so is the order.
"""

import pytest

from tests.allium.language.specimen import diagnose

ORDER = (
    "entity Order {\n    status: pending | confirmed | shipped | delivered\n"
    "    tracking_number: String when status = shipped | delivered\n"
    "    shipped_at: Timestamp when status = shipped | delivered\n"
    "    delivery_confirmed_at: Timestamp when status = delivered\n    %s\n"
    "    transitions status {\n        pending -> confirmed\n        confirmed -> shipped\n"
    "        shipped -> delivered\n        terminal: delivered\n    }\n}\nentity Label {}\n"
)
LABEL = "ensures: Label.created(tracking: order.tracking_number)"
ONLY = (
    "'Order.tracking_number' exists only while 'status' is 'delivered' or 'shipped', "
    "which nothing here demands"
)


def say(text: str) -> list[str]:
    return [line.partition(" ")[2] for line in diagnose(text)]


def rule(*lines: str) -> list[str]:
    return say(ORDER % "" + "rule R {\n    " + "\n    ".join(lines) + "\n}")


def test_a_rule_that_reads_a_field_demands_a_state_in_which_it_exists() -> None:
    """7k, with the two rules of the reference."""
    assert rule("when: SomeEvent(order)", LABEL) == [f"warning presence.unguardedAccess: {ONLY}"]
    assert rule("when: SomeEvent(order: Order)", LABEL) == [
        f"error presence.unguardedAccess: {ONLY}"
    ]
    assert rule("when: GenerateLabel(order)", "requires: order.status = shipped", LABEL) == []


@pytest.mark.parametrize(
    "lines",
    [
        ["when: A(order: Order)", "requires: order.status in {shipped, delivered}", LABEL],
        ["when: order: Order.status becomes shipped", LABEL],
        ["when: A(order: Order)", "if order.status = shipped:", f"    {LABEL}"],
        ["when: A(other)", LABEL.replace("order.", "other.")],
        ["when: A(order: Order)", "ensures: order.tracking_number = null"],
    ],
)
def test_other_ways_to_demand_a_state(lines: list[str]) -> None:
    assert rule(*lines) == []


def test_a_state_that_is_demanded_is_one_of_those() -> None:
    lines = ["when: A(order: Order)", "requires: order.status = confirmed", LABEL]
    assert rule(*lines) == [f"error presence.unguardedAccess: {ONLY}"]


def test_an_invariant_asks_only_those_in_a_state_with_the_field() -> None:
    """The reference: 'must scope their quantification to qualifying states'."""
    text = ORDER % "" + "invariant I {\n    for o in Orders: %s\n}"
    long = "o.tracking_number.length > 3"
    assert say(text % long) == [f"error presence.unguardedAccess: {ONLY}"]
    assert say(text % "o.tracking_number != null") == [f"warning presence.unguardedAccess: {ONLY}"]
    for guard in ("o.status in {shipped, delivered} implies", "o.status != shipped or"):
        assert say(text % f"{guard} {long}") == []


def test_a_derived_value_exists_where_all_its_inputs_do() -> None:
    """7l."""
    days = "days_in_transit: delivery_confirmed_at - shipped_at"
    for right in (days, f"{days} when status = delivered", f"{days}\n twice: days_in_transit * 2"):
        assert say(ORDER % right) == []
    wrong = (
        "error presence.wrongDerivation: what 'Order.%s' is made of exists when status = delivered"
    )
    assert say(ORDER % f"{days} when status = shipped | delivered") == [wrong % "days_in_transit"]
    chain = f"{days}\n    twice: days_in_transit * 2 when status = shipped"
    assert say(ORDER % chain) == [wrong % "twice"]
    never = "early: Timestamp when status = pending\n    gap: shipped_at - early"
    assert say(ORDER % never) == [
        "error presence.neverDerived: 'Order.gap' is made of fields that never exist at once"
    ]
