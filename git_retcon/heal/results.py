"""What a check found: a run with its jobs, and these with their steps."""

import enum
from typing import NamedTuple

# How matchers that a setup action registers are named among those that are JSON.
ACTION = "action:"


class Verdict(enum.Enum):
    """What is known of a job after a check."""

    PASSED = "passed"
    FAILED = "failed"
    INCOMPLETE = "incomplete"  # nothing failed, and something was skipped
    NOT_RUN = "not run"


class StepVerdict(enum.Enum):
    """How a step ended."""

    PASSED = "passed"
    FAILED = "failed"
    FORGIVEN = "forgiven"  # it failed, and ``continue-on-error`` lets that be
    SATISFIED = "satisfied"  # there was nothing to do
    SKIPPED = "skipped"  # by us
    NOT_WANTED = "not wanted"  # its condition is false


# A step that ended so stops nothing.
GOOD = (StepVerdict.PASSED, StepVerdict.FORGIVEN, StepVerdict.SATISFIED)


class Blame(enum.Enum):
    """What a failed step puts the fault in, as its output reads."""

    FILES = "files"  # a place in a file of the state
    MACHINE = "machine"  # the network, or a program that is not here
    UNKNOWN = "unknown"


class Annotation(NamedTuple):
    """What a step said of a place with ``::error`` and its like, or of none (``file`` empty).

    ``level`` is "error", "warning" or "notice". Numbers count from 1; 0: not said.
    """

    level: str
    message: str
    title: str = ""
    file: str = ""
    line: int = 0
    end_line: int = 0
    column: int = 0
    end_column: int = 0


class StepResult(NamedTuple):
    """A step. ``log`` is the path of the file with all that it printed, secrets masked; empty
    where it printed nothing. ``status`` is the exit status of what ran, None where nothing did.
    ``matchers`` are the problem matchers in force, as JSON texts, or as the actions that register
    them. ``folder`` is the one that it ran in, relative to the top.
    ``inner`` are the steps of a local action. Where a job checked out more than the state,
    ``folder`` is absolute, and ``copies`` are the folders that hold the state.
    """

    number: int
    name: str
    line: int
    verdict: StepVerdict
    reason: str = ""
    command: str = ""
    status: int | None = None
    seconds: float = 0.0
    log: str = ""
    annotations: tuple[Annotation, ...] = ()
    matchers: tuple[str, ...] = ()
    folder: str = ""
    inner: "tuple[StepResult, ...]" = ()
    copies: tuple[str, ...] = ()


class UsedTool(NamedTuple):
    """A tool that a job set up, the version that was wanted, empty for any, and the one here."""

    tool: str
    wanted: str
    version: str
    path: str
    exact: bool


class JobResult(NamedTuple):
    """One run of a job (a cell of its matrix, or the whole). ``file`` is its workflow's, where
    ``line`` is; ``callers`` are the jobs that call that workflow, outermost first.

    ``cached``: nothing was run, this is what was found before in the same state.
    """

    file: bytes
    job: str
    name: str
    line: int
    verdict: Verdict
    reason: str = ""
    steps: tuple[StepResult, ...] = ()
    tools: tuple[UsedTool, ...] = ()
    seconds: float = 0.0
    cached: bool = False
    callers: tuple[str, ...] = ()


class CheckRun(NamedTuple):
    """One ``git heal check``. ``started`` is in seconds of the epoch, UTC."""

    run_id: str
    commit: str
    tree: str
    branch: str
    started: float
    seconds: float
    jobs: tuple[JobResult, ...]

    def count(self, verdict: Verdict) -> int:
        return sum(job.verdict is verdict for job in self.jobs)

    @property
    def is_good(self) -> bool:
        """Whether something ran and nothing failed."""
        ran = self.count(Verdict.PASSED) + self.count(Verdict.INCOMPLETE)
        return ran > 0 and not self.count(Verdict.FAILED)

    @property
    def verdict(self) -> Verdict:
        """Of all that ran: jobs that do not run here make nothing incomplete."""
        worst = (Verdict.FAILED, Verdict.INCOMPLETE, Verdict.PASSED)
        return next((one for one in worst if self.count(one)), Verdict.NOT_RUN)


def name_job(job: JobResult) -> str:
    """A job as people read it, with the jobs that call its workflow."""
    return " / ".join((*job.callers, job.name))


def list_skipped(steps: tuple[StepResult, ...]) -> list[StepResult]:
    """The steps that we skipped, those of actions in place of the ones that use them."""
    found: list[StepResult] = []
    for step in steps:
        if step.inner:
            found += list_skipped(step.inner)
        elif step.verdict is StepVerdict.SKIPPED:
            found.append(step)
    return found
