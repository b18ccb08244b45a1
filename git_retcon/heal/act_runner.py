"""``heal.runner=act``: the jobs of a workflow, run by act in its containers.

What act prints is read as what our own runner's steps print. The worktree is ours, made from the
state that is checked; what act itself may do, its own configuration says.
"""

import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.errors import Fatal, Reason
from git_retcon.heal.act_output import (
    ActEvent,
    JobEnds,
    JobRefused,
    StepBegins,
    StepEnds,
    StepForgiven,
    StepPrints,
    read_act_line,
)
from git_retcon.heal.execution.ready_job import Workbench, make_slug
from git_retcon.heal.job_choice import JobChoice, is_called
from git_retcon.heal.results import JobResult, StepResult, StepVerdict, Verdict
from git_retcon.heal.workflows.workflow import Job, Workflow, name_step
from git_retcon.run.removal import remove
from git_retcon.run.shell_command import Sinks

_LONGEST = 6 * 3600.0  # seconds
# Act has one result for all runs of a matrix: once one has failed, it says so of those that end
# later, also where each of their own steps passed.
_OTHERS = "act fails all runs of a matrix with the first"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class ActRequest(NamedTuple):
    """A workflow, the event that starts it, and the id of its one job that is wanted, if any."""

    workflow: Workflow
    event: str
    job: str


def find_whole_job(choice: JobChoice | None) -> str:
    """The id of the job that was asked for; empty: all. Raises Fatal where it is a part of one."""
    if choice is None:
        return ""
    if choice.cell or choice.inner:
        raise Fatal(
            f"act runs all of job '{choice.id}', not '{_spell(choice)}' alone",
            hint=f"'git heal check --job={choice.id}' runs all of it; GIT_HEAL_RUNNER=host runs "
            "the part without act",
            commands=[["git", "heal", "check", f"--job={choice.id}"]],
            reason=Reason.INVALID,
        )
    return choice.id


def _spell(choice: JobChoice) -> str:
    """The name by which a job was asked for."""
    return f"{choice.id} / {_spell(choice.inner)}" if choice.inner else choice.cell or choice.id


def run_act(
    request: ActRequest, bench: Workbench, show: Callable[[str], None]
) -> tuple[JobResult, ...]:
    """Run act to its end. Raises Fatal where it is not installed."""
    program = shutil.which("act", path=bench.caller.get("PATH", os.defpath))
    if program is None:
        raise Fatal(
            "heal.runner is act, which is not installed here",
            hint="install act, or run jobs without it: 'git config heal.runner host', or "
            "GIT_HEAL_RUNNER=host for one run",
            commands=[["git", "config", "heal.runner", "host"]],
            reason=Reason.INVALID,
        )
    workflow = request.workflow
    slug = make_slug(workflow.file.decode("latin-1"))
    bench.prepare(f"act-{slug}")
    logs = bench.root / "act" / slug
    remove(logs)
    reader = _OutputReader(workflow, logs, bench.redact, show)
    words = [program, request.event, "-W", workflow.file.decode("utf-8", "surrogateescape")]
    words += ["-j", request.job] if request.job else []
    words += [word for name in bench.secrets for word in ("-s", name)]
    outcome = bench.worktree.run(
        "exec " + shlex.join(words),
        env={**bench.caller, **bench.secrets},
        directory=bench.worktree.tree,
        timeout=_LONGEST,
        sinks=Sinks(on_output=reader.take),
    )
    reader.close()
    failure = "act ran out of time" if outcome.timed_out else ""
    if outcome.status and not reader.jobs:
        failure = f"act: exit status {outcome.status}"
    wanted = [job for job in workflow.jobs if not request.job or job.id == request.job]
    return tuple(reader.list_results(wanted, failure))


class _OpenStep(NamedTuple):
    """A step that goes on, and the file of what it prints."""

    name: str
    log: Path


class _SeenJob:
    """What was read of a job so far."""

    def __init__(self) -> None:
        self.steps: list[StepResult] = []
        self.open: _OpenStep | None = None
        self.is_forgiven = False  # the step that goes on
        self.passed: bool | None = None
        self.refused = ""

    @property
    def has_failed(self) -> bool:
        return any(step.verdict is StepVerdict.FAILED for step in self.steps)


class _OutputReader:
    """Takes act's output as it comes. ``jobs`` are by the names that act gives them."""

    def __init__(
        self,
        workflow: Workflow,
        logs: Path,
        redact: Callable[[bytes], bytes],
        show: Callable[[str], None],
    ) -> None:
        self._workflow = workflow
        file = workflow.file.rpartition(b"/")[2].decode("utf-8", "replace")
        self._name = workflow.name.text if workflow.name else file
        self._logs = logs
        self._redact = redact
        self._show = show
        self._rest = b""
        self.jobs: dict[str, _SeenJob] = {}

    def take(self, chunk: bytes) -> None:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._take_line(line)

    def close(self) -> None:
        self._take_line(self._rest)

    def _take_line(self, line: bytes) -> None:
        text = _COLOUR.sub("", self._redact(line).decode("utf-8", "replace")).rstrip("\r")
        event = read_act_line(text, self._name)
        if event is not None:
            self._obey_event(event, self.jobs.setdefault(event.job, _SeenJob()))

    def _obey_event(self, event: ActEvent, seen: _SeenJob) -> None:
        match event:
            case StepBegins(job, name):
                number = len(seen.steps) + 1
                log = self._logs / f"{make_slug(job)}-{number:02}-{make_slug(name)}.log"
                log.parent.mkdir(parents=True, exist_ok=True)
                log.touch()
                seen.open = _OpenStep(name, log)
            case StepPrints(_, text):
                self._show(text)
                if seen.open is not None:
                    with seen.open.log.open("a", encoding="utf-8") as file:
                        file.write(text + "\n")
            case StepForgiven():
                seen.is_forgiven = True
            case StepEnds():
                if seen.open is not None:
                    ended = self._end_step(event, seen.open, len(seen.steps) + 1)
                    seen.steps.append(_forgive(ended) if seen.is_forgiven else ended)
                seen.open, seen.is_forgiven = None, False
            case JobEnds(_, passed):
                seen.passed = passed
            case JobRefused(_, reason):
                seen.refused = reason

    def _end_step(self, event: StepEnds, begun: _OpenStep, number: int) -> StepResult:
        steps = [step for job in self._workflow.jobs for step in job.steps]
        said = next((step for step in steps if name_step(step) == begun.name), None)
        verdict = StepVerdict.PASSED if event.passed else StepVerdict.FAILED
        return StepResult(
            said.number if said else number,
            begun.name,
            said.line if said else 1,
            verdict,
            "" if event.passed else "failed under act",
            command=said.run.text if said and said.run else "",
            seconds=event.seconds,
            log=str(begun.log),
        )

    def list_results(self, wanted: Sequence[Job], failure: str) -> Iterator[JobResult]:
        """Each job that is wanted: its runs, or why there is none."""
        for job in wanted:
            runs = [(name, seen) for name, seen in self.jobs.items() if _is_run_of(job, name)]
            runs.sort(key=lambda run: (len(run[0]), run[0]))  # test-2 before test-10
            any_failed = any(seen.has_failed for _, seen in runs)
            for name, seen in runs:
                yield self._end_job(job, name, seen, failure or _OTHERS * any_failed)
            if not runs:
                reason = failure or "act did not run it"
                yield JobResult(
                    self._workflow.file, job.id, job.id, job.line, Verdict.NOT_RUN, reason
                )

    def _end_job(self, job: Job, name: str, seen: _SeenJob, failure: str) -> JobResult:
        steps = tuple(seen.steps)
        failed = next((step for step in steps if step.verdict is StepVerdict.FAILED), None)
        if seen.passed:
            # What failed did not matter: continue-on-error.
            steps = tuple(map(_forgive, steps))
            verdict, reason = Verdict.PASSED, ""
        elif seen.refused:
            verdict, reason = Verdict.NOT_RUN, seen.refused
        elif failed is not None:
            verdict, reason = Verdict.FAILED, f"{failed.name}: {failed.reason}"
        elif seen.passed is False and not (seen.steps and failure == _OTHERS):
            verdict, reason = Verdict.NOT_RUN, "act failed it before any step did"
        else:
            verdict, reason = Verdict.INCOMPLETE, failure or "act did not say how it ended"
        seconds = sum(step.seconds for step in steps)
        return JobResult(
            self._workflow.file, job.id, name, job.line, verdict, reason, steps, seconds=seconds
        )


def _forgive(step: StepResult) -> StepResult:
    """The step as one whose failure does not matter to its job."""
    is_failed = step.verdict is StepVerdict.FAILED
    return step._replace(verdict=StepVerdict.FORGIVEN) if is_failed else step


def _is_run_of(job: Job, name: str) -> bool:
    """Act counts the runs of a matrix behind the name of the job."""
    return is_called(job, name) or is_called(job, re.sub(r"-\d+$", "", name))
