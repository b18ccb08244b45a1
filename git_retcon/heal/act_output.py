"""What ``act`` prints while it runs a workflow: which line is of which job and step.

Its lines begin with the workflow and the job in brackets; ``|`` follows where a step printed the
rest. A mark says that a step begins, how it ended, and how the job did (``pkg/runner`` of act).
"""

import functools
import re
from typing import NamedTuple

_SUCCESS, _FAILURE = "✅", "❌"


class StepBegins(NamedTuple):
    """A step of the main part of a job begins."""

    job: str
    name: str


class StepPrints(NamedTuple):
    """A line that a step printed."""

    job: str
    text: str


class StepEnds(NamedTuple):
    """A step has ended; ``seconds`` is what act says, 0 where it does not."""

    job: str
    name: str
    passed: bool
    seconds: float


class StepForgiven(NamedTuple):
    """The step that goes on has failed, which does not matter to its job."""

    job: str


class JobEnds(NamedTuple):
    """A job has ended."""

    job: str
    passed: bool


class JobRefused(NamedTuple):
    """Act has no image for the machine that a job wants."""

    job: str
    reason: str


ActEvent = StepBegins | StepPrints | StepForgiven | StepEnds | JobEnds | JobRefused


def read_act_line(line: str, workflow: str) -> ActEvent | None:
    """What a line of act's tells of a workflow of this name, without colours; None: nothing."""
    found = _line_pattern().match(line)
    if found is None:
        return None
    job = found["where"].strip().removeprefix(f"{workflow}/").strip()
    rest = found["rest"]
    if rest.startswith("  | ") or rest == "  |":
        return StepPrints(job, rest[4:])
    rest = rest.strip()
    if rest.startswith("⭐ Run Main "):
        return StepBegins(job, rest.removeprefix("⭐ Run Main "))
    if rest == "Failed but continue next step":
        return StepForgiven(job)
    if (ended := _end_pattern().match(rest)) is not None:
        return StepEnds(
            job, ended["name"], ended["mark"] == _SUCCESS, _read_seconds(ended["took"] or "")
        )
    if rest.startswith("🏁"):
        return JobEnds(job, rest.endswith("succeeded"))
    if rest.startswith("🚧  Skipping unsupported platform"):
        return JobRefused(job, "act has no image for its machine")
    return None


@functools.cache
def _line_pattern() -> re.Pattern[str]:
    return re.compile(r"^\[(?P<where>[^\]]+)\] (?P<rest>.*)$")


@functools.cache
def _end_pattern() -> re.Pattern[str]:
    return re.compile(
        rf"^(?P<mark>{_SUCCESS}|{_FAILURE})  (?:Success|Failure) - Main (?P<name>.*?)"
        r"(?: \[(?P<took>[\w.µ]+)\])?$"
    )


def _read_seconds(text: str) -> float:
    """Go's form of a duration: 1m2.5s, 312.4ms."""
    units = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001, "µs": 1e-6, "ns": 1e-9}
    parts = re.findall(r"([\d.]+)(ms|µs|ns|h|m|s)", text)
    return sum(float(number) * units[unit] for number, unit in parts)
