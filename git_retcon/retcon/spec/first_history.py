"""The first history of a commit, below its last key: what most saves of a run write.

``history_entries`` writes every history into every layout, by a library that takes longer to load
than all else a small run does with its spec. Where that library would only add lines, they are
added here.
"""

import tomllib
from collections.abc import Sequence

from git_retcon.retcon.spec.history import CommitCreated, Complete, Event, make_values


def add_history(body: str, history: Sequence[Event]) -> str | None:
    """The text below a ``[[commit]]`` header with a history below its last key.

    None where it takes more than that: where it has a history, or tables below it, where a comment
    comes last, or where the history has words of its own.
    """
    lines = _make_lines(history)
    end = len(body.rstrip())
    has_comment_last = body[:end].rpartition("\n")[2].lstrip().startswith("#")
    if not lines or has_comment_last or "\r" in body:
        return None
    end = body.find("\n", end) + 1 or len(body)
    above = body[:end] if body[:end].endswith("\n") else body[:end] + "\n"
    written = f"{above}history = [\n{lines}]\n{body[end:]}"
    return written if _is_added(tomllib.loads(body), written, history) else None


def _make_lines(history: Sequence[Event]) -> str:
    """The entries, one a line; "" where one of them is text that would need quoting."""
    lines = ""
    for event in history:
        match event:
            case CommitCreated(oid):
                lines += f'    {{ commit_created = "{oid}" }},\n'
            case Complete():
                lines += '    "complete",\n'
            case _:
                return ""
    return lines


def _is_added(before: dict[str, object], written: str, history: Sequence[Event]) -> bool:
    """Whether the text has the history and all that it had before, which was no table."""
    if not before or "history" in before or any(isinstance(each, dict) for each in before.values()):
        return False
    after = tomllib.loads(written)
    # ``repr``: ``==`` finds no ``nan`` equal to itself.
    return after.pop("history") == make_values(history) and repr(after) == repr(before)
