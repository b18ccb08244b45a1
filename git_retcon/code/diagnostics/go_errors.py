"""Go: the compiler, vet, the module loader and ``go test``."""

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

HINTS = (
    ".go:",
    "go: ",
    "go.sum",
    "go.mod",
    "no required module",
    "directory not found",
    "Go files",
)

_RULES: tuple[Rule, ...] = (
    Rule(Kind.UNDEFINED, "undefined: ", r"undefined: (?P<symbol>[\w.]+)"),
    Rule(Kind.UNDEFINED, "undeclared name: ", r"undeclared name: (?P<symbol>[\w.]+)"),
    Rule(
        Kind.MEMBER,
        "has no field or method",
        r"type \*?(?P<owner>[\w.]+)(?:\[.*\])? has no (?P<noun>field or method) (?P<symbol>\w+)",
    ),
    Rule(Kind.MEMBER, " undefined (", r"^(?P<symbol>[\w.]+) undefined \("),
    Rule(
        Kind.MEMBER,
        "unknown field",
        r"unknown (?P<noun>field) '?(?P<symbol>\w+)'? in struct literal"
        r"(?: of type (?P<owner>[\w.]+))?",
    ),
    Rule(
        Kind.IMPORT,
        "not exported by package",
        r"name (?P<symbol>\w+) not exported by (?P<noun>package) (?P<owner>[\w./-]+)",
    ),
    Rule(Kind.IMPORT, "not declared by package", r"^(?P<symbol>\w+) not declared by package"),
    Rule(Kind.FILE, "is not in std", r"package (?P<file>[\w./~-]+) is not in std"),
    Rule(Kind.FILE, "is not in GOROOT", r"package (?P<file>[\w./~-]+) is not in GOROOT"),
    Rule(Kind.FILE, "cannot find package", r"cannot find package \"(?P<file>[^\"]+)\""),
    Rule(Kind.FILE, "no required module", r"provides package (?P<file>[\w./~-]+)"),
    Rule(Kind.FILE, "cannot find module", r"providing package (?P<file>[\w./~-]+)"),
    Rule(Kind.FILE, "does not contain package", r"contain package (?P<file>[\w./~-]+)"),
    Rule(Kind.FILE, "go.sum entry", r"missing (?P<file>go\.sum) entry"),
    Rule(Kind.FILE, "to go.mod needed", r"updates to (?P<file>go\.mod) needed"),
    Rule(Kind.FILE, "go.mod file not found", r"(?P<file>go\.mod) file not found"),
    Rule(Kind.FILE, "no such file", r"(?:open|stat|read) (?P<file>[^\s:]+): no such file"),
    Rule(Kind.FILE, "directory not found", r"stat (?P<file>[^\s:]+): directory not found"),
    Rule(Kind.FILE, "no Go files in", r"no Go files in (?P<file>\S+)"),
    Rule(Kind.FILE, "exclude all Go files", r"exclude all Go files in (?P<file>\S+)"),
    Rule(Kind.FILE, "replacement directory", r"replacement directory (?P<file>\S+) does not exist"),
    Rule(Kind.FILE, "no matching files", r"pattern (?P<file>[^\s:]+): no matching files"),
    Rule(
        Kind.UNUSED,
        " not used",
        r"\"(?P<symbol>[\w./~-]+)\" imported (?:as \w+ )?(?:and|but) not used",
    ),
    Rule(Kind.UNUSED, "imported and not used", r"and not used: \"(?P<symbol>[^\"]+)\""),
    Rule(Kind.UNUSED, "declared and not used", r"declared and not used: (?P<symbol>\w+)"),
    Rule(Kind.UNUSED, " not used", r"^(?P<symbol>\w+) declared (?:and|but) not used"),
    Rule(
        Kind.MISMATCH,
        "arguments in call to",
        r"(?:not enough|too many) arguments in call to (?:.*[^\w.]\.)?(?P<owner>[\w.]+)",
    ),
    Rule(
        Kind.MISMATCH,
        "does not implement",
        r"(?P<owner>[\w.]+) does not implement .{0,200}"
        r"\((?:missing (?:method )?|wrong type for (?:method )?)(?P<symbol>\w+)",
    ),
    Rule(Kind.MISMATCH, "assignment mismatch", r"but (?P<owner>[\w.]+)(?:\(.*\))? returns"),
    Rule(Kind.MISMATCH, "return values", r"^(?:not enough|too many) return values"),
    Rule(Kind.MISMATCH, "values in", r"^too (?:few|many) values in (?P<owner>[\w.]+)\{"),
    Rule(Kind.MISMATCH, "single-value context", r"^multiple-value (?P<owner>[\w.]+)\("),
    Rule(Kind.MISMATCH, "used as value", r"^(?P<owner>[\w.]+)\(.*\) \(no value\) used as value"),
    Rule(Kind.MISMATCH, "in argument to", r"^cannot use .{1,300} in argument to (?P<owner>[\w.]+)"),
    Rule(Kind.MISMATCH, "cannot use", r"^cannot use (?P<owner>[\w.]+)(?:\(.*?\))? \("),
    Rule(Kind.DUPLICATE, "redeclared", r"^(?P<symbol>[\w.]+) redeclared in this block"),
    Rule(
        Kind.DUPLICATE, "already declared", r"^(?:method|field and method.*name) (?P<symbol>[\w.]+)"
    ),
    Rule(Kind.SYNTAX, "syntax error", r"^syntax error"),
    Rule(Kind.SYNTAX, "expected ", r"^expected "),
)

_PLACED = LazyPattern(
    # With -cover, a file that cannot be parsed is complained of in a log of the coverage tool.
    r"^(?:\d{4}/\d\d/\d\d \d\d:\d\d:\d\d cover: \S+\.go: |vet: |# |go: )?"
    r"(?P<path>[^\s:][^:]*\.go):(?P<line>\d+)(?::(?P<column>\d+))?: "
    r"(?P<message>.+)$"
)
_MODULES = LazyPattern(
    r"^(?:go(?: build| vet| test)?(?: \S+)?: |\s+imports \S+: )?(?P<message>(?:no required module"
    r"|missing go\.sum|updates to go\.mod|cannot find (?:package|module)|package \S+ is not in"
    r"|module \S+ (?:found|provides)|go\.mod file not found|no Go files in|stat \S+: "
    r"|build constraints exclude).*)$"
)
_TEST = LazyPattern(r"^\s{4,}(?P<path>[^\s:]+_test\.go):(?P<line>\d+): (?P<message>.*)$")
_LOADING = LazyPattern(r"^\s+(?P<path>[^\s:]+\.go):(?P<line>\d+):(?P<column>\d+): (?P<message>.+)$")
_PANIC = LazyPattern(r"^(?P<message>panic: .+?)(?: \[recovered\])?$")
_FRAME = LazyPattern(r"^\t(?P<path>/\S+\.go):(?P<line>\d+)(?: \+0x[0-9a-f]+)?$")
_FOREIGN = LazyPattern(r"/src/(?:runtime|testing|reflect|sync)/|/pkg/mod/")
_UNFINISHED = ("cannot use ", "impossible type ")


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the go command complains of, in order."""
    panicked, since = "", 0
    for at, line in enumerate(lines):
        if ".go:" in line and (found := _PLACED.match(line) or _LOADING.match(line)):
            # The second half of "redeclared", no complaint of its own.
            if "other declaration of" in found["message"]:
                continue
            message = _add_reason(found["message"], lines, at)
            located = PlacedMessage(found["path"], read_number(found["line"]), message)
            located = located._replace(column=read_number(found["column"]))
            yield classify(_RULES, _mark_origin(located, Category.COMPILE, at))
        elif ".go:" in line and (found := _TEST.match(line)):
            located = PlacedMessage(found["path"], read_number(found["line"]), found["message"])
            yield classify(_RULES, _mark_origin(located, Category.TEST, at), Kind.TEST)
        elif line.startswith("panic: ") and (found := _PANIC.match(line)):
            panicked, since = found["message"], at
        # The first frame outside Go's library and other modules is where the program went wrong.
        elif panicked and (found := _FRAME.match(line)) and not _FOREIGN.search(line):
            located = PlacedMessage(found["path"], read_number(found["line"]), panicked)
            panicked = ""
            located = _mark_origin(located, Category.RUNTIME, since)._replace(last=at)
            yield classify((), located, Kind.TEST)
        elif found := _MODULES.match(line):
            located = PlacedMessage(None, None, found["message"])
            yield classify(_RULES, _mark_origin(located, Category.DEPENDENCY, at))


def _mark_origin(located: PlacedMessage, category: Category, at: int) -> PlacedMessage:
    return located._replace(category=category, tool="go", first=at)


def _add_reason(message: str, lines: Sequence[str], at: int) -> str:
    """Before Go 1.20, why a type does not fit is on a line of its own."""
    if message.startswith(_UNFINISHED) and at + 1 < len(lines) and lines[at + 1].startswith("\t"):
        return f"{message} {lines[at + 1].strip()}"
    return message
