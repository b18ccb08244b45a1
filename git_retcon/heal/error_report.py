"""Errors as people and programs read them: by file, the most urgent first, no longer than asked."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from git_retcon.heal.found_errors import FoundError
from git_retcon.show.counting import count
from git_retcon.show.excerpts import quote_line
from git_retcon.show.style import Style, printable, show_path

if TYPE_CHECKING:
    from git_retcon.run.places import Finding

# The order in which errors are worth a look: what does not compile hides the rest.
_URGENCY = ("compile", "type-check", "test", "runtime", "lint")
_OF_MACHINE = "infrastructure"
SHORTEST_ID = 8  # digits of a fingerprint that are shown


def sort_errors(errors: Iterable[FoundError]) -> list[FoundError]:
    """By file, that with the most urgent error first; those without a file behind all others, and
    last what no file can answer.
    """
    by_path: dict[bytes | None, list[FoundError]] = {}
    for error in errors:
        by_path.setdefault(error.path, []).append(error)
    groups = [sorted(group, key=_rank_in_file) for group in by_path.values()]
    groups.sort(key=lambda group: (group[0].path is None, _rank_error(group[0])))
    return [error for group in groups for error in group]


def list_error_lines(
    errors: Sequence[FoundError], style: Style, room: int | None, *, ids: bool = False
) -> Iterator[str]:
    """The errors, each with its line of the file as long as there is room for that, in lines.

    ``room`` None: all, each with the lines around it. ``ids``: with what ``git heal show`` takes.
    """
    ordered = sort_errors(errors)
    if room is None:
        for error in ordered:
            yield _describe_error(error, style, ids=ids)
            yield from list_snippet(error.finding, style)
        return
    shown = ordered if len(ordered) <= room else ordered[: max(room - 1, 1)]
    spare = room - len(shown)
    for error in shown:
        yield _describe_error(error, style, ids=ids)
        quoted = [style.faint(line) for line in _quote_source(error.finding)]
        if len(quoted) <= spare:
            yield from quoted
            spare -= len(quoted)
    if len(shown) < len(ordered):
        yield f"... and {count(len(ordered) - len(shown), 'more error')} (-v lists all)"


def list_snippet(finding: "Finding", style: Style) -> Iterator[str]:
    """The lines around an error."""
    for source in finding.snippet:
        mark = ">" if source.number == finding.line else " "
        yield style.faint(f"  {mark} {source.number:4} | {printable(source.text)}".rstrip())


def name_place(error: FoundError) -> str:
    """ "a.py:3:7"; for an error without a file the job and the step that it stopped; "no file"
    where a log says neither.
    """
    finding = error.finding
    if finding.path is None:
        stopped = " / ".join(filter(None, (error.job_name or error.job, error.step)))
        return printable(stopped) or "no file"
    numbers = "".join(f":{one}" for one in (finding.line, finding.column) if one)
    return f"{show_path(finding.path)}{numbers}"


def describe_message(error: FoundError) -> str:
    """The first line of the message, with the rule that it breaks."""
    said = error.finding.diagnostic
    message = printable(said.message.partition("\n")[0])
    if error.is_bare:
        message = message.removeprefix(f"{printable(error.step)}: ")
    rule = " ".join(filter(None, (said.tool, said.rule)))
    return f"{message} [{printable(rule)}]" if said.rule else message


def error_members(error: FoundError) -> dict[str, object]:
    """What ``--json`` prints of an error (git-heal(1), OUTPUT)."""
    finding, said = error.finding, error.finding.diagnostic
    return {
        "file": show_path(finding.path) if finding.path is not None else None,
        "line": finding.line,
        "column": finding.column,
        "end_line": said.end_line,
        "end_column": said.end_column,
        "severity": said.severity.value,
        "message": said.message,
        "category": said.category.value,
        "tool": said.tool or None,
        "rule": said.rule or None,
        "suggestion": said.suggestion or None,
        "stack": list(said.stack),
        "snippet": [one._asdict() for one in finding.snippet],
        "edits": [{**one._asdict(), "path": show_path(one.path)} for one in finding.edits],
        "fingerprint": finding.fingerprint,
        "workflow": show_path(error.workflow) or None,
        "job": error.job or None,
        "step": printable(error.step) or None,
    }


def _describe_error(error: FoundError, style: Style, *, ids: bool) -> str:
    begin = f"{error.finding.fingerprint[:SHORTEST_ID]} " if ids else ""
    return f"{begin}{style.title(name_place(error))}: {describe_message(error)}"


def _quote_source(finding: "Finding") -> Iterator[str]:
    for source in finding.snippet:
        if source.number == finding.line:
            quoted = quote_line(source.text.encode("utf-8", "replace"), finding.column or 1)
            yield from list(quoted)[: 2 if finding.column else 1]


def _rank_error(error: FoundError) -> int:
    category = error.finding.diagnostic.category.value
    if category == _OF_MACHINE:
        return len(_URGENCY) + 1
    return _URGENCY.index(category) if category in _URGENCY else len(_URGENCY)


def _rank_in_file(error: FoundError) -> tuple[int, int, int]:
    return _rank_error(error), error.finding.line or 0, error.finding.column or 0
