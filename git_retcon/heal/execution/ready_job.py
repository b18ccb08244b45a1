"""A job that can run, where it runs, and how it ended.

Apart from what runs it: a check whose verdicts are all known loads none of that.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon.heal.local_tools import ToolsHere
from git_retcon.heal.results import Blame, StepResult, UsedTool, Verdict
from git_retcon.heal.workflows.contexts import Variables
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.values import Value
from git_retcon.heal.workflows.machines import Machine
from git_retcon.heal.workflows.workflow import Action, Defaults, Job
from git_retcon.heal.workflows.workflow_plan import CellPlan
from git_retcon.lazy_named_tuple import NamedTuple

if TYPE_CHECKING:
    from git_retcon.run.worktree import Worktree


# Part of the reason of a job that failed for what this machine may have the next time.
LACK = "for the lack of something here"
# The same of a skipped step.
UNFETCHED = "'git submodule update --init' brings it"


class ReadyJob(NamedTuple):
    """A run of a job whose expressions can be evaluated: ``around`` is what they see of the run
    and of the cell, ``env`` what its workflow sets. ``key`` names its folders. ``started`` is the
    file of the workflow that was started, which may have called the one of ``file``. ``ended`` are
    the keys of the jobs of the run that ended before.
    """

    started: bytes
    file: bytes
    workflow: str
    job: Job
    plan: CellPlan
    defaults: Defaults
    around: Surroundings
    env: Variables
    key: str
    ended: frozenset[str] = frozenset()


class Workbench(NamedTuple):
    """Where jobs run, and what they may use. ``prepare`` makes the worktree ready for the job of
    a key, and returns the commit that is checked out; ``include`` copies what the user wants beside
    the state; ``find_blame`` says what a failed step puts the fault in. ``actions`` are those of
    the repository that are trusted, by the path of their file.
    """

    worktree: "Worktree"
    root: Path
    prepare: Callable[[str], str]
    include: Callable[[Path], None]
    tools: ToolsHere
    caller: Mapping[str, str]
    secrets: Mapping[str, str]
    redact: Callable[[bytes], bytes]
    run: str
    warn: Callable[[str], None]
    machine: Machine
    find_blame: Callable[[StepResult], Blame]
    actions: Mapping[bytes, Action]


class FinishedJob(NamedTuple):
    """How a job ended. ``outputs`` are as later jobs see them."""

    verdict: Verdict
    reason: str
    steps: tuple[StepResult, ...]
    tools: tuple[UsedTool, ...]
    seconds: float
    outputs: tuple[tuple[str, Value], ...]


def lacks_something(finished: FinishedJob) -> bool:
    """Whether a job ended so for what the next check may find: a network, a fetched submodule."""
    said = [finished.reason, *(step.reason for step in finished.steps)]
    return any(lack in reason for reason in said for lack in (LACK, UNFETCHED))


def make_slug(name: str) -> str:
    """A part of a file's name that a person recognizes."""
    letters = "".join(char if char.isascii() and char.isalnum() else "-" for char in name.lower())
    return "-".join(filter(None, letters.split("-")))[:40] or "step"
