"""The defaults of a config.

The numbers are those of the validation rules in the language's reference.
"""

import pytest

from git_retcon.allium.language import check
from tests.allium.language.specimen import diagnose, read


@pytest.mark.parametrize(
    ("rule", "right", "wrong", "expected"),
    [
        ("25", "config { a: Integer b: Integer = 1 }", "config { a: 1 }",
         "error config.invalidParameter: "
         "'a' has a value and no type: write 'name: Type = value'"),
        ("48", "config { a: Integer = b * 2 b: Integer = 1 }",
         "config { a: Integer = b * 2 b: Integer = config.a }",
         "error config.circularReference: the default of 'a' depends on itself"),
        ("49", "config { a: Integer = -(1 + 2) * 3 }", "config { a: Boolean = 1 < 2 }",
         "error config.invalidDefault: the default of 'a' is more than values and arithmetic"),
    ],
)  # fmt: skip
def test_a_right_example_and_a_wrong_one(rule: str, right: str, wrong: str, expected: str) -> None:
    assert diagnose(right) == [], rule
    assert expected in [line.partition(" ")[2] for line in diagnose(wrong)], rule


def test_a_parameter_of_an_imported_config_is_declared_there() -> None:
    """46: a qualified reference, and the block that sets parameters of another module."""
    other = read("config { limit: Integer }", b"o.allium")
    text = 'use "./o.allium" as o\nconfig { a: Integer = o/config.%s }\no/config { %s: 3 }\n'
    assert check([read(text % ("limit", "limit")), other]) == []
    found = check([read(text % ("most", "least")), other])
    assert [(each.line, each.code, each.message) for each in found] == [
        (3, "allium.config.undefinedExternalReference", "the config of 'o' declares no 'most'"),
        (4, "allium.config.undefinedExternalReference", "the config of 'o' declares no 'least'"),
    ]
