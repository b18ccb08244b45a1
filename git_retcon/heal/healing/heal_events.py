"""What happens while a heal runs, as values, for people and for ``--events``."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from git_retcon.heal.check_events import CheckEvent, StepBegan, StepEnded, StepPrinted
from git_retcon.lazy_dataclass import dataclass
from git_retcon.show.events import EngineChosen

if TYPE_CHECKING:
    from git_retcon.heal.execution.step_runner import Progress
    from git_retcon.heal.results import StepResult


@dataclass(frozen=True, slots=True)
class ItemTried:
    """An engine tried to answer the errors of a file; ``how`` is empty where it found nothing.

    ``tokens`` and ``dollars`` are what a model took for it.
    """

    path: str
    errors: int
    attempt: int
    how: str
    reason: str
    tokens: int = 0
    dollars: float = 0.0


@dataclass(frozen=True, slots=True)
class StepTried:
    """The step that failed ran again with the fixes so far."""

    step: str
    passed: bool
    left: int  # errors
    seconds: float


@dataclass(frozen=True, slots=True)
class ProofBegan:
    """All jobs run again, from the start, with the fixes."""

    files: int
    jobs: int


@dataclass(frozen=True, slots=True)
class StepHealed:
    """The step passes with these changes; whether nothing else fails for them is not known yet."""

    step: str
    files: tuple[str, ...]
    patch: str


@dataclass(frozen=True, slots=True)
class RevertBegan:
    """The step is tried without some of the hunks that came since a run in which it passed."""

    run: int
    commit: str
    hunks: int


@dataclass(frozen=True, slots=True)
class BatchSent:
    """A model was asked about files in one batch; ``dollars`` is what it costs at most."""

    batch: str
    requests: int
    dollars: float


@dataclass(frozen=True, slots=True)
class BatchAwaited:
    """A batch is not answered yet, ``done`` of its ``requests`` are."""

    batch: str
    done: int
    requests: int


HealEvent = (
    CheckEvent
    | EngineChosen
    | ItemTried
    | StepTried
    | ProofBegan
    | RevertBegan
    | StepHealed
    | BatchSent
    | BatchAwaited
)
Tell = Callable[[HealEvent], None]


def make_progress(tell: Tell) -> "Progress":
    """Tell of steps as a check does."""
    from git_retcon.heal.execution.step_runner import Progress

    def end(step: "StepResult", within: Sequence[str]) -> None:
        name = " / ".join((*within, step.name))
        tell(StepEnded(name, step.line, step.verdict, step.reason, step.seconds))

    return Progress(lambda name: tell(StepBegan(name)), lambda line: tell(StepPrinted(line)), end)
