"""The executable ``git-allium``."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

import git_retcon
from git_retcon.commands.amounts import Count
from git_retcon.commands.completion.command import completion_command
from git_retcon.commands.kinds import (
    ALLIUM_FILE,
    DECLARATION,
    DIRECTORY,
    MODULE,
    REVISION,
    PathKind,
    Suggestion,
)
from git_retcon.commands.manual import help_command
from git_retcon.commands.options import HELP, output_options, run_options
from git_retcon.commands.subcommands import Subcommands
from git_retcon.commands.wrapper import execute
from git_retcon.errors import WrongUsage
from git_retcon.options import Output, SharedOptions
from git_retcon.show.envelope import Ending

NAME = "git-allium"


@click.group(cls=Subcommands, context_settings=HELP)
@click.version_option(git_retcon.__version__, prog_name=NAME, message="%(prog)s %(version)s")
def cli() -> None:
    """Keep a specification of what the source does, in the Allium language.

    'git allium evolve' writes it from the history, 'git allium check' checks all of the working
    tree.
    """


@cli.command(context_settings=HELP)
@click.argument("revision", type=REVISION, metavar="[REV]", default="HEAD")
@click.option("--all", "is_all", is_flag=True, help="Describe every branch and tag as well.")
@click.option(
    "--from",
    "since",
    type=REVISION,
    metavar="REV",
    help="Begin at REV, with a snapshot of its tree.",
)
@click.option(
    "--last", type=Count("commits", least=1), metavar="N", help="Begin N commits before the end."
)
@click.option("--estimate", is_flag=True, help="Say what it would cost; write nothing.")
@click.option(
    "--window-size",
    type=Count("commits", least=1),
    metavar="N",
    help="Commits that a model sees in a step.",
)
@click.option(
    "--process-depth",
    type=Count("commits", least=1),
    metavar="N",
    help="Of how many of them it sees the changes.",
)
@click.option(
    "--max-diff-tokens",
    type=Count("tokens", least=1),
    metavar="N",
    help="Show a larger change in parts.",
)
@click.option(
    "--max-concurrency",
    type=Count("requests", least=1),
    metavar="N",
    help="Ask this many questions at a time.",
)
@click.option(
    "--reconciliation-strategy",
    type=Suggestion("strategy", ("n-trunk-commits", "n-commits", "token-count", "none")),
    metavar="NAME",
    help="When to compare with the source: n-trunk-commits, n-commits, token-count or none.",
)
@click.option(
    "--reconciliation-interval",
    type=Count("steps or tokens", least=1),
    metavar="N",
    help="After how many steps, or tokens for token-count.",
)
@run_options
def evolve(
    shared: SharedOptions,
    revision: str,
    is_all: bool,
    since: str | None,
    last: int | None,
    estimate: bool,
    **limits: int | str | None,
) -> Ending:
    """Write the specification of a history, commit by commit, on a branch of its own."""
    from git_retcon.allium.evolve.request import Range
    from git_retcon.allium.subcommands.evolution import evolve_specification

    if since is not None and last is not None:
        raise WrongUsage("--from and --last contradict each other", hint="give one")
    asked = Range(revision, is_all, since, last)
    return evolve_specification(shared, asked, limits, estimate=estimate)


@cli.command(context_settings=HELP)
@click.argument("revision", metavar="[REV]", default="HEAD", type=REVISION)
@click.option("--full", is_flag=True, help="Compare all of the source, not what changed.")
@run_options
def reconcile(shared: SharedOptions, revision: str, full: bool) -> Ending:
    """Compare the specification with the source, and correct it."""
    from git_retcon.allium.subcommands.reconciliation import reconcile as compare

    return compare(shared, revision, is_full=full)


@cli.command(context_settings=HELP)
@output_options
def status(output: Output) -> Ending:
    """Say where the spec branch is, and how many commits it has still to describe."""
    from git_retcon.allium.subcommands.spec_views import show_status

    return show_status(output)


@cli.command(context_settings=HELP)
@click.argument("name", type=MODULE, metavar="[REV[:MODULE]]", default="HEAD")
@output_options
def show(name: str, output: Output) -> Ending:
    """Print the specification of a commit, or one module of it."""
    from git_retcon.allium.subcommands.spec_views import show_specification

    return show_specification(name, output)


@cli.command(context_settings=HELP)
@click.argument("revision", type=REVISION, metavar="[REV]", default="HEAD")
@click.option("-n", "most", type=Count("commits", least=1), metavar="N", help="At most N.")
@output_options
def log(revision: str, most: int | None, output: Output) -> Ending:
    """List the source commits that changed the specification, the newest first."""
    from git_retcon.allium.subcommands.spec_views import list_changes

    return list_changes(revision, most, output)


@cli.command(context_settings=HELP)
@click.argument("paths", type=ALLIUM_FILE, metavar="[PATH]...", nargs=-1)
@click.option("--rev", type=REVISION, metavar="REV", help="Check those of a commit.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "github", "sarif"]),
    default="text",
    help="How to print what is wrong (default: text).",
)
@click.option("--drift", is_flag=True, help="Compare the spec branch with the source of REV.")
@output_options
def check(
    paths: tuple[str, ...], rev: str | None, form: str, drift: bool, output: Output
) -> Ending:
    """Say what is wrong with specifications: all of the working tree, or those named."""
    from git_retcon.allium.spec_files import read_named, read_revision, read_working_tree
    from git_retcon.allium.subcommands.diagnosis import Form, check_specs

    if paths and rev is not None:
        raise WrongUsage("--rev and paths contradict each other", hint="give one")
    if output.json and form != "text":
        raise WrongUsage("--json and --format contradict each other", hint="give one")
    if drift:
        from git_retcon.allium.subcommands.drift_check import check_drift

        if paths:
            raise WrongUsage("--drift and paths contradict each other", hint="give one")
        return check_drift(rev or "HEAD", Form(form), output)
    if paths:
        return check_specs(read_named(paths), Form(form), output)
    found = read_working_tree() if rev is None else read_revision(rev)
    return check_specs([found], Form(form), output)


@cli.command(context_settings=HELP)
@click.argument("sections", metavar="[SECTION]...", nargs=-1)
@click.option("--all", "is_all", is_flag=True, help="Accept every divergence that there is.")
@click.option("--rev", metavar="REV", type=REVISION, default="HEAD", help="Those of a commit.")
@output_options
def accept(sections: tuple[str, ...], is_all: bool, rev: str, output: Output) -> Ending:
    """Accept divergences of specification and source, so that they are not reported again."""
    from git_retcon.allium.subcommands.drift_check import accept_divergences

    if is_all == bool(sections):
        raise WrongUsage("say what to accept", hint="name sections, or give --all")
    return accept_divergences(rev, sections, output, is_all=is_all)


@cli.command(context_settings=HELP)
@click.argument("revisions", metavar="A..B", type=REVISION)
@click.option("--exit-code", "is_failure", is_flag=True, help="Exit with 1 where they differ.")
@output_options
def diff(revisions: str, is_failure: bool, output: Output) -> Ending:
    """List what differs between the specifications of two commits, by declaration."""
    from git_retcon.allium.subcommands.spec_diff import show_differences

    return show_differences(revisions, output, is_failure=is_failure)


@cli.command(context_settings=HELP)
@click.argument("name", type=DECLARATION)
@click.option("--rev", metavar="REV", type=REVISION, default="HEAD", help="As of a commit.")
@output_options
def blame(name: str, rev: str, output: Output) -> Ending:
    """Say which source commits and lines a declaration comes from, part by part.

    NAME is a rule, an entity, or a part of one: 'OrderPay', 'Order.total', 'Order.status.paid'.
    """
    from git_retcon.allium.subcommands.spec_blame import blame_declaration

    return blame_declaration(name, rev, output)


@cli.command("map", context_settings=HELP)
@click.argument("revision", metavar="[REV]", default="HEAD", type=REVISION)
@output_options
def map_(revision: str, output: Output) -> Ending:
    """Print the source commit and the spec commit that belong together."""
    from git_retcon.allium.subcommands.spec_diff import show_mapping

    return show_mapping(revision, output)


@cli.command(context_settings=HELP)
@click.argument("revision", metavar="[REV]", default="HEAD", type=REVISION)
@click.option(
    "-o",
    "--output",
    "target",
    type=PathKind("file"),
    metavar="FILE",
    help="Where to write it: FILE.html or FILE.svg.",
)
@output_options
def graph(revision: str, target: Path | None, output: Output) -> Ending:
    """Draw the specification: modules, types, their relations and their states."""
    from git_retcon.allium.subcommands.spec_graph import draw_graph

    return draw_graph(revision, target, output)


@cli.command(context_settings=HELP)
@click.argument("revision", metavar="[REV]", default="HEAD", type=REVISION)
@click.option(
    "-o",
    "--output",
    "target",
    type=PathKind("file"),
    metavar="FILE",
    help="Write a page instead: FILE.html.",
)
@output_options
def report(revision: str, target: Path | None, output: Output) -> Ending:
    """Tell the timeline of the domain: what each commit added, removed and changed."""
    from git_retcon.allium.subcommands.spec_report import report_timeline

    return report_timeline(revision, target, output)


@cli.command("format", context_settings=HELP)
@click.argument("paths", type=ALLIUM_FILE, metavar="[PATH]...", nargs=-1)
@click.option(
    "--check", "is_check", is_flag=True, help="Write nothing; fail if a file would change."
)
@click.option("-n", "--dry-run", is_flag=True, help="Name what would change; change nothing.")
@output_options
def format_(paths: tuple[str, ...], is_check: bool, dry_run: bool, output: Output) -> Ending:
    """Lay specifications out: all of the working tree, or those named."""
    from git_retcon.allium.spec_files import read_named, read_working_tree
    from git_retcon.allium.subcommands.formatting import Purpose, format_specs

    purpose = Purpose.CHECK if is_check else Purpose.NAME if dry_run else Purpose.WRITE
    return format_specs(read_named(paths) if paths else [read_working_tree()], purpose, output)


@cli.command(context_settings=HELP)
@click.option("--uninstall", is_flag=True, help="Remove it.")
@output_options
def install_hook(uninstall: bool, output: Output) -> Ending:
    """Have each commit described offline, in the background."""
    from git_retcon.allium.subcommands import commit_hook

    return commit_hook.uninstall_hook(output) if uninstall else commit_hook.install_hook(output)


@cli.command(context_settings=HELP)
@click.option("--uninstall", is_flag=True, help="Remove them.")
@output_options
def install_drivers(uninstall: bool, output: Output) -> Ending:
    """Have git merge *.allium files by declaration, and diff them by declarations and words."""
    from git_retcon.allium.subcommands import merge_driver

    if uninstall:
        return merge_driver.uninstall_drivers(output)
    return merge_driver.install_drivers(output)


@cli.command(context_settings=HELP)
@click.argument("current", type=ALLIUM_FILE)
@click.argument("base", type=ALLIUM_FILE)
@click.argument("other", type=ALLIUM_FILE)
@click.option(
    "--marker-size",
    type=Count("characters", least=1),
    default=7,
    metavar="N",
    help="How long conflict markers are (default: 7).",
)
@output_options
def merge_file(current: str, base: str, other: str, marker_size: int, output: Output) -> Ending:
    """Merge OTHER into CURRENT by declaration; both come from BASE. As git-merge-file(1)."""
    from git_retcon.allium.subcommands.merge_driver import merge_named_files

    return merge_named_files(current, base, other, marker_size, output)


@cli.command(context_settings=HELP)
@click.argument("directory", type=DIRECTORY, required=False)
@output_options
def demo(directory: Path | None, output: Output) -> Ending:
    """Describe a small history made for it, and show the specification growing.

    The repository is made in DIRECTORY, new or empty; without one, in a temporary directory.
    """
    from git_retcon.allium.subcommands.demo import demonstrate

    return demonstrate(directory, output)


cli.add_command(completion_command(NAME))
cli.add_command(help_command(NAME))


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Entry point of ``git-allium``."""
    execute(cli, NAME, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    main()
