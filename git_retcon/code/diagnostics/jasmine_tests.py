"""Jasmine and lab, test runners for JavaScript: failures are numbered, with a stack each."""

import re
from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.code.diagnostics.javascript_tests import STACK, find_own_place, make_failure
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = ("  Message:", "Failed tests:")

_JASMINE = LazyPattern(r"^\d{1,6}\) (?P<test>\S.*)$")
_LAB = LazyPattern(r"^ {2}\d{1,6}\) (?P<test>\S.*):$")
_DIFFERENCE = LazyPattern(r"^ *actual(?: {1,20}expected)?$")
_LONGEST = 200  # lines of one failure


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """The tests that failed, in order."""
    is_lab = False
    for at, line in enumerate(lines):
        if line == "Failed tests:":
            is_lab = True
        elif is_lab and (found := _LAB.match(line)):
            yield from _read_failure(
                lines, at, _find_end(lines, at + 1, _LAB), found["test"], "lab"
            )
        elif (found := _JASMINE.match(line)) and lines[at + 1 : at + 2] == ["  Message:"]:
            end = _find_end(lines, at + 1, _JASMINE)
            yield from _read_failure(lines, at, end, found["test"], "jasmine")


def _find_end(lines: Sequence[str], at: int, begins: LazyPattern[str]) -> int:
    """The next failure, or a line at the margin behind an empty one, ends what is said of one."""
    most = min(len(lines), at + _LONGEST)
    for end in range(at, most):
        at_margin = lines[end][:1].strip() != "" and not lines[end - 1]
        if begins.match(lines[end]) or at_margin:
            return end
    return most


def _read_failure(
    lines: Sequence[str], at: int, end: int, test: str, tool: str
) -> Iterator[Diagnostic]:
    """One failure; several expectations of a test are the first of them."""
    body = lines[at + 1 : end]
    place = find_own_place(body, STACK)
    path, line, column = place.group("path", "line", "column") if place else (None, None, None)
    message = _read_message(body)
    yield make_failure(path, line, column, message, test, tool, (at, end - 1), body)


def _read_message(body: Sequence[str]) -> str:
    """The words before the stack; of lab's, which begin with both values, the last ones."""
    words: list[str] = []
    for line in body:
        text = line.strip()
        if text in ("Stack:", "") and words and not _DIFFERENCE.match(words[0]):
            break
        if re.match(r"at (?:file://|/|\S+ \()", text):
            break
        if text and text not in ("Message:", "Stack:"):
            words.append(text)
    if words and _DIFFERENCE.match(words[0]):
        return words[-1]
    return " ".join(words[:6]) or "failed"
