"""What drives builds: make, ninja, cmake, meson, and the shell itself."""

import re
from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    Kind,
    PlacedMessage,
    Rule,
    classify,
    read_number,
)
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = ("No rule to make", "CMake Error", "ninja: error", "No such file", "not found", "ERROR:")

_RULES: tuple[Rule, ...] = (
    Rule(Kind.FILE, "No rule to make target", r"make target [`'](?P<file>[^']+)'"),
    Rule(Kind.FILE, "missing and no known rule", r"'(?P<file>[^']+)', needed by"),
    Rule(Kind.FILE, "Cannot find source file", r"source file: *(?P<file>\S+)"),
    Rule(Kind.FILE, "not an existing directory", r'source "(?P<file>[^"]+)" which is not'),
    Rule(Kind.FILE, "does not contain a CMakeLists", r"directory (?P<file>\S+) does not contain"),
    Rule(Kind.FILE, "could not find requested file", r"requested file: *(?P<file>\S+)"),
    Rule(Kind.FILE, "package configuration file", r'provided by "(?P<file>[^"]+)"'),
    Rule(Kind.FILE, "Could NOT find", r"Could NOT find (?P<file>\w+)"),
    Rule(Kind.FILE, " does not exist", r"File (?P<file>\S+) does not exist"),
    Rule(Kind.UNDEFINED, "Unknown CMake command", r'(?P<noun>command) "(?P<symbol>\w+)"'),
    Rule(Kind.UNDEFINED, "not built by this", r'(?P<noun>target) "(?P<symbol>\w+)" which'),
    Rule(Kind.FILE, "No such file or directory", r"(?P<file>[^\s:'\"]+)['\"]?: No such file"),
    Rule(Kind.FILE, ": not found", r"^(?P<file>[^\s:]*/[^\s:]+): not found"),
    Rule(Kind.UNDEFINED, "not found", r"^(?P<symbol>[\w-]+): (?P<noun>command) not found"),
    Rule(Kind.UNDEFINED, "not found", r"^(?P<symbol>[\w-]+): not found"),
)

# A program that is not here, though a line of the project asks for it.
_NO_PROGRAM = LazyPattern(
    r"^(?:The CMAKE_\w+_COMPILER: \S+ is not a full path|No CMAKE_\w+_COMPILER could be found"
    r"|Could not find compiler set in environment variable)"
)
_MAKE = LazyPattern(r"^g?make(?:\[\d+\])?: \*\*\* (?:\[(?P<path>[^\]:]+):(?P<line>\d+)[^\]]*\] )?"
                   r"(?P<message>No rule to make target .*)$")  # fmt: skip
_MAKEFILE = LazyPattern(
    r"^(?P<path>[^\s:]*(?:[Mm]akefile|\.mk)\S*):(?P<line>\d+): (?P<message>.*No such file.*)$"
)
_NINJA = LazyPattern(r"^ninja: error: (?P<message>.*missing and no known rule.*)$")
_MESON = LazyPattern(r"^(?P<path>[^\s:]*meson\.build):(?P<line>\d+):\d+: ERROR: (?P<message>.+)$")
_CMAKE = LazyPattern(r"^CMake Error(?: at (?P<path>[^\s:]+):(?P<line>\d+))?.*:$")
_SHELL = LazyPattern(
    r"^(?:(?:\S*/)?(?:ba|da|z|k)?sh: (?:line )?(?:\d+: )?"
    r"|(?P<path>\S+\.sh): (?:line )?(?P<line>\d+): )"
    r"(?P<message>(?:cannot open |can't open )?\S+: (?:command |No such |not ).*)$"
)
_TOOL = LazyPattern(
    r"^(?:/\S+/)?(?:cat|cp|mv|ls|sed|awk|grep|install|source|diff|head|tail|chmod|ar): "
    r"(?:can't open |cannot (?:access|stat|open) )?(?P<message>\S+: No such file or directory)$"
)


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the driver of a build complains of, in order."""
    for at, line in enumerate(lines):
        if found := _CMAKE.match(line):
            message = _read_paragraph(lines, at + 1)
        elif found := _match_message(line):
            message = found["message"]
        else:
            continue
        groups = found.groupdict()
        located = PlacedMessage(
            groups.get("path"),
            read_number(groups.get("line")),
            message,
            category=Category.INFRASTRUCTURE if _NO_PROGRAM.match(message) else Category.CONFIG,
            tool="make",
            first=at,
        )
        yield classify(_RULES, located)


def _match_message(line: str) -> re.Match[str] | None:
    if ": " not in line:
        return None
    for pattern in (_MAKE, _MAKEFILE, _NINJA, _MESON, _SHELL, _TOOL):
        if found := pattern.match(line):
            return found
    return None


def _read_paragraph(lines: Sequence[str], at: int) -> str:
    """cmake indents its message by two columns and ends it with two empty lines."""
    words: list[str] = []
    for line in lines[at : at + 30]:
        if line and not line.startswith("  "):
            break
        words += line.split()
    return " ".join(words)
