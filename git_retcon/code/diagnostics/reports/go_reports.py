"""Go's reports in JSON: the events of its tests, golangci-lint's document, staticcheck's lines."""

from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics import go_errors, go_tests
from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    PlacedMessage,
    as_bytes,
    make_diagnostic,
)
from git_retcon.code.diagnostics.reports.json_values import get_number, get_text
from git_retcon.code.diagnostics.severities import read_severity


def read_go_tests(events: Sequence[object]) -> Iterator[Diagnostic]:
    """The tests that failed in the events of ``go test -json``, package by package.

    The paths that a test prints are relative to its package.
    """
    outputs: dict[str, list[str]] = {}
    for event in events:
        package = get_text(event, "Package") or get_text(event, "ImportPath")
        if get_text(event, "Action") in ("output", "build-output"):
            outputs.setdefault(package, []).append(get_text(event, "Output"))
    for package, texts in outputs.items():
        lines = "".join(texts).split("\n")
        taken: set[int] = set()
        for reader in (go_tests.read_diagnostics, go_errors.read_diagnostics):
            for each in reader(lines):
                if taken.isdisjoint(range(each.first, each.last + 1)):
                    taken.update(range(each.first, each.last + 1))
                    yield each._replace(base=as_bytes(package), first=0, last=0)


def read_golangci(item: object) -> Iterator[Diagnostic]:
    """One finding of golangci-lint, whichever linter made it."""
    linter = get_text(item, "FromLinter")
    located = PlacedMessage(
        get_text(item, "Pos", "Filename") or None,
        get_number(item, "Pos", "Line"),
        get_text(item, "Text"),
        get_number(item, "Pos", "Column") or None,
        read_severity(get_text(item, "Severity")),
        Category.COMPILE if linter == "typecheck" else Category.LINT,
        linter,
        "golangci-lint",
    )
    yield make_diagnostic(located)


def read_staticcheck(item: object) -> Iterator[Diagnostic]:
    """One finding of staticcheck, or what it could not compile."""
    code = get_text(item, "code")
    is_fault = code == "compile"
    located = PlacedMessage(
        get_text(item, "location", "file") or None,
        get_number(item, "location", "line"),
        get_text(item, "message"),
        get_number(item, "location", "column") or None,
        read_severity(get_text(item, "severity")),
        Category.COMPILE if is_fault else Category.LINT,
        "" if is_fault else code,
        "staticcheck",
    )
    yield make_diagnostic(located)._replace(
        end_line=get_number(item, "end", "line") or None,
        end_column=get_number(item, "end", "column") or None,
    )
