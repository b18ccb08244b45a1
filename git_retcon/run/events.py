"""What happens while a commit is checked, as values. Features pass them on with their own."""

import enum
from collections.abc import Callable

from git_retcon.lazy_dataclass import dataclass
from git_retcon.show.events import Warned as Warned


class Outcome(enum.Enum):
    """How a step ended."""

    PASS = "pass"
    FAIL = "fail"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class StepStarted:
    """``step`` is "build" or "test"; ``command`` is empty where the user named none."""

    step: str
    command: str


@dataclass(frozen=True, slots=True)
class StepEnded:
    """``cause`` is a failure's headline; ``cached``: the verdict was known, nothing was run.

    ``status`` is the exit status of what was run, and ``log`` the file that has its output, where
    the feature keeps one.
    """

    step: str
    outcome: Outcome
    cause: str = ""
    seconds: float = 0.0
    cached: bool = False
    status: int | None = None
    log: str = ""


@dataclass(frozen=True, slots=True)
class Output:
    """What a failed command printed, bounded."""

    step: str
    text: str


@dataclass(frozen=True, slots=True)
class Confined:
    """From here on, what a model wrote is run, in this sandbox ("none" where there is none)."""

    level: str
    description: str


CheckEvent = StepStarted | StepEnded | Output | Confined | Warned
CheckListener = Callable[[CheckEvent], None]
