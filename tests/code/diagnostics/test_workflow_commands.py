"""Annotations that a step prints are read, and nothing else."""

from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.code.diagnostics.diagnostic import Severity
from tests.code.diagnostics.sample import described, places


def test_ruff_github() -> None:
    assert places("ruff_github") == [
        "/home/ada/demo/app.py:1:8 error lint ruff/F401: `os` imported but unused",
        "/home/ada/demo/app.py:2:1 error lint ruff/E401: Multiple imports on one line",
        "/home/ada/demo/app.py:2:8 error lint ruff/F401: `sys` imported but unused",
        "/home/ada/demo/app.py:2:13 error lint ruff/F401: `json` imported but unused",
        "/home/ada/demo/app.py:6:16 error lint ruff/E711: Comparison to `None` should be `cond",
        "/home/ada/demo/app.py:14:17 error lint ruff/B006: Do not use mutable data structures f",
    ]


def test_ruff_azure() -> None:
    assert places("ruff_azure") == [
        "/home/ada/demo/app.py:1:8 error lint /F401: `os` imported but unused",
        "/home/ada/demo/app.py:2:1 error lint /E401: Multiple imports on one line",
        "/home/ada/demo/app.py:2:8 error lint /F401: `sys` imported but unused",
    ]


def test_all_properties_and_escapes() -> None:
    (found,) = extract_complaints(
        b"::warning file=a%2Cb.py,line=3,endLine=4,col=5,endColumn=7,title=T::50%25%0Amore%0D"
    )
    assert (found.path, found.line, found.column) == (b"a,b.py", 3, 5)
    assert (found.end_line, found.end_column) == (4, 7)
    assert found.severity is Severity.WARNING
    assert found.message == "50%"
    assert found.stack == ("more\r",)


def test_in_a_message_only_what_github_escapes_there_is_unescaped() -> None:
    (found,) = extract_complaints(b"::warning::GET /a%3Ab%2Cc fails")
    assert found.message == "GET /a%3Ab%2Cc fails"


def test_between_stop_and_its_mark_there_are_no_commands() -> None:
    output = b"::stop-commands::xyz\n::error::hidden\n::xyz::\n::error::seen\n"
    assert [described(each) for each in extract_complaints(output)] == ["- error unknown : seen"]


def test_what_the_runner_says_of_a_step_is_no_complaint() -> None:
    assert extract_complaints(b"##[error]Process completed with exit code 1.\n") == ()
    assert [each.message for each in extract_complaints(b"##[error]gone wrong\n")] == ["gone wrong"]


def test_a_command_in_the_middle_of_a_line_is_none() -> None:
    assert extract_complaints(b"echo ::error::text\n") == ()


def test_what_a_matcher_marked_on_github_is_read_as_the_tool_printed_it() -> None:
    output = (
        b"##[error]main.go:4:2: undefined: limit\n"
        b"Traceback (most recent call last):\n"
        b'  File "app.py", line 3, in <module>\n'
        b"##[error]    raise ValueError('bad')\n"
        b"ValueError: bad\n"
        b"##[error]src/a.ts(3,7): error TS2322: Type 'string' is not a number.\n"
        b"##[warning]lib/b.py:2:1: W291 trailing whitespace\n"
        b"##[error]the rest has no place\n"
        b"::stop-commands::abc\n##[error]this was no command\n::abc::\n"
        b"##[error]Process completed with exit code 1.\n"
    )
    assert [(each.path, each.line, each.message) for each in extract_complaints(output)] == [
        (b"main.go", 4, "undefined: limit"),
        (b"app.py", 3, "ValueError: bad"),
        (b"src/a.ts", 3, "Type 'string' is not a number."),
        (b"lib/b.py", 2, "trailing whitespace"),
        (None, None, "the rest has no place"),
    ]
