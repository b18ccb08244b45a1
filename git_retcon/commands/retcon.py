"""The executable ``git-retcon``."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

import git_retcon
from git_retcon.commands.amounts import Amount
from git_retcon.commands.completion import completion_command
from git_retcon.commands.manual import help_command
from git_retcon.commands.options import HELP, output_options, shared_options
from git_retcon.commands.wrapper import execute
from git_retcon.errors import WrongUsage
from git_retcon.options import Output, Shared

NAME = "git-retcon"


class DefaultToRun(click.Group):
    """``git retcon SPEC`` is ``git retcon run SPEC``: whatever is no subcommand is a run."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = ("-h", "--help", "--version")
        if not args or (args[0] not in self.commands and args[0] not in own):
            if args:
                self._refuse_misspelled(args[0])
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def _refuse_misspelled(self, word: str) -> None:
        """Raise WrongUsage for what is no file, and nearly the name of a subcommand."""
        if os.path.lexists(word):
            return
        import difflib

        similar = difflib.get_close_matches(word, self.commands, n=1, cutoff=0.7)
        if similar:
            raise WrongUsage(
                f"'{word}' is neither a command nor a spec file",
                hint=f"did you mean 'git retcon {similar[0]}'?",
            )


@click.group(cls=DefaultToRun, context_settings=HELP)
@click.version_option(
    git_retcon.__version__, prog_name="git-retcon", message="%(prog)s %(version)s"
)
def cli() -> None:
    """Rebuild a messy branch as the commits a TOML spec names, each one building.

    'git retcon SPEC' is short for 'git retcon run SPEC', and goes on where an earlier run of the
    same spec ended. 'git retcon run -h' lists its options.
    """


def _refuse_command_last(spec: object) -> None:
    """Raise WrongUsage for ``git retcon --json status``: whatever begins with options is a run."""
    if str(spec) in cli.commands and not os.path.lexists(str(spec)):
        raise WrongUsage(
            f"options of '{spec}' come after it", hint=f"write 'git retcon {spec} …' instead"
        )


spec_argument = click.argument("spec", type=click.Path(path_type=Path), required=False)


@cli.command(context_settings=HELP)
@spec_argument
@shared_options
@click.option("--explain", is_flag=True, help="Say of every piece why it goes where it goes.")
@click.option("--build", metavar="CMD", help="Command that builds a commit.")
@click.option("--test", metavar="CMD", help="Command that tests a commit.")
@click.option("--setup", metavar="CMD", help="Command that prepares the worktree.")
@click.option(
    "--timeout",
    type=Amount("seconds", least=1),
    metavar="SECONDS",
    help="End a command after this time.",
)
@click.option(
    "--leftover",
    type=click.Choice(["commit", "stop"]),
    help="What no commit takes becomes one; or stop.",
)
@click.option("--restart", is_flag=True, help="Forget the histories and begin at the base.")
@click.option("--squash-wip", is_flag=True, help="Fold WIP commits into their logical commit.")
@click.option("--no-cache", is_flag=True, help="Run every command, whatever passed before.")
def run(shared: Shared, **options: object) -> int:
    """Rebuild the branch that SPEC describes, or go on with it.

    Without SPEC, the one specification in the current directory is taken.
    """
    from git_retcon.retcon.rebuild.command import run as rebuild
    from git_retcon.retcon.rebuild.options import Request

    _refuse_command_last(options["spec"])
    return rebuild(Request.of(shared, options))


@cli.command(context_settings=HELP)
@spec_argument
@output_options
def status(spec: Path | None, output: Output) -> int:
    """Say how far SPEC has come."""
    from git_retcon.retcon.rebuild.options import spec_path
    from git_retcon.retcon.subcommands.status import show_status

    return show_status(spec_path(spec), output)


@cli.command(context_settings=HELP)
@click.argument("spec", type=click.Path(path_type=Path))
@click.argument("note")
def resolve(spec: Path, note: str) -> int:
    """Record NOTE as your word on the stuck commit of SPEC."""
    from git_retcon.retcon.subcommands.status import write_resolved

    return write_resolved(spec, note)


@cli.command(context_settings=HELP)
@spec_argument
@click.option("--force", is_flag=True, help="Also where it takes a commit of your own back.")
def undo(spec: Path | None, force: bool) -> int:
    """Take back what the last run of SPEC did."""
    from git_retcon.retcon.branch.undo import undo_run
    from git_retcon.retcon.rebuild.options import spec_path

    return undo_run(spec_path(spec), force=force)


@cli.command(context_settings=HELP)
def prompt() -> int:
    """Print text that tells any assistant how to write a spec."""
    from git_retcon.prompts import read_prompt

    click.echo(read_prompt("writing-a-spec"), nl=False)
    return 0


@cli.command(context_settings=HELP)
@click.option("--all", "everything", is_flag=True, help="Those of every repository.")
@click.option("-n", "--dry-run", is_flag=True, help="List them; remove nothing.")
def clean(everything: bool, dry_run: bool) -> int:
    """Remove the worktrees kept for builds.

    They are made again when needed.
    """
    from git_retcon.retcon.subcommands.clean import clean_worktrees

    return clean_worktrees(everything=everything, dry_run=dry_run)


@cli.command(context_settings=HELP)
@output_options
def doctor(output: Output) -> int:
    """Check git, the sandbox, the key, the man page and completion."""
    from git_retcon.retcon.subcommands.doctor import examine

    return examine(as_json=output.json)


@cli.command(context_settings=HELP)
@output_options
def cost(output: Output) -> int:
    """Show what models have cost, by month and command."""
    from git_retcon.retcon.subcommands.cost import show_cost

    return show_cost(as_json=output.json)


cli.add_command(completion_command(NAME))
cli.add_command(help_command(NAME))


@cli.command(context_settings=HELP)
@click.argument("directory", type=click.Path(path_type=Path), required=False)
@shared_options
def demo(directory: Path | None, shared: Shared) -> int:
    """Rebuild a small messy branch made for it.

    The repository is made in DIRECTORY, new or empty; without one, in a temporary directory.
    """
    from git_retcon.retcon.rebuild.options import Request
    from git_retcon.retcon.subcommands.demo.session import demonstrate

    return demonstrate(directory, Request.of(shared, {}))


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Entry point of ``git-retcon``."""
    execute(cli, NAME, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    main()
