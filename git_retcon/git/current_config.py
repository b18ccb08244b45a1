"""git's configuration as it counts in the current directory, inside of a repository or outside."""

import functools
from pathlib import Path

from git_retcon.errors import UserError
from git_retcon.git.config import Config
from git_retcon.git.process import repository_environment, run_git
from git_retcon.git.repository import open_repository


class CurrentConfig:
    """Read when the first key is asked for: a subcommand may need none."""

    def get(self, key: str) -> str | None:
        """The value of a key that counts here, or None."""
        return self._config.get(key)

    @functools.cached_property
    def _config(self) -> Config:
        try:
            return open_repository(Path.cwd()).config
        except UserError:  # the user's own and the system's configuration count all the same
            env = repository_environment()
            listed = run_git(["config", "-z", "--list"], env=env, cwd=Path.cwd())
            return Config.parse(listed.stdout if listed.returncode == 0 else b"")
