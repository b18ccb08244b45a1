"""Rules beside each other and against themselves.

The numbers are those of the validation rules in the language's reference.
"""

import pytest

from tests.allium.language.specimen import diagnose


@pytest.mark.parametrize(
    ("rule", "right", "wrong", "expected"),
    [
        ("6", "rule A { when: Go(a)\nensures: B() }\nrule C { when: Go(b, c?)\nensures: D() }",
         "rule A { when: Go(a)\nensures: B() }\nrule C { when: Go(b, c)\nensures: D() }",
         "warning rule.triggerParameters: the trigger 'Go' has 1 parameters in a rule above"),
        ("overlap", "rule A { when: Go(o)\nrequires: o.a = x\nensures: B() }",
         "rule A { when: Go(o)\nrequires: o.a = x\nrequires: o.a = y\nensures: B() }",
         "warning rule.neverFires: 'A' demands two values of 'o.a' at once"),
        ("overlap", "rule A { when: Go()\nensures: B() }\nrule C { when: Go()\nensures: D() }",
         "rule A { when: Go()\nensures: B() }\nrule C { when: Go()\nensures: B() }",
         "warning rule.duplicateBehavior: 'C' says the same as 'A'"),
    ],
)  # fmt: skip
def test_a_right_example_and_a_wrong_one(rule: str, right: str, wrong: str, expected: str) -> None:
    assert diagnose(right) == [], rule
    assert expected in [line.partition(" ")[2] for line in diagnose(wrong)], rule


def test_two_guards_of_unknown_values_may_both_hold() -> None:
    text = "rule A { when: Go(o, p, q)\nrequires: o.a = p\nrequires: o.a = q\nensures: B() }"
    assert diagnose(text) == []
