"""What happens in a command, as it happens, for people and for ``--events``.

Each feature has event values of its own, frozen dataclasses. This is what they share: their JSON,
and their listeners.
"""

import dataclasses
import enum
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Protocol, TextIO, TypeVar

from git_retcon.lazy_dataclass import dataclass
from git_retcon.options import Output
from git_retcon.show.envelope import Failure
from git_retcon.show.style import write_line

E = TypeVar("E", bound="Event")
E_contra = TypeVar("E_contra", contravariant=True)


class Event(Protocol):
    """A dataclass, its fields words, numbers, enums or tuples of these."""

    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]


class EventPrinter(Protocol[E_contra]):
    """Prints events for people. ``end_line`` completes a line that an event left open."""

    def __call__(self, event: E_contra) -> None: ...

    def end_line(self) -> None: ...


@dataclass(frozen=True, slots=True)
class EngineChosen:
    """The first event of every run. ``hint`` says how to get another engine."""

    engine: str  # "offline" or "claude"
    description: str  # with model and budget
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Warned:
    """Something to know that stops nothing."""

    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """The last event of a command that an error ended; the members are those of ``--json``."""

    reason: str
    retryable: bool
    error: str
    hint: str | None
    next: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, failure: Failure, following: Sequence[Sequence[str]]) -> "Failed":
        """A failure with the commands that go on."""
        reason = failure.reason
        return cls(
            reason.value, reason.is_retryable, failure.error, failure.hint,
            tuple(map(tuple, following)),
        )  # fmt: skip


@contextmanager
def open_listeners(
    output: Output, printer: EventPrinter[E], *, events: bool
) -> Iterator[Callable[[E], None]]:
    """The listeners: people unless ``-q``, and programs on standard output."""
    listeners: list[Callable[[E], None]] = []
    if not output.quiet:
        listeners.append(printer)
    if events:
        listeners.append(lambda event: write_event(sys.stdout, event))

    def tell(event: E) -> None:
        for listener in listeners:
            listener(event)

    try:
        yield tell
    finally:
        printer.end_line()


def write_event(stream: TextIO, event: Event) -> None:
    """Write one event as one line, at once: somebody may be waiting for it."""
    write_line(stream, json.dumps(as_json(event)))
    stream.flush()


def as_json(event: Event) -> dict[str, object]:
    """An event as one object: ``event`` names it, the rest is its fields."""
    plain = {
        key: value.value if isinstance(value, enum.Enum) else value
        for key, value in dataclasses.asdict(event).items()
    }
    return {"event": event_name(type(event)), **plain}


def event_name(kind: type) -> str:
    """``commit_started`` for CommitStarted."""
    letters = (f"_{each.lower()}" if each.isupper() else each for each in kind.__name__)
    return "".join(letters).removeprefix("_")
