"""Derived values and relationships.

The numbers are those of the validation rules in the language's reference.
"""

import pytest

from tests.allium.language.specimen import ORDER, diagnose


@pytest.mark.parametrize(
    ("rule", "right", "wrong", "expected"),
    [
        ("3", ORDER % "twin: Order with code = this", ORDER % "twin: Order with code = sum",
         "error relationship.missingBackreference: "
         "'twin' does not lead back: compare a field with 'this'"),
        ("3", ORDER % "own: Orders where code = this.code", ORDER % "own: Orders where code = this",
         "error relationship.whereWithThis: 'own' is a relationship: write 'with', not 'where'"),
        ("10", ORDER % "t: sum + 1 u: t + 1", ORDER % "t: u + 1 u: t + 1",
         "error derived.circularDependency: 't' is derived from itself"),
        ("10", ORDER % "closed: closing | closed", ORDER % "closed: not closed",
         "error derived.circularDependency: 'closed' is derived from itself"),
        ("10", ORDER % "name: name(code)", ORDER % "name: name + code",
         "error derived.circularDependency: 'name' is derived from itself"),
    ],
)  # fmt: skip
def test_a_right_example_and_a_wrong_one(rule: str, right: str, wrong: str, expected: str) -> None:
    assert diagnose(right) == [], rule
    assert expected in [line.partition(" ")[2] for line in diagnose(wrong)], rule


@pytest.mark.parametrize("type_", ["Set<Order>", "Order", "Order?"])
def test_a_field_with_the_name_of_its_type_is_not_derived_from_itself(type_: str) -> None:
    assert diagnose(ORDER % f"Order: {type_}") == []
