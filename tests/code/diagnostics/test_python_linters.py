"""What is read from Python's checkers and formatters."""

import pytest

from git_retcon.code.diagnostics.complaints import extract_complaints
from tests.code.diagnostics.sample import described, places


def test_mypy_columns() -> None:
    assert places("mypy_columns") == [
        "app.py:14:1 error type-check mypy/no-untyped-def: Function is missing a type annotatio",
        'app.py:16:12 error type-check mypy/name-defined: Name "undefined_name" is not defined',
        "app.py:20:5 error type-check mypy/no-untyped-def: Function is missing a return type an",
        'app.py:20:28 error type-check mypy/attr-defined: "Store" has no attribute "gone"',
        "trace.py:8:1 error type-check mypy/no-untyped-def: Function is missing a return type a",
        "trace.py:15:1 error type-check mypy/no-untyped-def: Function is missing a return type",
        'trace.py:22:9 error type-check mypy/no-untyped-call: Call to untyped function "run" in',
        'trace.py:24:9 error type-check mypy/no-untyped-call: Call to untyped function "group"',
        'trace.py:28:12 error type-check mypy/index: Invalid index type "str" for "dict[Never',
        "trace.py:30:9 error type-check mypy/no-untyped-def: Function is missing a return type",
        'trace.py:30:22 error type-check mypy/no-untyped-call: Call to untyped function "again"',
        'trace.py:31:9 error type-check mypy/no-untyped-call: Call to untyped function "again"',
    ]


def test_mypy_pretty() -> None:
    assert places("mypy_pretty") == [
        "app.py:14 error type-check mypy/no-untyped-def: Function is missing a type annotation",
        'app.py:16 error type-check mypy/name-defined: Name "undefined_name" is not defined',
        "app.py:20 error type-check mypy/no-untyped-def: Function is missing a return type anno",
        'app.py:20 error type-check mypy/attr-defined: "Store" has no attribute "gone"',
    ]


def test_pyright() -> None:
    assert places("pyright") == [
        '/home/ada/demo/app.py:16:12 error type-check pyright/reportUndefinedVariable: "undefin',
        "/home/ada/demo/app.py:20:33 error type-check pyright/reportAttributeAccessIssue: Canno",
    ]


def test_ruff_full() -> None:
    assert places("ruff_full") == [
        "app.py:1:8 error lint ruff/F401: `os` imported but unused",
        "app.py:2:1 warning lint ruff/E401: Multiple imports on one line",
        "app.py:2:8 error lint ruff/F401: `sys` imported but unused",
        "app.py:2:13 error lint ruff/F401: `json` imported but unused",
        "app.py:6:16 warning lint ruff/E711: Comparison to `None` should be `cond is",
        "app.py:14:17 warning lint ruff/B006: Do not use mutable data structures for a",
        "app.py:15:5 error lint ruff/F841: Local variable `x` is assigned to but ne",
        "app.py:16:12 error lint ruff/F821: Undefined name `undefined_name`",
        "broken.py:1:7 error lint ruff/invalid-syntax: Expected a parameter or the end of the p",
        "broken.py:1:8 error lint ruff/invalid-syntax: Expected `)`, found newline",
    ]


def test_ruff_concise() -> None:
    assert places("ruff_concise") == [
        "app.py:1:8 error lint /F401: `os` imported but unused",
        "app.py:2:1 warning lint /E401: Multiple imports on one line",
        "app.py:2:8 error lint /F401: `sys` imported but unused",
        "app.py:2:13 error lint /F401: `json` imported but unused",
        "app.py:6:16 warning lint /E711: Comparison to `None` should be `cond is",
        "app.py:14:17 warning lint /B006: Do not use mutable data structures for a",
        "app.py:15:5 error lint /F841: Local variable `x` is assigned to but ne",
        "app.py:16:12 error lint /F821: Undefined name `undefined_name`",
        "broken.py:1:7 error lint /invalid-syntax: Expected a parameter or the end of the p",
        "broken.py:1:8 error lint /invalid-syntax: Expected `)`, found newline",
        "test_collect.py:1:17 error lint /F401: `app.nothing_there` imported but unused",
        "trace.py:12:9 warning lint /B904: Within an `except` clause, raise excepti",
        "trace.py:20:5 warning lint /E401: Multiple imports on one line",
        "with space/my file.py:1:8 error lint /F401: `re` imported but unused",
    ]


def test_ruff_grouped() -> None:
    assert places("ruff_grouped") == [
        "app.py:1:8 error lint ruff/F401: `os` imported but unused",
        "app.py:2:1 warning lint ruff/E401: Multiple imports on one line",
        "app.py:2:8 error lint ruff/F401: `sys` imported but unused",
        "app.py:2:13 error lint ruff/F401: `json` imported but unused",
        "app.py:6:16 warning lint ruff/E711: Comparison to `None` should be `cond is",
        "app.py:14:17 warning lint ruff/B006: Do not use mutable data structures for a",
        "app.py:15:5 error lint ruff/F841: Local variable `x` is assigned to but ne",
        "app.py:16:12 error lint ruff/F821: Undefined name `undefined_name`",
        "broken.py:1:7 error lint ruff/invalid-syntax: Expected a parameter or the end of the p",
        "broken.py:1:8 error lint ruff/invalid-syntax: Expected `)`, found newline",
        "test_collect.py:1:17 error lint ruff/F401: `app.nothing_there` imported but unused",
        "trace.py:12:9 warning lint ruff/B904: Within an `except` clause, raise excepti",
        "trace.py:20:5 warning lint ruff/E401: Multiple imports on one line",
        "with space/my file.py:1:8 error lint ruff/F401: `re` imported but unused",
    ]


def test_ruff_format() -> None:
    assert places("ruff_format") == [
        "app.py:20:20 error lint ruff/unformatted: File would be reformatted",
        "broken.py:1:7 error lint ruff/invalid-syntax: Expected a parameter or the end of the p",
        "trace.py:21:1 error lint ruff/unformatted: File would be reformatted",
    ]


def test_flake8_source() -> None:
    assert places("flake8_source") == [
        "app.py:1:1 error lint /F401: 'os' imported but unused",
        "app.py:2:1 error lint /F401: 'sys' imported but unused",
        "app.py:2:1 error lint /F401: 'json' imported but unused",
        "app.py:2:11 warning lint /E401: multiple imports on one line",
        "app.py:6:13 warning lint /E711: comparison to None should be 'if cond is",
        "app.py:15:5 error lint /F841: local variable 'x' is assigned to but ne",
        "app.py:16:12 error lint /F821: undefined name 'undefined_name'",
    ]


def test_pylint() -> None:
    assert places("pylint") == [
        "broken.py:1:7 error lint pylint/syntax-error: Parsing failed: 'invalid syntax (broken,",
        "app.py:1 warning lint pylint/missing-module-docstring: Missing module docstring",
        "app.py:2 warning lint pylint/multiple-imports: Multiple imports on one line (sys, json",
        "app.py:5 warning lint pylint/missing-function-docstring: Missing function or method do",
        "app.py:6:7 warning lint pylint/singleton-comparison: Comparison 'text == None' should",
        "app.py:14 warning lint pylint/missing-function-docstring: Missing function or method d",
        "app.py:14 warning lint pylint/dangerous-default-value: Dangerous default value [] as a",
        "app.py:16:11 error lint pylint/undefined-variable: Undefined variable 'undefined_name'",
        "app.py:14:11 warning lint pylint/unused-argument: Unused argument 'a'",
        "app.py:14:14 warning lint pylint/unused-argument: Unused argument 'b'",
        "app.py:15:4 warning lint pylint/unused-variable: Unused variable 'x'",
        "app.py:19 warning lint pylint/missing-class-docstring: Missing class docstring",
        "app.py:20:4 warning lint pylint/missing-function-docstring: Missing function or method",
        "app.py:20:20 warning lint pylint/multiple-statements: More than one statement on a sin",
        "app.py:20:27 error lint pylint/no-member: Instance of 'Store' has no 'gone' member",
        "app.py:19 warning lint pylint/too-few-public-methods: Too few public methods (1/2)",
        "app.py:1 warning lint pylint/unused-import: Unused import os",
        "app.py:2 warning lint pylint/unused-import: Unused import sys",
        "app.py:2 warning lint pylint/unused-import: Unused import json",
        "with space/my file.py:1 warning lint pylint/missing-module-docstring: Missing module d",
        'with space/my file.py:1 warning lint pylint/invalid-name: Module name "my file" doesn\'',
        "with space/my file.py:1 warning lint pylint/unused-import: Unused import re",
    ]


def test_black() -> None:
    assert places("black") == [
        "/home/ada/demo/broken.py:1:6 error lint black: ParseError: bad input",
        "/home/ada/demo/app.py error lint black: would be reformatted",
        "/home/ada/demo/trace.py error lint black: would be reformatted",
    ]


def test_isort() -> None:
    assert places("isort") == [
        "/home/ada/demo/app.py error lint isort: Imports are incorrectly sorted and/or fo",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "error: cannot parse: src/a.py:46:12",
        "error: cannot parse for target version Python 3.13: src/a.py:46:12",
        "error: cannot format src/a.py: Cannot parse: 46:12: x = = 1",
        "error: cannot format src/a.py: Cannot parse for target version Python 3.9: 46:12: x = 1",
        "error: Failed to parse src/a.py:46:12: Expected an expression",
    ],
)
def test_a_file_that_a_formatter_cannot_read(line: str) -> None:
    (found,) = extract_complaints(
        line.encode() + b"\n            x = = 1\n               ^\nParseError: bad\n"
    )[:1]
    assert described(found).startswith("src/a.py:46:12 error lint black: ")
