"""The executable ``git-heal``."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

import click

import git_retcon
from git_retcon.commands.amounts import Age, Count
from git_retcon.commands.completion.command import completion_command
from git_retcon.commands.kinds import (
    DIRECTORY,
    ERROR,
    EVENT,
    FILE,
    JOB,
    REMOTE,
    RUN,
    VARIABLE,
    WORKFLOW,
)
from git_retcon.commands.manual import help_command
from git_retcon.commands.options import HELP, output_options, run_options
from git_retcon.commands.subcommands import DefaultToRun
from git_retcon.commands.wrapper import execute
from git_retcon.options import Output, SharedOptions
from git_retcon.show.envelope import PLANNED, Ending

if TYPE_CHECKING:
    from git_retcon.heal.workflow_choice import Choice

NAME = "git-heal"


@click.group(cls=DefaultToRun, context_settings=HELP)
@click.version_option(git_retcon.__version__, prog_name=NAME, message="%(prog)s %(version)s")
def cli() -> None:
    """Run CI's own jobs here, and fix what it would reject.

    'git heal' alone, with paths and options, is 'git heal run'.
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
    click.option("--job", type=JOB, metavar="JOB", help="Only this job, or cell, by id or name."),
)


def _choice_options(function: Callable[..., R]) -> Callable[..., R]:
    for option in reversed(_CHOICE):
        function = option(function)
    return function


@cli.command(context_settings=HELP)
@click.argument("paths", type=FILE, nargs=-1)
@click.option("--error", type=ERROR, metavar="ID", help="Only the error whose id begins so.")
@click.option("--workflow", type=WORKFLOW, metavar="WORKFLOW", help="Only errors of this one.")
@click.option("--job", type=JOB, metavar="JOB", help="Only errors of this job.")
@click.option("--trust", is_flag=True, help="Trust the commands of the workflows from now on.")
@click.option("--allow-tests", is_flag=True, help="Let a fix change tests.")
@click.option("--no-apply", is_flag=True, help="Keep fixes for 'git heal apply'.")
@click.option("--branch", metavar="NAME", help="Commit fixes to this branch; change no file here.")
@click.option("--patch", metavar="FILE", help="Write fixes to a file (-: standard output).")
@click.option("--commit", is_flag=True, help="Commit what is applied.")
@click.option("--sonnet", is_flag=True, help="Ask the larger model at every attempt.")
@click.option(
    "--jobs",
    type=Count("jobs", least=1),
    metavar="N",
    help="Heal so many files side by side.",
)
@click.option("--batch", is_flag=True, help="Ask a model at half the price, and wait for answers.")
@click.option("--no-wait", is_flag=True, help="Send a batch and end; --resume goes on.")
@click.option("--resume", is_flag=True, help="Go on with the batch that was sent.")
@run_options
def run(
    paths: tuple[str, ...],
    error: str | None,
    workflow: str | None,
    job: str | None,
    trust: bool,
    allow_tests: bool,
    no_apply: bool,
    branch: str | None,
    patch: str | None,
    commit: bool,
    sonnet: bool,
    jobs: int | None,
    batch: bool,
    no_wait: bool,
    resume: bool,
    shared: SharedOptions,
) -> Ending:
    """Fix the errors that a check finds, prove each fix, and offer it.

    A fix is called healed only when the failing step passes with it, run from the workflow, and
    every other step that passed before. PATHS are files or folders; without any, all are meant.
    """
    from git_retcon.heal.engines.choose import choose_engines
    from git_retcon.heal.subcommands.heal_command import HealOptions, show_heal

    options = HealOptions(
        paths, error or "", workflow or "", job or "", trust, allow_tests, no_apply,
        branch or "", patch or "", commit, sonnet, jobs=jobs, batch=batch, resume=resume,
        no_wait=no_wait,
    )  # fmt: skip
    return show_heal(options, shared, choose_engines)


@cli.command(context_settings=HELP)
@click.argument("heals", nargs=-1, required=True, metavar="HEAL...")
@output_options
def apply(heals: tuple[str, ...], output: Output) -> Ending:
    """Apply fixes that were kept, by their numbers.

    Where a file has changed since, nothing is overwritten: the fix goes to a branch 'heal/...'.
    """
    from git_retcon.heal.subcommands.kept_fixes import apply_heals

    return apply_heals(heals, output)


@cli.command(context_settings=HELP)
@click.argument("heals", nargs=-1, required=True, metavar="HEAL...")
@output_options
def reject(heals: tuple[str, ...], output: Output) -> Ending:
    """Record that fixes are not wanted, by their numbers."""
    from git_retcon.heal.subcommands.kept_fixes import reject_heals

    return reject_heals(heals, output)


@cli.command(context_settings=HELP)
@click.option("--force", is_flag=True, help="Also where a file has changed since.")
@output_options
def undo(force: bool, output: Output) -> Ending:
    """Take back the fixes that were applied last."""
    from git_retcon.heal.subcommands.kept_fixes import undo_heals

    return undo_heals(output, force=force)


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
@click.option("--log", type=FILE, metavar="FILE|-", help="Run nothing; read what a run printed.")
@click.option("--sarif", type=FILE, metavar="FILE", help="Run nothing; read a SARIF log.")
@click.option("--junit", type=FILE, metavar="FILE", help="Run nothing; read a JUnit report.")
@run_options
def check(
    event: str | None,
    workflow: str | None,
    job: str | None,
    changed: bool,
    force: bool,
    trust: bool,
    secrets: tuple[str, ...],
    format_: str,
    log: str | None,
    sarif: str | None,
    junit: str | None,
    shared: SharedOptions,
) -> Ending:
    """Run here what CI would run for this branch, and say what it finds.

    Jobs run one after another in a worktree of the files as they are now, committed or not.
    --log, --sarif and --junit take the output of a run elsewhere, and place its errors here.
    No model is asked, so the options about models and the sandbox change nothing.
    """
    from git_retcon.heal.check_situation import CheckRequest
    from git_retcon.heal.subcommands.check import show_check
    from git_retcon.heal.workflow_choice import Choice

    request = CheckRequest(event or "", workflow or "", job or "", changed, force, trust, secrets)
    given = {"log": log, "sarif": sarif, "junit": junit}
    named = [(form, path) for form, path in given.items() if path is not None]
    output, events = shared.output, shared.events
    if shared.dry_run and not named:
        return _plan_check(Choice(event or "", workflow or "", job or ""), output)
    if not named:
        return show_check(request, output, format_, events=events)
    if len(named) > 1 or event or workflow or job or force or trust or secrets or shared.dry_run:
        raise click.UsageError(f"--{named[0][0]} runs nothing, and goes with no option of a run")
    from git_retcon.heal.foreign_output import ForeignOutput

    return show_check(request, output, format_, events=events, foreign=ForeignOutput(*named[0]))


def _plan_check(choice: "Choice", output: Output) -> Ending:
    from git_retcon.heal.subcommands.workflows import show_workflows

    ending = show_workflows(choice, output)
    return ending if ending.failure else ending._replace(status=PLANNED)


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


@cli.command(context_settings=HELP)
@click.argument("paths", type=FILE, nargs=-1, metavar="[PATH]...")
@click.option("--run", type=RUN, metavar="RUN", help="Those of this run; else of the last one.")
@click.option("--workflow", type=WORKFLOW, metavar="WORKFLOW", help="Only of this workflow.")
@click.option("--job", type=JOB, metavar="JOB", help="Only of this job, by its id or its name.")
@output_options
def errors(
    paths: tuple[str, ...], run: str | None, workflow: str | None, job: str | None, output: Output
) -> Ending:
    """List the errors that a check found, in these files or all. Runs nothing."""
    from git_retcon.heal.subcommands.error_list import show_errors

    return show_errors(paths, run, workflow or "", job or "", output)


@cli.command(context_settings=HELP)
@click.argument("error", type=ERROR)
@output_options
def show(error: str, output: Output) -> Ending:
    """Show all that is known of one error: place, rule, stack, job, step, other runs with it."""
    from git_retcon.heal.subcommands.error_view import show_error

    return show_error(error, output)


@cli.command(context_settings=HELP)
@click.argument("run", type=RUN, required=False)
@output_options
def log(run: str | None, output: Output) -> Ending:
    """List the checks so far, or show the jobs, steps and errors of one."""
    from git_retcon.heal.subcommands.run_log import show_run, show_runs

    return show_runs(output) if run is None else show_run(run, output)


@cli.command(context_settings=HELP)
@click.option("--all", "everything", is_flag=True, help="What is kept of every repository.")
@click.option("--older-than", type=Age(), default="0h", metavar="AGE", help="Not used since (30d).")
@click.option("-n", "--dry-run", is_flag=True, help="List it; remove nothing.")
@output_options
def clean(everything: bool, older_than: float, dry_run: bool, output: Output) -> Ending:
    """Remove the worktrees of checks and the list of runs. Heals stay."""
    from git_retcon.heal.subcommands.cleaning import clean as clean_all

    return clean_all(everything, older_than, dry_run, output)


@cli.command(context_settings=HELP)
@click.argument("remote", type=REMOTE, required=False)
@output_options
def fetch(remote: str | None, output: Output) -> Ending:
    """Take up the verdicts that others noted on commits. They count for nothing here."""
    from git_retcon.heal.subcommands.note_sharing import fetch_verdicts

    return fetch_verdicts(remote, output)


@cli.command(context_settings=HELP)
@click.argument("remote", type=REMOTE, required=False)
@output_options
def push(remote: str | None, output: Output) -> Ending:
    """Bring the verdicts of checks here to a remote, for others to fetch."""
    from git_retcon.heal.subcommands.note_sharing import push_verdicts

    return push_verdicts(remote, output)


@cli.command(context_settings=HELP)
@click.option("--uninstall", is_flag=True, help="Remove it.")
@output_options
def install_hook(uninstall: bool, output: Output) -> Ending:
    """Have each push checked, and refused where a job fails."""
    from git_retcon.heal.subcommands import push_hook

    return push_hook.uninstall_hook(output) if uninstall else push_hook.install_hook(output)


@cli.command(context_settings=HELP)
@click.argument("remote", required=False)
@click.argument("url", required=False)
@output_options
def pre_push(remote: str | None, url: str | None, output: Output) -> Ending:
    """What the hook calls; reads the refs that are pushed as git lists them for it."""
    from git_retcon.heal.subcommands.push_check import check_push

    return check_push(output)


@cli.command(context_settings=HELP)
@click.argument("directory", type=DIRECTORY, required=False)
@output_options
def demo(directory: Path | None, output: Output) -> Ending:
    """Check and heal a small repository made for it.

    The repository is made in DIRECTORY, new or empty; without one, in a temporary directory.
    """
    from git_retcon.heal.engines.choose import choose_engines
    from git_retcon.heal.subcommands.demo import demonstrate

    return demonstrate(directory, output, choose_engines)


cli.add_command(completion_command(NAME))
cli.add_command(help_command(NAME))


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Entry point of ``git-heal``."""
    execute(cli, NAME, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    main()
