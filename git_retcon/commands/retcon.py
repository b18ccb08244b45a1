"""The executable ``git-retcon``."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

import git_retcon
from git_retcon.commands.amounts import Amount
from git_retcon.commands.completion.command import completion_command, print_text
from git_retcon.commands.kinds import DIRECTORY, FILE, REVISION, SPEC
from git_retcon.commands.manual import help_command
from git_retcon.commands.options import HELP, output_options, run_options
from git_retcon.commands.subcommands import DefaultToRun
from git_retcon.commands.wrapper import execute
from git_retcon.options import Output, SharedOptions
from git_retcon.show.envelope import Ending

NAME = "git-retcon"


@click.group(cls=DefaultToRun, context_settings=HELP)
@click.version_option(
    git_retcon.__version__, prog_name="git-retcon", message="%(prog)s %(version)s"
)
def cli() -> None:
    """Rebuild a messy branch as the commits a TOML spec names, each one building.

    'git retcon SPEC' is short for 'git retcon run SPEC', and goes on where an earlier run of the
    same spec ended. 'git retcon run -h' lists its options.
    """


spec_argument = click.argument("spec", type=SPEC, required=False)
source_option = click.option(
    "--source",
    "state",
    type=click.Choice(["branch", "worktree"]),
    help="What is committed on the source, or also what is not yet.",
)


@cli.command(context_settings=HELP)
@spec_argument
@run_options
@click.option("--explain", is_flag=True, help="Print why each hunk goes where it goes.")
@click.option("-p", "--patch", is_flag=True, help="With -n, print the text of each hunk.")
@click.option("--plan", type=FILE, metavar="FILE", help="Pin hunks as this plan says (- reads it).")
@source_option
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
    help="Commit what no commit takes, or stop.",
)
@click.option("--restart", is_flag=True, help="Forget the histories and begin at the base.")
@click.option("--squash-wip", is_flag=True, help="Fold WIP commits into their logical commit.")
@click.option("--trust", is_flag=True, help="Run the commands of a tracked SPEC, now and later.")
@click.option("--no-cache", is_flag=True, help="Run every command, also where it passed.")
def run(shared: SharedOptions, **options: object) -> Ending:
    """Rebuild the branch that SPEC describes, or go on with it.

    Without SPEC, the one specification in the current directory is taken.
    """
    if options["patch"] and not shared.dry_run:
        raise click.UsageError("--patch is for --dry-run (-n)")
    from git_retcon.retcon.rebuild.command import run as rebuild
    from git_retcon.retcon.rebuild.options import Request
    from git_retcon.retcon.spec.discovery import list_specs

    if options["spec"] is None and not list_specs():
        from git_retcon.retcon.drafting.command import offer_draft

        drafted = offer_draft(shared.output)
        if drafted is not None:
            return drafted
    return rebuild(Request.of(shared, options))


@cli.command(context_settings=HELP)
@spec_argument
@output_options
def hunks(spec: Path | None, output: Output) -> Ending:
    """List the hunks of the branch that SPEC names, each with its id and its text."""
    from git_retcon.retcon.spec.discovery import find_spec
    from git_retcon.retcon.subcommands.hunks import list_hunks

    return list_hunks(find_spec(spec, "hunks"), output)


@cli.command(context_settings=HELP)
@click.argument("what", type=SPEC)
@spec_argument
@output_options
def show(what: Path, spec: Path | None, output: Output) -> Ending:
    """Show what a plan makes of WHAT: a spec, SPEC:N for its commit N, or the id of a hunk."""
    from git_retcon.retcon.subcommands.show import show_planned

    return show_planned(str(what), spec, output)


@cli.command(context_settings=HELP)
@spec_argument
@click.option("--undo", is_flag=True, help="Take the pins of the last review back.")
@output_options
def review(spec: Path | None, undo: bool, output: Output) -> Ending:
    """Answer the few questions about the plan of SPEC that matter most, a page at a time.

    The answers are written into SPEC as pins.
    """
    from git_retcon.retcon.rebuild.command import run as rebuild
    from git_retcon.retcon.rebuild.options import Request
    from git_retcon.retcon.review.command import review as hold_review
    from git_retcon.retcon.review.command import undo_review
    from git_retcon.retcon.spec.discovery import find_spec

    path = find_spec(spec, "review", *(["--undo"] if undo else []))
    if undo:
        return undo_review(path, output)
    ending, wants_run = hold_review(path, output)
    return rebuild(Request(SharedOptions(output=output), path)) if wants_run else ending


@cli.command(context_settings=HELP)
@click.argument("source", type=REVISION, required=False)
@click.option("--onto", type=REVISION, metavar="REMOTE", help="The branch it will be merged into.")
@click.option("-o", "--output-file", type=FILE, metavar="FILE", help="Where to write the spec.")
@source_option
@output_options
def plan(
    source: str | None,
    onto: str | None,
    output_file: str | None,
    state: str | None,
    output: Output,
) -> Ending:
    """Draft a spec of the branch SOURCE: how many commits, which hunks, what messages.

    Without SOURCE, the branch that is checked out.
    """
    from git_retcon.retcon.drafting.command import write_draft

    return write_draft(source, onto, output_file, output, worktree=state == "worktree")


@cli.command(context_settings=HELP)
@spec_argument
@click.option("--yes", is_flag=True, help="Also where commits that are built are built again.")
@output_options
def edit(spec: Path | None, yes: bool, output: Output) -> Ending:
    """Change the plan of SPEC in your editor: move hunks, and reorder, add or drop commits.

    What changes is written into SPEC, as pins and as commits. With -v the text has the diffs.
    """
    from git_retcon.retcon.editing.command import edit_plan
    from git_retcon.retcon.spec.discovery import find_spec

    return edit_plan(find_spec(spec, "edit"), output, yes=yes)


@cli.command(context_settings=HELP)
@spec_argument
@output_options
def status(spec: Path | None, output: Output) -> Ending:
    """Say how far SPEC has come."""
    from git_retcon.retcon.spec.discovery import find_spec
    from git_retcon.retcon.subcommands.status import show_status

    return show_status(find_spec(spec, "status"), output)


@cli.command(context_settings=HELP)
@click.argument("spec", type=SPEC)
@click.argument("note")
@output_options
def resolve(spec: Path, note: str, output: Output) -> Ending:
    """Record in SPEC what you did about its stuck commit."""
    from git_retcon.retcon.subcommands.status import write_resolved

    return write_resolved(spec, note, output)


@cli.command(context_settings=HELP)
@spec_argument
@click.option("-n", "--dry-run", is_flag=True, help="Say what would be moved; move nothing.")
@output_options
def adopt(spec: Path | None, dry_run: bool, output: Output) -> Ending:
    """Move the source branch of SPEC to the result.

    A ref keeps where it was.
    """
    from git_retcon.retcon.spec.discovery import find_spec
    from git_retcon.retcon.subcommands.adopt import adopt_result

    return adopt_result(find_spec(spec, "adopt"), output, dry_run=dry_run)


@cli.command(context_settings=HELP)
@spec_argument
@click.option("--force", is_flag=True, help="Also where it takes a commit of your own back.")
@output_options
def undo(spec: Path | None, force: bool, output: Output) -> Ending:
    """Take back what the last run of SPEC did."""
    from git_retcon.retcon.subcommands.undo import undo_run

    return undo_run(spec, output, force=force)


@cli.command(context_settings=HELP)
@output_options
def prompt(output: Output) -> Ending:
    """Print text that explains to any assistant how to write a spec."""
    from git_retcon.prompts import read_prompt

    return print_text(read_prompt("writing-a-spec"), output)


@cli.command(context_settings=HELP)
@click.option("--all", "everything", is_flag=True, help="Those of every repository.")
@click.option("-n", "--dry-run", is_flag=True, help="List them; remove nothing.")
@output_options
def clean(everything: bool, dry_run: bool, output: Output) -> Ending:
    """Remove the worktrees kept for builds.

    They are made again when needed.
    """
    from git_retcon.retcon.subcommands.clean import clean_worktrees

    return clean_worktrees(output, everything=everything, dry_run=dry_run)


@cli.command(context_settings=HELP)
@output_options
def doctor(output: Output) -> Ending:
    """Check git, the sandbox, the key, the man page and completion."""
    from git_retcon.retcon.subcommands.doctor import examine_machine

    return examine_machine(output)


@cli.command(context_settings=HELP)
@output_options
def cost(output: Output) -> Ending:
    """Show what models have cost, by month and command."""
    from git_retcon.retcon.subcommands.cost import show_cost

    return show_cost(output)


cli.add_command(completion_command(NAME))
cli.add_command(help_command(NAME))


@cli.command(context_settings=HELP)
@click.argument("directory", type=DIRECTORY, required=False)
@run_options
def demo(directory: Path | None, shared: SharedOptions) -> Ending:
    """Rebuild a small messy branch made for it.

    The repository is made in DIRECTORY, new or empty; without one, in a temporary directory.
    """
    from git_retcon.retcon.rebuild.options import Request
    from git_retcon.retcon.subcommands.demo.walkthrough import demonstrate

    return demonstrate(directory, Request.of(shared, {}))


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Entry point of ``git-retcon``."""
    execute(cli, NAME, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    main()
