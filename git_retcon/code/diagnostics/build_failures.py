"""Any tool's output as diagnostics, and the short cause that a person is shown."""

import re
from collections.abc import Callable, Iterator, Sequence

from git_retcon.code.diagnostics import (
    c_errors,
    go_errors,
    java_errors,
    make_errors,
    python_errors,
    rust_errors,
    tap,
    typescript_errors,
)
from git_retcon.code.diagnostics.diagnostic import Diagnostic, Kind, Severity, make_printable
from git_retcon.code.diagnostics.labels import strip_labels
from git_retcon.code.diagnostics.passed_tests import find_passed_output
from git_retcon.code.diagnostics.text import split_output
from git_retcon.code.lazy_pattern import LazyPattern

# A broken header breaks a thousand files; the first hundreds already say which header.
_MOST = 300

FAMILIES: tuple[tuple[Sequence[str], Callable[[Sequence[str]], Iterator[Diagnostic]]], ...] = (
    (rust_errors.HINTS, rust_errors.read_diagnostics),
    (go_errors.HINTS, go_errors.read_diagnostics),
    (java_errors.HINTS, java_errors.read_diagnostics),
    (c_errors.HINTS, c_errors.read_diagnostics),
    (make_errors.HINTS, make_errors.read_diagnostics),
    (typescript_errors.HINTS, typescript_errors.read_diagnostics),
    (tap.HINTS, tap.read_diagnostics),
    (python_errors.HINTS, python_errors.read_diagnostics),
)


def read_failures(output: bytes) -> tuple[Diagnostic, ...]:
    """What the tools that printed this fail with, in order, each complaint once: no warnings.

    Any bytes are allowed; the time is linear in their number. What no family knows gives nothing.
    """
    lines = strip_labels(split_output(output)).lines
    text = "\n".join(lines)
    found: list[Diagnostic] = []
    passed = find_passed_output(lines)
    for hints, family in FAMILIES:
        if any(hint in text for hint in hints):
            errors = (each for each in family(lines) if each.severity is Severity.ERROR)
            found += _take_most(each for each in errors if each.first not in passed)
    return _drop_repetitions(found)


def _take_most(diagnostics: Iterator[Diagnostic]) -> Iterator[Diagnostic]:
    for _, diagnostic in zip(range(_MOST), diagnostics, strict=False):
        yield diagnostic


def _drop_repetitions(found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Drop repetitions; what names nothing is dropped where another says it better."""
    named = [item for item in found if names_something(item)]
    known = {_make_identity(item) for item in named if item.path}
    is_better = _find_better(found, named)
    kept: dict[tuple[object, ...], Diagnostic] = {}
    for item in found:
        if not names_something(item):
            if not is_better(item):
                kept.setdefault((item.path, item.line, item.message), item)
        elif item.path is not None or _make_identity(item) not in known:
            kept.setdefault((item.path, *_make_identity(item)), item)
    return tuple(kept.values())[:_MOST]


def _find_better(
    found: Sequence[Diagnostic], named: Sequence[Diagnostic]
) -> Callable[[Diagnostic], bool]:
    """Tells of a diagnostic that names nothing whether another says better what it says."""
    placed = {(item.path, item.line) for item in named}
    described = {item.path for item in found if item.path and (item.line or names_something(item))}
    said = {item.message for item in named} | {item.message for item in found if item.path}

    def is_better(item: Diagnostic) -> bool:
        if item.line is None and item.path in described:
            return True
        return item.message in said if item.path is None else (item.path, item.line) in placed

    return is_better


def _make_identity(item: Diagnostic) -> tuple[object, ...]:
    return (item.kind, item.missing, item.wants_file, item.owner)


def names_something(diagnostic: Diagnostic) -> bool:
    """Whether it says what would answer it."""
    return bool(diagnostic.missing or diagnostic.wants_file or diagnostic.owner)


_TROUBLE = LazyPattern(r"\b(?:error|Error|ERROR|failed|FAILED|fatal|panic|not found|cannot)\b")
_NOT_OK = LazyPattern(r"not ok \d+ - .+")  # the Test Anything Protocol, as node --test speaks it
_LONGEST = 60


def headline(diagnostics: Sequence[Diagnostic], output: bytes) -> str:
    """The cause in a few words, as in "Building... FAIL (undefined type TokenStore)"."""
    named = [item for item in diagnostics if names_something(item)]
    first = min(named or diagnostics, key=_rank_diagnostic, default=None)
    lines = [line.strip() for line in split_output(output) if line.strip()]
    failed = next(filter(None, map(_NOT_OK.match, lines)), None)
    # A test's own title says more than a consequence such as an unused name.
    if failed is not None and (first is None or _rank_diagnostic(first)):
        return _shorten_line(make_printable(failed[0]))
    if first is not None and (known := _shorten_line(_describe_cause(first))):
        return known
    worst = next((line for line in lines if _TROUBLE.search(line)), lines[-1] if lines else "")
    return _shorten_line(make_printable(worst)) or "no output"


def _rank_diagnostic(diagnostic: Diagnostic) -> int:
    """Python's order of events is kept by min(); only what follows from another comes later."""
    late = (Kind.UNUSED, Kind.OTHER, Kind.TEST)
    return 1 if diagnostic.kind in late else 0


def _describe_cause(item: Diagnostic) -> str:
    name = item.missing[0] if item.missing else ""
    if item.kind is Kind.FILE:
        wanted = item.wants_file[0].decode("utf-8", "replace") if item.wants_file else name
        return f"cannot find {wanted}"
    sayings = {
        Kind.IMPORT: f"missing import {name}",
        Kind.UNDEFINED: f"undefined {item.noun} {name}",
        Kind.MEMBER: f"{item.owner or 'it'} has no {item.noun.lower()} {name}",
        Kind.UNUSED: f"unused {item.noun} {name}",
        Kind.DUPLICATE: f"{name} is defined twice",
    }
    if item.kind in sayings and name:
        return re.sub(r" {2,}", " ", sayings[item.kind])
    if item.kind is Kind.SYNTAX and item.path:
        return f"syntax error in {item.path.decode('utf-8', 'replace')}"
    return item.message


def _shorten_line(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
