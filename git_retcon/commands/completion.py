"""The completion scripts, found where they are installed or in a checkout."""

import sys
from pathlib import Path

import click

from git_retcon.commands.options import HELP
from git_retcon.errors import Fatal

_INSTALLED = {
    "bash": "bash-completion/completions/{name}",
    "zsh": "zsh/site-functions/_{name}",
    "fish": "fish/vendor_completions.d/{name}.fish",
}
_CHECKOUT = {"bash": "{name}.bash", "zsh": "_{name}", "fish": "{name}.fish"}


def completion_command(name: str) -> click.Command:
    """The subcommand ``completion`` of a command."""

    @click.command(context_settings=HELP)
    @click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
    def completion(shell: str) -> int:
        """Print the completion script of SHELL."""
        click.echo(script(name, shell), nl=False)
        return 0

    return completion


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
