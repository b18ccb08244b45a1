"""Reports in JSON, each known by its keys."""

from pathlib import Path

from git_retcon.code.diagnostics.diagnostic import Edit
from git_retcon.code.diagnostics.reports.json_reports import (
    read_document,
    read_record,
)
from git_retcon.code.diagnostics.reports.report import read_report
from tests.code.diagnostics.sample import described

_SAMPLES = Path(__file__).parents[1] / "samples" / "reports"


def _places(name: str) -> list[str]:
    return [described(each) for each in read_report((_SAMPLES / name).read_bytes())]


def test_cargo_json() -> None:
    assert _places("cargo.json") == [
        "src/lib.rs:2:9 warning compile rustc/unused_variables: unused variable: `unused`",
        "src/main.rs:1:5 error compile rustc/E0432: unresolved import `demo::gone`",
        "src/main.rs:3:18 error compile rustc/E0308: mismatched types",
        "src/main.rs:7:5 error compile rustc/E0425: cannot find function `undefined_fn` in t",
    ]


def test_eslint_json() -> None:
    assert _places("eslint.json") == [
        "/home/ada/demo/src/lint.js:1:5 error lint eslint/no-unused-vars: 'unused' is assigned",
        "/home/ada/demo/src/lint.js:3:9 warning lint eslint/eqeqeq: Expected '===' and instead",
        "/home/ada/demo/src/lint.js:3:20 error lint eslint/no-undef: 'missing' is not defined.",
        "/home/ada/demo/src/lint.js:3:30 error lint eslint/semi: Missing semicolon.",
        "/home/ada/demo/src/parse.js:1:10 error compile eslint: Parsing error: Unexpected token",
    ]


def test_jest_json() -> None:
    assert _places("jest.json") == [
        "/home/ada/demo/t/sum.test.js:3:42 error test jest/sum adds: Error: expect(received).to",
        "/home/ada/demo/src/sum.js:4:12 error test jest/sum throws: TypeError: Cannot read prop",
        "/home/ada/demo/t/broken.test.js error test jest//home/ada/demo/t/broken.test.js: ● Tes",
    ]


def test_mypy_json_json() -> None:
    assert _places("mypy_json.json") == [
        "app.py:14:1 error type-check mypy/no-untyped-def: Function is missing a type annotatio",
        'app.py:16:12 error type-check mypy/name-defined: Name "undefined_name" is not defined',
        "app.py:20:5 error type-check mypy/no-untyped-def: Function is missing a return type an",
        'app.py:20:28 error type-check mypy/attr-defined: "Store" has no attribute "gone"',
    ]


def test_pylint_json() -> None:
    assert _places("pylint.json") == [
        "app.py:1:1 warning lint pylint/missing-module-docstring: Missing module docstring",
        "app.py:2:1 warning lint pylint/multiple-imports: Multiple imports on one line (sys, js",
        "app.py:5:1 warning lint pylint/missing-function-docstring: Missing function or method",
    ]


def test_pyright_json() -> None:
    assert _places("pyright.json") == [
        '/home/ada/demo/app.py:16:12 error type-check pyright/reportUndefinedVariable: "undefin',
        "/home/ada/demo/app.py:20:33 error type-check pyright/reportAttributeAccessIssue: Canno",
    ]


def test_ruff_json() -> None:
    assert _places("ruff.json") == [
        "/home/ada/demo/app.py:1:8 error lint ruff/F401: `os` imported but unused",
        "/home/ada/demo/app.py:2:1 warning lint ruff/E401: Multiple imports on one line",
        "/home/ada/demo/app.py:2:8 error lint ruff/F401: `sys` imported but unused",
        "/home/ada/demo/broken.py:1:7 error lint ruff/invalid-syntax: Expected a parameter or t",
    ]


def test_ruff_lines_json() -> None:
    assert _places("ruff_lines.json")[:8] == [
        "/home/ada/demo/app.py:1:8 error lint ruff/F401: `os` imported but unused",
        "/home/ada/demo/app.py:2:1 warning lint ruff/E401: Multiple imports on one line",
        "/home/ada/demo/app.py:2:8 error lint ruff/F401: `sys` imported but unused",
        "/home/ada/demo/app.py:2:13 error lint ruff/F401: `json` imported but unused",
        "/home/ada/demo/app.py:6:16 warning lint ruff/E711: Comparison to `None` should be `con",
        "/home/ada/demo/app.py:15:5 error lint ruff/F841: Local variable `x` is assigned to but",
        "/home/ada/demo/app.py:16:12 error lint ruff/F821: Undefined name `undefined_name`",
        "/home/ada/demo/broken.py:1:7 error lint ruff/invalid-syntax: Expected a parameter or t",
    ]


def test_ruff_rdjson_json() -> None:
    assert _places("ruff_rdjson.json") == [
        "/home/ada/demo/app.py:1:8 error lint /F401: `os` imported but unused",
        "/home/ada/demo/app.py:2:1 error lint /E401: Multiple imports on one line",
    ]


def test_shellcheck_json() -> None:
    assert _places("shellcheck.json") == [
        "a.sh:2:10 error lint shellcheck/SC2045: Iterating over ls output is fragile. Use",
        "a.sh:2:15 note lint shellcheck/SC2035: Use ./*glob* or -- *glob* so names with",
        "a.sh:3:8 note lint shellcheck/SC2086: Double quote to prevent globbing and wor",
    ]


def test_fixes() -> None:
    ruff, *_ = read_report((_SAMPLES / "ruff.json").read_bytes())
    assert ruff.suggestion == "Remove unused import: `os`"
    assert ruff.edits == (Edit(b"/home/ada/demo/app.py", 1, 1, 2, 1, ""),)
    eslint = read_report((_SAMPLES / "eslint.json").read_bytes())
    assert eslint[3].edits == (Edit(b"/home/ada/demo/src/lint.js", 0, 61, 0, 61, ";"),)
    cargo, *_ = read_report((_SAMPLES / "cargo.json").read_bytes())
    assert cargo.edits == (Edit(b"src/lib.rs", 2, 9, 2, 15, "_unused"),)


def test_fixes_that_change_what_a_program_does_are_left_out() -> None:
    item = {
        "code": "F841",
        "filename": "a.py",
        "location": {"row": 1, "column": 1},
        "message": "unused",
        "fix": {
            "applicability": "unsafe",
            "edits": [
                {
                    "content": "",
                    "location": {"row": 1, "column": 1},
                    "end_location": {"row": 2, "column": 1},
                }
            ],
        },
    }
    (found,) = read_record(item)
    assert found.edits == ()


def test_others_of_the_manuals() -> None:
    rubocop = {
        "files": [
            {
                "path": "a.rb",
                "offenses": [
                    {
                        "severity": "convention",
                        "message": "odd",
                        "cop_name": "Style/X",
                        "location": {"start_line": 3, "start_column": 2},
                    }
                ],
            }
        ]
    }
    assert [described(each) for each in read_document(rubocop)] == [
        "a.rb:3:2 warning lint rubocop/Style/X: odd"
    ]


def test_values_of_the_wrong_sort_are_absent() -> None:
    odd = [{"filename": 3, "location": [], "message": {}, "code": None}, 7, None, [], {"x": 1}]
    assert [described(each) for each in read_document(odd)] == ["- error lint ruff/invalid-syntax:"]
