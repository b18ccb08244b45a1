"""The subcommand ``completion`` of each command."""

import click

from git_retcon.commands.options import HELP, output_options
from git_retcon.commands.subcommands import Subcommand
from git_retcon.options import Output
from git_retcon.show.envelope import Ending
from git_retcon.show.installed import SHELLS


def completion_command(name: str) -> click.Command:
    """The subcommand ``completion`` of a command."""

    @click.command("completion", cls=Subcommand, context_settings=HELP)
    @click.argument("shell", type=click.Choice(SHELLS))
    @output_options
    def print_script(shell: str, output: Output) -> Ending:
        """Print the completion script of SHELL."""
        from git_retcon.commands.completion.script import make_script

        root = click.get_current_context().find_root().command
        assert isinstance(root, click.Group)
        return print_text(make_script(name, root, shell), output)

    return print_script


def print_text(text: str, output: Output) -> Ending:
    """Print a text that is the whole result of a subcommand; as JSON it is ``text``."""
    if not output.json:
        click.echo(text, nl=False)
    return Ending(data={"text": text})
