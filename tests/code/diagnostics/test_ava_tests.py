"""What is read from AVA, a test runner for JavaScript."""

from git_retcon.code.diagnostics.ava_tests import read_diagnostics
from tests.code.diagnostics.sample import places, sample

_SIX = [
    "test/broken.js error test ava/test/broken.js: SyntaxError: missing ) after argument li",
    "/home/ada/demo/test/missing.js error test ava/test/missing.js: Error [ERR_MODULE_NOT_F",
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


def test_files_that_cannot_be_loaded() -> None:
    """The place is the file that is wrong; where only a test that loads it is named, that."""
    assert places("ava_load") == [
        "/home/ada/demo/src/noimport.mjs error test ava/ava/noimport.mjs: Error [ERR_MODULE_NOT",
        "/home/ada/demo/src/noname.mjs:1 error test ava/ava/noname.mjs: file:///home/ada/demo/s",
        "ava/syntax.mjs error test ava/ava/syntax.mjs: SyntaxError: Unexpected token 'const'",
    ]


def test_nothing_is_read_of_tests_that_pass() -> None:
    passed = [line for line in sample("ava").decode().split("\n") if "✔" in line]
    assert len(passed) == 2
    assert list(read_diagnostics([*passed, "  ─", "", "  2 tests passed"])) == []
