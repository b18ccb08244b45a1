"""git's configuration as it counts in the current directory, inside of a repository or outside."""

import functools
import os
from pathlib import Path

from git_retcon.errors import UserError
from git_retcon.git.config import Config
from git_retcon.git.process import repository_environment, run_git
from git_retcon.git.repository import open_repository


def current_setting(key: str) -> str | None:
    """The value of a key that counts here, or None."""
    return _current_config(os.getcwd()).get(key)  # noqa: PTH109


@functools.cache
def _current_config(directory: str) -> Config:
    try:
        return open_repository(Path(directory)).config
    except UserError:  # the user's own and the system's configuration count all the same
        listed = run_git(["config", "-z", "--list"], env=repository_environment(), cwd=Path.cwd())
        return Config.parse(listed.stdout if listed.returncode == 0 else b"")
