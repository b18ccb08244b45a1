"""Tests and sanitizers of C, C++ and Rust: ctest, GoogleTest, Catch2, assert(), cargo test."""

import re
from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    Kind,
    PlacedMessage,
    make_diagnostic,
    make_printable,
    read_number,
)
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = (
    "***",
    "Assertion ",
    ": Failure",
    ": FAILED:",
    "SUMMARY: ",
    "runtime error: ",
    "... FAILED",
    "panicked at",
    "Diff in ",
)

_CTEST = LazyPattern(
    r"^ *\d+/\d+ Test +#\d+: (?P<test>\S+) \.+ ?(?P<what>.*?)\*\*\*(?P<end>\S.*?)\s+[\d.]+ sec.*$"
)
_ASSERT = LazyPattern(
    r"^(?:[^\s:]+: )?(?P<path>[^\s:][^:]*\.\w+):(?P<line>\d+): "
    r"(?P<message>.*[Aa]ssertion .+ failed\.?)$"
)
_GOOGLE = LazyPattern(r"^(?P<path>[^\s:][^:]*\.\w+):(?P<line>\d+): Failure$")
_GOOGLE_TEST = LazyPattern(r"^\[ RUN      \] (?P<test>\S+)$")
_CATCH = LazyPattern(r"^(?P<path>[^\s:][^:]*\.\w+):(?P<line>\d+): FAILED:$")
_SANITIZER = LazyPattern(
    r"^SUMMARY: (?P<tool>\w+Sanitizer): (?P<message>.+?) (?P<path>/?[^\s:]+\.\w+):(?P<line>\d+)"
    r"(?::(?P<column>\d+))?(?: in \S.*)?$"
)
_UNDEFINED = LazyPattern(
    r"^(?P<path>[^\s:][^:]*\.\w+):(?P<line>\d+):(?P<column>\d+): runtime error: (?P<message>.+)$"
)
_RUST_FAILED = LazyPattern(r"^test (?P<test>\S+)(?: - should panic)? \.\.\. FAILED$")
_PANIC = LazyPattern(
    r"^thread '(?P<test>.{1,200}?)'(?: \(\d+\))? panicked at "
    r"(?:'(?P<message>.*)', )?(?P<path>[^\s:,']+):(?P<line>\d+):(?P<column>\d+):?$"
)
_RUST_FORMAT = LazyPattern(r"^Diff in (?P<path>.+?)(?::| at line )(?P<line>\d+):$")


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What failed when it ran, in order."""
    test = ""
    rust: dict[str, int] = {}
    panicked: set[str] = set()
    for at, line in enumerate(lines):
        if line.startswith("[ RUN ") and (found := _GOOGLE_TEST.match(line)):
            test = found["test"]
        elif "... FAILED" in line and (found := _RUST_FAILED.match(line)):
            rust[found["test"]] = at
        elif "panicked at" in line and (found := _PANIC.match(line)):
            panicked.add(found["test"])
            yield _read_panic(found, lines, at)
        elif (made := _read_line(lines, at, test)) is not None:
            yield made
    for name, at in rust.items():
        if name not in panicked:
            located = PlacedMessage(None, None, f"test failed: {name}", category=Category.TEST)
            located = located._replace(rule=name, tool="cargo test", first=at, last=at)
            yield make_diagnostic(located, Kind.TEST)


def _read_line(lines: Sequence[str], at: int, test: str) -> Diagnostic | None:
    line = lines[at]
    if "***" in line and (found := _CTEST.match(line)):
        message = f"{found['test']}: {found['end']}"
        located = PlacedMessage(None, None, message, category=Category.TEST, tool="ctest", first=at)
        return make_diagnostic(located._replace(rule=found["test"]), Kind.TEST)
    if "ssertion " in line and (found := _ASSERT.match(line)):
        return _make_diagnostic(found, found["message"], Category.RUNTIME, "assert", "", at, at)
    if line.endswith(": Failure") and (found := _GOOGLE.match(line)):
        last, text = _read_paragraph(lines, at + 1)
        return _make_diagnostic(found, text or "Failure", Category.TEST, "gtest", test, at, last)
    if line.endswith(": FAILED:") and (found := _CATCH.match(line)):
        last, text = _read_paragraph(lines, at + 1)
        return _make_diagnostic(found, text or "FAILED", Category.TEST, "catch2", "", at, last)
    if line.startswith("SUMMARY: ") and (found := _SANITIZER.match(line)):
        return _make_diagnostic(
            found, found["message"], Category.RUNTIME, found["tool"], "", at, at
        )
    if "runtime error: " in line and (found := _UNDEFINED.match(line)):
        return _make_diagnostic(found, found["message"], Category.RUNTIME, "ubsan", "", at, at)
    if line.startswith("Diff in ") and (found := _RUST_FORMAT.match(line)):
        made = _make_diagnostic(found, "not formatted", Category.LINT, "rustfmt", "", at, at)
        return made._replace(line=(made.line or 1) + _count_unchanged(lines, at + 1))
    return None


def _count_unchanged(lines: Sequence[str], at: int) -> int:
    """How many lines of a diff come before the first that changes."""
    for number, line in enumerate(lines[at : at + 20]):
        if line[:1] in ("+", "-"):
            return number
    return 0


def _read_paragraph(lines: Sequence[str], at: int) -> tuple[int, str]:
    """The lines up to an empty one, as one; and where they end."""
    words: list[str] = []
    last = at - 1
    for last, line in enumerate(lines[at : at + 12], at):  # noqa: B007
        if not line.strip() or line.startswith("["):
            break
        words.append(line.strip())
    return max(at - 1, last - 1), make_printable(" ".join(words))


def _read_panic(found: re.Match[str], lines: Sequence[str], at: int) -> Diagnostic:
    """A panic of a test's own thread is that test's failure."""
    name = found["test"]
    is_test = name not in ("main", "<unnamed>") and not name.startswith("tokio")
    last, text = _read_paragraph(lines, at + 1)
    if text.startswith("stack backtrace"):
        text = ""
    message = found["message"] or text.partition(" note: ")[0].partition(" stack backtrace")[0]
    category = Category.TEST if is_test else Category.RUNTIME
    rule = name if is_test else ""
    return _make_diagnostic(found, message or "panicked", category, "rust", rule, at, max(at, last))


def _make_diagnostic(
    found: re.Match[str],
    message: str,
    category: Category,
    tool: str,
    rule: str,
    first: int,
    last: int,
) -> Diagnostic:
    column = read_number(found.groupdict().get("column"))
    located = PlacedMessage(found["path"], read_number(found["line"]), message, column)
    located = located._replace(category=category, tool=tool, rule=rule, first=first, last=last)
    kind = Kind.OTHER if category is Category.LINT else Kind.TEST
    return make_diagnostic(located, kind)
