"""A step with ``run``: its script in a file, the shell that reads it, and what it hands on."""

import shlex
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

from git_retcon.heal.execution.command_files import BadCommandFile, CommandFiles
from git_retcon.heal.execution.job_session import JobSession, StepCommands
from git_retcon.heal.execution.step_output import StepOutput
from git_retcon.heal.results import Annotation
from git_retcon.heal.step_reports import RanScript, keep_reports
from git_retcon.heal.workflows.shells import Shell
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.removal import remove
from git_retcon.run.shell_command import CannotStart, Sinks
from git_retcon.run.worktree import Worktree
from git_retcon.show.counting import count


class Script(NamedTuple):
    """What a step runs: the text as the shell gets it, where, with which variables, how long (in
    seconds).
    """

    name: str
    shell: Shell
    text: str
    directory: str
    env: Mapping[str, str]
    timeout: float


class ScriptResult(NamedTuple):
    """How a script ended. ``reason`` is empty where it passed."""

    reason: str
    status: int | None
    seconds: float
    log: str
    outputs: Mapping[str, str]
    annotations: tuple[Annotation, ...]


def run_script(
    script: Script, session: JobSession, worktree: Worktree, show: Callable[[str], None]
) -> ScriptResult:
    """Run it to its end, and take what it sets for later steps."""
    # A folder for each step: what an earlier one still writes does not count for this one.
    folder = session.folders.temporary / f"_step-{uuid.uuid4().hex[:8]}"
    files = CommandFiles(folder)
    env = session.make_env({**script.env, **files.make()})
    path = folder / f"script{script.shell.suffix}"
    text = _restore_path(script, env)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    commands = StepCommands(session)
    log_path = session.next_log(script.name)
    output = StepOutput(log_path, session.masks, commands.obey, show)
    started, since = time.monotonic(), time.time()
    try:
        reason, status = _run_script(script, path, env, session, worktree, output.take)
        reason = _hand_on(files, session, commands) or reason
    finally:
        log = output.close()
        remove(folder)
    if reason == "" and commands.errors:
        reason = commands.errors[0]
    ran = RanScript(session.workspace, script.directory, script.text, since)
    if reason and keep_reports(log_path, ran, session.masks.mask):
        # The reports are found by the log, also where nothing was printed.
        log_path.touch()
        log = str(log_path)
    return ScriptResult(
        reason,
        status,
        time.monotonic() - started,
        log,
        commands.outputs,
        tuple(commands.annotations),
    )


def _restore_path(script: Script, env: Mapping[str, str]) -> str:
    """The script; for a login shell, with the job's folders of programs first.

    Debian's profile sets PATH anew, which that of GitHub's machines does not.
    """
    if not (script.shell.is_login and env.get("PATH")):
        return script.text
    # On its first line: the numbers of lines in messages stay as they are.
    return f"PATH={shlex.quote(env['PATH'])}:$PATH; {script.text}"


def _run_script(
    script: Script,
    path: Path,
    env: Mapping[str, str],
    session: JobSession,
    worktree: Worktree,
    take: Callable[[bytes], None],
) -> tuple[str, int | None]:
    """Why it failed, if it did, and its exit status."""
    directory = session.workspace / script.directory
    if not directory.is_dir():
        return f"there is no folder '{script.directory}' to work in", None
    # A step never has more time than its job has left.
    timeout = min(script.timeout, session.seconds_left())
    try:
        outcome = worktree.run(
            "exec " + shlex.join(script.shell.command(str(path))),
            env=env,
            directory=directory,
            timeout=timeout,
            sinks=Sinks(on_output=take),
            prefix=session.confine(env),
            background=session.background,
        )
    except CannotStart as error:
        # A variable that holds a NUL byte or is too long: another job may have none.
        return _blame_variable(env, str(error)), None
    if outcome.timed_out:
        return f"timed out after {timeout:.0f} seconds", None
    return (f"exit status {outcome.status}" if outcome.status else ""), outcome.status


def _blame_variable(env: Mapping[str, str], said: str) -> str:
    name, value = max(env.items(), key=lambda one: ("\0" in one[1], len(one[1])))
    if "\0" in value:
        return f"{said} (in the variable '{name}')"
    return f"{said} (the variable '{name}' has {count(len(value), 'character')})"


def _hand_on(files: CommandFiles, session: JobSession, commands: StepCommands) -> str:
    """Take what the step wrote for later ones; why GitHub would fail it, if it would."""
    try:
        session.env.update(files.read_variables())
        commands.outputs.update(files.read_outputs())
        for folder in files.read_paths():
            session.add_path(folder)
    except BadCommandFile as error:
        return str(error)
    return ""
