"""Remarks about lines of files, in the two forms that code hosts read.

Workflow commands (docs.github.com, "Workflow commands for GitHub Actions"), with the escapes of
actions/toolkit's ``command.ts``; and SARIF 2.1.0 (OASIS), with what code scanning requires.
"""

import enum
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import quote

import git_retcon
from git_retcon.show.style import printable, show_path

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Level(enum.Enum):
    """How grave a remark is: SARIF's word. GitHub's logs differ in the last: "notice"."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "note"


class Remark(NamedTuple):
    """What is said of a place; line and column count from 1, and are 0 where none is known, as is
    ``file`` empty. ``rule`` is a name that stays.
    """

    file: bytes
    line: int
    column: int
    level: Level
    message: str
    rule: str


def make_workflow_command(remark: Remark) -> str:
    """One line that GitHub Actions shows at the place: ``::error file=a,line=1,col=2::text``."""
    name = "notice" if remark.level is Level.INFO else remark.level.value
    place = {
        "file": show_path(remark.file),
        "line": str(remark.line or ""),
        "col": str(remark.column or ""),
        "title": remark.rule,
    }
    listed = ",".join(f"{key}={_escape_property(value)}" for key, value in place.items() if value)
    return f"::{name} {listed}::{_escape_text(remark.message)}"


def make_sarif(tool: str, remarks: Iterable[Remark]) -> str:
    """One SARIF log, indented. Paths are relative to the top of the repository."""
    import json  # late: most runs print for people

    remarks = list(remarks)
    rules = sorted({remark.rule for remark in remarks})
    driver = {
        "name": tool,
        "semanticVersion": git_retcon.__version__,
        "rules": [_describe_rule(tool, rule) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_make_result(remark, rules.index(remark.rule)) for remark in remarks],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _describe_rule(tool: str, rule: str) -> dict[str, object]:
    # Code scanning asks for all three texts (docs.github.com, "SARIF support for code scanning",
    # ``reportingDescriptor``), and shows the first as an alert's title.
    texts = {
        "shortDescription": rule,
        "fullDescription": f"{rule}, found by {tool}",
        "help": f"The manual of {tool} says what it checks.",
    }
    return {"id": rule, **{name: {"text": text} for name, text in texts.items()}}


def _make_result(remark: Remark, rule: int) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": remark.rule,
        "ruleIndex": rule,
        "level": remark.level.value,
        "message": {"text": printable(remark.message)},
    }
    if not remark.file:
        return result
    # Code scanning refuses a file without a line (docs.github.com, ``region``).
    region = {"startLine": remark.line or 1, "startColumn": remark.column or 1}
    place = {"artifactLocation": {"uri": quote(remark.file)}, "region": region}
    return {**result, "locations": [{"physicalLocation": place}]}


def _escape_text(text: str) -> str:
    # The text may quote a file; a line of its own in it would be a command.
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return printable(escaped)


def _escape_property(text: str) -> str:
    return _escape_text(text).replace(":", "%3A").replace(",", "%2C")
