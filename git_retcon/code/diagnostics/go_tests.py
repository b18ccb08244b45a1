"""Go's tests and linters: ``go test``, golangci-lint, staticcheck, the module loader."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    Kind,
    PlacedMessage,
    Severity,
    make_diagnostic,
    make_printable,
    read_number,
)
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = ("--- FAIL: ", ".go:", "go: ", "go.mod:")

_FAILED = LazyPattern(r"^(?P<indent> *)--- FAIL: (?P<test>\S+)(?: \(\d[\d.]*s\))?$")
_RUNNING = LazyPattern(r"^=== (?:RUN|NAME|CONT) +(?P<test>\S+)$")
_ENDED = LazyPattern(r"^ *--- (?:PASS|SKIP|FAIL): ")
_LOGGED = LazyPattern(r"^(?P<indent> {4,})(?P<path>[^\s:][^:]*\.go):(?P<line>\d+): ?(?P<text>.*)$")
_PACKAGE = LazyPattern(r"^(?:FAIL|ok|PASS|\?|panic:|exit status)(?:\s|$)")
_REASON = LazyPattern(r"^\s+Error:\s+(?P<text>\S.*)$")  # testify's, below its "Error Trace:"

_LINTED = LazyPattern(
    r"^(?P<path>(?:[A-Za-z]:)?[^\s:][^:]*\.go):(?P<line>\d+):(?:(?P<column>\d+):)? "
    r"(?:(?P<code>[A-Z]{1,3}\d{3,4}): )?(?P<message>.+?) ?\((?P<linter>[a-z][a-z0-9_-]{1,30})\)$"
)
_STATIC = LazyPattern(
    r"^(?P<path>(?:[A-Za-z]:)?[^\s:][^:]*\.go):(?P<line>\d+):(?:(?P<column>\d+):)? "
    r"(?P<message>.+?) \((?P<code>[A-Z]{1,3}\d{4})\)$"
)
_MODULE = LazyPattern(
    r"^go: (?P<message>(?:\S+@v?\S+: .+|errors parsing go\.mod:?.*|module \S+: .+"
    r"|inconsistent vendoring.*|\S+ requires .+))$"
)
_MOD_FILE = LazyPattern(r"^(?P<path>\S*go\.(?:mod|sum|work)):(?P<line>\d+): (?P<message>.+)$")
# Of golangci-lint's: those whose findings are a matter of taste.
_STYLE = frozenset(
    (  # one a line would say no more
        *("gosimple", "gocritic", "stylecheck", "revive", "golint", "gofmt", "gofumpt", "gci"),
        *("goimports", "godot", "misspell", "lll", "whitespace", "wsl", "nlreturn", "funlen"),
        *("gocyclo", "cyclop", "gocognit", "nestif", "dupl", "goconst", "gomnd", "mnd", "godox"),
        *("testpackage", "unconvert", "unparam", "prealloc", "varnamelen", "ireturn"),
        *("nolintlint", "tagliatelle", "interfacebloat", "maintidx", "perfsprint", "importas"),
        *("predeclared", "dogsled", "asciicheck"),
    )
)


class _Log(NamedTuple):
    at: int
    path: str
    line: str
    text: str
    indent: int


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """The tests that failed, and what linters and the module loader complain of, in order."""
    yield from _read_tests(lines)
    for at, line in enumerate(lines):
        if ".go:" in line and line.endswith(")"):
            if found := _STATIC.match(line) or _LINTED.match(line):
                yield _read_lint(found, at)
        elif line.startswith("go: ") and (found := _MODULE.match(line)):
            yield _read_module_fault(found, None, at)
        elif "go." in line and (found := _MOD_FILE.match(line)):
            yield _read_module_fault(found, found["path"], at)


def _read_lint(found: re.Match[str], at: int) -> Diagnostic:
    groups = found.groupdict()
    linter = groups.get("linter") or "staticcheck"
    code = groups.get("code") or ""
    if linter == "compile":  # staticcheck's word for what it cannot read
        located = PlacedMessage(
            found["path"], read_number(found["line"]), found["message"],
            read_number(found["column"]), category=Category.COMPILE, tool="staticcheck", first=at,
        )  # fmt: skip
        return make_diagnostic(located)
    style = linter in _STYLE or code.startswith(("ST", "QF", "S1"))
    located = PlacedMessage(
        found["path"],
        read_number(found["line"]),
        found["message"],
        read_number(found["column"]),
        Severity.WARNING if style else Severity.ERROR,
        Category.COMPILE if linter == "typecheck" else Category.LINT,
        code or linter,
        linter if groups.get("linter") else "staticcheck",
        at,
    )
    return make_diagnostic(located)


def _read_module_fault(found: re.Match[str], path: str | None, at: int) -> Diagnostic:
    line = read_number(found["line"]) if path else None
    located = PlacedMessage(path, line, found["message"], tool="go", first=at)
    category = Category.CONFIG if path else Category.DEPENDENCY
    return make_diagnostic(located._replace(category=category))


def _read_tests(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """One record for each test that failed, at the last line that it reported.

    With -v, what a test reports comes before "--- FAIL", else below, further in. Both a report
    and a mere log line look alike; the last is most often what failed.
    """
    logs: dict[str, list[_Log]] = {}
    running = ""  # the test that prints, with -v
    failed: list[tuple[int, re.Match[str]]] = []
    for at, line in enumerate(lines):
        if line.startswith("=== "):
            if found := _RUNNING.match(line):
                running = found["test"]
        elif ".go:" in line and (found := _LOGGED.match(line)):
            log = _Log(at, found["path"], found["line"], found["text"], len(found["indent"]))
            logs.setdefault(running, []).append(log)
        elif "--- FAIL: " in line and (found := _FAILED.match(line)):
            below = _list_logs(lines, at, len(found["indent"]))
            own = below or (logs.pop(found["test"], []) if running else [])
            if own:
                yield _make_record(lines, found, own, at)
            else:
                failed.append((at, found))
    yield from _drop_reports(lines, failed)


def _list_logs(lines: Sequence[str], at: int, indent: int) -> list[_Log]:
    """What the test reported, further in than its own line, before the next test's."""
    logs: list[_Log] = []
    for number in range(at + 1, min(len(lines), at + 400)):
        line = lines[number]
        if _ENDED.match(line) or line.startswith("=== ") or _PACKAGE.match(line):
            break
        if found := _LOGGED.match(line):
            if len(found["indent"]) <= indent:
                break
            inner = len(found["indent"])
            logs.append(_Log(number, found["path"], found["line"], found["text"], inner))
    return [each for each in logs if each.indent == logs[0].indent]


def _make_record(
    lines: Sequence[str], found: re.Match[str], logs: Sequence[_Log], at: int
) -> Diagnostic:
    log = logs[-1]
    last = _find_end(lines, log)
    more = lines[log.at + 1 : last + 1]
    text = log.text.strip() or next((line.strip() for line in more if line.strip()), "")
    if text.startswith("Error Trace:") or not text:
        reasons = filter(None, map(_REASON.match, more))
        text = next((reason["text"] for reason in reasons), text)
    first, end = min(at, logs[0].at), max(at, last)
    stack = tuple(make_printable(line) for line in lines[first : end + 1][:60])
    located = PlacedMessage(
        log.path,
        read_number(log.line),
        text or f"FAIL: {found['test']}",
        category=Category.TEST,
        rule=found["test"],
        tool="go test",
        first=first,
        last=end,
    )
    return make_diagnostic(located, Kind.TEST)._replace(stack=stack)


def _find_end(lines: Sequence[str], log: _Log) -> int:
    """The last line of a report: further lines of it are further in."""
    end = log.at
    for number in range(log.at + 1, min(len(lines), log.at + 100)):
        line = lines[number]
        if len(line) - len(line.lstrip()) <= log.indent:
            break
        end = number
    return end


def _drop_reports(
    lines: Sequence[str], failed: Sequence[tuple[int, re.Match[str]]]
) -> Iterator[Diagnostic]:
    """Tests that failed and said nothing: not those whose parts failed, or that panicked."""
    for at, found in failed:
        after = lines[at + 1] if at + 1 < len(lines) else ""
        part = _FAILED.match(after)
        if part and part["test"].startswith(found["test"] + "/"):
            continue  # its part says more
        if after.startswith(("panic: ", "fatal error: ")):
            continue
        located = PlacedMessage(None, None, f"FAIL: {found['test']}", category=Category.TEST)
        located = located._replace(rule=found["test"], tool="go test", first=at, last=at)
        yield make_diagnostic(located, Kind.TEST)
