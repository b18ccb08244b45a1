"""Showing a manual page where git would not find it."""

import os
import sys
from pathlib import Path

import click

from git_retcon.commands.options import HELP


def help_command(name: str) -> click.Command:
    """The subcommand ``help`` of a command."""

    @click.command("help", context_settings=HELP)
    @click.pass_context
    def help_(ctx: click.Context) -> int:
        """Show the manual page, or the usage where there is none."""
        if not show_manual(name):
            root = ctx.find_root()
            click.echo(root.command.get_help(root))
        return 0

    return help_


def show_manual(name: str) -> bool:
    """Show ``name``'s page with man, wherever it is installed; False when that cannot be."""
    import shutil
    import subprocess

    page = find_page(name)
    man = shutil.which("man")
    if page is None or man is None:
        return False
    sys.stdout.flush()
    return subprocess.run([man, str(page)], check=False, env=dict(os.environ)).returncode == 0


def find_page(name: str) -> Path | None:
    """The manual page of a checkout, or of an installation."""
    checkout = Path(__file__).parents[2] / "man"
    for root in (checkout, Path(sys.prefix) / "share" / "man"):
        page = root / "man1" / f"{name}.1"
        if page.is_file():
            return page
    return None
