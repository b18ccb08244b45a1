"""The execution log of one logical commit (history-specification.md, "History Entries")."""

import enum
from collections.abc import Sequence
from typing import NamedTuple

from git_retcon.errors import Reason
from git_retcon.show.envelope import Failure


class CommitCreated(NamedTuple):
    """A commit was made on the cleaned branch, the first of its kind or a WIP fix."""

    oid: str  # full when we write it; any unique abbreviation when read


class Stuck(NamedTuple):
    """The engine could not go on."""

    summary: str


class Resolved(NamedTuple):
    """A person says what they did about it."""

    note: str


class Complete(NamedTuple):
    """This logical commit is done."""


Event = CommitCreated | Stuck | Resolved | Complete
Value = str | dict[str, str]  # of an entry, in TOML


class Status(enum.Enum):
    """The state of a logical commit."""

    NOT_STARTED = "not started"
    IN_PROGRESS = "in progress"
    STUCK = "stuck"
    RESOLVED = "resolved"
    COMPLETE = "complete"


def read_status(history: tuple[Event, ...]) -> Status:
    """The status of a logical commit: its last event alone decides."""
    match history[-1] if history else None:
        case None:
            return Status.NOT_STARTED
        case CommitCreated():
            return Status.IN_PROGRESS
        case Stuck():
            return Status.STUCK
        case Resolved():
            return Status.RESOLVED
        case Complete():
            return Status.COMPLETE


def read_event(entry: object) -> Event | None:
    """The event that an entry of a history describes; None for anything else."""
    match entry:
        case "complete":
            return Complete()
        case {"commit_created": str(oid), **rest} if not rest and _is_abbreviated_id(oid):
            return CommitCreated(oid)
        case {"stuck": str(summary), **rest} if not rest:
            return Stuck(summary)
        case {"resolved": str(note), **rest} if not rest:
            return Resolved(note)
    return None


def _is_abbreviated_id(text: str) -> bool:
    # 4 is git's own least, 64 an id of sha256.
    return 4 <= len(text) <= 64 and all(letter in "0123456789abcdefABCDEF" for letter in text)


def make_writable(event: Event) -> Event:
    """The event with text that TOML can hold: bytes that are not UTF-8 are escaped."""
    match event:
        case Stuck(text):
            return Stuck(_escape_surrogates(text))
        case Resolved(text):
            return Resolved(_escape_surrogates(text))
        case _:
            return event


def make_values(events: Sequence[Event]) -> list[Value]:
    """The entries as TOML values."""
    values: list[Value] = []
    for event in events:
        match event:
            case CommitCreated(oid):
                values.append({"commit_created": oid})
            case Stuck(summary):
                values.append({"stuck": summary})
            case Resolved(note):
                values.append({"resolved": note})
            case Complete():
                values.append("complete")
    return values


def _escape_surrogates(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def stuck_failure(index: int, summary: str) -> Failure:
    """The failure that ``--json`` gives of a stuck commit."""
    return Failure(
        Reason.STUCK,
        f"commit {index + 1} is stuck: {summary}",
        "change the hints, the order or the number of commits in the spec, or commit a fix on the "
        "cleaned branch; then run it again",
    )
