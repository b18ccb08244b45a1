"""Values of enums in backticks.

The numbers are those of the validation rules in the language's reference.
"""

import pytest

from tests.allium.language.specimen import diagnose

SITE = "enum Locale { en | `de-CH-1996` | `%s` }\nentity Site { locale: Locale %s }\n"
RULE = "rule R {\n    when: s: Site.created\n    %s\n    ensures: s.locale = `no-cache`\n}\n"


@pytest.mark.parametrize("value", ["no-cache", "1.0", "zh-Hans", "été", "a+b", "…", "日本"])
def test_printable_characters(value: str) -> None:
    """61."""
    assert diagnose(SITE % (value, "")) == []


@pytest.mark.parametrize(
    ("value", "shown"), [("no cache", "a space"), ("a\u00a0b", "U+00A0"), ("a\u200bb", "U+200B")]
)
def test_characters_that_nobody_sees(value: str, shown: str) -> None:
    """61."""
    message = f"the value in backticks has {shown}; it may have printable characters only"
    assert [line.partition(" ")[2] for line in diagnose(SITE % (value, ""))] == [
        f"error enum.invalidLiteral: {message}"
    ]


@pytest.mark.parametrize(
    "text",
    [
        SITE % ("x", "mode: `a-b` | c is_swiss: locale = `de-CH-1996`"),
        SITE % ("x", "is_known: locale in {`x`, en}") + RULE % "requires: s.locale != `x`",
        SITE % ("no-cache", "") + RULE % "requires: s.locale = en",
        SITE % ("x", "") + "default Site main = { locale: `x` }",
    ],
)
def test_values_that_are_declared_compared_or_set(text: str) -> None:
    """62."""
    assert [line for line in diagnose(text) if "enum." in line] == []


@pytest.mark.parametrize(
    "text",
    [
        SITE % ("x", "size: `x`.count"),
        SITE % ("x", "same: check(`x`)"),
        SITE % ("x", "all: [`x`]"),
        SITE % ("x", "") + RULE.replace("no-cache", "x") % "requires: check(`x`)",
    ],
)
def test_a_value_in_another_place(text: str) -> None:
    """62."""
    found = [line.partition(" ")[2] for line in diagnose(text)]
    assert [line for line in found if line.startswith("error")] == [
        "error enum.misplacedLiteral: `x` is a value of an enum: it is declared, compared or set"
    ]
