"""A small command whose texts need quotes in every shell."""

import click

from git_retcon.commands.kinds import REVISION
from git_retcon.commands.subcommands import Subcommands


@click.group(cls=Subcommands)
def cli() -> None:
    """Keep it [all] of 'em."""


@cli.command()
@click.argument("name", type=REVISION)
@click.option("-e", "--each", help="Don't stop at [one] (default: 3).")
@click.option("--skip", multiple=True, help="Leave one out.")
@click.option("--color", type=click.Choice(["auto", "never"]), metavar="[WHEN]", help="Colour.")
@click.option("--far", is_flag=True, help="Go on.")
def walk(name: str, each: str, skip: tuple[str, ...], color: str, far: bool) -> None:
    """Walk from NAME."""
