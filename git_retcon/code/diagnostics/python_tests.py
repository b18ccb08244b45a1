"""Python's test runners: pytest (long, short, line, native, none), unittest and doctest.

A failed test is one record. Its place is the last line of the project's own that was running,
its rule the name of the test.
"""

import re
from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    Kind,
    PlacedMessage,
    make_printable,
    read_number,
)
from git_retcon.code.diagnostics.line_index import index_lines
from git_retcon.code.diagnostics.python_errors import classify_raised, is_foreign
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = ("FAILED ", "ERROR ", "E  ", "____ ", "FAIL: ", "ERROR: ", "Failed example:", ".py:")

_SECTION = LazyPattern(r"^_{2,} (?P<title>.+?) _{2,}$")
_TITLE = LazyPattern(
    r"^(?:ERROR (?:at (?:setup|teardown) of|collecting) )?(?P<name>.+?)(?: \(.*\))?$"
)
_PART = LazyPattern(r"^(?:={4,}|-{4,}|_{4,})(?: .* |)(?:={4,}|-{4,}|_{4,})$")
_CAPTURED = LazyPattern(r"^-+ (?:Captured |generated xml|coverage)")
_ENTRY = LazyPattern(
    r"^(?P<path>(?:[A-Za-z]:)?[^\s:|>][^:|]*?\.(?:py|pyx|txt|rst|md)):(?P<line>\d+): ?(?P<rest>.*)$"
)
_FRAME = LazyPattern(r'^[\s|+-]*File "(?P<path>[^"]+)", line (?P<line>\d+)')
_SAID = LazyPattern(r"^E {1,80}(?P<message>\S.*)$")
# A syntax error is no frame of the stack: it is printed where the exception's words are.
_SYNTAX_FRAME = LazyPattern(r'^E {2,}File "(?P<path>[^"]+)", line (?P<line>\d+)$')
_SYNTAX = LazyPattern(r"^E {1,80}(?P<message>(?:Syntax|Indentation|Tab)Error: .+)$")
_CONFTEST = LazyPattern(r"^ImportError while loading conftest '(?P<path>[^']+)'\.$")
_CONFIG = LazyPattern(
    r"^ERROR: (?P<message>(?:Unknown config option|unknown (?:option|marker)).*)$"
)
_RAISED = LazyPattern(
    r"^[\s|+]*(?P<message>(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Warning|Failure"
    r"|Iteration|Group)?(?:: .*)?)$"
)
_SUMMARY = LazyPattern(
    r"^(?P<what>FAILED|ERROR|SUBFAILED(?:\(.{0,200}?\)|\[.{0,200}?\])?) "
    r"(?P<path>(?:[A-Za-z]:)?[^\s:][^:]*?\.\w+)(?:::(?P<test>.+?))?(?: - (?P<message>.+))?$"
)
_ERRORLIKE = LazyPattern(
    r"^(?:(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Warning|Failure|Failed|Group)\b"
    r"|Failed\b|assert )"
)
_UNITTEST = LazyPattern(r"^(?:FAIL|ERROR): (?P<test>\S+)(?: \((?P<owner>[\w.<>]+)\))?.*$")
_EXAMPLE = LazyPattern(r'^File "(?P<path>[^"]+)", line (?P<line>\d+), in (?P<test>\S+)$')
NEEDLES = ("E ", "__", "ImportError while", "ERROR", "=====", "FAILED", ".py:", "Failed example:")
_DOCTEST = "[doctest] "
_LONGEST = 400  # lines of a section
_LONGEST_STACK = 60


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """The tests that failed, and the modules that could not be collected, in order."""
    end = 0
    said = 0  # where the words above a place begin, with --tb=line
    for at in index_lines(lines).find_any(NEEDLES):
        if at < end:
            continue
        line = lines[at]
        end = at + 1
        if line.startswith("E "):
            said = said or at
        if line.startswith("__") and (found := _SECTION.match(line)):
            end = _find_section_end(lines, at + 1)
            if (diagnostic := _read_section(lines, at, end, found["title"])) is not None:
                yield diagnostic
        elif line.startswith("ImportError while") and (found := _CONFTEST.match(line)):
            end = _find_section_end(lines, at + 1)
            name = found["path"].rpartition("/")[2]
            if (diagnostic := _read_section(lines, at, end, name)) is not None:
                yield diagnostic
        elif line.startswith("ERROR: ") and (found := _CONFIG.match(line)):
            made = _make_diagnostic(None, None, found["message"], "", at, at)
            yield made._replace(category=Category.CONFIG)
        elif line.startswith("=====") and at + 2 < len(lines):
            found = _UNITTEST.match(lines[at + 1])
            # The first line of the test's own docstring may come before.
            below = at + 2 if lines[at + 2].startswith("-----") else at + 3
            if found and below < len(lines) and lines[below].startswith("-----"):
                end = _find_unittest_end(lines, below + 1)
                if (diagnostic := _read_unittest(lines, at + 1, end, found)) is not None:
                    yield diagnostic
        elif line.startswith(("FAILED", "ERROR", "SUBFAILED")) and (found := _SUMMARY.match(line)):
            yield _read_summary(found, at)
        elif ".py:" in line and (found := _ENTRY.match(line)) and _is_failure(found):
            yield _read_line_style(found, said or at, at)
            said = 0
        elif line == "Failed example:" and (found := _EXAMPLE.match(lines[at - 1])):
            yield _make_diagnostic(
                found["path"], found["line"], "Failed example", found["test"], at - 1, at
            )


def _find_section_end(lines: Sequence[str], at: int) -> int:
    """Where the next section, or the summary, begins."""
    for end in range(at, min(len(lines), at + _LONGEST)):
        line = lines[end]
        if line.startswith("====") and _PART.match(line):
            return end
        if line.startswith("__") and _SECTION.match(line):
            return end
    return min(len(lines), at + _LONGEST)


def _read_section(lines: Sequence[str], at: int, end: int, title: str) -> Diagnostic | None:
    """One section of pytest: its last place and the last thing that was raised."""
    own: re.Match[str] | None = None
    any_place: re.Match[str] | None = None
    message, fresh, last = "", True, at
    for number in range(at + 1, end):
        line = lines[number]
        if _CAPTURED.match(line):
            break
        if line.strip():
            last = number
        if line.startswith("E "):
            if place := _SYNTAX_FRAME.match(line):
                own = any_place = place
                fresh = True
            elif said := _SYNTAX.match(line):
                message, fresh = said["message"], False
            elif fresh and own is not None and own.re is _SYNTAX_FRAME.compiled:
                continue  # the line of source and the mark below it
            elif fresh and (said := _SAID.match(line)):
                message, fresh = said["message"], False
            continue
        fresh = True
        if place := _ENTRY.match(line) or _FRAME.match(line):
            any_place = place
            if not is_foreign(place["path"]):
                own = place
        elif _FRAME_BELOW.match(line) and (said := _RAISED.match(line)):
            message = said["message"]
    place = own or any_place
    name = _read_test_name(title)
    if place is not None and title.startswith(_DOCTEST):
        message, name = message or "Failed example", title.removeprefix(_DOCTEST)
    if place is None or not message:
        return None
    stack = tuple(make_printable(each) for each in lines[at + 1 : last + 1][-_LONGEST_STACK:])
    made = _make_diagnostic(place["path"], place["line"], message, name, at, max(last, end - 1))
    return made._replace(stack=stack)


# An exception's name is at the left edge, or after the bars of an exception group.
_FRAME_BELOW = LazyPattern(r"^(?:[A-Za-z]|  \| [A-Z])")


def _read_test_name(title: str) -> str:
    found = _TITLE.match(title)
    name = found["name"] if found else title
    head, bracket, rest = name.partition("[")
    if "/" not in head and not head.endswith(".py"):
        head = head.replace(".", "::")
    return head + bracket + rest


def _find_unittest_end(lines: Sequence[str], at: int) -> int:
    for end in range(at, min(len(lines), at + _LONGEST)):
        if lines[end].startswith(("=====", "-----")):
            return end
    return min(len(lines), at + _LONGEST)


def _read_unittest(
    lines: Sequence[str], at: int, end: int, found: re.Match[str]
) -> Diagnostic | None:
    own, message, last = None, "", at
    for number in range(at + 2, end):
        line = lines[number]
        if place := _FRAME.match(line):
            if not is_foreign(place["path"]):
                own = place
            last = number
        elif line[:1].isalpha() and own is not None and (said := _RAISED.match(line)):
            message, last = said["message"], number
    if own is None or not message:
        return None
    owner = (found["owner"] or "").removesuffix("." + found["test"])
    name = f"{owner}.{found['test']}" if owner else found["test"]
    stack = tuple(make_printable(each) for each in lines[at + 2 : last + 1][-_LONGEST_STACK:])
    return _make_diagnostic(
        own["path"], own["line"], message, name, at, end - 1, "unittest"
    )._replace(stack=stack)


def _read_summary(found: re.Match[str], at: int) -> Diagnostic:
    test = found["test"] or ""
    message = found["message"] or f"{test or found['path']} {found['what'].lower()}"
    return _make_diagnostic(found["path"], None, message, test or found["path"], at, at)


def _is_failure(found: re.Match[str]) -> bool:
    """Whether a place outside of a section is one of ``--tb=line``."""
    return bool(_ERRORLIKE.match(found["rest"])) and not is_foreign(found["path"])


def _read_line_style(found: re.Match[str], first: int, at: int) -> Diagnostic:
    return _make_diagnostic(found["path"], found["line"], found["rest"], "", first, at)


def _make_diagnostic(
    path: str | None,
    line: str | None,
    message: str,
    test: str,
    first: int,
    last: int,
    tool: str = "pytest",
) -> Diagnostic:
    located = PlacedMessage(
        path,
        read_number(line),
        message,
        category=Category.TEST,
        rule=test,
        tool=tool,
        first=first,
        last=last,
    )
    return classify_raised(located, Kind.TEST)


def find_place(lines: Sequence[str]) -> tuple[str, int | None, int | None] | None:
    """The last place of the project's own in the text of a failure."""
    own = None
    for line in lines:
        found = _ENTRY.match(line) or _FRAME.match(line)
        if found and not is_foreign(found["path"]):
            own = found
    return (own["path"], read_number(own["line"]), None) if own else None
