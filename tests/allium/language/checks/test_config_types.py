"""The types of a config's defaults.

The numbers are those of the validation rules in the language's reference.
"""

import pytest

from git_retcon.allium.language import check
from tests.allium.language.specimen import diagnose, read


@pytest.mark.parametrize("declared", ["Integer", "Integer?", "Any", "o/Limit"])
def test_a_qualified_default_has_the_type_that_is_declared(declared: str) -> None:
    """47."""
    other = read("config { limit: Integer = 3 }\nvalue Limit {}", b"o.allium")
    text = f'use "./o.allium" as o\nconfig {{ a: {declared} = o/config.limit }}'
    assert check([read(text), other]) == []


@pytest.mark.parametrize("declared", ["String", "Decimal", "Duration"])
def test_a_qualified_default_of_another_type(declared: str) -> None:
    """47."""
    other = read("config { limit: Integer = 3 }", b"o.allium")
    text = f'use "./o.allium" as o\nconfig {{ a: {declared} = o/config.limit }}'
    assert [(each.severity, each.code, each.message) for each in check([read(text), other])] == [
        ("error", "allium.config.typeMismatch",
         f"'a' is {declared}, and what it refers to is Integer")
    ]  # fmt: skip


@pytest.mark.parametrize(
    "default",
    ["1 + 2 * 3", "1.hour + 30.minutes", "1.hour * 2", "2 * 1.hour", "1.5 * 2", "2 * 1.5", "b * 2",
     "b + 1.hour", "-b", "1.hour / whatever"],
)  # fmt: skip
def test_arithmetic_of_the_table_of_types(default: str) -> None:
    """50."""
    assert diagnose(f"config {{ a: Any = {default} b: Duration = 1.hour }}") == []


@pytest.mark.parametrize(
    ("default", "operator", "types"),
    [
        ("1.hour * 1.5", "*", "Duration and Decimal"),
        ("1.5 * 1.hour", "*", "Decimal and Duration"),
        ("1.hour * 2.hours", "*", "Duration and Duration"),
        ("1 + 1.5", "+", "Integer and Decimal"),
        ("b + 1", "+", "Duration and Integer"),
        ("config.b - 2 * 3", "-", "Duration and Integer"),
        ('"a" + "b"', "+", "String and String"),
    ],
)
def test_arithmetic_that_the_table_does_not_have(default: str, operator: str, types: str) -> None:
    """50."""
    found = diagnose(f"config {{ a: Any = {default} b: Duration = 1.hour }}")
    assert [line.partition(" ")[2] for line in found] == [
        f"error config.typeMismatch: '{operator}' takes no {types}"
    ]


def test_a_long_sum_is_read() -> None:
    assert diagnose("config { a: Integer = " + "1 + " * 2000 + "1 }") == []
