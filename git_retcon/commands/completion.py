"""The completion scripts, found where they are installed or in a checkout."""

import sys
from pathlib import Path

import click

from git_retcon.commands.options import HELP, output_options
from git_retcon.commands.subcommands import Subcommand
from git_retcon.errors import Fatal
from git_retcon.options import Output
from git_retcon.show.envelope import Ending

_INSTALLED = {
    "bash": "bash-completion/completions/{name}",
    "zsh": "zsh/site-functions/_{name}",
    "fish": "fish/vendor_completions.d/{name}.fish",
}
_CHECKOUT = {"bash": "{name}.bash", "zsh": "_{name}", "fish": "{name}.fish"}


def completion_command(name: str) -> click.Command:
    """The subcommand ``completion`` of a command."""

    @click.command(cls=Subcommand, context_settings=HELP)
    @click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
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
    places = (
        Path(__file__).parents[2] / "completions" / _CHECKOUT[shell].format(name=name),
        Path(sys.prefix) / "share" / _INSTALLED[shell].format(name=name),
    )
    for place in places:
        if place.is_file():
            return place.read_text(encoding="utf-8")
    raise Fatal(
        f"the {shell} completion of {name} is not installed", hint="install the package again"
    )
