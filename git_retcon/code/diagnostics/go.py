"""Go: the compiler, vet, the module loader and ``go test``."""

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

HINTS = (".go:", "go: ", "go.sum", "go.mod", "no required module")

_RULES: tuple[Rule, ...] = (
    rule(Kind.UNDEFINED, "undefined: ", r"undefined: (?P<symbol>[\w.]+)"),
    rule(
        Kind.MEMBER,
        "has no field or method",
        r"type \*?(?P<owner>[\w.]+)(?:\[.*\])? has no (?P<noun>field or method) (?P<symbol>\w+)",
    ),
    rule(Kind.MEMBER, " undefined (", r"^(?P<symbol>[\w.]+) undefined \("),
    rule(
        Kind.MEMBER,
        "unknown field",
        r"unknown (?P<noun>field) '?(?P<symbol>\w+)'? in struct literal"
        r"(?: of type (?P<owner>[\w.]+))?",
    ),
    rule(
        Kind.IMPORT,
        "not exported by package",
        r"name (?P<symbol>\w+) not exported by (?P<noun>package) (?P<owner>[\w./-]+)",
    ),
    rule(Kind.IMPORT, "not declared by package", r"^(?P<symbol>\w+) not declared by package"),
    rule(Kind.FILE, "is not in std", r"package (?P<file>[\w./~-]+) is not in std"),
    rule(Kind.FILE, "is not in GOROOT", r"package (?P<file>[\w./~-]+) is not in GOROOT"),
    rule(Kind.FILE, "cannot find package", r"cannot find package \"(?P<file>[^\"]+)\""),
    rule(Kind.FILE, "no required module", r"provides package (?P<file>[\w./~-]+)"),
    rule(Kind.FILE, "cannot find module", r"providing package (?P<file>[\w./~-]+)"),
    rule(Kind.FILE, "does not contain package", r"contain package (?P<file>[\w./~-]+)"),
    rule(Kind.FILE, "go.sum entry", r"missing (?P<file>go\.sum) entry"),
    rule(Kind.FILE, "to go.mod needed", r"updates to (?P<file>go\.mod) needed"),
    rule(Kind.FILE, "no such file", r"(?:open|stat|read) (?P<file>[^\s:]+): no such file"),
    rule(Kind.FILE, "no matching files", r"pattern (?P<file>[^\s:]+): no matching files"),
    rule(
        Kind.UNUSED,
        "and not used",
        r"\"(?P<symbol>[\w./~-]+)\" imported (?:as \w+ )?and not used",
    ),
    rule(Kind.UNUSED, "imported and not used", r"and not used: \"(?P<symbol>[^\"]+)\""),
    rule(Kind.UNUSED, "declared and not used", r"declared and not used: (?P<symbol>\w+)"),
    rule(Kind.UNUSED, " not used", r"^(?P<symbol>\w+) declared (?:and|but) not used"),
    rule(
        Kind.MISMATCH,
        "arguments in call to",
        r"(?:not enough|too many) arguments in call to (?P<owner>[\w.]+)",
    ),
    rule(
        Kind.MISMATCH,
        "missing method",
        r"does not implement .{0,200}missing method (?P<symbol>\w+)",
    ),
    rule(Kind.MISMATCH, "assignment mismatch", r"but (?P<owner>[\w.]+)(?:\(.*\))? returns"),
    rule(Kind.DUPLICATE, "redeclared", r"^(?P<symbol>[\w.]+) redeclared in this block"),
    rule(
        Kind.DUPLICATE, "already declared", r"^(?:method|field and method.*name) (?P<symbol>[\w.]+)"
    ),
    rule(Kind.SYNTAX, "syntax error", r"^syntax error"),
    rule(Kind.SYNTAX, "expected ", r"^expected "),
)

_PLACED = re.compile(
    r"^(?:vet: |# |go: )?(?P<path>[^\s:][^:]*\.go):(?P<line>\d+)(?::\d+)?: (?P<message>.+)$"
)
_MODULES = re.compile(
    r"^(?:go(?: build| vet| test)?(?: \S+)?: )?(?P<message>(?:no required module|missing go\.sum"
    r"|updates to go\.mod|cannot find (?:package|module)|module \S+ (?:found|provides)"
    r"|package \S+ is not in).*)$"
)
_TEST = re.compile(r"^\s{4,}(?P<path>[^\s:]+_test\.go):(?P<line>\d+): (?P<message>.*)$")
_LOADING = re.compile(r"^\s+(?P<path>[^\s:]+\.go):(?P<line>\d+):\d+: (?P<message>.+)$")


def read(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the go command complains of, in order."""
    for line in lines:
        if ".go:" in line and (found := _PLACED.match(line) or _LOADING.match(line)):
            if "other declaration of" in found["message"]:
                continue
            located = Located(found["path"], number(found["line"]), found["message"])
            yield classified(_RULES, located)
        elif ".go:" in line and (found := _TEST.match(line)):
            located = Located(found["path"], number(found["line"]), found["message"])
            yield classified(_RULES, located, Kind.TEST)
        elif line.startswith(("go", "no required", "missing go", "package ", "cannot find ")) and (
            found := _MODULES.match(line)
        ):
            yield classified(_RULES, Located(None, None, found["message"]))
