"""JUnit's and Checkstyle's reports, real ones and hostile ones."""

from pathlib import Path

import pytest

from git_retcon.code.diagnostics.reports.report import read_report
from git_retcon.code.diagnostics.reports.xml_reports import (
    BadReport,
    read_checkstyle,
    read_elements,
    read_junit,
)
from tests.code.diagnostics.sample import described

_SAMPLES = Path(__file__).parents[1] / "samples" / "reports"


def _places(name: str) -> list[str]:
    return [described(each) for each in read_report((_SAMPLES / name).read_bytes())]


def test_eslint_checkstyle_xml() -> None:
    assert _places("eslint_checkstyle.xml") == [
        "/home/ada/demo/src/lint.js:1:5 error lint eslint/no-unused-vars: 'unused' is assigned",
        "/home/ada/demo/src/lint.js:3:9 warning lint eslint/eqeqeq: Expected '===' and instead",
        "/home/ada/demo/src/lint.js:3:20 error lint eslint/no-undef: 'missing' is not defined.",
        "/home/ada/demo/src/lint.js:3:30 error lint eslint/semi: Missing semicolon. (semi)",
        "/home/ada/demo/src/lint.js:4:11 error lint eslint/semi: Missing semicolon. (semi)",
        "/home/ada/demo/src/lint.js:6:3 error lint eslint/quotes: Strings must use doublequote.",
        "/home/ada/demo/src/parse.js:1:10 error lint checkstyle: Parsing error: Unexpected toke",
    ]


def test_eslint_junit_xml() -> None:
    assert _places("eslint_junit.xml") == [
        "/home/ada/demo/src/lint.js:1:5 error lint eslint/no-unused-vars: 'unused' is assigned",
        "/home/ada/demo/src/lint.js:3:9 warning lint eslint/eqeqeq: Expected '===' and instead",
        "/home/ada/demo/src/lint.js:3:20 error lint eslint/no-undef: 'missing' is not defined.",
        "/home/ada/demo/src/lint.js:3:30 error lint eslint/semi: Missing semicolon.",
        "/home/ada/demo/src/lint.js:4:11 error lint eslint/semi: Missing semicolon.",
        "/home/ada/demo/src/lint.js:6:3 error lint eslint/quotes: Strings must use doublequote.",
        "/home/ada/demo/src/parse.js:1:10 error lint eslint/unknown: Parsing error: Unexpected",
    ]


def test_mocha_xunit_xml() -> None:
    assert _places("mocha_xunit.xml") == [
        "m/sum.js:4:29 error test junit/sum.adds: Expected values to be strictly equal:",
        "src/sum.js:4:12 error test junit/sum nested.throws: Cannot read properties of undefine",
        "/home/ada/demo/m/sum.js error test junit/sum nested.times out: Timeout of 20ms exceede",
    ]


def test_pytest_junit_xml() -> None:
    assert _places("pytest_junit.xml")[:8] == [
        "test_app.py:15 error test junit/test_app.test_plain: AssertionError: numbers differ",
        "test_app.py:7 error test junit/test_app.test_nested: AssertionError: assert {'a': 1, '",
        "app.py:11 error test junit/test_app.test_chained: RuntimeError: cannot parse",
        "/home/ada/demo/test_app.py:28 error test junit/test_app.test_group: ExceptionGroup: se",
        "test_app.py:33 error test junit/test_app.test_param[2]: assert 2 == 1",
        "test_app.py:37 error test junit/test_app.test_raises: Failed: DID NOT RAISE ValueError",
        "test_app.py:43 error test junit/test_app.test_setup: failed on setup with \"KeyError: '",
        "app.py:20 error test junit/test_app.TestStore.test_save: AttributeError: 'Store' objec",
    ]


def test_the_place_of_a_failure_is_worth_more_than_that_of_its_test() -> None:
    # pytest counts the lines of tests from 0 there.
    assert [place.partition(": ")[0] for place in _places("pytest_xunit1.xml")] == [
        "test_app.py:6 error test junit/test_app.test_sum",
        "app.py:2 error test junit/test_app.test_lookup",
    ]


def test_surefire_xml() -> None:
    assert [place.partition(": ")[0] for place in _places("surefire.xml")] == [
        "app/StoreTest.java:10 error test junit/app.StoreTest.adds",
        "app/StoreTest.java:15 error test junit/app.StoreTest.sizes",
    ]


def test_ruff_junit_xml() -> None:
    assert _places("ruff_junit.xml")[:8] == [
        "/home/ada/demo/app.py:1:8 error lint ruff/F401: `os` imported but unused",
        "/home/ada/demo/app.py:2:1 error lint ruff/E401: Multiple imports on one line",
        "/home/ada/demo/app.py:2:8 error lint ruff/F401: `sys` imported but unused",
        "/home/ada/demo/app.py:2:13 error lint ruff/F401: `json` imported but unused",
        "/home/ada/demo/app.py:6:16 error lint ruff/E711: Comparison to `None` should be `cond",
        "/home/ada/demo/app.py:15:5 error lint ruff/F841: Local variable `x` is assigned to but",
        "/home/ada/demo/app.py:16:12 error lint ruff/F821: Undefined name `undefined_name`",
        "/home/ada/demo/broken.py:1:7 error lint ruff/invalid-syntax: Expected a parameter or t",
    ]


def test_shellcheck_checkstyle_xml() -> None:
    assert _places("shellcheck_checkstyle.xml") == [
        "a.sh:2:10 error lint shellcheck/SC2045: Iterating over ls output is fragile. Use",
        "a.sh:2:15 note lint shellcheck/SC2035: Use ./*glob* or -- *glob* so names with",
        "a.sh:3:8 note lint shellcheck/SC2086: Double quote to prevent globbing and wor",
        "a.sh:5:6 warning lint shellcheck/SC2154: x is referenced but not assigned.",
        "a.sh:5:6 note lint shellcheck/SC2086: Double quote to prevent globbing and wor",
        "a.sh:5:26 note lint shellcheck/SC2005: Useless echo? Instead of 'echo $(cmd)',",
        "a.sh:5:27 note lint shellcheck/SC2006: Use $(...) notation instead of legacy ba",
    ]


def test_vitest_junit_xml() -> None:
    assert _places("vitest_junit.xml") == [
        "v/broken.test.mjs:1:1 error test junit/v/broken.test.mjs.v/broken.test.mjs: Cannot fin",
        "v/sum.test.mjs:5:23 error test junit/v/sum.test.mjs.sum > adds: expected 3 to be 4 //",
        "src/sum.mjs:4:12 error test junit/v/sum.test.mjs.sum > throws: Cannot read properties",
    ]


_BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    b"<testsuite><testcase name='x'><failure>&b;</failure></testcase></testsuite>"
)
_FILE = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    b"<testsuite><testcase name='x'><failure>&a;</failure></testcase></testsuite>"
)


@pytest.mark.parametrize("report", [_BOMB, _FILE, b"<!DOCTYPE x><testsuite/>"])
def test_a_document_type_is_refused(report: bytes) -> None:
    with pytest.raises(BadReport, match="document type"):
        list(read_junit(report))


@pytest.mark.parametrize("report", [b"<a", b"<a></b>", b"", b"<a>" * 100 + b"</a>" * 100])
def test_broken_and_deep_reports_are_refused(report: bytes) -> None:
    with pytest.raises(BadReport):
        list(read_elements(report))


def test_what_was_skipped_is_no_failure() -> None:
    report = b"<testsuite><testcase name='x'><skipped message='later'/></testcase></testsuite>"
    assert list(read_junit(report)) == []


def test_the_place_may_be_in_attributes() -> None:
    report = (
        b"<testsuite><testcase classname='a' name='x' file='a.rb' line='3'>"
        b"<failure message='odd'/></testcase></testsuite>"
    )
    (found,) = read_junit(report)
    assert (found.path, found.line, found.message, found.rule) == (b"a.rb", 3, "odd", "a.x")


def test_a_stack_of_java_gives_the_place() -> None:
    report = (
        b"<testsuite><testcase classname='app.SumTest' name='adds'><failure message='odd'>"
        b"org.opentest4j.AssertionFailedError: odd\n"
        b"\tat org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)\n"
        b"\tat app.SumTest.adds(SumTest.java:12)\n</failure></testcase></testsuite>"
    )
    (found,) = read_junit(report)
    assert (found.path, found.line) == (b"app/SumTest.java", 12)


def test_errors_outside_of_files_are_not_checkstyles() -> None:
    assert list(read_checkstyle(b"<checkstyle><error line='1'/></checkstyle>")) == []
