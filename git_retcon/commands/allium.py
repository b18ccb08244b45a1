"""The executable ``git-allium``."""

import sys
from collections.abc import Sequence
from typing import NoReturn

import click

import git_retcon
from git_retcon.commands.completion import completion_command
from git_retcon.commands.manual import help_command
from git_retcon.commands.options import HELP, output_options
from git_retcon.commands.subcommands import NamedSubcommands
from git_retcon.commands.wrapper import execute
from git_retcon.errors import WrongUsage
from git_retcon.options import Output
from git_retcon.show.envelope import Ending

NAME = "git-allium"


@click.group(
    cls=NamedSubcommands,
    context_settings=HELP,
    unbuilt=("evolve", "status", "show", "log", "demo"),
)
@click.version_option(git_retcon.__version__, prog_name=NAME, message="%(prog)s %(version)s")
def cli() -> None:
    """Check specifications in the Allium language.

    'git allium check' checks all of the working tree.
    """


@cli.command(context_settings=HELP)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--rev", metavar="REV", help="Check those of a commit.")
@output_options
def check(paths: tuple[str, ...], rev: str | None, output: Output) -> Ending:
    """Say what is wrong with specifications: all of the working tree, or those named."""
    from git_retcon.allium.spec_files import read_named, read_revision, read_working_tree
    from git_retcon.allium.subcommands.diagnosis import check_specs

    if paths and rev is not None:
        raise WrongUsage("--rev and paths contradict each other", hint="give one")
    if paths:
        return check_specs(read_named(paths), output)
    return check_specs([read_working_tree() if rev is None else read_revision(rev)], output)


cli.add_command(completion_command(NAME))
cli.add_command(help_command(NAME))


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Entry point of ``git-allium``."""
    execute(cli, NAME, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    main()
