"""The commands of a job, run in a plain clone as a person would: the judge of our verdicts.

Which commands those are is read by our own reader of workflows; how they end is not ours: each
script is a file that bash runs, with the variables that the workflow sets, in the user's HOME.
Steps that use actions are left out; a script that needs a value which only a run can say makes
the job one that is not run by hand.
"""

import enum
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.heal.execution.tool_setup import uses_python
from git_retcon.heal.forecast import refuse_cell
from git_retcon.heal.local_tools import LocalTools
from git_retcon.heal.workflows.contexts import evaluate_env, with_context, with_env
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.values import UNKNOWN, NotKnown, Object
from git_retcon.heal.workflows.happenings import Checkout, Happening
from git_retcon.heal.workflows.matrix import expand_job, see_cell
from git_retcon.heal.workflows.nodes import Scalar
from git_retcon.heal.workflows.step_plans import skipped_reasons
from git_retcon.heal.workflows.steps import UNKNOWN_TEXT, Fetch, Run
from git_retcon.heal.workflows.workflow import Job, Workflow
from git_retcon.heal.workflows.workflow_plan import (
    CellPlan,
    Planner,
    begin_run,
    join_defaults,
    join_twins,
    plan_cell,
)

# What clients say when a name of a host leads nowhere.
_NO_HOST = re.compile(
    r"resolve host|no such host|[Nn]ame or service not known|failure in name resolution|ENOTFOUND"
    r"|EAI_AGAIN|NameResolutionError|[Nn]etwork is unreachable|dns error|Unknown host"
)
# What Rust says of options and parts of a toolchain that is not here, and what cmake and bash say
# of a compiler or a program that a script asks for.
_NO_TOOLCHAIN = re.compile(
    r"only accepted on the nightly|component '\S+' .*is unavailable|target may not be installed"
    r"|is not a full path and was not found in the PATH|: type: \S+: not found"
)
_NOT_FOUND = 127
_NO_PROGRAM = re.compile(r"(?m): (?:command not found|not found|No such file or directory)$")
_FILES = ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY", "GITHUB_STATE")


class Command(NamedTuple):
    """One script: the shell's words with ``{0}`` for its file, where it runs, its variables."""

    shell: tuple[str, ...]
    script: str
    folder: str
    env: Mapping[str, str]


class HandJob(NamedTuple):
    """A cell of a job as commands; none where only a run can say what they are. ``skipped`` are
    the reasons why steps of it do not run here.
    """

    workflow: str
    job: str
    cell: str
    commands: tuple[Command, ...]
    skipped: tuple[str, ...]
    uses_python: bool


class Ended(NamedTuple):
    """How the commands ended. ``status`` is that of the last one; None: out of time."""

    status: int | None
    output: str
    seconds: tuple[float, ...]


class Lack(enum.Enum):
    """What the machine lacks for a job, as a plain clone shows it."""

    HOST = "host"
    TOOL = "tool"


def find_lack(status: int | None, output: str, reason: str) -> Lack | None:
    """Whether a job's tools are here: the rule by which jobs are counted.

    They are not where its commands fail by hand, on the tree as it is, and say that a host has no
    address here, that they need Rust's nightly toolchain or another target's library, or that a
    compiler is not found, or end with the shell's status for a program that is not here. Nor where
    an action was to install a part of a tool that is not here, which ``reason`` says: by hand that
    step is left out.
    """
    if status and _NO_HOST.search(output):
        return Lack.HOST
    if status and _NO_TOOLCHAIN.search(output):
        return Lack.TOOL
    if status == _NOT_FOUND and _NO_PROGRAM.search(output):
        return Lack.TOOL
    return Lack.TOOL if re.search(r"^\d+ steps? skipped: .* is not here$", reason) else None


def list_jobs(
    workflow: Workflow, event: Happening, checkout: Checkout, planner: Planner, tools: LocalTools
) -> Iterator[HandJob]:
    """The cells of all jobs of which something runs here, those that do the same once."""
    around = begin_run(workflow, event, checkout)
    for job in workflow.jobs:
        if job.uses is not None:
            continue
        try:
            yield from _list_cells(workflow, job, around, planner, tools)
        except NotKnown:
            continue


def _list_cells(
    workflow: Workflow, job: Job, around: Surroundings, planner: Planner, tools: LocalTools
) -> Iterator[HandJob]:
    around = with_context(around, "needs", UNKNOWN if job.needs else Object())
    around = with_env(around, evaluate_env(workflow.env, around))
    strategy = expand_job(job, around)
    views = [see_cell(around, strategy, cell) for cell in strategy.cells]
    plans = [
        plan_cell(workflow, job, cell, view, planner)
        for cell, view in zip(strategy.cells, views, strict=True)
    ]
    file = workflow.file.decode()
    joined = join_twins(job, strategy.cells, plans, planner)
    for cell, plan, view in zip(strategy.cells, joined, views, strict=True):
        if not refuse_cell(plan, tools):
            commands = _list_commands(workflow, job, plan, view)
            skipped = tuple(skipped_reasons(plan.steps))
            yield HandJob(file, job.id, cell.name, commands, skipped, uses_python(plan.steps))


def _list_commands(
    workflow: Workflow, job: Job, plan: CellPlan, around: Surroundings
) -> tuple[Command, ...]:
    """The scripts of a cell, in order; none where one needs what only a run can say."""
    env = dict(evaluate_env(workflow.env, around).known)
    own = evaluate_env(job.env, around)
    around = with_env(around, own)
    defaults = join_defaults(workflow, job)
    folder = defaults.directory.text if isinstance(defaults.directory, Scalar) else ""
    commands = []
    for step in plan.steps:
        # By hand there is one clone, and no other checkout.
        if step.inner or isinstance(step.kind, Fetch):
            return ()
        if isinstance(step.kind, Run) and UNKNOWN_TEXT in step.kind.script:
            return ()
        if isinstance(step.kind, Run):
            more = evaluate_env(step.step.env, around)
            known = {**env, **dict(own.known), **dict(more.known)}
            named = step.step.directory.text if step.step.directory else folder
            if "${{" in named:
                return ()
            commands.append(Command(step.kind.shell.arguments, step.kind.script, named, known))
    return tuple(commands)


def run_job(job: HandJob, clone: Path, python: str, seconds: float) -> Ended:
    """Run the commands of a job, to the first that fails, at most so many seconds in all.

    ``python`` is the interpreter of which the job has a virtual environment, kept beside the clone.
    """
    scratch = clone.parent / f"{clone.name}.scratch"
    scratch.mkdir(exist_ok=True)
    env = {**os.environ, "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(clone)}
    # GitHub's PATH has it, for pipx and for ``pip install --user``.
    env["PATH"] += f":{Path.home() / '.local/bin'}"
    # What two jobs install for all at once would break both.
    env["NPM_CONFIG_PREFIX"] = str(scratch / "npm")
    env["PATH"] = f"{scratch / 'npm/bin'}:{env['PATH']}"
    # Go remembers the results of tests: what the machine ran before must not count.
    env["GOCACHE"] = str(scratch / "go-build")
    for name in _FILES:
        (scratch / name).write_text("")
        env[name] = str(scratch / name)
    if python:
        _enter_environment(scratch / "venv", python, env)
    took: list[float] = []
    said = ""
    deadline = time.monotonic() + seconds
    for number, command in enumerate(job.commands):
        script = scratch / f"step-{number}"
        script.write_text(command.script)
        words = [word.replace("{0}", str(script)) for word in command.shell]
        started = time.monotonic()
        left = max(deadline - started, 1)
        status, output = _run(words, clone / command.folder, {**env, **command.env}, left)
        took.append(time.monotonic() - started)
        said += output
        if status != 0:
            return Ended(status, said, tuple(took))
        _take_values(scratch, env)
    return Ended(0, said, tuple(took))


def _run(
    words: Sequence[str], folder: Path, env: Mapping[str, str], seconds: float
) -> tuple[int | None, str]:
    """The exit status, None for one that ran out of time, and the output."""
    with subprocess.Popen(
        words, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            said, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, ""
    return process.returncode, said.decode("utf-8", "replace")


def _enter_environment(folder: Path, python: str, env: dict[str, str]) -> None:
    if not (folder / "bin/python").exists():
        subprocess.run([python, "-m", "venv", folder], check=True)
    env["VIRTUAL_ENV"] = str(folder)
    env["PATH"] = f"{folder / 'bin'}:{env['PATH']}"


def _take_values(scratch: Path, env: dict[str, str]) -> None:
    """What a script hands to the next ones: folders of programs, and variables of one line."""
    for line in (scratch / "GITHUB_PATH").read_text().splitlines():
        env["PATH"] = f"{line}:{env['PATH']}"
    for line in (scratch / "GITHUB_ENV").read_text().splitlines():
        name, sign, value = line.partition("=")
        if sign:
            env[name] = value
    (scratch / "GITHUB_PATH").write_text("")
    (scratch / "GITHUB_ENV").write_text("")
