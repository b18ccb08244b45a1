"""What a surface shows.

The numbers are those of the validation rules in the language's reference.
"""

import pytest

from tests.allium.language.specimen import ORDER, diagnose


@pytest.mark.parametrize(
    ("rule", "right", "wrong", "expected"),
    [
        ("29", ORDER % "" + "surface S { context o: Order\n exposes:\n  o.sum }",
         ORDER % "" + "surface S { context o: Order\n exposes:\n  o.total }",
         "error surface.undefinedPath: 'Order' has no field 'total'"),
        ("34", ORDER % "" + "surface S { context o: Order\n exposes:\n  for t in o.tags:\n   t }",
         ORDER % "" + "surface S { context o: Order\n exposes:\n  for t in o.sum:\n   t }",
         "error surface.nonCollectionIteration: 'o.sum' is no collection"),
    ],
)  # fmt: skip
def test_a_right_example_and_a_wrong_one(rule: str, right: str, wrong: str, expected: str) -> None:
    assert diagnose(right) == [], rule
    assert expected in [line.partition(" ")[2] for line in diagnose(wrong)], rule


def test_the_fields_that_variants_add_are_not_known() -> None:
    text = "entity Node { kind: Leaf | Branch }\nvariant Leaf : Node { size: Integer }\n"
    text += "variant Branch : Node { parts: List<Node> }\n"
    assert diagnose(text + "surface S { context n: Node\n exposes:\n  n.size }") == []
