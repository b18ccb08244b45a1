"""The executable ``git-heal``."""

import sys
from collections.abc import Callable, Sequence
from typing import NoReturn, TypeVar

import click

import git_retcon
from git_retcon.commands.completion.command import completion_command
from git_retcon.commands.kinds import EVENT, JOB, VARIABLE, WORKFLOW
from git_retcon.commands.manual import help_command
from git_retcon.commands.options import HELP, output_options
from git_retcon.commands.subcommands import Subcommands
from git_retcon.commands.wrapper import execute
from git_retcon.options import Output
from git_retcon.show.envelope import Ending

NAME = "git-heal"
_PLANNED = frozenset(
    {
        "", "apply", "clean", "demo", "errors", "install-hook", "log", "reject", "show",
        "undo",
    }
)  # fmt: skip


@click.group(cls=Subcommands, planned=_PLANNED, context_settings=HELP)
@click.version_option(git_retcon.__version__, prog_name=NAME, message="%(prog)s %(version)s")
def cli() -> None:
    """Run CI's own jobs here, and fix what it would reject.

    Only the commands below are built yet.
    """


R = TypeVar("R")
_CHOICE = (
    click.option(
        "--event", type=EVENT, metavar="EVENT", help="What this event would start (push, ...)."
    ),
    click.option(
        "--workflow",
        type=WORKFLOW,
        metavar="WORKFLOW",
        help="Only this one, by its file or its name.",
    ),
    click.option("--job", type=JOB, metavar="JOB", help="Only this job, by its id or its name."),
)


def _choice_options(function: Callable[..., R]) -> Callable[..., R]:
    for option in reversed(_CHOICE):
        function = option(function)
    return function


@cli.command(context_settings=HELP)
@_choice_options
@click.option("--changed", is_flag=True, help="List errors only in files that the branch changes.")
@click.option("--force", is_flag=True, help="Run again what is known of this state.")
@click.option("--trust", is_flag=True, help="Trust the commands of the workflows from now on.")
@click.option(
    "--secret",
    "secrets",
    type=VARIABLE,
    multiple=True,
    metavar="NAME",
    help="Give workflows this variable.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "github", "sarif"]),
    default="text",
    help="Print errors for people, or for a code host.",
)
@click.option("--events", is_flag=True, help="Print one JSON object a line, as it happens.")
@output_options
def check(
    event: str | None,
    workflow: str | None,
    job: str | None,
    changed: bool,
    force: bool,
    trust: bool,
    secrets: tuple[str, ...],
    format_: str,
    events: bool,
    output: Output,
) -> Ending:
    """Run here what CI would run for this branch, and say what it finds.

    Jobs run one after another in a worktree of the files as they are now, committed or not.
    """
    from git_retcon.heal.check_situation import CheckRequest
    from git_retcon.heal.subcommands.check import show_check

    request = CheckRequest(event or "", workflow or "", job or "", changed, force, trust, secrets)
    return show_check(request, output, format_, events=events)


@cli.command(context_settings=HELP)
@_choice_options
@output_options
def workflows(event: str | None, workflow: str | None, job: str | None, output: Output) -> Ending:
    """List what CI would start, what would run here, and what not and why.

    The events are a push of this branch, or a pull request from it to the remote's default
    branch.
    """
    from git_retcon.heal.subcommands.workflows import show_workflows
    from git_retcon.heal.workflow_choice import Choice

    return show_workflows(Choice(event or "", workflow or "", job or ""), output)


cli.add_command(completion_command(NAME))
cli.add_command(help_command(NAME))


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Entry point of ``git-heal``."""
    execute(cli, NAME, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    main()
