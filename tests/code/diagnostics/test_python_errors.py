"""What is read from real output of Python and its checkers."""

from tests.code.diagnostics.sample import places, told


def test_unittest() -> None:
    assert told("unittest") == [
        "file test_w.py:1 <nothere>",
        "member test_x.py:6 gone of pkg.mod",
        "member test_x.py:7 y of C",
        "file test_x.py:11 <data/x.txt>",
        "mismatch test_x.py:13 of C.__init__",
        "member test_x.py:15 k",
        "mismatch test_x.py:8 b of keep",
        "undefined test_x.py:18 zz",
        "undefined test_x.py:5 parse_token",
        "mismatch test_x.py:10 of keep",
        "member test_x.py:14 sub of pkg",
        "member test_x.py:12 make of C",
        "member test_x.py:20 keap of pkg.mod",
        "import test_y.py:1 missing of pkg.mod",
        "file test_z.py:1 <pkg.absent>",
        "test test_x.py:16",
    ]


def test_pytest() -> None:
    assert told("pytest") == [
        "file test_w.py:1 <nothere>",
        "import test_y.py:1 missing of pkg.mod",
        "file test_z.py:1 <pkg.absent>",
        "test test_x.py:16",
        "member test_x.py:6 gone of pkg.mod",
        "member test_x.py:7 y of C",
        "file test_x.py:11 <data/x.txt>",
        "mismatch test_x.py:13 of C.__init__",
        "member test_x.py:15 k",
        "mismatch test_x.py:8 b of keep",
        "undefined test_x.py:18 zz",
        "undefined test_x.py:5 parse_token",
        "mismatch test_x.py:10 of keep",
        "member test_x.py:14 sub of pkg",
        "member test_x.py:12 make of C",
        "member test_x.py:20 keap of pkg.mod",
    ]


def test_python() -> None:
    assert told("python") == [
        "syntax bad.py:1",
        "syntax bad2.py:2",
        "import rel.py:1 nada of pkg",
        "file </home/ada/demo/nofile.py>",
        "file <pkg.nope>",
        "syntax bad.py:1",
        "syntax bad2.py:2",
        "undefined nofix",
        "test test_fx.py",
    ]


def test_python_checkers() -> None:
    assert told("python_checkers") == [
        "member lint.py:2 gone of pkg.mod",
        "file lint.py:3 <pkg.nope>",
        "undefined lint.py:4 undefined_name",
        "member lint.py:6 zip",
        "member lint.py:7 yy of C",
        "mismatch lint.py:8 of keep",
        "mismatch lint.py:9 c of keep",
        "import lint.py:2 gone",
        "file lint.py:3 <pkg.nope>",
        "undefined lint.py:4 undefined_name",
        "member lint.py:6 zip of pkg.mod",
        "member lint.py:7 yy of C",
        "mismatch lint.py:8",
        "mismatch lint.py:9 c",
        "unused lint.py:1 os",
        "unused lint.py:2 gone of pkg.mod",
        "unused lint.py:3 nope of pkg",
    ]


def test_ruff() -> None:
    assert told("ruff") == [
        "unused lint.py:1 os",
        "unused lint.py:2 gone of pkg.mod",
        "unused lint.py:3 nope of pkg",
        "undefined lint.py:4 undefined_name",
    ]


def test_pytest_indents_the_error_as_the_source() -> None:
    assert told("pytest_indented") == [
        "mismatch __init__.py:8 case_sensitive of group",
        "other test_pkg.py",
    ]


def test_every_record_of_traceback() -> None:
    assert places("traceback") == [
        "/home/ada/demo/app.py:9 error runtime python: ValueError: invalid literal for int() wi",
        "/home/ada/demo/app.py:11 error runtime python: RuntimeError: cannot parse",
        "/home/ada/demo/trace.py:12 error runtime python: Custom",
        "/home/ada/demo/trace.py:16 error runtime python: ExceptionGroup: several (2 sub-except",
        "/home/ada/demo/trace.py:26 error runtime python: json.decoder.JSONDecodeError: Expecti",
        "/home/ada/demo/trace.py:28 error runtime python: KeyError: 'missing'",
        "/home/ada/demo/trace.py:30 error runtime python: RecursionError: maximum recursion dep",
        "/home/ada/demo/broken.py:1:11 error compile python: SyntaxError: invalid syntax",
    ]


def test_what_installers_quote_of_a_build() -> None:
    built = [
        "/home/ada/dist1/shop.py:6:14 error compile python: SyntaxError: '(' was never closed",
        "src/fast.c:4:24 error compile cc: ‘pirces’ undeclared (first use in this f",
        "src/fast.c:3:12 warning compile cc/unused-function: ‘total’ defined but not used [-Wun",
    ]
    for installer in ("pip", "uv"):
        found = places(f"{installer}_build")
        assert [place for place in found if not place.startswith("- ")] == built
        # The same builds in the form that `git retcon` asks for.
        assert told(f"{installer}_build")[-2:] == ["undefined fast.c:4 pirces", "syntax shop.py:6"]
