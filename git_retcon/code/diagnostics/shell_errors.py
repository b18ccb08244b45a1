"""shellcheck as it prints for people: a place, the line of source, and marks with messages."""

from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    PlacedMessage,
    Severity,
    make_diagnostic,
    read_number,
)
from git_retcon.code.diagnostics.severities import read_severity
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = ("SC1", "SC2", "SC3")

_PLACE = LazyPattern(r"^In (?P<path>\S.*) line (?P<line>\d+):$")
_MARK = LazyPattern(
    r"^(?P<indent> *)\^-*\^?-* (?P<rule>SC\d{4}) \((?P<level>error|warning|info|style)\): "
    r"(?P<message>.+)$"
)
_LONGEST = 30  # lines of marks below one place


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What shellcheck complains of, in order."""
    place, since = None, 0
    for at, line in enumerate(lines):
        if line.startswith("In ") and (found := _PLACE.match(line)):
            place, since = found, at
        elif place and at - since < _LONGEST and "SC" in line and (found := _MARK.match(line)):
            located = PlacedMessage(
                place["path"],
                read_number(place["line"]),
                found["message"],
                len(found["indent"]) + 1,
                read_severity(found["level"], Severity.NOTE),
                Category.LINT,
                found["rule"],
                "shellcheck",
                at,
                at,
            )
            yield make_diagnostic(located)
