"""What happens in a run of evolve."""

from collections.abc import Callable
from typing import TypeAlias

from git_retcon.lazy_dataclass import dataclass
from git_retcon.show.events import EngineChosen, Warned


@dataclass(frozen=True, slots=True)
class HistoryRead:
    """What there is to describe."""

    commits: int
    segments: int
    branch: str


@dataclass(frozen=True, slots=True)
class StepDescribed:
    """A source commit has its spec commit. ``done`` counts the steps of this run."""

    source: str
    subject: str
    spec: str
    segment: str
    changed: tuple[str, ...]
    done: int
    cost: float = 0.0
    incomplete: str = ""


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The specification was compared with its source after a step, which counts from 1.

    ``skipped`` says why nothing was compared, if that is so, and ``failures`` what of it was not;
    ``cost`` is US dollars.
    """

    at_step: int
    source: str
    findings: int
    skipped_files: tuple[str, ...] = ()
    skipped: str = ""
    cost: float = 0.0
    failures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Saved:
    """Branch and notes are on the disk up to here. ``tip`` is where the branch is."""

    done: int
    tip: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The branch describes all of the source. ``read`` says what the engine read of it."""

    done: int
    tip: str
    modules: int
    tokens: int
    read: tuple[str, ...] = ()
    cost: float = 0.0


EvolveEvent: TypeAlias = (
    EngineChosen | Warned | HistoryRead | StepDescribed | Reconciled | Saved | Finished
)
Listener: TypeAlias = Callable[[EvolveEvent], None]
