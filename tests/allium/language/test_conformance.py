"""The language's own examples: the valid are clean, the invalid are described as they ask."""

import re
from pathlib import Path

import pytest

from git_retcon.allium.language import Severity, check, format_spec, parse
from git_retcon.allium.language.formatter import read_meaning
from tests.allium.language.conformance import list_examples, read_expectations

# Examples without an expectation: what they are examples of, in our words.
_OURS = {
    "invariant-with-now": "invariant.volatileNow",
    "open-question-emits-warning": "openQuestion.present",
    "surface-with-undefined-actor": "surface.undefinedActor",
    "temporal-without-guard": "temporal.missingGuard",
    "access-variant-field-outside-guard": "sum.unguardedVariantFieldAccess",
    "create-base-instead-of-variant": "sum.baseInstantiation",
}


def diagnose(file: Path) -> str:
    """Errors and warnings: that a name of an example is used nowhere is a note."""
    found = check([parse(file.read_bytes(), file.name.encode())])
    found = [each for each in found if each.severity is not Severity.INFO]
    return "\n".join(f"{each.line}: {each.message} ({each.code})" for each in found)


@pytest.mark.parametrize("file", list_examples("valid"))
def test_a_valid_example_is_clean(file: Path) -> None:
    assert diagnose(file) == ""


@pytest.mark.parametrize("file", list_examples("invalid"))
def test_an_invalid_example_is_reported_as_it_asks(file: Path) -> None:
    said = diagnose(file)
    wanted = [*read_expectations(file)] or [re.escape(_OURS[file.stem])]
    assert [pattern for pattern in wanted if not re.search(pattern, said)] == []


@pytest.mark.parametrize("file", [*list_examples("valid"), *list_examples("invalid")])
def test_an_example_keeps_its_meaning_when_it_is_laid_out(file: Path) -> None:
    data = file.read_bytes()
    laid = format_spec(data)
    assert read_meaning(laid) == read_meaning(data)
    assert format_spec(laid) == laid
