"""Reports that a step prints among other lines: records in JSON on a line, and whole documents."""

import json
from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.code.diagnostics.reports.go_reports import read_go_tests
from git_retcon.code.diagnostics.reports.json_reports import (
    read_document,
    read_record,
)
from git_retcon.code.diagnostics.reports.json_values import get
from git_retcon.code.diagnostics.reports.sarif import is_sarif, read_sarif

HINTS = ('{"', "{\n", "[\n", "[{")

_CLOSING = {"[": "]", "{": "}"}
_LONGEST = 20_000  # lines of a document


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the reports among these lines say, in order."""
    events: list[object] = []
    since, at = 0, 0
    while at < len(lines):
        line, end = lines[at], at + 1
        if line in _CLOSING:
            end = _find_end(lines, at)
            yield from _set_lines(_read_value(_parse_json("\n".join(lines[at:end]))), at, end - 1)
        elif line.startswith(('{"', "[{")):
            value = _parse_json(line)
            if get(value, "Action") is not None:
                since = since if events else at
                events.append(value)
            else:
                yield from _set_lines(_read_value(value), at, at)
        at = end
    if events:
        yield from _set_lines(read_go_tests(events), since, since)


def _find_end(lines: Sequence[str], at: int) -> int:
    """After the bracket that closes, at the left edge, what the line opens."""
    closing = _CLOSING[lines[at]]
    most = min(len(lines), at + _LONGEST)
    return next((end + 1 for end in range(at + 1, most) if lines[end] == closing), at + 1)


def _parse_json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _read_value(value: object) -> Iterator[Diagnostic]:
    if is_sarif(value):
        yield from read_sarif(value)
    else:
        yield from read_document(value)
        yield from read_record(value)


def _set_lines(found: Iterator[Diagnostic], first: int, last: int) -> Iterator[Diagnostic]:
    for each in found:
        yield each._replace(first=first, last=last)
