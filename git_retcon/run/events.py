"""What happens while a commit is checked, as values. Features pass them on with their own."""

import enum
from collections.abc import Callable
from typing import TYPE_CHECKING

from git_retcon.lazy_dataclass import dataclass
from git_retcon.show.events import Warned as Warned

if TYPE_CHECKING:
    from git_retcon.run.failure import Failure


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


def describe_end(
    step: str, failure: "Failure | None", seconds: float, *, cached: bool = False, log: str = ""
) -> StepEnded:
    """How a step ended; a failure may be that of the set-up that it asked for."""
    if failure is None:
        return StepEnded(step, Outcome.PASS, "", round(seconds, 3), cached, 0, log)
    cause = failure.headline if failure.step == step else f"{failure.step}: {failure.headline}"
    return StepEnded(step, Outcome.FAIL, cause, round(seconds, 3), cached, failure.status, log)


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
