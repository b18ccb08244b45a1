"""Rules against the states of entities."""

import pytest

from tests.allium.language.specimen import diagnose

ORDER = (
    "entity Order {\n    s: open | paid | sent\n    at: Timestamp when s = sent\n"
    "    transitions s {\n        open -> paid paid -> sent\n        terminal: sent\n    }\n}\n"
)


def rule(*clauses: str) -> list[str]:
    """What is said of a rule, without places."""
    return say(ORDER + "rule R {\n" + "\n".join(clauses) + "\n}")


def say(text: str) -> list[str]:
    """What is said of a rule, and not of what other rules would have to do."""
    lines = [line.partition(" ")[2] for line in diagnose(text)]
    return [line for line in lines if "transitions.unwitnessedEdge" not in line]


UNDECLARED = "status.undeclaredTransition: 'Order.s' has no transition from 'open' to 'sent'"


@pytest.mark.parametrize(
    "clauses",
    [
        ["when: o: Order.s becomes open", "ensures: o.s = sent", "ensures: o.at = now"],
        ["when: A(o: Order)", "requires: o.s = open", "ensures: o.s = sent", "ensures: o.at = now"],
        ["when: o: Order.created", "requires: o.x and o.s = open",
         "ensures:\n    o.s = sent\n    o.at = now"],
        ["when: o: Order.created", "requires:\n    o.s in {open, paid}\n    o.x",
         "ensures: o.s = sent and o.at = now"],
        ["when: o: Order.created", "requires: o.s = open or o.s = paid",
         "ensures: o.s = sent", "ensures: o.at = now"],
    ],
)  # fmt: skip
def test_a_transition_that_the_graph_lacks(clauses: list[str]) -> None:
    assert rule(*clauses) == [f"error {UNDECLARED}"]


def test_a_transition_of_a_variable_known_by_its_name_or_states_is_doubtful() -> None:
    for name in ("order", "o"):
        clauses = [f"requires: {name}.s = open", f"ensures: {name}.s = sent"]
        assert rule(f"when: A({name})", *clauses, f"ensures: {name}.at = now") == [
            f"warning {UNDECLARED}"
        ]


@pytest.mark.parametrize(
    "clauses",
    [
        ["when: A(o)", "requires: o.s = open", "ensures: o.s = paid"],
        ["when: A(o)", "requires: o.s = open", "ensures: o.s = open"],
        ["when: A(o)", "ensures: o.s = paid"],
        ["when: A(o)", "requires: o.s = open or o.x = paid", "ensures: o.s = paid"],
        ["when: A(o)", "requires: not o.s = open", "ensures: o.s = paid"],
        ["when: A(o)", "requires: o.s = open", "ensures: if o.x: o.s = sent else: B()"],
        ["when: A(o)", "requires: o.s = open", "if x:\n    ensures: o.s = sent"],
        ["when: A(o)", "requires: o.s = strange", "ensures: o.s = sent"],
        ["when: A(o)", "requires: o.s in {open, paid}", "requires: o.s = paid",
         "requires: o.s in {open, paid}", "ensures: o.s = sent", "ensures: o.at = now"],
        ["when: o: Order.created", "requires: o.s = strange", "ensures: o.s = paid"],
        ["when: o: Order.created", "if x:\n    requires: o.s = open", "ensures: o.s = sent"],
        ["when: A(o)", "requires: o.s = sent", "ensures: o.s = sent"],
        ["when: A(o)", "requires: o.s = open or o.flag", "ensures: o.s = sent"],
        ["when: A(o, later)", "requires: o.s = open", "ensures: o.s = later"],
        ["when: A(o)", "requires: o.s = open", "requires: o.s in {open, paid}",
         "ensures: o.s = paid"],
    ],
)  # fmt: skip
def test_transitions_that_are_right_or_not_certain(clauses: list[str]) -> None:
    assert rule(*clauses) == []


def test_two_entities_with_the_same_states_are_not_guessed_between() -> None:
    other = ORDER.replace("Order", "Bill")
    text = (
        other + ORDER + "rule R {\nwhen: A({0})\nrequires: {0}.s = open\nensures: {0}.s = sent\n}"
    )
    assert say(text.replace("{0}", "o")) == []
    assert len(say(text.replace("{0}", "bill"))) == 2


def test_a_value_that_is_no_state() -> None:
    assert rule("when: o: Order.created", "requires: o.x", "ensures: o.s = gone") == [
        "error status.undefinedValue: 'Order.s' has no state 'gone'"
    ]
    assert rule("when: A(o)", "ensures: o.s = gone") == []
    assert rule("when: o: Order.created", "let gone = paid", "ensures: o.s = gone") == []


def test_what_is_created_has_a_state_that_exists() -> None:
    assert rule("when: A()", "ensures: Order.created(s: gone)") == [
        "error created.invalidStatus: 'Order.s' has no state 'gone'"
    ]
    assert rule("when: A()", "ensures: Order.created()") == [
        "warning created.missingStatus: 'Order' is created without its 's', which has transitions"
    ]
    assert rule("when: A(gone)", "ensures: Order.created(s: gone)") == []
    assert rule("when: A()", "ensures: Order.created(s: open)") == []


def test_a_field_of_some_states_is_set_on_the_way_in_and_cleared_on_the_way_out() -> None:
    into = ["when: o: Order.s becomes paid", "ensures: o.s = sent"]
    assert rule(*into) == [
        "warning presence.notSet: 'Order.at' exists from 'sent' on and is not set"
    ]
    assert rule(*into, "ensures: o.at = now") == []
    back = ["when: A(o)", "requires: o.s = sent", "ensures: o.s = open"]
    undeclared = "warning status.undeclaredTransition: 'Order.s' has no transition "
    assert rule(*back) == [
        undeclared + "from 'sent' to 'open'",
        "warning presence.notCleared: 'Order.at' does not exist in 'open' and is not set to null",
    ]
    assert rule(*back, "ensures: o.at = null") == [undeclared + "from 'sent' to 'open'"]
