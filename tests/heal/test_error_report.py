"""Errors as people read them: what is urgent first, and no more than there is room for."""

from git_retcon.code.diagnostics.diagnostic import Category, Diagnostic
from git_retcon.heal.error_report import error_members, list_error_lines, sort_errors
from git_retcon.heal.found_errors import FoundError
from git_retcon.run.places import Finding, Source
from git_retcon.show.style import Style


def make_error(
    path: bytes | None, line: int, message: str, category: Category, rule: str = ""
) -> FoundError:
    said = Diagnostic(path, line or None, message, category=category, tool="tool", rule=rule)
    snippet = tuple(Source(number, f"text {number}") for number in (line - 1, line)) if line else ()
    finding = Finding(said, path, line or None, 3 if line else None, snippet, (), "", "ab12" * 8)
    return FoundError(finding, b"ci.yml", "test", "make", "test (3.11)")


ERRORS = [
    make_error(None, 0, "no network", Category.INFRASTRUCTURE),
    make_error(None, 0, "broken pipe", Category.UNKNOWN),
    make_error(b"a.py", 9, "unused", Category.LINT, "F401"),
    make_error(b"b.py", 5, "wrong type", Category.TYPE_CHECK),
    make_error(b"a.py", 7, "style", Category.LINT),
    make_error(b"c.py", 2, "assert", Category.TEST),
    make_error(b"a.py", 8, "syntax\nmore", Category.COMPILE),
]


def tell(room: int | None, *, ids: bool = False) -> list[str]:
    return list(list_error_lines(ERRORS, Style(False), room, ids=ids))


def test_files_come_by_their_most_urgent_error_and_no_file_last() -> None:
    said = [error.finding.diagnostic.message[:6] for error in sort_errors(ERRORS)]
    assert said == ["syntax", "style", "unused", "wrong ", "assert", "broken", "no net"]


def test_each_error_is_one_line_and_a_quote_as_long_as_there_is_room() -> None:
    assert tell(9) == [
        "a.py:8:3: syntax",
        "  text 8",
        "    ^",
        "a.py:7:3: style",
        "a.py:9:3: unused [tool F401]",
        "b.py:5:3: wrong type",
        "c.py:2:3: assert",
        "test (3.11) / make: broken pipe",
        "test (3.11) / make: no network",
    ]


def test_an_error_of_a_log_may_have_no_place_at_all() -> None:
    error = ERRORS[1]._replace(job="", job_name="", step="")
    assert list(list_error_lines([error], Style(False), 9)) == ["no file: broken pipe"]


def test_what_does_not_fit_is_counted() -> None:
    assert tell(3) == [
        "a.py:8:3: syntax",
        "a.py:7:3: style",
        "... and 5 more errors (-v lists all)",
    ]
    assert len(tell(7)) == 7
    assert "more" not in "".join(tell(7))


def test_all_of_them_come_with_the_lines_around_and_their_ids() -> None:
    lines = tell(None, ids=True)
    assert lines[:3] == ["ab12ab12 a.py:8:3: syntax", "       7 | text 7", "  >    8 | text 8"]
    assert len(lines) == 7 + 2 * 5


def test_every_member_of_a_record_is_there_for_programs() -> None:
    error = ERRORS[2]
    assert error_members(error) == {
        "file": "a.py", "line": 9, "column": 3, "end_line": None, "end_column": None,
        "severity": "error", "message": "unused", "category": "lint", "tool": "tool",
        "rule": "F401", "suggestion": None, "stack": [],
        "snippet": [{"number": 8, "text": "text 8"}, {"number": 9, "text": "text 9"}],
        "edits": [], "fingerprint": "ab12" * 8, "workflow": "ci.yml", "job": "test",
        "step": "make",
    }  # fmt: skip
