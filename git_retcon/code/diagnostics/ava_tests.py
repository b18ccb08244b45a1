"""AVA, a test runner for JavaScript: what it prints between two rules, and what nobody caught."""

from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.code.diagnostics.javascript_tests import (
    STACK,
    find_own_place,
    find_unparsed,
    make_failure,
)
from git_retcon.code.diagnostics.typescript_errors import find_importer
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = ("  › ", "  ─", "  Uncaught exception in ", "  Unhandled rejection in ")

_RULE = "  ─"
_PLACE = LazyPattern(r"^ {2}(?P<path>[^\s:]+\.\w+):(?P<line>\d+)$")
_UNCAUGHT = LazyPattern(r"^ {2}(?:Uncaught exception|Unhandled rejection) in (?P<path>\S+\.\w+)$")
_EXCERPT = LazyPattern(r"^ +\d+: ")
_TOTAL = LazyPattern(r"^ {2}\d+ (?:tests?|hooks?|known|uncaught|unhandled) .*$")
_LONGEST = 300  # lines of one failure


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """The tests that failed, and the files that could not be run, in order."""
    at, is_report = 0, False
    while at < len(lines):
        line, end = lines[at], at + 1
        if line == _RULE:
            is_report = not is_report
        elif line.startswith("  U") and _UNCAUGHT.match(line):
            end = _find_end(lines, end)
            yield _read_uncaught(lines, at, end)
        elif is_report and _is_title(line):
            end = _find_end(lines, end)
            yield from _read_failure(lines, at, end)
        at = end


def _is_title(line: str) -> bool:
    return line.startswith("  ") and line[2:3].strip() != "" and not _TOTAL.match(line)


def _find_end(lines: Sequence[str], at: int) -> int:
    """Two empty lines, a rule, or the line of the next test end what is said of one."""
    most = min(len(lines), at + _LONGEST)
    for end in range(at, most):
        if lines[end] == _RULE or lines[end].startswith(("  ✖ ", "  ✘ ", "  ✔ ")):
            return end
        if not lines[end] and not lines[end - 1]:
            return end
    return most


def _read_failure(lines: Sequence[str], at: int, end: int) -> Iterator[Diagnostic]:
    body = lines[at + 1 : end]
    place = find_own_place(body, STACK) or find_own_place(body, _PLACE)
    if place is not None:
        column = place.groupdict().get("column")
        where = place["path"], place["line"], column
        message, test = _read_message(body), lines[at].strip()
        yield make_failure(*where, message, test, "ava", (at, end - 1), body)


def _read_uncaught(lines: Sequence[str], at: int, end: int) -> Diagnostic:
    """An exception outside of any test; where it has no stack of its own, the file is known."""
    body = lines[at + 1 : end]
    place = find_own_place(body, STACK)
    file = lines[at].rpartition(" ")[2]
    if place is not None:
        path, line, column = place.group("path", "line", "column")
    else:
        path, line, column = find_unparsed(body) or find_importer(body) or (file, None, None)
    message = _read_message(body)
    return make_failure(path, line, column, message, file, "ava", (at, end - 1), body)


def _read_message(body: Sequence[str]) -> str:
    """What went wrong, to the stack; without the lines of the test that are shown."""
    words: list[str] = []
    for line in body:
        text = line.strip()
        if text.startswith(("at ", "› ")) or (words and not text and "rror" in words[-1]):
            break
        if text and not _PLACE.match(line) and not _EXCERPT.match(line):
            words.append(text)
    return " ".join(words[:6]) or "failed"
