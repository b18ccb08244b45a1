"""TypeScript and JavaScript: tsc, node, eslint, webpack, rollup, vite, esbuild."""

import dataclasses
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
    shown,
)

HINTS = (
    "error TS",
    "TS2",
    "TS6",
    "Cannot find",
    "ReferenceError",
    "TypeError",
    "SyntaxError",
    "esolve",
    "no-undef",
    "no-unused",
    "was not found in",
    "is not exported by",
    "not defined",
)

_N = r"[\w$]+"
_RULES: tuple[Rule, ...] = (
    rule(Kind.UNDEFINED, "Cannot find name", rf"Cannot find name '(?P<symbol>{_N})'"),
    rule(Kind.UNDEFINED, "to be in scope", rf"tag requires '(?P<symbol>{_N})' to be in scope"),
    rule(Kind.UNDEFINED, "shorthand property", rf"shorthand property '(?P<symbol>{_N})'"),
    rule(Kind.UNDEFINED, "Cannot find namespace", rf"namespace '(?P<symbol>{_N})'"),
    rule(
        Kind.IMPORT,
        "no exported member",
        rf"(?:(?:Module|Namespace) )?'\"?(?P<owner>[^'\"]+)\"?' has no exported member"
        rf"(?: named)? '(?P<symbol>{_N})'",
    ),
    rule(
        Kind.IMPORT,
        "is not exported",
        rf"Module '\"(?P<owner>[^\"]+)\"' declares '(?P<symbol>{_N})' locally",
    ),
    rule(
        Kind.IMPORT,
        "no default export",
        r"Module '\"(?P<owner>[^\"]+)\"' has no (?P<symbol>default)",
    ),
    rule(
        Kind.IMPORT,
        "does not provide an export",
        rf"module '(?P<owner>[^']+)' does not provide an export named '(?P<symbol>{_N})'",
    ),
    rule(
        Kind.IMPORT,
        "was not found in",
        rf"export '(?P<symbol>{_N})' .{{0,80}}was not found in '(?P<owner>[^']+)'",
    ),
    rule(
        Kind.IMPORT,
        "is not exported by",
        rf"\"(?P<symbol>{_N})\" is not exported by \"(?P<owner>[^\"]+)\"",
    ),
    rule(
        Kind.IMPORT,
        "No matching export",
        rf"No matching export in \"(?P<owner>[^\"]+)\" for import \"(?P<symbol>{_N})\"",
    ),
    rule(Kind.FILE, "Cannot find module", r"Cannot find module ['\"](?P<file>[^'\"]+)['\"]"),
    rule(Kind.FILE, "Cannot find package", r"Cannot find package '(?P<file>[^']+)'"),
    rule(Kind.FILE, "type definition file", r"type definition file for '(?P<file>[^']+)'"),
    rule(Kind.FILE, "declaration file", r"declaration file for module '(?P<file>[^']+)'"),
    rule(Kind.FILE, "' not found", r"File '(?P<file>[^']+)' not found"),
    rule(Kind.FILE, "is not a module", r"File '(?P<file>[^']+)' is not a module"),
    rule(Kind.FILE, "Can't resolve", r"Can't resolve '(?P<file>[^']+)'"),
    rule(Kind.FILE, "ould not resolve", r"ould not resolve ['\"](?P<file>[^'\"]+)['\"]"),
    rule(Kind.FILE, "ailed to resolve", r"ailed to resolve import \"(?P<file>[^\"]+)\""),
    rule(Kind.FILE, "resolve entry module", r"resolve entry module \"?(?P<file>[^\s\"]+?)[.\"]*$"),
    rule(Kind.FILE, "ENOENT", r"ENOENT: .{0,60}'(?P<file>[^']+)'"),
    rule(Kind.FILE, "path does not exist", r"path does not exist: '(?P<file>[^']+)'"),
    rule(
        Kind.MEMBER,
        "does not exist on type",
        rf"(?P<noun>[Pp]roperty) '(?P<symbol>{_N})' does not exist on type '(?P<owner>[^']+)'",
    ),
    rule(
        Kind.MEMBER,
        "does not exist in type",
        rf"'(?P<symbol>{_N})' does not exist in type '(?P<owner>[^']+)'",
    ),
    rule(Kind.MEMBER, "is not a function", rf"(?P<symbol>[\w$.]+?{_N}|{_N}) is not a function"),
    rule(Kind.MEMBER, "Class extends", r"^TypeError: Class extends .* null: (?P<symbol>[\w$.]+)$"),
    rule(Kind.MEMBER, "is not a constructor", r"(?P<symbol>[\w$.]+) is not a constructor$"),
    rule(
        Kind.MEMBER,
        "Cannot destructure",
        rf"of '.*?(?P<symbol>{_N})' as it is (?:undefined|null)",
    ),
    rule(
        Kind.MEMBER,
        "Cannot read properties",
        rf"^TypeError: Cannot read properties of .*: (?P<symbol>{_N})$",
    ),
    rule(
        Kind.MISMATCH,
        "is missing in type",
        rf"Property '(?P<symbol>{_N})' is missing in type '.{{0,200}}' but required in type"
        r" '(?P<owner>[^']+)'",
    ),
    rule(
        Kind.MISMATCH,
        "is missing the following",
        r"following properties from type '(?P<owner>[^']+)': (?P<symbol>[\w$, ]+)",
    ),
    rule(
        Kind.MISMATCH,
        "does not implement inherited",
        rf"class '(?P<owner>{_N})' does not implement inherited abstract member '?(?P<symbol>{_N})",
    ),
    rule(
        Kind.MISMATCH,
        "only accessible",
        rf"Property '(?P<symbol>{_N})' is \w+ and only accessible within class '(?P<owner>[^']+)'",
    ),
    rule(
        Kind.MISMATCH,
        "incorrectly implements",
        r"Class '(?P<owner>[^']+)' incorrectly implements",
    ),
    rule(Kind.MISMATCH, "arguments, but got", r"Expected [\d-]+ arguments?, but got"),
    rule(Kind.MISMATCH, "is not assignable to", r"is not assignable to"),
    rule(Kind.UNUSED, "never read", rf"'(?P<symbol>{_N})' is declared but its value is never"),
    rule(Kind.UNUSED, "never used", rf"'(?P<symbol>{_N})' is (?:defined|assigned|declared)"),
    rule(Kind.UNDEFINED, "is not defined", rf"'?(?P<symbol>{_N})'? is not defined"),
    rule(Kind.DUPLICATE, "Duplicate identifier", rf"Duplicate identifier '(?P<symbol>{_N})'"),
    rule(Kind.DUPLICATE, "Cannot redeclare", rf"variable '(?P<symbol>{_N})'"),
    rule(Kind.DUPLICATE, "already been declared", rf"'(?P<symbol>{_N})' has already been"),
    rule(Kind.SYNTAX, "SyntaxError: ", r"^SyntaxError: "),
    rule(Kind.SYNTAX, " expected", r"^(?:'.{1,3}'|[\w ]+) expected\.$"),
)

_TSC = re.compile(r"^(?P<path>[^\s(][^(]*)\((?P<line>\d+),\d+\): error TS\d+: (?P<message>.+)$")
_PRETTY = re.compile(r"^(?P<path>[^\s:][^:]*):(?P<line>\d+):\d+ - error TS\d+: (?P<message>.+)$")
_UNPLACED = re.compile(r"^error TS\d+: (?P<message>.+)$")
_THROWN = re.compile(
    # one blank at a time: "\s+" under "*" takes a time exponential in the blanks
    r"^(?:# |\s|● |\[!\] |\[\w+\] )*(?P<message>(?:Uncaught )?(?:\w*Error(?: \[\w+\])?): .+)$"
)
_STACK = re.compile(
    r"^(?:# )? +at (?:.{0,200}\()?(?:file://)?(?P<path>/?[^\s():]+):(?P<line>\d+):\d+\)?$"
)
_HEAD = re.compile(r"^(?:# )?(?:file://)?(?P<path>/?[^\s:]+\.[cm]?[jt]sx?):(?P<line>\d+)$")
_IMPORTER = re.compile(r"imported from (?:file://)?(?P<path>\S+?)$")
_REQUIRER = re.compile(r"^- (?P<path>/\S+)$")
_LINT = re.compile(r"^ +(?P<line>\d+):\d+ +error +(?P<message>.+?) {2,}\S+$")
_LINT_FILE = re.compile(r"^(?P<path>/?\S+\.[cm]?[jt]sx?)$")
_WEBPACK = re.compile(r"^ERROR in (?P<path>\S+)(?: (?P<line>\d+):\d+\S*)?$")
_ESBUILD = re.compile(r"^(?:✘|X) \[ERROR\] (?P<message>.+)$")
_PLACE = re.compile(r"^ +(?P<path>\S+):(?P<line>\d+):\d+:$")
_BUNDLER = re.compile(
    r"^(?:\[\w+\] )?(?P<message>(?:Could not resolve|Cannot resolve entry|\[vite\]"
    r"|Failed to resolve|.{1,80} is not exported by).+)$"
)
_FROM = re.compile(r"(?:\bin|\bfrom) \"?(?P<path>[\w./@-]+\.\w+)\"?")


_UNDEFINED_VALUE = re.compile(r"(?P<name>[\w$]+)\s*(?:\?\.|\.|\[['\"]?)\s*$")
_PARENT = re.compile(r"\bextends\s+.*?(?P<name>[\w$]+)\s*\{")


def read(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the tools of TypeScript and JavaScript complain of, in order."""
    linted: str | None = None
    head: int | None = None
    for at, line in enumerate(lines):
        if found := _LINT_FILE.match(line):
            linted = found["path"]
        elif _HEAD.match(line):
            head = at
        elif linted and (found := _LINT.match(line)):
            yield classified(_RULES, Located(linted, number(found["line"]), found["message"]))
        elif "TS" in line and (found := _TSC.match(line) or _PRETTY.match(line)):
            message = _with_reason(found["message"], lines, at)
            located = Located(found["path"], number(found["line"]), message)
            yield classified(_RULES, located, Kind.OTHER)
        elif "rror" in line and (thrown := _thrown(lines, at, head)):
            diagnostic = classified(
                _RULES, _with_name(thrown, lines, head), _otherwise(thrown.message)
            )
            head = None
            if diagnostic.kind is not Kind.OTHER or thrown.path is not None:
                yield dataclasses.replace(diagnostic, message=shown(thrown.message))
        elif "resolve" in line or "ERROR" in line or "exported by" in line:
            located_bundled = _bundled(lines, at)
            if located_bundled is not None:
                yield classified(_RULES, located_bundled)


def thrown_in(name: str, message: str, path: str | None, row: int | None) -> Diagnostic:
    """What an error that JavaScript threw complains of, however it was reported."""
    located = Located(path, row, f"{name}: {message}")
    return classified(_RULES, located, _otherwise(located.message))


def _otherwise(message: str) -> Kind:
    return Kind.TEST if message.startswith("AssertionError") else Kind.OTHER


def _with_reason(message: str, lines: Sequence[str], at: int) -> str:
    """tsc says below, further in, which properties a type lacks."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return f"{message} {below.strip()}" if " is missing " in below[:300] else message


def _thrown(lines: Sequence[str], at: int, head: int | None) -> Located | None:
    """What node throws: its place stands above, in the message, or in the stack below."""
    found = _UNPLACED.match(lines[at]) or _THROWN.match(lines[at])
    if found is None:
        return None
    path, row = None, None
    if head is not None and (place := _HEAD.match(lines[head])):
        path, row = place["path"], number(place["line"])
    if importer := _IMPORTER.search(lines[at]) or _FROM.search(lines[at]):
        path, row = importer["path"], None
    for line in lines[at + 1 : at + 40]:
        if path is not None:
            break
        place = _REQUIRER.match(line) or _STACK.match(line)
        if place and "node_modules" not in place["path"]:
            path, row = place["path"], number(place.groupdict().get("line"))
    return Located(path, row, found["message"])


def _with_name(thrown: Located, lines: Sequence[str], head: int | None) -> Located:
    """What was undefined is known from the line of source alone, printed above with a mark."""
    if head is None or head + 2 >= len(lines):
        return thrown
    source, mark = lines[head + 1], lines[head + 2]
    found = None
    if thrown.message.startswith("TypeError: Cannot read properties of"):
        found = _UNDEFINED_VALUE.search(source[: max(0, mark.find("^"))])
    elif thrown.message.startswith("TypeError: Class extends"):
        found = _PARENT.search(source)
    if found is None:
        return thrown
    return dataclasses.replace(thrown, message=f"{thrown.message}: {found['name']}")


def _bundled(lines: Sequence[str], at: int) -> Located | None:
    line = lines[at]
    if (found := _WEBPACK.match(line)) and at + 1 < len(lines):
        return Located(found["path"], number(found["line"]), lines[at + 1])
    if found := _ESBUILD.match(line):
        place = next(filter(None, map(_PLACE.match, lines[at + 1 : at + 4])), None)
        path, row = (place["path"], number(place["line"])) if place else (None, None)
        return Located(path, row, found["message"])
    if found := _BUNDLER.match(line):
        importer = _FROM.search(line)
        return Located(importer["path"] if importer else None, None, found["message"])
    return None
