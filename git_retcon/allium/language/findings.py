"""What is wrong with a file, as a value that says where."""

import enum
from typing import NamedTuple


class Severity(enum.StrEnum):
    """``ERROR``: not a valid specification. ``WARNING``: valid, and doubtful. ``INFO``: a note."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Diagnostic(NamedTuple):
    """One finding. Line and column count from 1; ``code`` is a name that stays, for filters."""

    file: bytes
    line: int
    column: int
    severity: Severity
    message: str
    code: str


class Finding(NamedTuple):
    """A diagnostic before its offset is made a line and a column."""

    offset: int
    severity: Severity
    message: str
    code: str


def is_error(diagnostic: Diagnostic) -> bool:
    """Whether it makes the file invalid."""
    return diagnostic.severity is Severity.ERROR
