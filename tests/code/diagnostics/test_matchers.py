"""Problem matchers do what the runner does with them.

The cases follow ``IssueMatcherL0.cs`` of actions/runner.
"""

import json

import pytest

from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.code.diagnostics.diagnostic import Severity
from git_retcon.code.diagnostics.matchers import (
    BadMatcher,
    Matcher,
    read_matchers,
    read_with_matchers,
)
from tests.code.diagnostics.sample import described
from tests.timing import cpu_ratio


def _matchers(*items: object) -> tuple[Matcher, ...]:
    return read_matchers(json.dumps({"problemMatcher": items}).encode())


def _one_line(owner: str, regexp: str, **groups: int) -> dict[str, object]:
    return {"owner": owner, "pattern": [{"regexp": regexp, **groups}]}


def _read(matchers: tuple[Matcher, ...], *lines: str) -> list[str]:
    return [described(each) for each in read_with_matchers(lines, matchers)]


def test_one_line() -> None:
    regexp = r"^(?:file (.+):(\d+):(\d+) )(ERROR|WARNING) (\w+): (.+)$"
    groups = {"file": 1, "line": 2, "column": 3, "severity": 4, "code": 5, "message": 6}
    matchers = _matchers(_one_line("x", regexp, **groups))
    assert _read(matchers, "file a.x:3:5 WARNING W1: odd", "other") == [
        "a.x:3:5 warning unknown x/W1: odd"
    ]


def test_the_default_severity_is_the_matchers_own() -> None:
    matchers = _matchers({**_one_line("x", "^(.+)$", message=1), "severity": "warning"})
    (found,) = read_with_matchers(["odd"], matchers)
    assert found.severity is Severity.WARNING


def test_a_severity_that_the_runner_does_not_know_is_no_issue() -> None:
    matchers = _matchers(_one_line("x", r"^(\w+) (.+)$", severity=1, message=2))
    assert _read(matchers, "loud odd", "error odd") == ["- error unknown x: odd"]


def test_an_empty_message_is_no_issue() -> None:
    assert _read(_matchers(_one_line("x", r"^bad:(.*)$", message=1)), "bad: ", "bad: x") == [
        "- error unknown x: x"
    ]


_TWO = {
    "owner": "x",
    "pattern": [
        {"regexp": r"^(\S+):$", "file": 1},
        {"regexp": r"^  (\d+) (.+)$", "line": 1, "message": 2},
    ],
}
_LOOP = {
    "owner": "x",
    "pattern": [_TWO["pattern"][0], {**_TWO["pattern"][1], "loop": True}],  # type: ignore[dict-item]
}


def test_several_lines() -> None:
    assert _read(_matchers(_TWO), "a.x:", "  3 odd", "  4 more") == ["a.x:3 error unknown x: odd"]


def test_the_last_pattern_may_loop() -> None:
    assert _read(_matchers(_LOOP), "a.x:", "  3 odd", "  4 more", "end", "  5 none", "b.x:") == [
        "a.x:3 error unknown x: odd",
        "a.x:4 error unknown x: more",
    ]


def test_a_line_that_fits_nothing_breaks_what_was_running() -> None:
    assert _read(_matchers(_TWO), "a.x:", "other", "  3 odd") == []


def test_a_first_line_again_replaces_the_one_before() -> None:
    assert _read(_matchers(_TWO), "a.x:", "b.x:", "  3 odd") == ["b.x:3 error unknown x: odd"]


def test_of_several_matchers_the_first_decides_and_resets_the_others() -> None:
    first = _one_line("first", r"^!(.*)$", message=1)
    matchers = _matchers(first, _TWO)
    assert _read(matchers, "a.x:", "! odd", "  3 more") == ["- error unknown first: odd"]


def test_a_path_begins_where_the_project_file_is() -> None:
    regexp = r"^(.+)\((\d+)\): (.+) \[(.+)\]$"
    matchers = _matchers(_one_line("csc", regexp, file=1, line=2, message=3, fromPath=4))
    (found,) = read_with_matchers(["a.cs(3): odd [/home/ada/demo/app/app.csproj]"], matchers)
    assert (found.path, found.base) == (b"a.cs", b"/home/ada/demo/app")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{", "not JSON"),
        (b'{"problemMatcher": [{"pattern": []}]}', "no owner"),
        (b'{"problemMatcher": [{"owner": "x", "pattern": []}]}', "no pattern"),
        (b'{"problemMatcher": [{"owner": "x", "pattern": [{"file": 1}]}]}', "no regexp"),
        (b'{"problemMatcher": [{"owner": "x", "pattern": [{"regexp": "(a)"}]}]}', "a message"),
        (
            b'{"problemMatcher": [{"owner": "x", "pattern": [{"regexp": "a", "message": 1}]}]}',
            "no group 1",
        ),
        (
            b'{"problemMatcher": [{"owner": "x", "pattern": [{"regexp": "(?=a)", "message": 0}]}]}',
            "cannot be used",
        ),
        (
            b'{"problemMatcher": [{"owner": "x", "pattern":'
            b' [{"regexp": "a", "message": 0, "loop": true}]}]}',
            "loop",
        ),
        (
            b'{"problemMatcher": [{"owner": "x", "severity": "loud", "pattern":'
            b' [{"regexp": "a", "message": 0}]}]}',
            "severity",
        ),
        (b" " * 300_000, "larger"),
    ],
)
def test_a_bad_file_is_refused_with_the_reason(content: bytes, why: str) -> None:
    with pytest.raises(BadMatcher, match=why):
        read_matchers(content)


def test_two_matchers_of_one_owner_are_refused() -> None:
    item = _one_line("x", "^(.*)$", message=1)
    with pytest.raises(BadMatcher, match="same owner"):
        _matchers(item, {**item, "owner": "X"})


def test_an_expression_that_backtracks_takes_linear_time() -> None:
    matchers = _matchers(_one_line("x", "^(a+)+$", message=1))
    short, long = "a" * 500 + "b", "a" * 8000 + "b"
    assert (
        cpu_ratio(
            lambda: [_read(matchers, short) for _ in range(200)],
            lambda: [_read(matchers, long) for _ in range(200)],
        )
        < 40
    )


def test_lines_that_are_no_text_are_matched() -> None:
    matchers = _matchers(_one_line("x", "^bad (.*)$", message=1))
    found = extract_complaints(b"bad \xff\xfe thing\n", (), matchers)
    assert [each.tool for each in found] == ["x"]


def test_matchers_are_asked_of_every_line_of_a_long_output() -> None:
    matchers = _matchers(_one_line("x", "^hm (.*)$", message=1))
    output = b"quiet\n" * 5000 + b"hm odd\n" + b"quiet\n" * 5000
    (found,) = extract_complaints(output, (), matchers)
    assert (found.message, found.first) == ("odd", 5000)
