"""The last resort: ``file:line: message`` of a tool that nothing here knows.

The form alone says little, so such a record is only worth something where the file exists: who
knows the tree drops the rest (``generic`` is its tool).
"""

from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import (
    Diagnostic,
    PlacedMessage,
    make_diagnostic,
    read_number,
)
from git_retcon.code.diagnostics.severities import read_severity
from git_retcon.code.lazy_pattern import LazyPattern

TOOL = "generic"
HINTS = (":", "(")

_PLACED = LazyPattern(
    r"^(?:(?:ERROR|WARN(?:ING)?|INFO|[Ee]rror|[Ww]arning)\b:? (?:in )?"
    r"|\[(?:error|warn(?:ing)?)\] )?"
    r"(?P<path>(?:[A-Za-z]:)?[^\s:()\[\]'\"<>|,;=*?]*[\w/\\][^\s:()\[\]'\"<>|,;=*?]*\.\w{1,10})"
    r"(?::(?P<line>\d+)(?::(?P<column>\d+))?|\((?P<line2>\d+)(?:, ?(?P<column2>\d+))?\))"
    r"(?::| -| —)? +(?P<message>\S.*)$"
)
_SAYS = LazyPattern(r"^(?:\[?(?P<level>error|warning|warn|fatal|info|note)\]?\b:? *)?(?P<text>.+)$")
# Words before a place; without one, the place is the first word.
_LEVELS = frozenset(
    {"ERROR", "WARN", "WARNING", "INFO", "Error", "error", "Warning", "warning"}
    | {"[error]", "[warn]", "[warning]"}
)
# Ant ends with the place of the task whose tool has said it all, and of those that called it.
_ECHO = LazyPattern(
    r"^(?:Compile failed; see the compiler error output|Test [\w.$]+ failed\b"
    r"|The following error occurred while executing this line:|(?:if|unless)=\S+$)"
)
_FOREIGN = ("://", "site-packages/", "/lib/python", "node_modules/")


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """The lines that begin with a place, in order."""
    for at, line in enumerate(lines):
        # Cheap tests first: most lines of a log are none of this.
        if "." not in line or line[0] in " \t{+@":
            continue
        word = line[: line.find(" ")]
        if not (":" in word or "(" in word or word in _LEVELS):
            continue
        found = _PLACED.match(line)
        if found is None or any(part in found["path"] for part in _FOREIGN):
            continue
        said = _SAYS.match(found["message"])
        level = (said["level"] or "") if said else ""
        if level in ("note", "info") or found["message"].startswith("in "):
            continue  # they explain what is said elsewhere
        if found["path"].endswith(".xml") and _ECHO.match(found["message"]):
            continue
        located = PlacedMessage(
            found["path"],
            read_number(found["line"] or found["line2"]),
            said["text"] if said else found["message"],
            read_number(found["column"] or found["column2"]),
            read_severity(level),
            tool=TOOL,
            first=at,
            last=at,
        )
        yield make_diagnostic(located)
