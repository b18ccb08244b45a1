"""The completion scripts, found where they are installed or in a checkout."""

import click

from git_retcon.commands.options import HELP, output_options
from git_retcon.commands.subcommands import Subcommand
from git_retcon.errors import Fatal
from git_retcon.options import Output
from git_retcon.show.envelope import Ending
from git_retcon.show.installed import SHELLS, find_script


def completion_command(name: str) -> click.Command:
    """The subcommand ``completion`` of a command."""

    @click.command(cls=Subcommand, context_settings=HELP)
    @click.argument("shell", type=click.Choice(SHELLS))
    @output_options
    def completion(shell: str, output: Output) -> Ending:
        """Print the completion script of SHELL."""
        return print_text(script(name, shell), output)

    return completion


def print_text(text: str, output: Output) -> Ending:
    """Print a text that is the whole result of a subcommand; as JSON it is ``text``."""
    if not output.json:
        click.echo(text, nl=False)
    return Ending(data={"text": text})


def script(name: str, shell: str) -> str:
    """The completion script of one command for one shell. Raises Fatal when it is missing."""
    place = find_script(name, shell)
    if place is not None:
        return place.read_text(encoding="utf-8")
    raise Fatal(
        f"the {shell} completion of {name} is not installed", hint="install the package again"
    )
