"""Reports that a step prints among other lines."""

from pathlib import Path

from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.code.diagnostics.reports.embedded import read_diagnostics
from tests.code.diagnostics.sample import described

_SAMPLES = Path(__file__).parents[1] / "samples" / "reports"


def test_records_among_other_lines() -> None:
    output = b"starting\n" + (_SAMPLES / "mypy_json.json").read_bytes() + b"done\n"
    assert [(each.line, each.rule, each.first) for each in extract_complaints(output)] == [
        (14, "no-untyped-def", 1),
        (16, "name-defined", 2),
        (20, "no-untyped-def", 3),
        (20, "attr-defined", 4),
    ]


def test_a_document_among_other_lines() -> None:
    output = b"starting\n" + (_SAMPLES / "pylint.json").read_bytes() + b"done\n"
    assert [each.tool for each in extract_complaints(output)] == ["pylint"] * 3


def test_a_document_on_one_line() -> None:
    line = '[{"filePath": "a.js", "messages": [{"line": 3, "column": 5, "message": "odd"}]}]'
    assert [described(each) for each in read_diagnostics([line])] == [
        "a.js:3:5 error lint eslint: odd"
    ]


def test_events_of_go_among_other_lines() -> None:
    lines = (_SAMPLES / "go_test_fail.json").read_text().split("\n")
    assert [each.line for each in read_diagnostics(["x", *lines])] == [13, 17, None]


def test_what_only_begins_like_a_report_is_none() -> None:
    assert list(read_diagnostics(["{", "not json", "}", "[", '{"a": 1', "[{"])) == []
