"""A report is known by its content, and refused where it is broken."""

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.code.diagnostics.reports.report import read_report
from git_retcon.code.diagnostics.reports.xml_reports import BadReport
from tests.code.diagnostics.sample import described

_SAMPLES = Path(__file__).parents[1] / "samples" / "reports"


def _places(name: str) -> list[str]:
    return [described(each) for each in read_report((_SAMPLES / name).read_bytes())]


def test_eslint_tap_tap() -> None:
    assert _places("eslint_tap.tap") == [
        "/home/ada/demo/src/lint.js:1:5 error lint eslint/no-unused-vars: 'unused' is assigned",
        "/home/ada/demo/src/lint.js:3:9 warning lint eslint/eqeqeq: Expected '===' and instead",
        "/home/ada/demo/src/lint.js:3:20 error lint eslint/no-undef: 'missing' is not defined.",
        "/home/ada/demo/src/lint.js:3:30 error lint eslint/semi: Missing semicolon.",
        "/home/ada/demo/src/lint.js:4:11 error lint eslint/semi: Missing semicolon.",
        "/home/ada/demo/src/lint.js:6:3 error lint eslint/quotes: Strings must use doublequote.",
        "/home/ada/demo/src/parse.js:1:10 error lint eslint: Parsing error: Unexpected token (",
    ]


def test_mocha_tap_tap() -> None:
    assert _places("mocha_tap.tap") == [
        "m/sum.js:4:29 error test tap/sum adds: Expected values to be strictly equal:",
        "src/sum.js:4:12 error test tap/sum nested throws: Cannot read properties of undefined",
        "- error test tap/sum nested times out: sum nested times out",
    ]


def test_vitest_tap_tap() -> None:
    assert _places("vitest_tap.tap") == [
        "/home/ada/demo/v/broken.test.mjs:1:1 error test tap/v/broken.test.mjs: Error: Cannot f",
        "/home/ada/demo/v/sum.test.mjs:5:23 error test tap/adds: AssertionError: expected 3 to",
        "/home/ada/demo/src/sum.mjs:4:12 error test tap/throws: TypeError: Cannot read properti",
    ]


@pytest.mark.parametrize("report", [b"{", b"[1,", b"<x", b"[" * 100_000])
def test_broken_reports_are_refused(report: bytes) -> None:
    with pytest.raises(BadReport):
        read_report(report)


def test_what_is_no_report_says_nothing() -> None:
    assert read_report(b"") == ()
    assert read_report(b"all is well\n") == ()
    assert read_report(b'{"a": 1}') == ()
    assert read_report(b"\xef\xbb\xbf[]") == ()


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "runs",
                    "results",
                    "files",
                    "location",
                    "message",
                    "filename",
                    "code",
                    "line",
                    "fix",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(_VALUES)
def test_json_of_any_shape_is_read(value: object) -> None:
    for each in read_report(json.dumps(value).encode()):
        described(each)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.sampled_from([b"", b"<", b"{", b"[", b"TAP version 13\n"]))
def test_bytes_of_any_sort_are_read_or_refused(content: bytes, start: bytes) -> None:
    with contextlib.suppress(BadReport):
        read_report(start + content)
