"""Commands to GitHub's runner in what a step prints: ``::error file=a.py,line=1::text``.

Read as ``ActionCommand`` of actions/runner does, the older form ``##[error]text`` too.
"""

from collections.abc import Mapping

from git_retcon.code.diagnostics.workflow_commands import unescape_property, unescape_text
from git_retcon.heal.results import Annotation
from git_retcon.lazy_named_tuple import NamedTuple

LEVELS = ("error", "warning", "notice")
_OLD = "##["
_KNOWN = frozenset(
    {
        *LEVELS, "add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "group",
        "remove-matcher", "save-state", "set-env", "set-output", "stop-commands",
    }
)  # fmt: skip


class Command(NamedTuple):
    """A command, with its parameters by their names in lower case."""

    name: str
    parameters: Mapping[str, str]
    data: str


class CommandReader:
    """Finds the commands among the lines of a step; ``::stop-commands::x`` turns it off until
    ``::x::``.
    """

    def __init__(self) -> None:
        self._resume = ""

    def read(self, line: str) -> Command | None:
        """The command in a line, if it is one that counts."""
        if "::" not in line and _OLD not in line:
            return None
        if self._resume:
            if line.strip() == f"::{self._resume}::":
                self._resume = ""
            return None
        command = _read_new(line) or _read_old(line)
        if command is not None and command.name == "stop-commands":
            self._resume = command.data
        return command


def make_annotation(command: Command) -> Annotation:
    """What an ``error``, ``warning`` or ``notice`` says."""
    given = command.parameters
    return Annotation(
        command.name,
        command.data,
        given.get("title", ""),
        given.get("file", ""),
        _read_number(given.get("line", "")),
        _read_number(given.get("endline", "")),
        _read_number(given.get("col", "") or given.get("column", "")),
        _read_number(given.get("endcolumn", "")),
    )


def _read_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _read_new(line: str) -> Command | None:
    text = line.lstrip()
    end = text.find("::", 2)
    if not text.startswith("::") or end < 0:
        return None
    name, _, listed = text[2:end].partition(" ")
    if name.lower() not in _KNOWN:
        return None
    pairs = (part.partition("=") for part in listed.split(","))
    parameters = {key.strip().lower(): unescape_property(value) for key, _, value in pairs if value}
    return Command(name.lower(), parameters, unescape_text(text[end + 2 :]))


def _read_old(line: str) -> Command | None:
    """``##[name key=value;key=value]data``, anywhere in the line."""
    start = line.find(_OLD)
    end = line.find("]", start)
    if start < 0 or end < 0:
        return None
    name, _, listed = line[start + len(_OLD) : end].partition(" ")
    if name.lower() not in _KNOWN:
        return None
    pairs = (part.partition("=") for part in listed.split(";"))
    parameters = {key.strip().lower(): _unescape_old(value) for key, _, value in pairs if value}
    return Command(name.lower(), parameters, _unescape_old(line[end + 1 :]))


def _unescape_old(text: str) -> str:
    unescaped = text.replace("%3B", ";").replace("%0D", "\r").replace("%0A", "\n")
    return unescaped.replace("%5D", "]").replace("%25", "%")
