"""Lists that lose their order.

The numbers are those of the validation rules in the language's reference.
"""

import pytest

from tests.allium.language.specimen import diagnose

TEAM = (
    "entity Team {\n    line: List<String>\n    others: List<String>\n    names: Set<String>\n"
    "    %s\n}\n"
)
RULE = "rule R {\n    when: t: Team.created\n    ensures: t.line = %s\n}\n"


@pytest.mark.parametrize(
    "field",
    ["c: line.first", "c: (line + others).count", "c: line.unique.count", "c: names + line"],
)
def test_an_order_that_is_not_asked_for(field: str) -> None:
    assert diagnose(TEAM % field) == []


@pytest.mark.parametrize(
    ("rule", "field", "expected"),
    [
        ("59", "c: (line + others).first", "error expression.unorderedAccess: '+' makes a Set, "
                                           "which has no order for '.first'"),
        ("59", "c: (names - this.line).last", "error expression.unorderedAccess: '-' makes a Set, "
                                              "which has no order for '.last'"),
        ("60", "c: line.unique.first", "warning expression.unorderedAccess: '.unique' makes a "
                                       "Set, which has no order for '.first'"),
    ],
)  # fmt: skip
def test_an_order_that_is_lost(rule: str, field: str, expected: str) -> None:
    assert [line.partition(" ")[2] for line in diagnose(TEAM % field)] == [expected], rule


@pytest.mark.parametrize("value", ["t.others", '["a", "b"]', "[]"])
def test_a_list_is_set_to_a_list(value: str) -> None:
    assert diagnose(TEAM % "" + RULE % value) == []


@pytest.mark.parametrize(
    ("value", "loss"),
    [("t.line + t.others", "+"), ('t.line - ["a"]', "-"), ("t.line.unique", ".unique")],
)
def test_a_list_is_not_set_to_what_has_no_order(value: str, loss: str) -> None:
    """59 and 60: a Set is not assignable where an ordered collection is expected."""
    assert [line.partition(" ")[2] for line in diagnose(TEAM % "" + RULE % value)] == [
        f"error expression.unorderedValue: '{loss}' makes a Set, which has no order for a list"
    ]
