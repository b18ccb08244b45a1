"""The tools that run something, in the sandbox: ``run_step`` and ``run_command``."""

from collections.abc import Iterator

from git_retcon.heal.engines.claude.allowed_commands import list_paths
from git_retcon.heal.engines.claude.command_words import BadCommand
from git_retcon.heal.engines.claude.session import Session
from git_retcon.model.messages import Json
from git_retcon.model.tool_template import ToolTemplate
from git_retcon.model.toolloop import ToolFault
from git_retcon.show.counting import count

_STRING = {"type": "string"}


def list_run_tools() -> Iterator[ToolTemplate[Session]]:
    """The templates."""
    yield ToolTemplate(
        "run_step",
        "Run a step of this job, by its name, id or number, without network.",
        _run_step,
        {"workflow": _STRING, "job": _STRING, "step": _STRING},
        ("workflow", "job", "step"),
    )
    yield ToolTemplate(
        "run_command",
        "Run there, without a shell, a command that only reads (cat, find, git log, ...), or "
        "exactly one of a step.",
        _run_command,
        {"command": _STRING},
        ("command",),
    )


def _run_step(session: Session, given: Json) -> str:
    job = session.task.job
    step = job.find_step(given["workflow"], given["job"], given["step"])
    if step is None:
        raise ToolFault(f"nothing was run: only steps of this job can be: {job.describe_steps()}")
    take_run(session)
    run = job.run_step(step)
    session.conversation.note("ran", given["step"], job.draft.make_tree())
    return f"{session.view.describe_run(run)}\n({count(session.runs, 'run')} left)"


def _run_command(session: Session, given: Json) -> str:
    try:
        words = session.commands.check(given["command"])
    except BadCommand as error:
        raise ToolFault(f"nothing was run: {error}") from error
    withheld = next(filter(session.files.is_withheld, list_paths(words)), None)
    if withheld is not None:
        shown = withheld.decode("utf-8", "replace")
        raise ToolFault(f"nothing was run: '{shown}' is withheld")
    take_run(session)
    outcome = session.task.job.run_tool(words, ())
    session.conversation.note("ran", given["command"], session.task.job.draft.make_tree())
    how = "timed out" if outcome.timed_out else f"exit status {outcome.status}"
    output = session.view.show(outcome.output) or "(it printed nothing)"
    return f"{output}\n({how}; {count(session.runs, 'run')} left)"


def take_run(session: Session) -> None:
    """Count something that runs. Raises ToolFault where nothing more may."""
    if session.runs <= 0:
        raise ToolFault("nothing was run: no runs are left in this attempt")
    # Counted before it runs: what hangs until its deadline has cost the time all the same.
    session.runs -= 1
