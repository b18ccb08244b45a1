"""JavaScript's test runners: jest, vitest, mocha, uvu."""

import re
from collections.abc import Callable, Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    Kind,
    make_printable,
    read_number,
)
from git_retcon.code.diagnostics.typescript_errors import classify_message
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = ("● ", " FAIL ", " failing", " ❯ ", "FAIL ")

_JEST_FILE = LazyPattern(r"^ ?(?:FAIL|×) +(?P<path>\S+\.\w+)(?: \([\d.]+ m?s\))?$")
_JEST = LazyPattern(r"^ {2}● (?P<test>\S.*)$")
STACK = LazyPattern(
    r"^\s+(?:at|›) (?:.{0,200}\()?(?:file://)?(?P<path>[^\s():]*[^\s():/]\.\w+):(?P<line>\d+)"
    r":(?P<column>\d+)\)?$"
)
_VITEST = LazyPattern(r"^ ?FAIL +(?:\|[^|]+\| )?(?P<path>\S+?\.\w+)(?: > (?P<test>.+)| \[ .+ \])?$")
_VITEST_PLACE = LazyPattern(
    r"^ ❯ (?:.{1,200} )?(?P<path>[^\s:]+\.\w+):(?P<line>\d+):(?P<column>\d+)$"
)
_UVU = LazyPattern(r'^ +FAIL +(?:[^"\n]{1,200} +)?"(?P<test>.+)"$')  # a suite may have a name
_MOCHA = LazyPattern(r"^ {2}\d+\) (?P<test>\S.*)$")
_MOCHA_FAILING = LazyPattern(r"^ +\d+ failing$")
_POINTER = LazyPattern(r"^ *> +(?P<line>\d+) \|")
_VITE_FILE = LazyPattern(r"^ +File: (?P<path>[^\s:]+):(?P<line>\d+):(?P<column>\d+)$")
# What could not be parsed is named above the line of source, or by Babel in the message.
_UNPARSED = LazyPattern(
    r"^ *(?:file://)?(?P<path>/[^\s:]+\.\w+):(?P<line>\d+)(?P<column>)$"
    r"|^ *SyntaxError: (?P<path2>/[^\s:]+\.\w+): .* \((?P<line2>\d+):(?P<column2>\d+)\)$"
)
_NAMED = LazyPattern(r"^\w*(?:Error|Exception)(?: \[\w+\])?: \S")
_FOREIGN = ("node_modules/", "node:", "internal/")
_LONGEST = 300  # lines of one failure


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """The tests that failed, and the files that could not be loaded, in order."""
    at, file, mocha = 0, "", False
    while at < len(lines):
        line, end = lines[at], at + 1
        if "FAIL" in line and (found := _VITEST.match(line)) and not _is_jest(lines, at):
            end = _find_end(lines, at + 1, _ends_vitest)
            yield from _read_vitest(lines, at, end, found)
        elif "FAIL" in line and (found := _UVU.match(line)):
            end = _find_end(lines, at + 1, _ends_uvu)
            yield from _read_uvu(lines, at, end, found["test"])
        elif "FAIL" in line and (found := _JEST_FILE.match(line)):
            file = found["path"]
        elif line.startswith("  ● ") and (found := _JEST.match(line)) and file:
            end = _find_end(lines, at + 1, _ends_jest)
            yield from _read_jest(lines, at, end, found["test"], file)
        elif line.endswith(" failing") and _MOCHA_FAILING.match(line):
            mocha = True
        elif mocha and (found := _MOCHA.match(line)):
            end = _find_mocha_end(lines, at + 1)
            yield from _read_mocha(lines, at, end)
        at = end


def _find_end(lines: Sequence[str], at: int, ends: Callable[[str], bool]) -> int:
    most = min(len(lines), at + _LONGEST)
    return next((end for end in range(at, most) if ends(lines[end])), most)


def _ends_jest(line: str) -> bool:
    return line.startswith(("  ● ", "FAIL ", "PASS ", "Test Suites:", "Summary of all failing"))


def _ends_vitest(line: str) -> bool:
    return line.startswith(("⎯⎯⎯", " FAIL ", "FAIL ", " Test Files "))


def _ends_uvu(line: str) -> bool:
    return line.startswith("  Total: ") or _UVU.match(line) is not None


def _find_mocha_end(lines: Sequence[str], at: int) -> int:
    """An empty line below the stack ends a failure; what it says may hold empty lines."""
    for end in range(at, min(len(lines), at + _LONGEST)):
        if not lines[end] and lines[end - 1].lstrip().startswith("at "):
            return end
        if _MOCHA.match(lines[end]):
            return end
    return min(len(lines), at + _LONGEST)


def _is_jest(lines: Sequence[str], at: int) -> bool:
    """jest and vitest begin alike; below, jest has a bullet before what failed, after all tests."""
    below = (line for line in lines[at + 1 : at + 4] if line.strip())
    if next(below, "").lstrip().startswith("●"):
        return True
    for line in lines[at + 1 : at + _LONGEST]:
        if line.startswith("  ● "):
            return True
        if _ends_vitest(line) or line.startswith("PASS "):
            return False
    return False


def _read_jest(
    lines: Sequence[str], at: int, end: int, test: str, file: str
) -> Iterator[Diagnostic]:
    body = lines[at + 1 : end]
    message = _read_paragraph(body)
    suite = test == "Test suite failed to run"
    place = find_own_place(body, STACK)
    row: str | None
    if suite and (unparsed := find_unparsed(body)) is not None:
        path, row, column = unparsed
    elif place is None:
        row = next((found["line"] for found in map(_POINTER.match, body) if found), None)
        path, column = file, None
    else:
        path, row, column = place["path"], place["line"], place["column"]
    yield make_failure(
        path, row, column, message, file if suite else test, "jest", (at, end - 1), body
    )


def find_unparsed(body: Sequence[str]) -> tuple[str, str, str | None] | None:
    """Path, line and column of what is said to be no JavaScript, in a file that is loaded."""
    for at, line in enumerate(body):
        found = _UNPARSED.match(line)
        if found is None or any(part in line for part in _FOREIGN):
            continue
        if found["path2"]:
            return found["path2"], found["line2"], str(int(found["column2"]) + 1)
        if any("SyntaxError" in below for below in body[at + 1 : at + 6]):
            return found["path"], found["line"], None
    return None


def _read_paragraph(body: Sequence[str]) -> str:
    """The first words of a failure, to the first empty line; with what was expected."""
    words: list[str] = []
    for line in body:
        text = line.strip()
        if text:
            words.append(text)
        elif words:
            break
    for line in body:
        if line.strip().startswith(("Expected:", "Received:")):
            words.append(line.strip())
    return " ".join(words)


def _read_vitest(
    lines: Sequence[str], at: int, end: int, found: re.Match[str]
) -> Iterator[Diagnostic]:
    body = lines[at + 1 : end]
    message = next((line.strip() for line in body if line.strip()), "")
    if not _NAMED.match(message) and not any(map(_VITEST_PLACE.match, body)):
        return
    place = (
        find_own_place(body, _VITE_FILE)
        or find_own_place(body, _VITEST_PLACE)
        or find_own_place(body, STACK)
    )
    path = place["path"] if place else found["path"]
    row = place["line"] if place else None
    column = place["column"] if place else None
    test = found["test"] or found["path"]
    yield make_failure(path, row, column, message, test, "vitest", (at, end - 1), body)


def _read_mocha(lines: Sequence[str], at: int, end: int) -> Iterator[Diagnostic]:
    body = lines[at:end]
    titles: list[str] = []
    for line in body:
        titles.append(line.strip())
        if line.endswith(":"):
            break
    test = " ".join(titles).partition(") ")[2].removesuffix(":")
    said = (line.strip() for line in body[len(titles) :] if line.strip())
    message = next(said, "")
    place = find_own_place(body, STACK)
    if place is not None:
        where = place["path"], place["line"], place["column"]
        yield make_failure(*where, message, test, "mocha", (at, end - 1), body)
    elif message:
        file = re.search(r"\((/[^()\s]+\.\w+)\)$", message)
        path = file[1] if file else None
        yield make_failure(path, None, None, message, test, "mocha", (at, end - 1), body)


def _read_uvu(lines: Sequence[str], at: int, end: int, test: str) -> Iterator[Diagnostic]:
    body = lines[at + 1 : end]
    place = find_own_place(body, STACK)
    if place is not None:
        path, line, column = place.group("path", "line", "column")
        message = _read_paragraph(body)
        yield make_failure(path, line, column, message, test, "uvu", (at, end - 1), body)


def find_own_place(body: Sequence[str], pattern: LazyPattern[str]) -> re.Match[str] | None:
    """The first place in a stack that is neither node's nor a package's."""
    for line in body:
        found = pattern.match(line)
        if found and not any(part in found["path"] for part in _FOREIGN):
            return found
    return None


def make_failure(
    path: str | None,
    line: str | None,
    column: str | None,
    message: str,
    test: str,
    tool: str,
    span: tuple[int, int],
    body: Sequence[str],
) -> Diagnostic:
    """The record of a failed test; ``span`` are the first and the last of its lines."""
    made = classify_message(message, path, read_number(line), Kind.TEST)
    return made._replace(
        column=read_number(column),
        category=Category.TEST,
        rule=make_printable(test),
        tool=tool,
        first=span[0],
        last=span[1],
        stack=tuple(make_printable(each) for each in body[:60]),
    )


def find_place(lines: Sequence[str]) -> tuple[str, int | None, int | None] | None:
    """The first place in a stack that is neither node's nor a package's."""
    found = find_own_place(lines, STACK) or find_own_place(lines, _VITEST_PLACE)
    if found is None:
        return None
    return found["path"], read_number(found["line"]), read_number(found["column"])
