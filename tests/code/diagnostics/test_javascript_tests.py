"""What is read from JavaScript's test runners."""

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
