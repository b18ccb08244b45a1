"""What happens while a check runs, as values, for people and for ``--events``."""

from git_retcon.heal.results import StepVerdict, Verdict
from git_retcon.lazy_dataclass import dataclass
from git_retcon.show.events import Warned as Warned


@dataclass(frozen=True, slots=True)
class CheckBegan:
    """The state that is checked."""

    run_id: str
    commit: str
    branch: str


@dataclass(frozen=True, slots=True)
class JobBegan:
    """A job whose steps run now. ``workflow`` is the path of its file."""

    workflow: str
    job: str


@dataclass(frozen=True, slots=True)
class StepBegan:
    step: str


@dataclass(frozen=True, slots=True)
class StepPrinted:
    """The last line so far of what a step prints, masked."""

    line: str


@dataclass(frozen=True, slots=True)
class StepEnded:
    step: str
    line: int
    verdict: StepVerdict
    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class JobEnded:
    """``cached``: nothing was run, the verdict was known."""

    workflow: str
    job: str
    verdict: Verdict
    reason: str
    seconds: float
    cached: bool


CheckEvent = CheckBegan | JobBegan | StepBegan | StepPrinted | StepEnded | JobEnded | Warned
