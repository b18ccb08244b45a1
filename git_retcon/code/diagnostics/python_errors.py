"""Python: tracebacks, unittest, pytest, compileall, mypy, pyright, pyflakes, flake8, ruff."""

from collections.abc import Collection, Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    Kind,
    PlacedMessage,
    Rule,
    classify,
    make_printable,
    read_number,
)
from git_retcon.code.diagnostics.line_index import index_lines
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = (
    "Error",
    "error: ",
    "FAILED",
    "F821",
    "F401",
    "F811",
    "ndefined name",
    "No module named",
    "Exception",
    "can't open file",
    "not found",
    "unused",
    "fixture",
)

_RULES: tuple[Rule, ...] = (
    Rule(Kind.UNDEFINED, "is not defined", r"[Nn]ame ['\"](?P<symbol>\w+)['\"] is not defined"),
    Rule(Kind.UNDEFINED, "ndefined name", r"[Uu]ndefined name [`'](?P<symbol>\w+)[`']"),
    Rule(Kind.UNDEFINED, "is not defined", r"^error: \"(?P<symbol>\w+)\" is not defined"),
    Rule(Kind.UNDEFINED, "variable", r"(?:local|free) variable '(?P<symbol>\w+)'"),
    Rule(Kind.UNDEFINED, "fixture", r"(?P<noun>fixture) '(?P<symbol>\w+)' not found"),
    Rule(
        Kind.IMPORT,
        "cannot import name",
        r"cannot import name '(?P<symbol>\w+)'"
        r"(?: from (?:partially initialized module )?'(?P<owner>[\w.]+)')?",
    ),
    Rule(Kind.IMPORT, "unknown import symbol", r'"(?P<symbol>\w+)" is unknown import symbol'),
    Rule(Kind.FILE, "No module named", r"No module named '?(?P<file>[\w.]+)"),
    Rule(Kind.FILE, "module named", r'stub for module named "(?P<file>[\w.]+)"'),
    Rule(Kind.FILE, "could not be resolved", r'Import "(?P<file>[\w.]+)" could not be resolved'),
    Rule(Kind.FILE, "not importable", r"not importable: '(?P<file>[^']+)'"),
    Rule(Kind.FILE, "Errno 2]", r"\[Errno 2\] [^:]{0,60}: b?'(?P<file>[^']+)'"),
    Rule(Kind.FILE, "can't open file", r"can't open file '(?P<file>[^']+)'"),
    Rule(Kind.FILE, "not found:", r"file or directory not found: (?P<file>\S+)"),
    Rule(
        Kind.MEMBER,
        "has no attribute",
        r"(?:module|type object|[Mm]odule)? ?['\"](?P<owner>[\w.]+)['\"](?: object)?"
        r" has no attribute ['\"](?P<symbol>\w+)['\"]",
    ),
    Rule(Kind.MEMBER, "has no attribute", r'has no attribute "(?P<symbol>\w+)"'),
    Rule(
        Kind.MEMBER,
        "Cannot access attribute",
        r'attribute "(?P<symbol>\w+)" for class "(?:type\[)?(?P<owner>[\w.]+)',
    ),
    Rule(
        Kind.MEMBER,
        "known attribute",
        r'"(?P<symbol>\w+)" is not a known attribute of module "(?P<owner>[\w.]+)"',
    ),
    Rule(Kind.MEMBER, "KeyError: ", r"^KeyError: '(?P<symbol>\w+)'$"),
    Rule(
        Kind.MISMATCH,
        "nexpected keyword argument",
        r'keyword argument "(?P<symbol>\w+)" for "(?P<owner>\w+)"',
    ),
    Rule(
        Kind.MISMATCH,
        "nexpected keyword argument",
        r"(?:(?P<owner>[\w.]+)(?:\.<locals>\.\w+)?\(\) got an )?[Uu]nexpected keyword argument"
        r" ['\"](?P<symbol>\w+)['\"]",
    ),
    Rule(Kind.MISMATCH, "No parameter named", r'No parameter named "(?P<symbol>\w+)"'),
    Rule(
        Kind.MISMATCH,
        "abstract",
        r"instantiate abstract class '?(?P<owner>\w+)'? .{0,60}abstract methods? (?P<symbol>.+)$",
    ),
    Rule(Kind.MISMATCH, "() takes ", r"(?P<owner>[\w.]+)\(\) takes .{0,60}(?:argument|given)"),
    Rule(Kind.MISMATCH, "() missing ", r"(?P<owner>[\w.]+)\(\) missing \d+ required"),
    Rule(Kind.MISMATCH, "arguments for", r'[Tt]oo (?:many|few).{0,30} for "(?P<owner>\w+)"'),
    Rule(Kind.MISMATCH, "in call to", r'[Mm]issing .{0,60} in call to "(?P<owner>\w+)"'),
    Rule(Kind.MISMATCH, "positional argument", r"Expected \d+ positional argument"),
    Rule(Kind.UNUSED, "imported but unused", r"[`'](?P<symbol>[\w.]+)(?: as \w+)?[`'] imported"),
    Rule(Kind.UNUSED, "never used", r"variable [`'](?P<symbol>\w+)[`'] is assigned to but"),
    Rule(Kind.DUPLICATE, "edefinition of unused", r"unused [`'](?P<symbol>\w+)[`']"),
    Rule(Kind.SYNTAX, "Error: ", r"^(?:SyntaxError|IndentationError|TabError): "),
    Rule(Kind.SYNTAX, "yntax", r"^error: .{0,40}(?:[Ii]nvalid syntax|\[syntax\])"),
)

_FRAME = LazyPattern(  # OCaml goes on with the characters
    r'^[\s|]*(?:\*\*\* +)?File "(?P<path>[^"]+)", line (?P<line>\d+)\b(?!, characters)'
)
_PYTEST_FRAME = LazyPattern(r"^(?P<path>[^\s:>|][^:|]*\.py):(?P<line>\d+): (?P<rest>.*)$")
_RAISED = LazyPattern(
    r"^(?:E {2,80}|(?:\*\*\* )?Sorry: |\*\*\* |\+ )?(?P<message>(?:[\w.]+\.)?"
    r"(?P<name>[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Warning|Failure|Iteration))"
    r"(?:: .*)?)$"
)
_ANY_RAISED = LazyPattern(
    r"^(?P<bars>[ +|]*\| )?(?P<message>(?:[A-Za-z_]\w*\.)*[A-Z]+[a-z]\w*(?:: .*)?)$"
)
_CHECKED = LazyPattern(
    r"^\s*(?P<path>[^\s:][^:]*\.pyi?):(?P<line>\d+)(?::\d+)?(?:: | - )"
    r"(?P<message>(?:error: |[A-Z]+\d+ |[`'\"]|undefined |redefinition |local )\S.*)$"
)
_RUFF = LazyPattern(r"^(?P<message>[A-Z]+\d{3,4} .+)$")
_ARROW = LazyPattern(r"^\s*--> (?P<path>[^:]+):(?P<line>\d+):\d+$")
_SUMMARY = LazyPattern(r"^(?:FAILED|ERROR) (?P<path>[^\s:]+\.py)(?:::\S+)?(?: - (?P<message>.+))?$")
_ALONE = LazyPattern(r"python[\d.]*: (?P<message>(?:No module|can't open).*)$")
_NOTED = LazyPattern(r"^(?:E {2,80}|ERROR: )(?P<message>(?:fixture '|file or directory not).*)$")
_IN_MESSAGE = LazyPattern(r"\((?P<path>[^\s()]+\.py), line (?P<line>\d+)\)$")
# One of these is in every line that a pattern above fits, that of ruff and those of stacks aside.
_TELLING = (
    *("======", "Traceback (most recent call", 'File "', ".py", "python", "fixture '"),
    *("Error", "Exception", "Exit", "Interrupt", "Warning", "Failure", "Iteration", "ERROR: "),
)
NEEDLES = (*_TELLING, " --> ")
_FOREIGN = ("/lib/python", "site-packages/", "dist-packages/", "<")


_LONGEST_STACK = 60  # lines


_Place = tuple[str | None, int | None]


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What Python and its tools complain of, in order."""
    frame: _Place = (None, None)
    since: int | None = None  # where the stack begins
    telling = _find_telling(lines)
    for at, line in enumerate(lines):
        if since is None and at not in telling:
            continue
        if line.startswith("======"):
            frame, since = (None, None), None
        elif "Traceback (most recent call" in line:
            frame, since = (None, None), at
        own = _FRAME.match(line)
        if found := own or _PYTEST_FRAME.match(line):
            # pytest's place with an exception's name ends what is above it.
            ends = not own and not found["rest"].startswith("in ") and found["rest"]
            if not ends and not is_foreign(found["path"]):
                frame = (found["path"], read_number(found["line"]))
            if own and since is None:
                since = at
            if own or found["rest"].startswith("in "):
                continue
        located = _locate_message(lines, at, frame) or _read_stack_line(lines, at, frame, since)
        if located is not None and "Failed to import test module" not in located.message:
            located = located._replace(first=at, tool=located.tool or "python")
            diagnostic = classify(_RULES, located, _choose_kind(located.message))
            if since is not None:
                diagnostic = _add_stack(diagnostic, lines, since, at)
            # What follows has a stack of its own, or none.
            frame, since = (None, None), None
            yield diagnostic


def _find_telling(lines: Sequence[str]) -> Collection[int]:
    """The lines that one of the patterns may fit while no stack goes on; most of a log does not."""
    index = index_lines(lines)
    arrows = index.find_any([" --> "])  # below a message of ruff
    return {*index.find_any(_TELLING), *(at - 1 for at in arrows)}


def classify_raised(located: PlacedMessage, otherwise: Kind) -> Diagnostic:
    """What an exception, or a checker's message, complains of, from any reporter."""
    return classify(_RULES, located, otherwise)


def is_foreign(path: str) -> bool:
    """Whether a file of a stack is Python's own, or of an installed package."""
    return any(part in path for part in _FOREIGN)


def _locate_message(lines: Sequence[str], at: int, frame: _Place) -> PlacedMessage | None:
    line = lines[at]
    if found := _CHECKED.match(line) or _SUMMARY.match(line):
        groups = found.groupdict()
        return PlacedMessage(
            groups["path"], read_number(groups.get("line")), groups["message"] or line
        )
    if (found := _RAISED.match(line)) and not _is_script_stack(lines, at + 1):
        compiles = found["name"] in ("SyntaxError", "IndentationError", "TabError")
        category = Category.COMPILE if compiles else Category.RUNTIME
        place = _find_raiser(lines, at, frame)
        column = _find_caret(lines, at) if compiles else None
        return PlacedMessage(*place, found["message"], column, category=category)
    if found := _ALONE.search(line) or _NOTED.match(line):
        return PlacedMessage(None, None, found["message"])
    if (found := _RUFF.match(line)) and at + 1 < len(lines):
        arrow = _ARROW.match(lines[at + 1])
        if arrow:
            return PlacedMessage(arrow["path"], read_number(arrow["line"]), found["message"])
    return None


def _is_script_stack(lines: Sequence[str], at: int) -> bool:
    """JavaScript has errors of the same names, above a stack of its own form."""
    return at < len(lines) and lines[at].lstrip().startswith("at ")


def _read_stack_line(
    lines: Sequence[str], at: int, frame: _Place, since: int | None
) -> PlacedMessage | None:
    """Below a stack, any name is that of an exception; bars stand before one of a group."""
    if since is None or frame[0] is None or lines[at - 1][:1] not in (" ", "|"):
        return None
    found = _ANY_RAISED.match(lines[at])
    if found is None or (found["bars"] and "Group" not in found["message"]):
        return None
    return PlacedMessage(*frame, found["message"], category=Category.RUNTIME)


def _find_caret(lines: Sequence[str], at: int) -> int | None:
    """The column that a syntax error marks: the mark is indented as the source above it is."""
    if at < 1 or lines[at - 1].strip().strip("^~"):
        return None
    mark = lines[at - 1].find("^")
    return mark + 1 if mark >= 0 else None


def _add_stack(diagnostic: Diagnostic, lines: Sequence[str], since: int, at: int) -> Diagnostic:
    stack = tuple(make_printable(line) for line in lines[since:at][-_LONGEST_STACK:])
    return diagnostic._replace(stack=stack, first=since, last=at)


def _find_raiser(lines: Sequence[str], at: int, frame: _Place) -> _Place:
    """Where an exception was raised: as its message says, below it, or in the last frame."""
    place = (_find_pytest_place(lines, at) if lines[at].startswith("E ") else None) or frame
    inside = _IN_MESSAGE.search(lines[at])
    if inside and not (place[0] or "").endswith(inside["path"]):
        return inside["path"], read_number(inside["line"])
    return place


def _find_pytest_place(lines: Sequence[str], at: int) -> _Place | None:
    """pytest prints where an exception was raised below it."""
    for line in lines[at + 1 : at + 8]:
        found = _PYTEST_FRAME.match(line)
        if found and not any(part in found["path"] for part in _FOREIGN):
            return found["path"], read_number(found["line"])
        if line.startswith(("____", "====")):
            break
    return None


def _choose_kind(message: str) -> Kind:
    if message.startswith(("AssertionError", "FAILED", "ERROR ", "assert ")):
        return Kind.TEST
    return Kind.OTHER
