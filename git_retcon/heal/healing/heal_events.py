"""What happens while a heal runs, as values, for people and for ``--events``."""

from git_retcon.heal.check_events import CheckEvent
from git_retcon.lazy_dataclass import dataclass
from git_retcon.show.events import EngineChosen


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


HealEvent = (
    CheckEvent | EngineChosen | ItemTried | StepTried | ProofBegan | RevertBegan | StepHealed
)
