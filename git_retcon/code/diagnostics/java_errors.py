"""Java and Kotlin: javac, kotlinc, bare or behind maven and gradle, and what the JVM throws."""

import re
from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    Kind,
    PlacedMessage,
    Rule,
    Severity,
    classify,
    read_number,
)
from git_retcon.code.diagnostics.line_index import index_lines
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = (".java:", ".kt:", "java.lang.", "e: ", "[ERROR] ")

_RULES: tuple[Rule, ...] = (
    Rule(
        Kind.IMPORT,
        "location: package",
        r"symbol: +(?P<noun>\w+) (?P<symbol>\w+).* location: package (?P<owner>[\w.]+)",
    ),
    Rule(
        Kind.MEMBER,
        "of type ",
        r"symbol: +(?P<noun>\w+) (?P<symbol>\w+).* location: .{1,80} of type (?P<owner>[\w.]+)",
    ),
    Rule(
        Kind.UNDEFINED,
        "symbol: ",
        r"symbol: +(?P<noun>\w+) (?P<symbol>\w+).* location: \w+ (?P<owner>[\w.]+)",
    ),
    Rule(Kind.UNDEFINED, "symbol: ", r"symbol: +(?P<noun>\w+) (?P<symbol>\w+)"),
    Rule(Kind.FILE, "does not exist", r"(?P<noun>package) (?P<file>[\w.]+) does not exist"),
    Rule(
        Kind.FILE, "does not exist", r"Child (?P<noun>module) (?P<file>\S+) of \S+ does not exist"
    ),
    Rule(Kind.FILE, "resolve dependencies", r"artifact [\w.-]+:(?P<file>[\w.-]+):"),
    Rule(Kind.FILE, "should be declared in", r"in a file named (?P<file>\S+\.\w+)"),
    Rule(
        Kind.MISMATCH,
        "cannot be applied to",
        r"(?P<noun>method|constructor) (?P<owner>\w+) in .{1,120} cannot be applied",
    ),
    Rule(
        Kind.MISMATCH,
        "no suitable",
        r"no suitable (?P<noun>method|constructor) found for (?P<owner>\w+)",
    ),
    Rule(
        Kind.MISMATCH,
        "does not override abstract",
        r"(?P<owner>[\w.]+) is not abstract .{0,60}abstract (?P<noun>method) (?P<symbol>\w+)\(",
    ),
    Rule(Kind.MISMATCH, "from a supertype", r"does not override or implement"),
    Rule(Kind.MISMATCH, "incompatible types", r"incompatible types"),
    Rule(Kind.MISMATCH, "private access", r"(?P<owner>\w+)(?:\(.*\))? has private access"),
    Rule(Kind.DUPLICATE, "already defined", r"(?P<noun>\w+) (?P<symbol>\w+)(?:\(.*\))? is already"),
    Rule(Kind.DUPLICATE, "duplicate class", r"duplicate class: (?P<symbol>[\w.]+)"),
    Rule(Kind.UNDEFINED, "nresolved reference", r"[Uu]nresolved reference:? ['`]?(?P<symbol>\w+)"),
    Rule(
        Kind.MISMATCH,
        "parameter",
        r"(?:[Nn]o value passed for|[Cc]annot find a|[Nn]o) parameter"
        r" (?:with this name: |with name )?'?(?P<symbol>\w+)",
    ),
    Rule(
        Kind.MISMATCH,
        "oo many arguments",
        r"oo many arguments for .*?(?:fun |constructor )(?P<owner>\w+)",
    ),
    Rule(
        Kind.MISMATCH,
        "does not implement abstract",
        r"'(?P<owner>\w+)' is not abstract .{0,60}abstract .{0,60}?"
        r"(?:member '|(?:fun|va[lr]) )(?P<symbol>\w+)",
    ),
    Rule(Kind.MISMATCH, "overrides nothing", r"'(?P<owner>\w+)' overrides nothing"),
    Rule(
        Kind.MISMATCH,
        "annot access '",
        r"annot access '(?P<symbol>\w+)': it is \w+ in '(?P<owner>[\w.]+)'",
    ),
    Rule(Kind.MISMATCH, "ype mismatch", r"[Tt]ype mismatch"),
    Rule(Kind.MISMATCH, "expected type", r"does not conform to the expected type"),
    Rule(Kind.DUPLICATE, "onflicting overloads", r"onflicting overloads:.*? fun (?P<symbol>\w+)"),
    Rule(Kind.DUPLICATE, "edeclaration", r"^[Rr]edeclaration: .*?(?P<symbol>\w+)$"),
    Rule(Kind.FILE, "NoClassDefFoundError", r"NoClassDefFoundError: (?P<file>[\w/$]+)"),
    Rule(Kind.FILE, "ClassNotFoundException", r"ClassNotFoundException: (?P<file>[\w.$]+)"),
    Rule(
        Kind.MEMBER,
        "NoSuch",
        r"NoSuch(?P<noun>Method|Field)(?:Error|Exception): .{0,200}?(?P<symbol>[\w.]+)(?:\(|'|$)",
    ),
    Rule(Kind.SYNTAX, "", r"expected$|illegal start|reached end of file|^[Ee]xpecting "),
)

_JAVAC = LazyPattern(
    # Old Gradle leaves the name of a task before the first message of it.
    r"^(?:\[(?P<level>ERROR|WARNING)\] |:[\w:-]+(?=/))?(?P<path>/?[^\s:\[]+\.java)"
    r":(?:(?P<line>\d+)|\[(?P<row>\d+),(?P<column>\d+)\]):?"
    r"(?: (?P<severity>error|warning):)? (?P<message>\S.+)$"
)
# What Checkstyle says of a whole line, at which javac has no name of a rule.
_CHECKED = LazyPattern(r"^\[ERROR\] \S+\.java:\d+: .*\[[A-Z]\w+\]$")
_KOTLIN = LazyPattern(
    r"^(?P<severity>[ew]): (?:file://)?(?P<path>/?[^\s:]+\.kts?)"
    r":(?: \((?P<line>\d+), (?P<column>\d+)\):|(?P<row>\d+):(?P<column2>\d+)):?"
    r" (?P<message>.+)$"
)
_KOTLINC = LazyPattern(
    r"^(?P<path>[^\s:]+\.kts?):(?P<line>\d+):(?P<column>\d+): (?P<severity>error|warning): "
    r"(?P<message>.+)$"
)
_MAVEN = LazyPattern(
    r"^\[ERROR\] (?P<message>(?:Failed to execute goal .*Could not resolve dependencies"
    r"|Child module ).*)$"
)
_DETAIL = LazyPattern(r"^(?:\[ERROR\])? +(?P<message>(?:symbol|location): +\S.*)$")
_WITH_DETAILS = ("cannot find symbol", "invalid method reference", "invalid constructor reference")
_LABEL = LazyPattern(r"\bcase (?P<name>\w+)")
_THROWN = LazyPattern(
    r"^(?:Exception in thread .{0,80} |Caused by: |\[ERROR\] +)?"
    r"(?P<message>(?:[\w$]+\.)+[A-Z]\w*(?:Error|Exception|Failure)\b.*)$"
)
_FRAME = LazyPattern(
    r"^\s+at (?:[\w.@]+/)?(?P<package>(?:[a-z]\w*\.)*)[\w.$<>]+"
    r"\((?P<file>\w+\.\w+):(?P<line>\d+)\)$"
)
# One of these is in every line that a pattern above fits.
NEEDLES = (".java:", ".kt", "[ERROR] ", "Error", "Exception", "Failure")
_FOREIGN = ("java.", "jdk.", "sun.", "org.junit.", "junit.", "kotlin.", "org.opentest4j.")


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the compilers of the JVM complain of, in order."""
    for at in index_lines(lines).find_any(NEEDLES):
        line = lines[at]
        if found := _match_compiler(line):
            yield classify(_RULES, _read_compiler(found, lines, at))
        elif line.startswith("[") and (found := _MAVEN.match(line)):
            located = PlacedMessage(None, None, found["message"], tool="maven", first=at)
            yield classify(_RULES, located._replace(category=Category.DEPENDENCY))
        elif (found := _THROWN.match(line)) and (frame := _find_frame(lines, at)):
            located = PlacedMessage(*frame, found["message"], tool="java", first=at, last=at + 1)
            yield classify(_RULES, located._replace(category=Category.RUNTIME), Kind.TEST)


def _match_compiler(line: str) -> re.Match[str] | None:
    if ".java:" in line:
        return None if line.endswith("]") and _CHECKED.match(line) else _JAVAC.match(line)
    return _KOTLINC.match(line) or _KOTLIN.match(line) if ".kt" in line else None


def _read_compiler(found: re.Match[str], lines: Sequence[str], at: int) -> PlacedMessage:
    groups = found.groupdict()
    message = found["message"]
    warns = (groups.get("severity") or groups.get("level") or "e")[0] in "wW"
    if message.startswith("warning: "):
        message, warns = message.removeprefix("warning: "), True
    return PlacedMessage(
        found["path"],
        read_number(groups.get("line") or groups.get("row")),
        _add_details(lines, at, message),
        read_number(groups.get("column") or groups.get("column2")) or _find_caret(lines, at),
        Severity.WARNING if warns else Severity.ERROR,
        Category.COMPILE,
        tool="kotlinc" if found["path"].endswith((".kt", ".kts")) else "javac",
        first=at,
    )


def _find_caret(lines: Sequence[str], at: int) -> int | None:
    """javac gives no column: it marks it below the line of source."""
    mark = lines[at + 2] if at + 2 < len(lines) else ""
    return len(mark) if mark.strip() == "^" else None


def _add_details(lines: Sequence[str], at: int, message: str) -> str:
    """javac says what symbol it lacks below the message, after the line of source."""
    if message.startswith("an enum switch case label") and at + 1 < len(lines):
        label = _LABEL.search(lines[at + 1])
        return f"{message} symbol: variable {label['name']}" if label else message
    if not message.startswith(_WITH_DETAILS):
        return message
    for line in lines[at + 1 : at + 7]:
        if detail := _DETAIL.match(line):
            message += f" {detail['message']}"
        elif _JAVAC.match(line):
            break
    return message


def _find_frame(lines: Sequence[str], at: int) -> tuple[str, int | None] | None:
    """The first place of the stack below that is not of the tools; None where no stack follows."""
    first = None
    for line in lines[at + 1 : at + 40]:
        found = _FRAME.match(line)
        if found is None and first:
            break
        if found:
            place = (found["package"].replace(".", "/") + found["file"], read_number(found["line"]))
            first = first or place
            if not found["package"].startswith(_FOREIGN):
                return place
    return first
