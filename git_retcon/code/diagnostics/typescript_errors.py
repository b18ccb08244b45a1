"""TypeScript and JavaScript: tsc, node, eslint, webpack, rollup, vite, esbuild."""

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
    make_printable,
    read_number,
)
from git_retcon.code.diagnostics.line_index import index_lines
from git_retcon.code.lazy_pattern import LazyPattern

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
    Rule(Kind.UNDEFINED, "Cannot find name", rf"Cannot find name '(?P<symbol>{_N})'"),
    Rule(Kind.UNDEFINED, "to be in scope", rf"tag requires '(?P<symbol>{_N})' to be in scope"),
    Rule(Kind.UNDEFINED, "shorthand property", rf"shorthand property '(?P<symbol>{_N})'"),
    Rule(Kind.UNDEFINED, "Cannot find namespace", rf"namespace '(?P<symbol>{_N})'"),
    Rule(
        Kind.IMPORT,
        "no exported member",
        rf"(?:(?:Module|Namespace) )?'\"?(?P<owner>[^'\"]+)\"?' has no exported member"
        rf"(?: named)? '(?P<symbol>{_N})'",
    ),
    Rule(
        Kind.IMPORT,
        "is not exported",
        rf"Module '\"(?P<owner>[^\"]+)\"' declares '(?P<symbol>{_N})' locally",
    ),
    Rule(
        Kind.IMPORT,
        "no default export",
        r"Module '\"(?P<owner>[^\"]+)\"' has no (?P<symbol>default)",
    ),
    Rule(
        Kind.IMPORT,
        "does not provide an export",
        rf"module '(?P<owner>[^']+)' does not provide an export named '(?P<symbol>{_N})'",
    ),
    Rule(
        Kind.IMPORT,
        "was not found in",
        rf"export '(?P<symbol>{_N})' .{{0,80}}was not found in '(?P<owner>[^']+)'",
    ),
    Rule(
        Kind.IMPORT,
        "is not exported by",
        rf"\"(?P<symbol>{_N})\" is not exported by \"(?P<owner>[^\"]+)\"",
    ),
    Rule(
        Kind.IMPORT,
        "No matching export",
        rf"No matching export in \"(?P<owner>[^\"]+)\" for import \"(?P<symbol>{_N})\"",
    ),
    Rule(Kind.FILE, "Cannot find module", r"Cannot find module ['\"](?P<file>[^'\"]+)['\"]"),
    Rule(Kind.FILE, "Cannot find package", r"Cannot find package '(?P<file>[^']+)'"),
    Rule(Kind.FILE, "type definition file", r"type definition file for '(?P<file>[^']+)'"),
    Rule(Kind.FILE, "declaration file", r"declaration file for module '(?P<file>[^']+)'"),
    Rule(Kind.FILE, "' not found", r"File '(?P<file>[^']+)' not found"),
    Rule(Kind.FILE, "is not a module", r"File '(?P<file>[^']+)' is not a module"),
    Rule(Kind.FILE, "Can't resolve", r"Can't resolve '(?P<file>[^']+)'"),
    Rule(Kind.FILE, "ould not resolve", r"ould not resolve ['\"](?P<file>[^'\"]+)['\"]"),
    Rule(Kind.FILE, "ailed to resolve", r"ailed to resolve import \"(?P<file>[^\"]+)\""),
    Rule(Kind.FILE, "resolve entry module", r"resolve entry module \"?(?P<file>[^\s\"]+?)[.\"]*$"),
    Rule(Kind.FILE, "ENOENT", r"ENOENT: .{0,60}'(?P<file>[^']+)'"),
    Rule(Kind.FILE, "path does not exist", r"path does not exist: '(?P<file>[^']+)'"),
    Rule(
        Kind.MEMBER,
        "does not exist on type",
        rf"(?P<noun>[Pp]roperty) '(?P<symbol>{_N})' does not exist on type '(?P<owner>[^']+)'",
    ),
    Rule(
        Kind.MEMBER,
        "does not exist in type",
        rf"'(?P<symbol>{_N})' does not exist in type '(?P<owner>[^']+)'",
    ),
    Rule(Kind.MEMBER, "is not a function", rf"(?P<symbol>[\w$.]+?{_N}|{_N}) is not a function"),
    Rule(Kind.MEMBER, "Class extends", r"^TypeError: Class extends .* null: (?P<symbol>[\w$.]+)$"),
    Rule(Kind.MEMBER, "is not a constructor", r"(?P<symbol>[\w$.]+) is not a constructor$"),
    Rule(
        Kind.MEMBER,
        "Cannot destructure",
        rf"of '.*?(?P<symbol>{_N})' as it is (?:undefined|null)",
    ),
    Rule(
        Kind.MEMBER,
        "Cannot read properties",
        rf"^TypeError: Cannot read properties of .*: (?P<symbol>{_N})$",
    ),
    Rule(
        Kind.MISMATCH,
        "is missing in type",
        rf"Property '(?P<symbol>{_N})' is missing in type '.{{0,200}}' but required in type"
        r" '(?P<owner>[^']+)'",
    ),
    Rule(
        Kind.MISMATCH,
        "is missing the following",
        r"following properties from type '(?P<owner>[^']+)': (?P<symbol>[\w$, ]+)",
    ),
    Rule(
        Kind.MISMATCH,
        "does not implement inherited",
        rf"class '(?P<owner>{_N})' does not implement inherited abstract member '?(?P<symbol>{_N})",
    ),
    Rule(
        Kind.MISMATCH,
        "only accessible",
        rf"Property '(?P<symbol>{_N})' is \w+ and only accessible within class '(?P<owner>[^']+)'",
    ),
    Rule(
        Kind.MISMATCH,
        "incorrectly implements",
        r"Class '(?P<owner>[^']+)' incorrectly implements",
    ),
    Rule(Kind.MISMATCH, "arguments, but got", r"Expected [\d-]+ arguments?, but got"),
    Rule(Kind.MISMATCH, "is not assignable to", r"is not assignable to"),
    Rule(Kind.UNUSED, "never read", rf"'(?P<symbol>{_N})' is declared but its value is never"),
    Rule(Kind.UNUSED, "never used", rf"'(?P<symbol>{_N})' is (?:defined|assigned|declared)"),
    Rule(Kind.UNDEFINED, "is not defined", rf"'?(?P<symbol>{_N})'? is not defined"),
    Rule(Kind.DUPLICATE, "Duplicate identifier", rf"Duplicate identifier '(?P<symbol>{_N})'"),
    Rule(Kind.DUPLICATE, "Cannot redeclare", rf"variable '(?P<symbol>{_N})'"),
    Rule(Kind.DUPLICATE, "already been declared", rf"'(?P<symbol>{_N})' has already been"),
    Rule(Kind.SYNTAX, "SyntaxError: ", r"^SyntaxError: "),
    Rule(Kind.SYNTAX, " expected", r"^(?:'.{1,3}'|[\w ]+) expected\.$"),
)

_SAYS = r"(?P<severity>error|warning) (?P<rule>TS\d+): (?P<message>.+)$"
_TSC = LazyPattern(rf"^(?P<path>[^\s(][^(]*)\((?P<line>\d+),(?P<column>\d+)\): {_SAYS}")
_PRETTY = LazyPattern(
    rf"^(?P<path>(?:[A-Za-z]:)?[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+) - {_SAYS}"
)
_UNPLACED = LazyPattern(rf"^{_SAYS}")
_THROWN = LazyPattern(
    # one blank at a time: "\s+" under "*" takes a time exponential in the blanks
    r"^(?:# |\s|● |\[!\] |\[\w+\] |Exception during run: )*"
    r"(?P<message>(?:Uncaught )?(?:\w*Error(?: \[\w+\]|\[ @\S+ \])?): .+)$"
)
_STACK = LazyPattern(
    r"^(?:# )? +at (?:.{0,200}\()?(?:file://)?(?P<path>/?[^\s():]+):(?P<line>\d+):(?P<column>\d+)\)?$"
)
_HEAD = LazyPattern(
    r"^ *(?:# |Exception during run: |\[cause\]: )?(?:file://)?"
    r"(?P<path>/?[^\s:]+\.[cm]?[jt]sx?):(?P<line>\d+)$"
)
TREATED_AS_MODULE = "This file is being treated as an ES module"
_MOST_BELOW_HEAD = 6  # lines: of source, the mark below it, and empty ones
_IMPORTER = LazyPattern(
    r"imported from (?:file://)?(?P<path>\S+?)$|(?:While loading |\[ @)(?P<loaded>/[^\s:]+)"
)
_REQUIRER = LazyPattern(r"^- (?P<path>/\S+)$")
_LINT = LazyPattern(
    r"^ +(?P<line>\d+):(?P<column>\d+) +(?P<severity>error|warning) +"
    r"(?P<message>.+?) {2,}(?P<rule>\S+)$"
)
_LINT_FILE = LazyPattern(r"^(?P<path>/?\S+\.[cm]?[jt]sx?)$")
_WEBPACK = LazyPattern(r"^ERROR in (?P<path>\S+)(?: (?P<line>\d+):\d+\S*)?$")
_ESBUILD = LazyPattern(r"^(?:✘|X) \[ERROR\] (?P<message>.+)$")
_PLACE = LazyPattern(r"^ +(?P<path>\S+):(?P<line>\d+):\d+:$")
_BUNDLER = LazyPattern(
    r"^(?:\[\w+\] )?(?P<message>(?:Could not resolve|Cannot resolve entry|\[vite\]"
    r"|Failed to resolve|.{1,80} is not exported by).+)$"
)
_FROM = LazyPattern(r"(?:\bin|\bfrom) \"?(?P<path>[\w./@-]+\.\w+)\"?")


# One of these is in every line that a pattern above fits, but the rows below a file of eslint.
NEEDLES = (
    *(f".{kind}{script}" for kind in ("", "c", "m") for script in ("js", "ts")),
    *("TS", "rror", "ERROR", "resolve", "exported by"),
)
_UNDEFINED_VALUE = LazyPattern(r"(?P<name>[\w$]+)\s*(?:\?\.|\.|\[['\"]?)\s*$")
_PARENT = LazyPattern(r"\bextends\s+.*?(?P<name>[\w$]+)\s*\{")


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the tools of TypeScript and JavaScript complain of, in order."""
    linted: str | None = None
    head: int | None = None
    telling = set(index_lines(lines).find_any(NEEDLES))
    for at, line in enumerate(lines):
        if at not in telling and not linted:
            continue
        if found := _LINT_FILE.match(line):
            linted = found["path"]
        elif _HEAD.match(line):
            head = at
        elif linted and (found := _LINT.match(line)):
            yield classify(_RULES, _locate_message(found, linted, Category.LINT, at))
        elif "TS" in line and (found := _TSC.match(line) or _PRETTY.match(line)):
            located = _locate_message(found, found["path"], _choose_category(found["rule"]), at)
            message = _add_reason(found["message"], lines, at)
            yield classify(_RULES, located._replace(message=message, tool="tsc"))
        elif "TS" in line and (found := _UNPLACED.match(line)):
            located = _locate_message(found, None, _choose_category(found["rule"]), at)
            yield classify(_RULES, located._replace(tool="tsc"))
        elif "rror" in line and (thrown := _find_thrown(lines, at, head)):
            yield from _read_thrown(thrown, lines, head)
            head = None
        elif bundled := _find_bundled(lines, at):
            yield classify(_RULES, bundled._replace(category=Category.COMPILE, first=at))


def _locate_message(
    found: re.Match[str], path: str | None, category: Category, at: int
) -> PlacedMessage:
    groups = found.groupdict()
    return PlacedMessage(
        path,
        read_number(groups.get("line")),
        found["message"],
        read_number(groups.get("column")),
        Severity(found["severity"]),
        category,
        found["rule"],
        "eslint" if category is Category.LINT else "tsc",
        at,
    )


def _choose_category(rule: str) -> Category:
    """The ranges of codes in TypeScript's diagnosticMessages.json."""
    ranges = {
        "1": Category.COMPILE,
        "3": Category.COMPILE,
        "5": Category.CONFIG,
        "6": Category.METADATA,
        "18": Category.CONFIG if rule in ("TS18002", "TS18003") else Category.TYPE_CHECK,
    }
    number = rule.removeprefix("TS")
    return ranges.get(number[:-3], Category.TYPE_CHECK)


def _read_thrown(
    thrown: PlacedMessage, lines: Sequence[str], head: int | None
) -> Iterator[Diagnostic]:
    """What was thrown, unless neither its kind nor its place is known."""
    found = classify(_RULES, _add_name(thrown, lines, head), _choose_kind(thrown.message))
    if found.kind is not Kind.OTHER or thrown.path is not None:
        # What ends a program is printed below its line of source.
        logged = found.kind is Kind.OTHER and _THROWN.match(lines[thrown.first]) is not None
        message = make_printable(thrown.message)
        yield found._replace(message=message, tool="node", logged=logged)


def classify_located(located: PlacedMessage, otherwise: Kind) -> Diagnostic:
    """What a message complains of, from any reporter."""
    return classify(_RULES, located, otherwise)


def classify_message(
    message: str, path: str | None, row: int | None, otherwise: Kind
) -> Diagnostic:
    """What a test runner's message complains of."""
    return classify(_RULES, PlacedMessage(path, row, message), otherwise)


def classify_thrown(name: str, message: str, path: str | None, row: int | None) -> Diagnostic:
    """What an error that JavaScript threw complains of, however it was reported."""
    located = PlacedMessage(path, row, f"{name}: {message}")
    return classify(_RULES, located, _choose_kind(located.message))


def _choose_kind(message: str) -> Kind:
    return Kind.TEST if message.startswith("AssertionError") else Kind.OTHER


def _add_reason(message: str, lines: Sequence[str], at: int) -> str:
    """tsc says below, further in, which properties a type lacks."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return f"{message} {below.strip()}" if " is missing " in below[:300] else message


def _find_thrown(lines: Sequence[str], at: int, head: int | None) -> PlacedMessage | None:
    """What node throws: its place is above, in the message, or in the stack below."""
    found = _THROWN.match(lines[at])
    if found is None:
        return None
    path, row, column, last = None, None, None, at
    if head is not None and at - head > _MOST_BELOW_HEAD:
        head = None
    is_syntax = found["message"].startswith("SyntaxError")
    place = None if head is None else _HEAD.match(lines[head])
    # What a parser cannot read has the stack of what loads the file.
    if place and (is_syntax or not _is_passed_on(place, lines[at + 1 : at + 40])):
        path, row = place["path"], read_number(place["line"])
    if importer := find_importer(lines[at : at + 1]):
        path, row, _ = importer
    elif importer_of := _FROM.search(lines[at]):
        path, row = importer_of["path"], None
    for below, line in enumerate(lines[at + 1 : at + 40], at + 1):
        if path is not None and (row is None or column is not None):
            break
        place = _REQUIRER.match(line) or _STACK.match(line)
        if place and path is not None:
            # The head has no column; the frame of the same place has.
            if (place["path"], place.groupdict().get("line")) == (path, str(row)):
                column, last = read_number(place["column"]), below
        # The first frame of the project itself, not of a library.
        elif place and "node_modules" not in place["path"]:
            groups = place.groupdict()
            path, row = place["path"], read_number(groups.get("line"))
            column, last = read_number(groups.get("column")), below
    category = Category.COMPILE if is_syntax else Category.RUNTIME
    first = at if head is None else head
    message = _add_kind_of_module(found["message"], lines, at)
    return PlacedMessage(
        path, row, message, column, Severity.ERROR, category, "", "node", first, last
    )


def _is_passed_on(head: re.Match[str], below: Sequence[str]) -> bool:
    """Whether the head is where an error was thrown once more, as by a test function of one's own
    or a package: the stack says where it comes from.
    """
    frames: list[tuple[str, str]] = []
    for line in below:
        if found := _STACK.match(line):
            frames.append((found["path"], found["line"]))
        elif frames and not line.lstrip().startswith("at "):
            break
    is_of_package = "node_modules" in head["path"]
    named = any("node_modules" not in path for path, _ in frames)
    return named and (is_of_package or (head["path"], head["line"]) not in frames)


def _add_kind_of_module(message: str, lines: Sequence[str], at: int) -> str:
    """Node says below that package.json, and no line of it, makes a file an ES module."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    is_said = "in ES module scope" in message and below.startswith(TREATED_AS_MODULE)
    return f"{message}. {TREATED_AS_MODULE}" if is_said else message


def find_importer(lines: Sequence[str]) -> tuple[str, None, None] | None:
    """The path of what asked for a file that is not there, or was loaded when it failed."""
    for line in lines:
        if found := _IMPORTER.search(line):
            return found["path"] or found["loaded"], None, None
    return None


def _add_name(thrown: PlacedMessage, lines: Sequence[str], head: int | None) -> PlacedMessage:
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
    return thrown._replace(message=f"{thrown.message}: {found['name']}")


def _find_bundled(lines: Sequence[str], at: int) -> PlacedMessage | None:
    line = lines[at]
    if not ("resolve" in line or "ERROR" in line or "exported by" in line):
        return None
    if (found := _WEBPACK.match(line)) and at + 1 < len(lines):
        return PlacedMessage(found["path"], read_number(found["line"]), lines[at + 1])
    if found := _ESBUILD.match(line):
        place = next(filter(None, map(_PLACE.match, lines[at + 1 : at + 4])), None)
        path, row = (place["path"], read_number(place["line"])) if place else (None, None)
        return PlacedMessage(path, row, found["message"])
    if found := _BUNDLER.match(line):
        importer = _FROM.search(line)
        return PlacedMessage(importer["path"] if importer else None, None, found["message"])
    return None
