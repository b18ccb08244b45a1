"""What a passing test prints is no error, however much it looks like one."""

import pytest

from git_retcon.code.diagnostics.complaints import extract_complaints
from tests.code.diagnostics.sample import places, sample, told

# In each, one test fails, and another one logs an error and an exception that it has caught.
FAILED = {
    "ant_junit_passes": [
        "com/shop/Order.java:13 error test ant/OrderTest.refusesNull",
        "com/shop/OrderTest.java:11 error test ant/OrderTest.addsPrices",
    ],
    "cargo_nocapture": ["src/lib.rs:17:9 error test rust/tests::fails"],
    "cargo_show_output": ["src/lib.rs:17:9 error test rust/tests::fails"],
    "go_test_logs": ["shop_test.go:22 error test go test/TestTable/large"],
    "jest_console": ["a.test.js:7:33 error test jest/fails"],
    "jest_consoles": [
        "a.test.js:7:33 error test jest/fails",
        "b.test.js:7:33 error test jest/fails",
    ],
    "mocha_logs": ["m.cjs:7:28 error test mocha/fails"],
    "node_test_logs": ["/home/ada/shop/n.test.mjs:9:30 error test tap/fails"],
    "pytest_passes": ["test_shop.py:22 error test pytest/test_fails"],
    "surefire_passes": ["app/ShopTest.java:10 error test surefire/ShopTest.sums"],
    "vitest_console": ["v.test.mjs:7:33 error test vitest/fails"],
}


@pytest.mark.parametrize("name", FAILED)
def test_only_what_failed_is_an_error(name: str) -> None:
    assert [place.partition(": ")[0] for place in places(name)] == FAILED[name]


def test_what_ends_a_program_is_an_error_beside_tests_that_fail() -> None:
    logged = b"Error: real\n    at g (/a/c.js:5:1)\n"
    ended = b"/a/c.js:5\nthrow new Error('real')\n^\n\n" + logged
    mocha = sample("mocha_logs")
    assert [each.line for each in extract_complaints(logged)] == [5]
    assert [each.line for each in extract_complaints(mocha + ended)] == [7, 5]
    assert [each.line for each in extract_complaints(mocha + logged)] == [7]


def test_git_retcon_reads_no_more() -> None:
    assert told("surefire_passes") == ["test ShopTest.java:10"]
    assert told("cargo_show_output") == ["test lib.rs:17"]


def _read_lines(output: str) -> list[int | None]:
    return [each.line for each in extract_complaints(output.encode())]


def test_a_log_counts_where_a_test_of_that_name_failed() -> None:
    one = "=== RUN   TestA\n    a_test.go:3: said\n--- PASS: TestA (0.00s)\n"
    other = "=== RUN   TestA\n    b_test.go:4: wrong\n--- FAIL: TestA (0.00s)\n"
    assert _read_lines(one) == []
    assert 4 in _read_lines(one + other)


def test_what_is_printed_while_a_class_of_tests_fails_is_read() -> None:
    thrown = "java.lang.IllegalStateException: lost\n\tat app.Store.open(Store.java:9)\n"
    passes = (
        "[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1 s -- in app.T"
    )
    fails = "[ERROR] Tests run: 1, Failures: 1, Time elapsed: 1 s <<< FAILURE! -- in app.T"
    assert _read_lines(f"[INFO] Running app.T\n{thrown}{passes}\n") == []
    assert _read_lines(f"[INFO] Running app.T\n{thrown}{fails}\n") == [9]
    assert _read_lines(f"[INFO] Running app.T\n{thrown}") == [9]


def test_what_a_test_says_to_github_is_believed() -> None:
    said = "  console.log\n    ::error file=a.js,line=3::wrong\n::error file=b.js,line=4::wrong\n"
    assert _read_lines(said) == [3, 4]


def test_what_follows_the_console_is_read() -> None:
    said = (
        "stderr | a.test.ts > b\nError: handled\n    at f (/a/b.ts:3:1)\n\n ❯ a.test.ts (1 test)\n"
    )
    thrown = "Error: real\n    at g (/a/c.ts:5:1)\n"
    assert _read_lines(said + thrown) == [5]
    said = "  console.error\n    Error: handled\n        at f (/a/b.js:3:1)\n\n"
    assert _read_lines(said + thrown) == [5]
