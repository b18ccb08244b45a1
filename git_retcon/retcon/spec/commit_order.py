"""The ``[[commit]]`` tables of a specification in another order, with others added or left out."""

from collections.abc import Sequence
from typing import NamedTuple

import tomlkit
from tomlkit.items import InlineTable, Table

from git_retcon.retcon.spec.history_entries import write_message
from git_retcon.retcon.spec.layout import Layout, Section
from git_retcon.retcon.spec.table_edits import edit_section


class CommitEntry(NamedTuple):
    """One commit as it is to be: its position until now, None for a new one; its message."""

    origin: int | None
    message: str


def rearrange_commits(
    layout: Layout, messages: Sequence[str], wanted: Sequence[CommitEntry]
) -> str:
    """The whole text with these commits alone; ``messages`` are those of the commits until now.

    A comment right above a ``[[commit]]`` goes with it. What is no commit stays before or behind
    them. Raises UnwritableTable where a message cannot be changed by itself.
    """
    parts = _divide_parts(layout)
    texts: list[str] = []
    for entry in wanted:
        if entry.origin is None:
            texts.append(f"[[commit]]\n{write_message(entry.message)}")
            continue
        lead, section = parts.commits[entry.origin]
        body = section.body
        if entry.message != messages[entry.origin]:
            body = _write_message(body, entry.message)
        texts.append(lead + section.header + body)
    commits = "".join(text.rstrip("\n") + "\n\n" for text in texts)
    if not parts.below:
        commits = commits.rstrip("\n") + "\n"
    return parts.above + commits + parts.below


class _Parts(NamedTuple):
    """What is above all commits; each commit with the comment above it; what is below them."""

    above: str
    commits: Sequence[tuple[str, Section]]
    below: str


def _divide_parts(layout: Layout) -> _Parts:
    above, below, lead = "", "", ""
    commits: list[tuple[str, Section]] = []
    for at, section in enumerate(layout.sections):
        is_last = at == len(layout.sections) - 1
        body, next_lead = (section.body, "") if is_last else _divide_lead(section.body)
        if section.is_commit:
            commits.append((lead, section._replace(body=body)))
        elif commits:
            below += lead + section.header + body
        else:
            above += lead + section.header + body
        lead = next_lead
    return _Parts(above, commits, below)


def _divide_lead(body: str) -> tuple[str, str]:
    """A text, and the comment at its end that belongs to what follows."""
    lines = body.splitlines(keepends=True)
    at = len(lines)
    while at and lines[at - 1].startswith("#"):
        at -= 1
    return "".join(lines[:at]), "".join(lines[at:])


def _write_message(body: str, message: str) -> str:
    def edit(table: Table | InlineTable) -> None:
        table["message"] = tomlkit.string(message, multiline="\n" in message)

    return edit_section(body, "message", message, edit)
