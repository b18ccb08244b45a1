"""Tools whose every message is a line, or a few of a fixed form: the table ``line_tools.toml``."""

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from git_retcon.code.diagnostics.diagnostic import Category, Diagnostic, Severity
from git_retcon.code.diagnostics.errorformat import LineTool, read_with
from git_retcon.code.diagnostics.hints import HintFinder
from git_retcon.code.diagnostics.line_index import index_lines


def read_table() -> tuple[LineTool, ...]:
    """The tools of the table, in its order."""
    text = Path(__file__).with_suffix(".toml").read_text("utf-8")
    return tuple(_read_entry(entry) for entry in tomllib.loads(text)["tool"])


def _read_entry(entry: dict[str, Any]) -> LineTool:
    tool = LineTool(
        name=entry.pop("name"),
        category=Category(entry.pop("category")),
        hints=tuple(entry.pop("hints")),
        formats=tuple(entry.pop("formats")),
        severity=Severity(entry.pop("severity", "error")),
        files=tuple(entry.pop("files", ())),
        needle=entry.pop("needle", ""),
        message=entry.pop("message", ""),
    )
    if entry:
        raise ValueError(f"line_tools.toml: {tool.name} has unknown keys {sorted(entry)}")
    return tool


TOOLS = read_table()
HINTS = tuple(sorted({hint for tool in TOOLS for hint in tool.hints}))
_HINTS = HintFinder((*HINTS, *(ending for tool in TOOLS for ending in tool.files)))


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """What the tools of the table complain of: the first that reads a line has it."""
    index = index_lines(lines)
    hints = _HINTS.find(index.text)
    taken = bytearray(len(lines))
    for tool in TOOLS:
        if hints.isdisjoint(tool.hints) or (tool.files and hints.isdisjoint(tool.files)):
            continue
        for each in read_with(tool, index):
            if not taken[each.first] and not taken[each.last]:
                taken[each.first : each.last + 1] = b"\1" * (each.last + 1 - each.first)
                yield each
