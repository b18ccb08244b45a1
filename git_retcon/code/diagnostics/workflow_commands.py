"""What a step says to GitHub: ``::error file=a.py,line=3::text``, and ``##[error]text``.

The form is that of docs.github.com, "Workflow commands for GitHub Actions"; escapes are those of
actions/toolkit's ``command.ts``.
"""

from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    PlacedMessage,
    make_diagnostic,
    read_number,
)
from git_retcon.code.diagnostics.severities import read_severity
from git_retcon.code.lazy_pattern import LazyPattern

HINTS = ("::error", "::warning", "::notice", "##[error]", "##[warning]", "vso[task.logissue")

_COMMAND = LazyPattern(
    r"^\s*::(?P<name>error|warning|notice)(?: +(?P<properties>[^\n]*?))?::(?P<text>.*)$"
)
_OLD = LazyPattern(r"^##\[(?P<name>error|warning)\](?P<text>.+)$")
# Begins a line of that form, and one in GitHub's log that a problem matcher fitted.
MARK = "##["
# What the runner itself says of a step that failed; the step's own words are above.
_RUNNER = LazyPattern(
    r"^(?:Process completed with exit code \d+\.?|The process '.{1,300}' failed with exit code \d+"
    r"|The operation was canceled\.?|The job .{1,200} exceeded the maximum .*)$"
)
# Azure's, which ruff and others print
_AZURE = LazyPattern(r"^##vso\[task\.logissue (?P<properties>[^\]]+)\](?P<text>.+)$")
_TITLE = LazyPattern(r"^(?P<tool>[\w-]+) \((?P<rule>[\w.-]+)\)$")  # ruff (F401)
# A percent sign comes last: what it makes is read no second time.
_IN_TEXT = (("%0D", "\r"), ("%0A", "\n"), ("%25", "%"))
_IN_PROPERTIES = (("%3A", ":"), ("%2C", ","), *_IN_TEXT)


def read_diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """The annotations in the output, in order; none between marks of ``::stop-commands::``."""
    stopped = ""
    for at, line in enumerate(lines):
        if stopped:
            if line.strip() == f"::{stopped}::":
                stopped = ""
        elif line.startswith("::stop-commands::"):
            stopped = line.strip().removeprefix("::stop-commands::")
        elif "::" in line and (found := _COMMAND.match(line)):
            yield _make_diagnostic(
                found["name"], _read_properties(found["properties"] or "", ","), found["text"], at
            )
        elif line.startswith(MARK):
            if (found := _OLD.match(line)) and not _RUNNER.match(found["text"]):
                yield _make_diagnostic(found["name"], {}, found["text"], at)
        elif line.startswith("##vso[") and (found := _AZURE.match(line)):
            given = _read_properties(found["properties"], ";")
            renamed = {
                "file": given.get("sourcepath", ""),
                "line": given.get("linenumber", ""),
                "col": given.get("columnnumber", ""),
                "title": given.get("code", ""),
            }
            yield _make_diagnostic(given.get("type", "error"), renamed, found["text"], at)


def strip_mark(line: str) -> str:
    """The line as its tool printed it."""
    found = _OLD.match(line) if line.startswith(MARK) else None
    return found["text"] if found else line


def _read_properties(text: str, separator: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in text.split(separator))
    return {name.strip(): unescape_property(value) for name, _, value in pairs}


def _make_diagnostic(name: str, properties: dict[str, str], text: str, at: int) -> Diagnostic:
    message, _, more = unescape_text(text).partition("\n")
    title = properties.get("title", "")
    tool, rule = "", title
    if named := _TITLE.match(title):
        tool, rule = named["tool"], named["rule"]
        message = message.partition(f"{rule} ")[2] or message
    located = PlacedMessage(
        properties.get("file"),
        read_number(properties.get("line")),
        message or title,
        read_number(properties.get("col")),
        read_severity(name),
        _choose_category(title),
        rule,
        tool,
        at,
    )
    return make_diagnostic(located)._replace(
        end_line=read_number(properties.get("endLine")),
        end_column=read_number(properties.get("endColumn")),
        stack=tuple(line for line in more.split("\n") if line)[:60],
    )


def _choose_category(title: str) -> Category:
    """The title is the one hint at the tool: those that annotate are linters, nearly all."""
    lowered = title.lower()
    if lowered.startswith(("mypy", "pyright", "ts2", "ts7")):
        return Category.TYPE_CHECK
    if "test" in lowered:
        return Category.TEST
    return Category.LINT if title else Category.UNKNOWN


def unescape_text(text: str) -> str:
    """The text of a command as the runner reads it."""
    return _replace_all(text, _IN_TEXT)


def unescape_property(text: str) -> str:
    """The value of a command's property, where what separates properties is escaped too."""
    return _replace_all(text, _IN_PROPERTIES)


def _replace_all(text: str, escapes: Sequence[tuple[str, str]]) -> str:
    for escape, plain in escapes:
        if escape in text:
            text = text.replace(escape, plain)
    return text
