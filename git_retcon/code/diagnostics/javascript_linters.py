"""JavaScript's linters and formatters: eslint and stylelint (stylish), biome, prettier."""

import re
from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    Kind,
    PlacedMessage,
    Severity,
    make_printable,
    read_number,
)
from git_retcon.code.diagnostics.typescript_errors import classify_located
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = (
    "  error  ",
    "  warning  ",
    "  ✖  ",
    "  ⚠  ",
    " lint/",
    " format ",
    "[warn] ",
    "[error] ",
    "━━",
)

_FILE = LazyPattern(r"^(?P<path>(?:[A-Za-z]:)?[^\s:].*\.\w{1,8})$")
_ROW = LazyPattern(
    r"^ +(?P<line>\d+):(?P<column>\d+) +(?P<severity>error|warning|✖|⚠|×|‼|i) +(?P<rest>\S.*)$"
)
# eslint-formatter-pretty, which xo prints with: the first place is behind the path.
_PRETTY_FILE = LazyPattern(r"^  (?P<path>\S.*\.\w{1,8}):\d+:\d+$")
_PRETTY_ROW = LazyPattern(r"^  (?P<severity>✖|⚠) +(?P<line>\d+):(?P<column>\d+) +(?P<rest>\S.*)$")
_RULE = LazyPattern(r"^(?P<message>.+?)(?: {2,}(?P<rule>[@\w][\w@/.-]*))?$")
_BIOME = LazyPattern(
    r"^(?P<path>\S.*?)(?::(?P<line>\d+):(?P<column>\d+))? (?P<rule>(?:lint|assist|suppressions)/\S+"
    r"|format|parse|organizeImports|syntax)(?: +[A-Z]{3,})* +━+$"
)
_BIOME_SAID = LazyPattern(r"^ {2}(?P<mark>[×!✖⚠i]) (?P<message>\S.*)$")
_BIOME_FIX = LazyPattern(r"^ {2}i (?:Safe|Unsafe) fix: (?P<text>.+)$")
_WARNED = LazyPattern(r"^\[warn\] (?P<path>\S.*\.\w+)$")
_BROKEN = LazyPattern(
    r"^\[error\] (?P<path>\S.*?): (?P<message>\w*Error: .+?)"
    r"(?: \((?P<line>\d+):(?P<column>\d+)\))?$"
)
_WARNINGS = ("warning", "⚠", "‼", "!")


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the linters and formatters complain of, in order."""
    file = ""
    for at, line in enumerate(lines):
        if line[:1] == " ":
            if file and (found := _ROW.match(line) or _PRETTY_ROW.match(line)):
                yield _read_row(found, file, at)
            elif found := _PRETTY_FILE.match(line):
                file = found["path"] if _PRETTY_ROW.match(_next_line(lines, at)) else ""
        elif "━" in line and (found := _BIOME.match(line)):
            yield from _read_biome(found, lines, at)
        elif line.startswith("[") and (made := _read_prettier(line, at)) is not None:
            yield made
        elif not line:
            pass
        elif (found := _FILE.match(line)) and _begins_rows(lines, at):
            file = found["path"]
        else:
            file = ""


def _begins_rows(lines: Sequence[str], at: int) -> bool:
    return _ROW.match(_next_line(lines, at)) is not None


def _next_line(lines: Sequence[str], at: int) -> str:
    return lines[at + 1] if at + 1 < len(lines) else ""


def _read_row(found: re.Match[str], file: str, at: int) -> Diagnostic:
    said = _RULE.match(found["rest"])
    message = said["message"] if said else found["rest"]
    mark = found["severity"]
    tool = "eslint" if found.re is _PRETTY_ROW.compiled else _name_tool(file, mark)
    is_warning, is_note = mark in _WARNINGS, mark == "i"
    located = PlacedMessage(
        file,
        read_number(found["line"]),
        message,
        read_number(found["column"]),
        Severity.NOTE if is_note else Severity.WARNING if is_warning else Severity.ERROR,
        Category.LINT,
        (said["rule"] or "") if said else "",
        tool,
        at,
    )
    if tool == "yamllint" and message.endswith(")"):
        text, _, rule = message[:-1].rpartition("(")
        located = located._replace(message=text.strip(), rule=rule)
    return classify_located(located, Kind.OTHER)


def _name_tool(file: str, mark: str) -> str:
    """Several linters print like eslint."""
    if file.endswith((".yml", ".yaml")):
        return "yamllint"
    return "stylelint" if mark in ("✖", "⚠", "×", "‼") else "eslint"


def _read_biome(found: re.Match[str], lines: Sequence[str], at: int) -> Iterator[Diagnostic]:
    """The message is below the heading, between empty lines; then source, and perhaps a fix."""
    message, suggestion, mark, last = "", "", "", at
    for number in range(at + 1, min(len(lines), at + 60)):
        line = lines[number]
        if "━━━" in line:
            break
        last = number
        if not message and (said := _BIOME_SAID.match(line)):
            message, mark = said["message"], said["mark"]
        elif not suggestion and (fix := _BIOME_FIX.match(line)):
            suggestion = fix["text"]
    if not message:
        return
    located = PlacedMessage(
        found["path"],
        read_number(found["line"]),
        message,
        read_number(found["column"]),
        Severity.WARNING if mark in _WARNINGS else Severity.ERROR,
        Category.COMPILE if found["rule"] in ("parse", "syntax") else Category.LINT,
        found["rule"],
        "biome",
        at,
        last,
    )
    made = classify_located(located, Kind.OTHER)
    yield made._replace(suggestion=make_printable(suggestion))


def _read_prettier(line: str, at: int) -> Diagnostic | None:
    if found := _WARNED.match(line):
        located = PlacedMessage(found["path"], None, "not formatted", tool="prettier", first=at)
        return classify_located(located._replace(category=Category.LINT), Kind.OTHER)
    if found := _BROKEN.match(line):
        located = PlacedMessage(
            found["path"], read_number(found["line"]), found["message"], tool="prettier", first=at
        )
        located = located._replace(column=read_number(found["column"]), category=Category.COMPILE)
        return classify_located(located, Kind.SYNTAX)
    return None
