"""TypeScript and JavaScript: tsc, node, eslint, webpack, rollup, vite, esbuild."""

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
    rule(Kind.UNDEFINED, "shorthand property", rf"shorthand property '(?P<symbol>{_N})'"),
    rule(Kind.UNDEFINED, "Cannot find namespace", rf"namespace '(?P<symbol>{_N})'"),
    rule(
        Kind.IMPORT,
        "no exported member",
        rf"(?:Module|Namespace) '\"?(?P<owner>[^'\"]+)\"?' has no exported member"
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
    rule(Kind.MEMBER, "is not a constructor", r"(?P<symbol>[\w$.]+) is not a constructor"),
    rule(
        Kind.MISMATCH,
        "is missing in type",
        rf"Property '(?P<symbol>{_N})' is missing in type '.{{0,200}}' but required in type"
        r" '(?P<owner>[^']+)'",
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
    r"^(?:# |\s*● |\[!\] |\[\w+\] )*(?P<message>(?:Uncaught )?(?:\w*Error(?: \[\w+\])?): .+)$"
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


def read(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the tools of TypeScript and JavaScript complain of, in order."""
    linted: str | None = None
    headed: tuple[str | None, int | None] = (None, None)
    for at, line in enumerate(lines):
        if found := _LINT_FILE.match(line):
            linted = found["path"]
        elif found := _HEAD.match(line):
            headed = (found["path"], number(found["line"]))
        elif linted and (found := _LINT.match(line)):
            yield classified(_RULES, Located(linted, number(found["line"]), found["message"]))
        elif "TS" in line and (found := _TSC.match(line) or _PRETTY.match(line)):
            located = Located(found["path"], number(found["line"]), found["message"])
            yield classified(_RULES, located, Kind.OTHER)
        elif "rror" in line and (located_thrown := _thrown(lines, at, headed)):
            headed = (None, None)
            diagnostic = classified(_RULES, located_thrown)
            if diagnostic.kind is not Kind.OTHER:
                yield diagnostic
        elif "resolve" in line or "ERROR" in line or "exported by" in line:
            located_bundled = _bundled(lines, at)
            if located_bundled is not None:
                yield classified(_RULES, located_bundled)


def _thrown(lines: Sequence[str], at: int, headed: tuple[str | None, int | None]) -> Located | None:
    """What node throws: its place stands above, in the message, or in the stack below."""
    found = _UNPLACED.match(lines[at]) or _THROWN.match(lines[at])
    if found is None:
        return None
    path, row = headed
    if importer := _IMPORTER.search(lines[at]) or _FROM.search(lines[at]):
        path, row = importer["path"], None
    for line in lines[at + 1 : at + 20]:
        if path is not None:
            break
        place = _REQUIRER.match(line) or _STACK.match(line)
        if place and "node_modules" not in place["path"]:
            path, row = place["path"], number(place.groupdict().get("line"))
    return Located(path, row, found["message"])


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
