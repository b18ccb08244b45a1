"""Contracts.

The numbers are those of the validation rules in the language's reference.
"""

import pytest

from tests.allium.language.specimen import diagnose, notes

BODY = (
    "contract Codec {\n    serialize: (value: Any) -> Text\n    %s\n\n"
    "    @invariant Roundtrip\n        -- The value comes back.\n}\n"
)
ONLY = (
    "the contract 'Codec' has only signatures, 'name: (parameter: Type) -> Type', "
    "'@invariant' and '@guidance'"
)


@pytest.mark.parametrize("item", ["", "close: () -> Boolean", 'open question "How long?"'])
def test_a_contract_has_signatures_and_annotations(item: str) -> None:
    """41."""
    found = [line for line in diagnose(BODY % item) if "openQuestion" not in line]
    assert found == []


@pytest.mark.parametrize(
    ("item", "severity"),
    [
        ("requires: a > b", "error"),
        ("name: String", "warning"),
        ("@guarantee Fast\n        -- Soon.", "error"),
        ("invariant Right { a }", "error"),
    ],
)
def test_a_contract_has_nothing_else(item: str, severity: str) -> None:
    """41."""
    assert diagnose(BODY % item) == [f"3:5 {severity} contract.invalidItem: {ONLY}"]


def test_types_of_a_signature_that_nothing_declares_are_noted() -> None:
    """42: in the language's own examples an implementer brings such types along."""
    text = "value Text {}\n" + BODY % "read: (bytes: List<Bytes?>) -> Word"
    assert notes(text) == [
        "4:24 info contract.undeclaredType: type 'Bytes' is not declared here and not imported",
        "4:36 info contract.undeclaredType: type 'Word' is not declared here and not imported",
    ]
    assert notes("value Text {}\n" + BODY % "read: (bytes: List<Text?>) -> Void") == []
