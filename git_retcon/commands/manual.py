"""Showing a manual page where git would not find it."""

import os
import sys
from pathlib import Path

import click

from git_retcon.commands.options import HELP, output_options
from git_retcon.commands.subcommands import Subcommand
from git_retcon.options import Output
from git_retcon.show.envelope import Ending
from git_retcon.show.installed import find_page


def help_command(name: str) -> click.Command:
    """The subcommand ``help`` of a command."""

    @click.command("help", cls=Subcommand, context_settings=HELP)
    @output_options
    def help_(output: Output) -> Ending:
        """Show the manual page, or the usage where there is none."""
        page, root = find_page(name), click.get_current_context().find_root()
        usage = root.command.get_help(root)
        if not output.json and not show_page(page):
            click.echo(usage)
        return Ending(data={"page": str(page) if page else None, "usage": usage})

    return help_


def show_page(page: Path | None) -> bool:
    """Show a page with man; False where there is no page, no man, or man fails."""
    import shutil
    import subprocess

    man = shutil.which("man")
    if page is None or man is None:
        return False
    sys.stdout.flush()
    return subprocess.run([man, str(page)], check=False, env=dict(os.environ)).returncode == 0
