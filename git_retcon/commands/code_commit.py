"""The executable ``git-code-commit``."""

import sys
from collections.abc import Sequence
from typing import NoReturn

import click

import git_retcon
from git_retcon.commands.amounts import Amount, Count
from git_retcon.commands.completion.command import completion_command
from git_retcon.commands.kinds import FILE
from git_retcon.commands.manual import help_command
from git_retcon.commands.options import HELP, output_options, run_options
from git_retcon.commands.subcommands import DefaultToRun
from git_retcon.commands.wrapper import execute
from git_retcon.errors import WrongUsage
from git_retcon.options import Output, SharedOptions
from git_retcon.show.envelope import Ending

NAME = "git-code-commit"


@click.group(cls=DefaultToRun, context_settings=HELP)
@click.version_option(git_retcon.__version__, prog_name=NAME, message="%(prog)s %(version)s")
def cli() -> None:
    """Ask one question, and get a change that builds.

    'git code-commit' is short for 'git code-commit run'. The question is agent-config/query.txt,
    the code agent-config/codeRollup.txt. 'git code-commit run -h' lists its options.
    """


@cli.command(context_settings=HELP)
@run_options
@click.option("--query", metavar="TEXT", help="The question itself.")
@click.option(
    "-F", "--file", type=FILE, metavar="FILE", help="Read the question from FILE ('-': stdin)."
)
@click.option(
    "--response", type=FILE, metavar="FILE", help="Apply the answer in FILE ('-': stdin)."
)
@click.option("--build", metavar="CMD", help="Command that builds (default: build.sh).")
@click.option(
    "--repairs",
    type=Count("repairs", least=0),
    metavar="N",
    help="Try to repair N times (default: 3).",
)
@click.option(
    "--timeout", type=Amount("seconds", least=1), metavar="SECONDS", help="End a build after this."
)
@click.option("--force", is_flag=True, help="Start over uncommitted changes.")
@click.option("--commit", is_flag=True, help="Commit the change when the build passes.")
@click.option("-m", "--message", metavar="TEXT", help="The commit's message.")
@click.option("--abort", is_flag=True, help="End the open session; the files stay.")
def run(shared: SharedOptions, abort: bool, **options: object) -> Ending:
    """Ask, apply the answer, build, and repair; or apply an answer from a file."""
    from git_retcon.code_commit.options import Request
    from git_retcon.code_commit.run import run as run_question
    from git_retcon.code_commit.undo import abort_session

    if options["query"] is not None and options["file"] is not None:
        raise WrongUsage("--query and --file contradict each other", hint="give one")
    if options["file"] == "-" and options["response"] == "-":
        raise WrongUsage("only one of --file and --response can be standard input")
    if options["message"] is not None and not options["commit"]:
        raise WrongUsage("--message is for --commit", hint="give both")
    if abort:
        return abort_session(shared.output)
    return run_question(Request.of(shared, options))


@cli.command(context_settings=HELP)
@click.option("--force", is_flag=True, help="Also where somebody has changed the files since.")
@output_options
def undo(force: bool, output: Output) -> Ending:
    """Put everything back to what it was before the last run."""
    from git_retcon.code_commit.undo import undo_last_run

    return undo_last_run(output, force=force)


@cli.command(context_settings=HELP)
@click.argument("pathspecs", type=FILE, metavar="[PATH]...", nargs=-1)
@click.option(
    "--max-tokens",
    type=Count("tokens", least=1),
    metavar="N",
    default=400_000,
    help="Refuse a larger one (default: 400000).",
)
@output_options
def rollup(pathspecs: tuple[str, ...], max_tokens: int, output: Output) -> Ending:
    """Write agent-config/codeRollup.txt from the tracked files, or from those named."""
    from git_retcon.code_commit.rollup import write_rollup

    return write_rollup(pathspecs, max_tokens, output)


cli.add_command(completion_command(NAME))
cli.add_command(help_command(NAME))


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Entry point of ``git-code-commit``."""
    execute(cli, NAME, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    main()
