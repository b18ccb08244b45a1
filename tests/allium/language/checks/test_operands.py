"""Operands, lists, and what is asked of collections.

The numbers are those of the validation rules in the language's reference.
"""

import pytest

from tests.allium.language.specimen import ORDER, diagnose


@pytest.mark.parametrize(
    ("rule", "right", "wrong", "expected"),
    [
        ("12", ORDER % 'c: sum > 3 and code = "x"', ORDER % 'c: 3 = "3"',
         "error expression.typeMismatch: '=' takes a number and a string"),
        ("12", ORDER % 'c: code + "x"', ORDER % 'c: code < "x"',
         "error expression.typeMismatch: '<' does not apply to a string"),
        ("12", ORDER % "c: sum = 1", ORDER % "c: sum + true",
         "error expression.typeMismatch: '+' does not apply to a Boolean"),
        ("13", ORDER % "c: tags.any(t => t.long)", ORDER % "c: tags.any(long)",
         "error expression.implicitLambda: '.any()' takes a lambda: write 'item => item.field'"),
        ("14", ORDER % "c: a = x", ORDER % "c: a = b",
         "error expression.inlineEnumComparison: 'a' and 'b' are inline enums, which cannot be "
         "compared; declare one 'enum' for both"),
        ("58", ORDER % "l: List<String> c: l.first", ORDER % "c: tags.first",
         "warning expression.unorderedAccess: a Set has no order, so '.first' may be any of it"),
        ("63", ORDER % "c: a = `x`", ORDER % "c: a + `x`",
         "error expression.typeMismatch: '+' counts with an enum value"),
        ("list", 'value V { a: ["x", "y"] }', 'value V { a: ["x", 2] }',
         "error list.mixedElementTypes: the list has a string and a number"),
    ],
)  # fmt: skip
def test_a_right_example_and_a_wrong_one(rule: str, right: str, wrong: str, expected: str) -> None:
    assert diagnose(right) == [], rule
    assert expected in [line.partition(" ")[2] for line in diagnose(wrong)], rule
