"""Python's checkers: mypy, pyright, ruff, flake8, pylint, black, isort, bandit."""

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
from git_retcon.code.diagnostics.line_index import index_lines
from git_retcon.code.diagnostics.python_errors import classify_raised
from git_retcon.code.diagnostics.severities import read_severity
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = (
    ".py:",
    ".pyi:",
    ".ipynb:",
    ".py ",
    ".py\n",
    "ould reformat",
    "cannot format",
    "  --> ",
    " - ",
)

_FILE = r"(?:[A-Za-z]:)?[^\s:|][^:|]*?\.(?:pyi?|pyx|ipynb)"
_PLACED = LazyPattern(
    rf"^(?P<path>{_FILE}):(?:cell \d+:)?(?P<line>\d+)(?::(?P<column>\d+))?"
    r"(?::(?P<end_line>\d+):(?P<end_column>\d+))?: (?P<rest>\S.*)$"
)
_TYPES = LazyPattern(
    r"^(?P<severity>error|warning|note): (?P<message>.+?)(?:  ?\[(?P<rule>[a-z][\w-]*)\])?$"
)
_RULE_ALONE = LazyPattern(r"^(?:[^:]{0,200} )?\[(?P<rule>[a-z][a-z-]+)\]$")
_PYLINT = LazyPattern(r"^(?P<code>[CRWEFI]\d{4}): (?P<message>.+?)(?: \((?P<rule>[a-z][\w-]*)\))?$")
_CODE = LazyPattern(
    r"^\[?(?P<rule>[A-Z]{1,4}\d{2,5}|invalid-syntax|syntax-error)\]?:? (?:\[\*\] )?"
    r"(?P<message>\S.*)$"
)
_FLAKES = LazyPattern(
    r"^(?P<message>(?:'|undefined name |redefinition of |local variable |import '|unused ).*)$"
)
_PYRIGHT = LazyPattern(
    rf"^ *(?P<path>{_FILE}):(?P<line>\d+):(?P<column>\d+) - "
    r"(?P<severity>error|warning|information): (?P<message>.+?)(?: \((?P<rule>report\w+)\))?$"
)
_PYRIGHT_MORE = LazyPattern(r"^\s{4,}(?P<message>\S.*?)(?: \((?P<rule>report\w+)\))?$")
_RUFF = LazyPattern(
    r"^(?:error\[)?(?P<rule>[A-Z]{1,4}\d{2,4}|invalid-syntax|unformatted|[a-z]+(?:-[a-z]+)+)\]?:?"
    r" (?:\[\*\] )?(?P<message>\S.*)$"
)
_ARROW = LazyPattern(r"^ *--> (?P<path>[^:]+?):(?:cell \d+:)?(?P<line>\d+):(?P<column>\d+)$")
_HELP = LazyPattern(r"^(?: *= )?help: (?P<text>.+)$")
_GROUP = LazyPattern(rf"^(?P<path>{_FILE}):$")
_ROW = LazyPattern(
    r"^ +(?P<line>\d+):(?P<column>\d+) +(?P<rule>[A-Z]{1,4}\d{2,5}|invalid-syntax):? "
    r"(?:\[\*\] )?(?P<message>\S.*)$"
)
_REFORMAT = LazyPattern(r"^[Ww]ould reformat:? (?P<path>\S.*?)$")
_UNPARSABLE = LazyPattern(
    r"^error: (?:cannot (?:format|parse)|Failed to (?:parse|format))"
    r"(?: for target versions? [^:]+)?:? (?P<path>[^:]+)"
    r"(?::(?: Cannot parse(?: for target versions? [^:]+)?:)? ?(?P<line>\d+):(?P<column>\d+))?"
    r"(?::? (?P<message>.+))?$"
)
_ISORT = LazyPattern(r"^ERROR: (?P<path>\S.*?) (?P<message>Imports are incorrectly sorted.*)$")
_BANDIT = LazyPattern(r"^>> Issue: \[(?P<rule>\w+):[\w-]+\] (?P<message>.+)$")
_FORMATTERS = ("ould reformat", "Imports are", "error: ", ">> Issue: ")
NEEDLES = (".py", ".ipynb", *_FORMATTERS, "--> ")
_BANDIT_PLACE = LazyPattern(r"^ +Location: (?P<path>[^:]+):(?P<line>\d+):(?P<column>\d+)$")

_FILES = (".py", ".pyi", ".pyx", ".ipynb", ".toml", ".md")


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the checkers complain of, in order."""
    group = ""
    before: Diagnostic | None = None
    # Where no file heads a group, most lines of a log are dismissed by what they hold.
    index = index_lines(lines)
    arrows = {at - 1 for at in index.find_any(["--> "])}
    telling = {*index.find_any([".py", ".ipynb", *_FORMATTERS]), *arrows}
    for at in range(len(lines)):
        if not group and at not in telling:
            continue
        found = _read_line(lines, at, group)
        if isinstance(found, str):
            group = found
        elif found is None:
            continue
        elif _is_note_of(found, before):
            before = before and before._replace(suggestion=found.message, last=at)
        else:
            if before is not None:
                yield before
            # A note alone, as of reveal_type, makes mypy fail: it is no mere explanation.
            is_note = found.tool == "mypy" and found.severity is Severity.NOTE
            before = found._replace(severity=Severity.WARNING) if is_note else found
    if before is not None:
        yield before


def _is_note_of(found: Diagnostic, before: Diagnostic | None) -> bool:
    """mypy's note below an error of the same line says how to answer it."""
    return (
        before is not None
        and found.tool == "mypy"
        and found.severity is Severity.NOTE
        and before.tool == "mypy"
        and (found.path, found.line) == (before.path, before.line)
    )


def _read_line(lines: Sequence[str], at: int, group: str) -> Diagnostic | str | None:
    """A diagnostic, the file that the next lines are about, or nothing."""
    line = lines[at]
    has_file = ".py" in line or ".ipynb" in line
    if has_file and (found := _PLACED.match(line)):
        made = _read_placed(found, at)
        return _add_rule(made, lines, at) if made and made.tool == "mypy" else made
    if has_file and " - " in line and (found := _PYRIGHT.match(line)):
        return _read_pyright(found, lines, at)
    if has_file and line.endswith(":") and (found := _GROUP.match(line)):
        return found["path"]
    if group and line.startswith(" ") and (found := _ROW.match(line)):
        return _read_row(found, group, at)
    if at + 1 < len(lines) and "--> " in lines[at + 1][:40] and (found := _RUFF.match(line)):
        return _read_ruff(found, lines, at)
    return _read_formatters(lines, at)


def _read_placed(found: re.Match[str], at: int) -> Diagnostic | None:
    rest = found["rest"]
    located = PlacedMessage(found["path"], read_number(found["line"]), rest, first=at)
    located = located._replace(column=read_number(found["column"]))
    if said := _TYPES.match(rest):
        located = located._replace(
            message=said["message"],
            severity=read_severity(said["severity"]),
            category=Category.TYPE_CHECK,
            rule=said["rule"] or "",
            tool="mypy",
        )
        made = _classify_message(located, "error: " + said["message"])
        return made._replace(
            end_line=read_number(found["end_line"]),
            end_column=read_number(found["end_column"]),
        )
    if said := _PYLINT.match(rest):
        severity = Severity.ERROR if said["code"][0] in "EF" else Severity.WARNING
        return _make_lint(
            located, said["message"], said["rule"] or said["code"], severity, "pylint"
        )
    if said := _CODE.match(rest):
        return _make_lint(
            located, said["message"], said["rule"], _choose_severity(said["rule"]), ""
        )
    if said := _FLAKES.match(rest):
        return _make_lint(located, said["message"], "", Severity.ERROR, "pyflakes")
    return None


def _add_rule(made: Diagnostic, lines: Sequence[str], at: int) -> Diagnostic:
    """With --pretty, a long message is broken: the rule may be on the next line."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    if not made.rule and (found := _RULE_ALONE.match(below)):
        return made._replace(rule=found["rule"], last=at + 1)
    return made


def _classify_message(located: PlacedMessage, text: str) -> Diagnostic:
    """The kind is known by the tool's words, which begin with what it calls the severity."""
    made = classify_raised(located._replace(message=text), Kind.OTHER)
    return made._replace(message=make_printable(located.message))


def _make_lint(
    located: PlacedMessage, message: str, rule: str, severity: Severity, tool: str
) -> Diagnostic:
    located = located._replace(
        message=message, rule=rule, severity=severity, category=Category.LINT, tool=tool
    )
    return classify_raised(located, Kind.OTHER)


def _choose_severity(rule: str) -> Severity:
    """Of the codes of flake8 and ruff: what cannot run is an error, the rest is style."""
    if rule.startswith(("E9", "F", "invalid-syntax", "syntax-error")):
        return Severity.ERROR
    return Severity.WARNING


def _read_row(found: re.Match[str], path: str, at: int) -> Diagnostic:
    located = PlacedMessage(
        path, read_number(found["line"]), "", read_number(found["column"]), first=at
    )
    return _make_lint(
        located, found["message"], found["rule"], _choose_severity(found["rule"]), "ruff"
    )


def _read_pyright(found: re.Match[str], lines: Sequence[str], at: int) -> Diagnostic:
    """Further lines of a message are indented; the rule is at the end of the last."""
    message, rule, last = found["message"], found["rule"], at
    while not rule and last + 1 < min(len(lines), at + 20):
        more = _PYRIGHT_MORE.match(lines[last + 1])
        if more is None:
            break
        message, rule, last = f"{message} {more['message']}", more["rule"], last + 1
    located = PlacedMessage(
        found["path"],
        read_number(found["line"]),
        message,
        read_number(found["column"]),
        read_severity(found["severity"]),
        Category.TYPE_CHECK,
        rule or "",
        "pyright",
        at,
        last,
    )
    return _classify_message(located, f"error: {message}")


def _read_ruff(found: re.Match[str], lines: Sequence[str], at: int) -> Diagnostic | None:
    arrow = _ARROW.match(lines[at + 1])
    if arrow is None or not arrow["path"].endswith(_FILES):
        return None
    rule = found["rule"]
    located = PlacedMessage(arrow["path"], read_number(arrow["line"]), "", first=at)
    located = located._replace(column=read_number(arrow["column"]), last=at + 1)
    severity = Severity.ERROR if rule == "unformatted" else _choose_severity(rule)
    made = _make_lint(located, found["message"], rule, severity, "ruff")
    for last, line in enumerate(lines[at + 2 : at + 40], at + 2):
        if not line.strip():
            break
        made = made._replace(last=last)
        if advice := _HELP.match(line):
            made = made._replace(suggestion=make_printable(advice["text"]))
    return made


def _read_formatters(lines: Sequence[str], at: int) -> Diagnostic | None:
    """What formatters say of whole files."""
    line = lines[at]
    if "ould reformat" in line and (found := _REFORMAT.match(line)):
        return _report_file(found["path"], "would be reformatted", "black", at)
    if "Imports are" in line and (found := _ISORT.match(line)):
        return _report_file(found["path"], found["message"], "isort", at)
    if line.startswith("error: ") and (found := _UNPARSABLE.match(line)):
        message = found["message"] or (lines[at + 3] if at + 3 < len(lines) else "cannot parse")
        located = PlacedMessage(found["path"], read_number(found["line"]), "", first=at)
        located = located._replace(column=read_number(found["column"]))
        return _make_lint(located, message.strip(), "", Severity.ERROR, "black")
    if line.startswith(">> Issue: ") and (found := _BANDIT.match(line)):
        places = map(_BANDIT_PLACE.match, lines[at + 1 : at + 6])
        if place := next(filter(None, places), None):
            located = PlacedMessage(
                place["path"], read_number(place["line"]), "", first=at, last=at + 4
            )
            located = located._replace(column=read_number(place["column"]))
            return _make_lint(located, found["message"], found["rule"], Severity.WARNING, "bandit")
    return None


def _report_file(path: str, message: str, tool: str, at: int) -> Diagnostic:
    return _make_lint(PlacedMessage(path, None, "", first=at), message, "", Severity.ERROR, tool)
