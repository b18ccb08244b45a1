"""What an older tool's own tests record is read here too, and what it could not read is.

A law over all readers; ``tests/bench/golden.py`` reads the data, ``conformance/detent``.
"""

import json

import pytest

from git_retcon.code.diagnostics.complaints import extract_complaints
from tests.bench.golden import (
    Case,
    find_golden,
    lines_and_sequences,
    noise,
    whole_outputs,
)
from tests.code.diagnostics.sample import described

_FILE = find_golden()
_GOLDEN = json.loads(_FILE.read_text("utf-8")) if _FILE else {}
_needs_golden = pytest.mark.skipif(_FILE is None, reason="conformance/detent is not here")


def _share(cases: list[Case]) -> float:
    assert len(cases) >= 17
    return sum(case.read() == case.expected for case in cases) / len(cases)


@_needs_golden
def test_of_lines_and_sequences_nineteen_in_twenty_are_read_alike() -> None:
    assert _share(list(lines_and_sequences(_GOLDEN))) >= 0.95


@_needs_golden
def test_of_whole_outputs_nine_in_ten_are_read_alike() -> None:
    assert _share(list(whole_outputs(_GOLDEN))) >= 0.9


@_needs_golden
def test_no_line_of_noise_gives_a_record() -> None:
    lines = list(noise(_GOLDEN))
    assert len(lines) > 80
    assert [line for line in lines if extract_complaints(line.encode())] == []


# What the older tool returns nothing for, or without file and line.
_MISSED = {
    "a plain traceback": (
        'Traceback (most recent call last):\n  File "app.py", line 3, in f\n    g()\n'
        "ValueError: odd\n",
        ["app.py:3 error runtime python: ValueError: odd"],
    ),
    "a dotted exception": (
        'Traceback (most recent call last):\n  File "app.py", line 3, in f\n    g()\n'
        "requests.exceptions.HTTPError: 404\n",
        ["app.py:3 error runtime python: requests.exceptions.HTTPError: 404"],
    ),
    "an exception without a message": (
        'Traceback (most recent call last):\n  File "app.py", line 3, in f\n    g()\nCustom\n',
        ["app.py:3 error runtime python: Custom"],
    ),
    "a KeyError": (
        'Traceback (most recent call last):\n  File "app.py", line 3, in f\n    g()\n'
        "KeyError: 'x'\n",
        ["app.py:3 error runtime python: KeyError: 'x'"],
    ),
    "unittest": (
        "======================================================================\n"
        "FAIL: test_a (tests.test_x.T.test_a)\n"
        "----------------------------------------------------------------------\n"
        'Traceback (most recent call last):\n  File "tests/test_x.py", line 9, in test_a\n'
        "    self.assertEqual(1, 2)\nAssertionError: 1 != 2\n",
        ["tests/test_x.py:9 error test unittest/tests.test_x.T.test_a: AssertionError: 1 != 2"],
    ),
    "pytest without a reason": (
        "FAILED tests/test_x.py::test_a\n",
        ["tests/test_x.py error test pytest/test_a: test_a failed"],
    ),
    "pytest's place": (
        "tests/test_x.py:12: AssertionError\n",
        ["tests/test_x.py:12 error test pytest: AssertionError"],
    ),
    "mypy with columns": (
        'app.py:3:5: error: Name "x" is not defined  [name-defined]\n',
        ['app.py:3:5 error type-check mypy/name-defined: Name "x" is not defined'],
    ),
    "ruff": (
        "F401 [*] `os` imported but unused\n --> app.py:1:8\n  |\n1 | import os\n",
        ["app.py:1:8 error lint ruff/F401: `os` imported but unused"],
    ),
    "black": ("would reformat src/app.py\n", ["src/app.py error lint black: would be reformatted"]),
    "javac": (
        "src/A.java:3: error: ';' expected\n    int x\n         ^\n",
        ["src/A.java:3:10 error compile javac: ';' expected"],
    ),
    "jest": (
        "FAIL t/a.test.js\n  ● adds\n\n    expect(received).toBe(expected)\n\n"
        "      at Object.toBe (t/a.test.js:3:42)\n",
        ["t/a.test.js:3:42 error test jest/adds: expect(received).toBe(expected)"],
    ),
    "vitest": (
        " FAIL  v/a.test.ts > adds\nAssertionError: expected 3 to be 4\n ❯ v/a.test.ts:5:23\n",
        ["v/a.test.ts:5:23 error test vitest/adds: AssertionError: expected 3 to be 4"],
    ),
    "biome": (
        "src/a.js:1:5 lint/style/useConst  FIXABLE  ━━━━━━━━━━\n\n  × Use const.\n\n",
        ["src/a.js:1:5 error lint biome/lint/style/useConst: Use const."],
    ),
    "annotations": ("::error file=a.py,line=3,col=5::odd\n", ["a.py:3:5 error unknown : odd"]),
    "gcc without a directory": (
        "main.c:3:5: error: expected ';'\n",
        ["main.c:3:5 error compile cc: expected ';'"],
    ),
    "gcc with a directory": (
        "src/main.c:3:5: error: expected ';'\n",
        ["src/main.c:3:5 error compile cc: expected ';'"],
    ),
    "maven": (
        "[ERROR] /home/ada/src/A.java:[3,5] cannot find symbol\n",
        ["/home/ada/src/A.java:3:5 error compile javac: cannot find symbol"],
    ),
    "a path with spaces": (
        "my dir/a b.ts(3,5): error TS2304: Cannot find name 'x'.\n",
        ["my dir/a b.ts:3:5 error type-check tsc/TS2304: Cannot find name 'x'."],
    ),
    "a path of windows": (
        "C:\\a b\\main.c:3:5: error: expected ';'\n",
        ["C:\\a b\\main.c:3:5 error compile cc: expected ';'"],
    ),
    "eslint's usual form": (
        "\n/home/ada/a.js\n  1:5  error  'x' is not defined  no-undef\n\n✖ 1 problem\n",
        ["/home/ada/a.js:1:5 error lint eslint/no-undef: 'x' is not defined"],
    ),
    "go test's output before its verdict": (
        "=== RUN   TestA\n    a_test.go:9: odd\n--- FAIL: TestA (0.00s)\nFAIL\n",
        ["a_test.go:9 error test go test/TestA: odd"],
    ),
}


@pytest.mark.parametrize("name", _MISSED)
def test_what_the_older_tool_missed(name: str) -> None:
    output, expected = _MISSED[name]
    assert [described(each) for each in extract_complaints(output.encode())] == expected
