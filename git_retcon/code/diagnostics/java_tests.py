"""Tests of the JVM, as Maven's Surefire, Gradle, Ant and JUnit's own runners report them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    Kind,
    PlacedMessage,
    make_diagnostic,
    make_printable,
    read_number,
)
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = (
    "<<< FAILURE!", "<<< ERROR!", "[ERROR]   ", " FAILED", "Failures:", "JUnit version ",
    " [className = '", "Testcase: ", ": Test ",
)  # fmt: skip

_SUREFIRE = LazyPattern(
    r"^\[ERROR\] +(?:(?P<test>[\w$]+)\((?P<owner>[\w.$]+)\)|(?P<dotted>[\w.$]+?\.[\w$]+)"
    r"(?:\(.*\))?(?:\[.*\])?)(?: --)? +Time elapsed: .*<<< (?:FAILURE|ERROR)!.*$"
)
_SUMMARY = LazyPattern(
    r"^\[ERROR\]   (?P<class>[\w$.]+)\.(?P<test>[\w$]+)(?:->\S+)?:(?P<line>\d+)(?:->\S+)* "
    r"(?P<message>.+)$"
)
_GRADLE = LazyPattern(r"^(?P<owner>[\w.$ ]+?)(?: > [^>]+)*? > (?P<test>[^>]+?) FAILED$")
# The runner of JUnit 4; that of the platform names the source of a test below the test.
_RUNNER = LazyPattern(r"^\d+\) (?P<test>[\w$]+(?:\[.*\])?)\((?P<owner>[\w.$]+)\)$")
_SOURCE = LazyPattern(
    r"^ +(?:Method|Class)Source \[className = '(?P<owner>[\w.$]+)'"
    r"(?:, methodName = '(?P<test>\w+)')?"
)
# Ant's formatters: the verdict is behind the test, or below it under the name of the class.
_ANT = LazyPattern(
    r"^Testcase: (?P<test>.+?)(?:\((?P<owner>[\w.$]+)\):\t(?:FAILED|Caused an ERROR)"
    r"| took [\d.,]+ sec)$"
)
_ANT_VERDICTS = ("\tFAILED", "\tCaused an ERROR")
_ANT_CLASS = "Testsuite: "
_ANT_SUMMARY = LazyPattern(r"^\S+\.xml:\d+: Test (?P<owner>[\w.$]+) failed(?: \(.+\))?$")
_THROWN = LazyPattern(
    r"^\s*(?:=> )?(?P<message>(?:[\w$]+\.)+[A-Z]\w*(?:Error|Exception|Failure)\b.*)$"
)
_FRAME = LazyPattern(
    r"^\s+(?:at )?(?:[\w.@/-]+/)?(?P<package>(?:[a-z_]\w*\.)*)[\w.$<>-]+"
    r"\((?P<file>\w+\.\w+):(?P<line>\d+)\)$"
)
_SHORT_FRAME = LazyPattern(r"^\s+(?:.+ )?at (?P<file>\w+\.(?:java|kt|groovy|scala)):(?P<line>\d+)$")
_FOREIGN = (
    "java.",
    "jdk.",
    "sun.",
    "org.junit.",
    "junit.",
    "kotlin.",
    "org.opentest4j.",
    "org.hamcrest.",
    "org.assertj.",
    "org.mockito.",
    "org.testng.",
    "com.google.common.truth.",
)


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """The tests that failed, in order; what the summary of a runner says again is left out."""
    reported: set[str] = set()
    ant_class = ""
    for at, line in enumerate(lines):
        if line.startswith(_ANT_CLASS):
            ant_class = line.removeprefix(_ANT_CLASS)
        test = _match_failure(line) or _match_ant(lines, at, ant_class)
        if test is not None:
            for found in _read_failure(lines, at, test):
                reported |= {found.rule, test.owner}
                yield found
        elif ".xml:" in line and (whole := _ANT_SUMMARY.match(line)):
            if whole["owner"] not in reported:
                path = whole["owner"].partition("$")[0].replace(".", "/") + ".java"
                name = whole["owner"].rpartition(".")[2]
                yield _make_diagnostic(path, None, "test failed", name, "ant", at, at)
        elif line.startswith("[ERROR]   ") and (summary := _SUMMARY.match(line)):
            path = summary["class"].replace(".", "/") + ".java"
            if f"{summary['class'].rpartition('.')[2]}.{summary['test']}" not in reported:
                yield _make_diagnostic(
                    path, summary["line"], summary["message"], summary["test"], "surefire", at, at
                )


class _FailedTest(NamedTuple):
    """A test by its class, and the tool that says that it failed."""

    owner: str
    name: str
    tool: str


def _match_failure(line: str) -> _FailedTest | None:
    """The test that a line says has failed; what it threw is below."""
    if "<<< " in line and (found := _SUREFIRE.match(line)):
        dotted = found["dotted"] or f"{found['owner']}.{found['test']}"
        owner, _, name = dotted.rpartition(".")
        return _FailedTest(owner, name, "surefire")
    if line.endswith(" FAILED") and (found := _GRADLE.match(line)):
        return _FailedTest(found["owner"], found["test"], "gradle")
    if line.endswith(")") and (found := _RUNNER.match(line)):
        return _FailedTest(found["owner"], found["test"], "junit")
    if "Source [" in line and (found := _SOURCE.match(line)):
        return _FailedTest(found["owner"], found["test"] or "", "junit")
    return None


def _match_ant(lines: Sequence[str], at: int, owner: str) -> _FailedTest | None:
    """The test that a line of Ant's formatters, or the one above it, names."""
    line = lines[at - 1] if at and lines[at] in _ANT_VERDICTS else lines[at]
    found = _ANT.match(line) if line.startswith("Testcase: ") else None
    if found is None or (found["owner"] is None and line is lines[at]):
        return None
    return _FailedTest(found["owner"] or owner, found["test"], "ant")


def _read_failure(lines: Sequence[str], at: int, test: _FailedTest) -> Iterator[Diagnostic]:
    """What was thrown is below, then the stack: the test's own class is the place."""
    thrown = next(
        (at + 1 + n for n, line in enumerate(lines[at + 1 : at + 6]) if _THROWN.match(line)), None
    )
    if thrown is None:
        return
    said = _THROWN.match(lines[thrown])
    message = said["message"] if said else ""
    place, last = _find_own_frame(lines, thrown, test.owner)
    if place is not None:
        name = f"{test.owner.rpartition('.')[2]}.{test.name}".rstrip(".")
        made = _make_diagnostic(place[0], place[1], message, name, test.tool, at, last)
        stack = tuple(make_printable(line) for line in lines[thrown : last + 1][:60])
        yield made._replace(stack=stack)


def _find_own_frame(
    lines: Sequence[str], at: int, owner: str
) -> tuple[tuple[str, str] | None, int]:
    """The first frame that is neither the JVM's nor a test library's; and where the stack ends."""
    place, last = None, at - 1
    for number, line in enumerate(lines[at : at + 60], at):
        found = _FRAME.match(line)
        if found is not None:
            last = number
            if place is None and not found["package"].startswith(_FOREIGN):
                place = found["package"].replace(".", "/") + found["file"], found["line"]
        elif short := _SHORT_FRAME.match(line):
            last = number
            folder = owner.rpartition(".")[0].replace(".", "/")
            place = place or (f"{folder}/{short['file']}".lstrip("/"), short["line"])
        elif last >= at or not line.strip():
            break
    return place, max(last, at - 1)


def _make_diagnostic(
    path: str, line: str | None, message: str, rule: str, tool: str, first: int, last: int
) -> Diagnostic:
    located = PlacedMessage(path, read_number(line), message, category=Category.TEST)
    located = located._replace(rule=rule, tool=tool, first=first, last=last)
    return make_diagnostic(located, Kind.TEST)


def find_place(lines: Sequence[str]) -> tuple[str, int | None, int | None] | None:
    """The first place in a stack that is neither the JVM's nor a test library's."""
    start = next((at for at, line in enumerate(lines) if _FRAME.match(line)), None)
    if start is None:
        return None
    place, _ = _find_own_frame(lines, start, "")
    return (place[0], read_number(place[1]), None) if place else None
