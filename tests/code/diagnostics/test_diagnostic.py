"""What every reader shares: rules, numbers, paths, and what a tool thinks was meant."""

import pytest

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Kind,
    PlacedMessage,
    Rule,
    Severity,
    as_path,
    classify,
    find_suggestion,
    make_printable,
    read_number,
)

_RULES = (Rule(Kind.UNDEFINED, "is not defined", r"'(?P<symbol>[\w:]+)' is not defined"),)


def test_a_rule_keeps_where_and_how_it_was_said() -> None:
    located = PlacedMessage(
        "./a.py", 3, "'ns::x' is not defined", 5, Severity.WARNING, Category.LINT, "R", "t", 7, 9
    )
    found = classify(_RULES, located)
    assert (found.path, found.line, found.column) == (b"a.py", 3, 5)
    assert (found.kind, found.missing, found.owner) == (Kind.UNDEFINED, ("x",), "ns")
    assert (found.severity, found.category) == (Severity.WARNING, Category.LINT)
    assert (found.rule, found.tool, found.first, found.last) == ("R", "t", 7, 9)


def test_without_a_rule_it_names_nothing() -> None:
    found = classify(_RULES, PlacedMessage(None, None, "odd"), Kind.TEST)
    assert (found.kind, found.missing) == (Kind.TEST, ())


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("name 'x' is not defined. Did you mean: 'y'?", "y"),
        ("Property 'x' does not exist. Did you mean 'y'?", "y"),
        ('Did you mean "y"?', "y"),
        ("implicit declaration of f; did you mean ‘y’?", "y"),
        ("error: did you mean to use `y`", "y"),
        ("did you mean it?", ""),
        ("odd", ""),
    ],
)
def test_what_the_tool_thinks_was_meant(message: str, name: str) -> None:
    assert find_suggestion(message) == name


def test_numbers_that_no_file_could_have() -> None:
    assert read_number("12") == 12
    assert read_number("9" * 12) is None
    assert read_number(None) is None
    assert read_number("twelve") is None
    assert read_number("١٢") is None


def test_paths_and_messages() -> None:
    assert as_path("file:///a/b.py") == b"/a/b.py"
    assert as_path("././a.py") == b"a.py"
    assert as_path("") is None
    assert make_printable(" a\udcff ") == "a\N{REPLACEMENT CHARACTER}"
    assert len(make_printable("x" * 1000)) == 300
