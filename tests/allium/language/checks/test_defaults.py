"""The fields that a default sets.

The numbers are those of the validation rules in the language's reference.
"""

import pytest

from tests.allium.language.specimen import ORDER, diagnose


@pytest.mark.parametrize(
    ("rule", "right", "wrong", "expected"),
    [
        ("list", ORDER % "" + "default Order o = { tags: [] }",
         ORDER % "" + "default Order o = { sum: [] }",
         "error list.emptyListNoElementType: 'Order.sum' is no list, so '[]' says nothing"),
        ("default", ORDER % "" + "default Order o = { sum: 3 }",
         ORDER % "" + "default Order o = { total: 3 }",
         "error default.unknownField: 'Order' has no field 'total'"),
    ],
)  # fmt: skip
def test_a_right_example_and_a_wrong_one(rule: str, right: str, wrong: str, expected: str) -> None:
    assert diagnose(right) == [], rule
    assert expected in [line.partition(" ")[2] for line in diagnose(wrong)], rule


def test_a_variant_has_the_fields_of_its_base() -> None:
    text = "entity Node { kind: Leaf | Tree }\nvariant Leaf : Node { size: Integer }\n"
    text += "variant Tree : Node { parts: List<Node> }\n"
    assert diagnose(text + "default Leaf l = { size: 1, kind: Leaf }") == []
