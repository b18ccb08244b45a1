"""Java and Kotlin: javac, kotlinc, bare or behind maven and gradle, and what the JVM throws."""

import re
from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import (
    Diagnostic,
    Kind,
    Located,
    Rule,
    classified,
    number,
    rule,
)

HINTS = (".java:", ".kt:", "java.lang.", "e: ")

_RULES: tuple[Rule, ...] = (
    rule(
        Kind.IMPORT,
        "location: package",
        r"symbol: +(?P<noun>\w+) (?P<symbol>\w+).* location: package (?P<owner>[\w.]+)",
    ),
    rule(
        Kind.MEMBER,
        "of type ",
        r"symbol: +(?P<noun>\w+) (?P<symbol>\w+).* location: .{1,80} of type (?P<owner>[\w.]+)",
    ),
    rule(
        Kind.UNDEFINED,
        "symbol: ",
        r"symbol: +(?P<noun>\w+) (?P<symbol>\w+).* location: \w+ (?P<owner>[\w.]+)",
    ),
    rule(Kind.UNDEFINED, "symbol: ", r"symbol: +(?P<noun>\w+) (?P<symbol>\w+)"),
    rule(Kind.FILE, "does not exist", r"(?P<noun>package) (?P<file>[\w.]+) does not exist"),
    rule(
        Kind.MISMATCH,
        "cannot be applied to",
        r"(?P<noun>method|constructor) (?P<owner>\w+) in .{1,120} cannot be applied",
    ),
    rule(
        Kind.MISMATCH,
        "no suitable",
        r"no suitable (?P<noun>method|constructor) found for (?P<owner>\w+)",
    ),
    rule(
        Kind.MISMATCH,
        "does not override abstract",
        r"(?P<owner>[\w.]+) is not abstract .{0,60}abstract (?P<noun>method) (?P<symbol>\w+)\(",
    ),
    rule(Kind.MISMATCH, "from a supertype", r"does not override or implement"),
    rule(Kind.MISMATCH, "incompatible types", r"incompatible types"),
    rule(Kind.MISMATCH, "private access", r"(?P<owner>\w+)(?:\(.*\))? has private access"),
    rule(Kind.DUPLICATE, "already defined", r"(?P<noun>\w+) (?P<symbol>\w+)(?:\(.*\))? is already"),
    rule(Kind.DUPLICATE, "duplicate class", r"duplicate class: (?P<symbol>[\w.]+)"),
    rule(Kind.UNDEFINED, "nresolved reference", r"[Uu]nresolved reference:? ['`]?(?P<symbol>\w+)"),
    rule(
        Kind.MISMATCH,
        "parameter",
        r"(?:No value passed for|Cannot find a|No) parameter (?:with this name: |')?"
        r"(?P<symbol>\w+)",
    ),
    rule(Kind.MISMATCH, "Too many arguments", r"Too many arguments for .*fun (?P<owner>\w+)"),
    rule(Kind.FILE, "NoClassDefFoundError", r"NoClassDefFoundError: (?P<file>[\w/$]+)"),
    rule(Kind.FILE, "ClassNotFoundException", r"ClassNotFoundException: (?P<file>[\w.$]+)"),
    rule(
        Kind.MEMBER,
        "NoSuch",
        r"NoSuch(?P<noun>Method|Field)(?:Error|Exception): .{0,200}?(?P<symbol>[\w.]+)(?:\(|'|$)",
    ),
    rule(Kind.SYNTAX, "", r"expected$|illegal start|reached end of file|Expecting"),
)

_JAVAC = re.compile(
    r"^(?:\[ERROR\] )?(?P<path>/?[^\s:\[]+\.java):(?:(?P<line>\d+)|\[(?P<row>\d+),\d+\]):?"
    r"(?: error:)? (?P<message>\S.+)$"
)
_KOTLIN = re.compile(
    r"^e: (?:file://)?(?P<path>/?[^\s:]+\.kts?):(?: \((?P<line>\d+), \d+\):|(?P<row>\d+):\d+):?"
    r" (?P<message>.+)$"
)
_DETAIL = re.compile(r"^(?:\[ERROR\])? +(?P<message>(?:symbol|location): +\S.*)$")
_THROWN = re.compile(
    r"^(?:Exception in thread .{0,80} |Caused by: |\[ERROR\] +)?(?P<message>java\.lang\."
    r"(?:NoClassDefFoundError|ClassNotFoundException|NoSuchMethodError|NoSuchFieldError).*)$"
)
_ASSERTED = re.compile(
    r"^(?:\[ERROR\] +)?(?P<message>\S+\.(?:AssertionError|AssertionFailedError).*)$"
)


def read(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the compilers of the JVM complain of, in order."""
    for at, line in enumerate(lines):
        found = _JAVAC.match(line) or _KOTLIN.match(line)
        if found:
            if "warning" in found["message"][:8]:
                continue
            message = _with_details(lines, at, found["message"])
            row = number(found["line"] or found["row"])
            yield classified(_RULES, Located(found["path"], row, message))
        elif "java.lang." in line and (found := _THROWN.match(line)):
            yield classified(_RULES, Located(None, None, found["message"]))
        elif "Assertion" in line and (found := _ASSERTED.match(line)):
            yield classified((), Located(None, None, found["message"]), Kind.TEST)


def _with_details(lines: Sequence[str], at: int, message: str) -> str:
    """javac says what symbol it lacks below the message, after the line of source."""
    if not message.startswith("cannot find symbol"):
        return message
    for line in lines[at + 1 : at + 6]:
        if detail := _DETAIL.match(line):
            message += f" {detail['message']}"
        elif _JAVAC.match(line):
            break
    return message
