"""A report of any known form, recognized by its content."""

import json
from collections.abc import Iterator

from git_retcon.code.diagnostics import tap
from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.code.diagnostics.reports.go_reports import read_go_tests
from git_retcon.code.diagnostics.reports.json_reports import (
    read_document,
    read_record,
)
from git_retcon.code.diagnostics.reports.json_values import get
from git_retcon.code.diagnostics.reports.sarif import is_sarif, read_sarif
from git_retcon.code.diagnostics.reports.xml_reports import (
    BadReport,
    read_checkstyle,
    read_junit,
)
from git_retcon.code.diagnostics.text import split_text

_MOST = 10_000  # records
_LARGEST = 32 * 1024 * 1024  # bytes; no parser here reads a document bit by bit


def read_report(data: bytes) -> tuple[Diagnostic, ...]:
    """What a report says, in order; empty where its form is unknown.

    Raises ``BadReport`` where it is broken, too large, or declares a document type.
    """
    if len(data) > _LARGEST:
        raise BadReport(f"the report is larger than {_LARGEST >> 20} MB")
    try:
        found = _read_data(data.removeprefix(b"\xef\xbb\xbf").strip())
        return tuple(each for _, each in zip(range(_MOST), found, strict=False))
    except (ValueError, RecursionError) as error:
        raise BadReport(f"bad JSON: {error}") from error


def _read_data(data: bytes) -> Iterator[Diagnostic]:
    if data.startswith(b"<"):
        yield from _read_xml(data)
    elif data.startswith((b"{", b"[")):
        yield from _read_json(data)
    elif data.startswith((b"TAP version", b"not ok", b"ok ", b"1..")):
        yield from tap.read_all(split_text(data))


def _read_xml(data: bytes) -> Iterator[Diagnostic]:
    head = data[:4096]
    if b"<checkstyle" in head:
        yield from read_checkstyle(data)
    else:
        yield from read_junit(data)


def _read_json(data: bytes) -> Iterator[Diagnostic]:
    first, _, rest = data.partition(b"\n")
    if rest.strip() and _is_whole(first):
        yield from _read_json_lines(data)
        return
    value = json.loads(data)
    if is_sarif(value):
        yield from read_sarif(value)
    elif get(value, "Action") is not None:
        yield from read_go_tests([value])
    else:
        yield from read_document(value)
        yield from read_record(value)


def _is_whole(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _read_json_lines(data: bytes) -> Iterator[Diagnostic]:
    values = []
    for line in data.split(b"\n"):
        if line.strip().startswith(b"{"):
            values.append(json.loads(line))
    if any(get(value, "Action") is not None for value in values[:100]):
        yield from read_go_tests(values)
        return
    for value in values:
        yield from read_record(value)
