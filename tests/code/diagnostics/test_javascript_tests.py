"""What is read from JavaScript's test runners."""

from git_retcon.code.diagnostics.javascript_tests import find_unparsed
from tests.code.diagnostics.sample import places


def test_jest() -> None:
    assert places("jest") == [
        "t/sum.test.js:3:42 error test jest/sum › adds: expect(received).toBe(expected) // Obje",
        "src/sum.js:4:12 error test jest/sum › throws: TypeError: Cannot read properties of und",
        "t/sum.test.js:6:33 error test jest/sum › objects: expect(received).toEqual(expected) /",
        "t/broken.test.js:1:11 error test jest/t/broken.test.js: Cannot find module '../src/not",
    ]


def test_vitest() -> None:
    assert places("vitest") == [
        "v/broken.test.mjs:1:1 error test vitest/v/broken.test.mjs: Error: Cannot find module '",
        "v/sum.test.mjs:5:23 error test vitest/sum > adds: AssertionError: expected 3 to be 4 /",
        "src/sum.mjs:4:12 error test vitest/sum > throws: TypeError: Cannot read properties of",
    ]


def test_mocha() -> None:
    assert places("mocha") == [
        "m/sum.js:4:29 error test mocha/sum adds: AssertionError [ERR_ASSERTION]: Expected",
        "src/sum.js:4:12 error test mocha/sum nested throws: TypeError: Cannot read properties",
        "/home/ada/demo/m/sum.js error test mocha/sum nested times out: Error: Timeout of 20ms",
    ]


def test_uvu() -> None:
    assert places("uvu") == [
        "/home/ada/demo/t/uvu.js:6:10 error test uvu/counts: Expected values to be strictly equ",
        "/home/ada/demo/t/uvu.js:10:16 error test uvu/breaks: Cannot read properties of undefin",
        "/home/ada/demo/test/lite.js:6:9 error test uvu/kitchen sink: Expected values to be dee",
    ]


def test_jest_lists_the_tests_of_a_single_file_before_what_failed() -> None:
    assert places("jest_tree") == [
        "jest/fail.test.cjs:5:21 error test jest/adds numbers: expect(received).toBe(expected)",
        "srcc/good.cjs:5:14 error test jest/does not explode: TypeError: Cannot read properties",
        "/home/ada/demo/srcc/syntax.cjs:5 error test jest/jest/syntax.test.cjs: Jest encountere",
    ]


def test_babel_names_what_it_cannot_parse_in_its_message() -> None:
    body = ["    SyntaxError: /home/ada/demo/src/sum.js: Unexpected token, expected (3:17)"]
    assert find_unparsed(body) == ("/home/ada/demo/src/sum.js", "3", "18")


def test_mocha_cannot_load_a_file() -> None:
    assert places("mocha_load") == [
        "/home/ada/demo/src/undef.mjs:2:20 error runtime node: ReferenceError: notDefined is no",
        "/home/ada/demo/src/noname.mjs:1 error compile node: SyntaxError: The requested module",
        "/home/ada/demo/mocha/syntax.spec.mjs error compile node: SyntaxError[ @/home/ada/demo/",
        "/home/ada/demo/srcc/syntax.cjs:5 error compile node: SyntaxError: Unexpected token '.'",
        "/home/ada/demo/srcc/noimport.cjs error runtime node: Error: Cannot find module './not-",
    ]


def test_vite_cannot_parse_a_file() -> None:
    assert places("vitest_load") == [
        "/home/ada/demo/src/syntax.mjs:1 error test vitest/vitest/syntax.test.mjs: Error: Faile",
    ]
