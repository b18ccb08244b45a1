"""Names declared twice."""

import pytest

from tests.allium.language.specimen import codes, diagnose


@pytest.mark.parametrize(
    ("text", "severity_and_code", "expected"),
    [
        ("entity A {}\nvalue A {}", "warning declaration.duplicate", "2:7 type 'A'"),
        ("enum A { b }\nvariant A : A", "warning declaration.duplicate", "2:9 type 'A'"),
        (
            "rule A { when: B()\n ensures: c }\nrule A { when: B()\n ensures: c }",
            "warning declaration.duplicate",
            "3:6 rule 'A'",
        ),
        (
            "contract A { b: () -> C }\ncontract A { b: () -> C }",
            "error declaration.duplicate",
            "2:10 contract 'A'",
        ),
        (
            "invariant A { b }\ninvariant A { b }",
            "error declaration.duplicate",
            "2:11 invariant 'A'",
        ),
        ("default a = 1\ndefault a = 1", "error default.duplicateName", "2:9 default 'a'"),
        (
            "config { a: B }\nconfig { a: B }",
            "error config.duplicateKey",
            "2:10 config parameter 'a'",
        ),
        (
            "value B {}\ngiven { a: B }\ngiven { a: B }",
            "error context.duplicateBinding",
            "3:9 given 'a'",
        ),
        ("entity A {\n b: A\n b: A\n}", "warning declaration.duplicate", "3:2 field 'b'"),
        ("entity A {\n b: A\n b(c): c\n}", "warning declaration.duplicate", "3:2 field 'b'"),
        ("enum A { b | c | b }", "error enum.duplicateLiteral", "1:18 value 'b'"),
        (
            "entity A {\n invariant I { b }\n invariant I { b }\n}",
            "error declaration.duplicate",
            "3:12 invariant 'I'",
        ),
        (
            "contract A {\n @invariant I\n  -- x\n @invariant I\n  -- x\n}",
            "error declaration.duplicate",
            "4:13 invariant 'I'",
        ),
    ],
)  # fmt: skip
def test_a_name_is_declared_once(text: str, severity_and_code: str, expected: str) -> None:
    place, _, name = expected.partition(" ")
    said = f"{place} {severity_and_code}: {name} is declared twice"
    assert [line for line in diagnose(text) if "uplicate" in line] == [said]


def test_names_of_different_kinds_may_be_equal() -> None:
    text = "entity A { b: A }\nrule A { when: A()\n ensures: c }\ninvariant A { b }\nsurface A {}"
    assert codes(text) == []


def test_of_two_types_with_one_name_the_first_counts() -> None:
    text = "entity A { s: a | b }\nentity A { s: c | d }\n"
    text += "rule R {\nwhen: B()\nensures: A.created(s: c)\n}"
    assert codes(text) == ["declaration.duplicate", "created.invalidStatus"]


@pytest.mark.parametrize(
    ("rule", "right", "wrong", "expected"),
    [
        ("26", "config { a: Integer = 1 b: Integer = 2 }",
         "config { a: Integer = 1 a: Integer = 2 }",
         "error config.duplicateKey: config parameter 'a' is declared twice"),
        ("enum", "enum E { a }", "enum E {}", "warning enum.empty: enum 'E' has no values"),
        ("enum", "enum E { a | b }", "enum E { a | a }",
         "error enum.duplicateLiteral: value 'a' is declared twice"),
        ("enum", "value V { a: b | c }", "value V { a: b | b }",
         "error enum.duplicateLiteral: value 'b' is declared twice"),
    ],
)  # fmt: skip
def test_a_right_example_and_a_wrong_one(rule: str, right: str, wrong: str, expected: str) -> None:
    assert diagnose(right) == [], rule
    assert expected in [line.partition(" ")[2] for line in diagnose(wrong)], rule
