"""What is read from AVA, a test runner for JavaScript."""

from git_retcon.code.diagnostics.ava_tests import read_diagnostics
from tests.code.diagnostics.sample import places, sample

_SIX = [
    "test/broken.js error test ava/test/broken.js: SyntaxError: missing ) after argument li",
    "test/missing.js error test ava/test/missing.js: Error [ERR_MODULE_NOT_FOUND]: Cannot f",
    "test/level.js:5:4 error test ava/level › counts from one: Difference (- actual, + expe",
    "/home/ada/demo/source/count.js:3:9 error test ava/level › throws: Error thrown in test",
    "test/level.js:17:4 error test ava/level › equals deeply: both the same Difference (- a",
    "test/level.js:13:10 error test ava/level › is asynchronous: Promise resolved with: 3",
]
_FOUR = [
    "test/level.js:5:4 error test ava/level › counts from one: Difference: - 4 + 3",
    "source/count.js:3:9 error test ava/level › throws: Error thrown in test:",
    "test/level.js:17:4 error test ava/level › equals deeply: both the same Difference: { -",
]


def test_two_versions() -> None:
    """What both say in the same words is read once."""
    assert places("ava") == _SIX + _FOUR


def test_nothing_is_read_of_tests_that_pass() -> None:
    passed = [line for line in sample("ava").decode().split("\n") if "✔" in line]
    assert len(passed) == 2
    assert list(read_diagnostics([*passed, "  ─", "", "  2 tests passed"])) == []
