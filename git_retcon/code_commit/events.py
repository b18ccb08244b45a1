"""The events of a run: for people and, one JSON object a line, for programs."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.redaction import Redactor
from git_retcon.run.events import Confined as Confined
from git_retcon.run.events import Outcome as Outcome
from git_retcon.run.events import StepEnded as StepEnded
from git_retcon.run.events import StepStarted as StepStarted
from git_retcon.run.events import describe_end as describe_end
from git_retcon.show.events import EngineChosen as EngineChosen
from git_retcon.show.events import Failed as Failed
from git_retcon.show.events import Warned as Warned


@dataclass(frozen=True, slots=True)
class Trying:
    """The build is tried in the sandbox, on the tree as the user left it."""

    command: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """An open session goes on."""

    attempt: int


@dataclass(frozen=True, slots=True)
class Asking:
    """A prompt goes out. ``tokens`` is a count of bytes over four, rounded up."""

    attempt: int
    last: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer has arrived, and is saved in ``log``."""

    attempt: int
    log: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Rejected:
    """An answer cannot be used; nothing of it was written."""

    attempt: int
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Applied:
    """An answer was written."""

    attempt: int
    written: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The run asks for no repair any more, though attempts are left."""

    attempt: int
    why: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event: how the run ended, as ``status`` of ``--json`` says it."""

    status: str
    attempt: int
    attempts: int
    commit: str | None


@dataclass(frozen=True, slots=True)
class Planned:
    """What the answer of a ``--dry-run`` would change, as in its JSON."""

    files: Sequence[Mapping[str, str]]


Event: TypeAlias = (
    EngineChosen
    | Confined
    | Trying
    | Resumed
    | Asking
    | Answered
    | Rejected
    | Applied
    | StepStarted
    | StepEnded
    | GaveUp
    | Warned
    | Finished
    | Planned
    | Failed
)
Listener: TypeAlias = Callable[[Event], None]


def mask_answers(tell: Listener, redactor: Redactor) -> Listener:
    """A listener that hears no secret which a model wrote."""

    def tell_masked(event: Event) -> None:
        match event:
            case Rejected(attempt, faults):
                event = Rejected(attempt, tuple(map(redactor.redact_text, faults)))
        tell(event)

    return tell_masked
