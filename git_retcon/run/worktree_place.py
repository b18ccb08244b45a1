"""Where worktrees of ours live."""

import os
from pathlib import Path

from git_retcon.errors import Fatal
from git_retcon.files.xdg import data_folder, expand_home
from git_retcon.git.repository import Repository
from git_retcon.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class WorktreePlace:
    """Where commits are checked out: beneath ``base``, by the name ``id`` (see ``worktree``)."""

    repository: Repository
    base: Path
    id: str

    @property
    def confined_id(self) -> str:
        """The worktree for what a model wrote."""
        return f"{self.id}-confined"


def worktrees_directory(configured: str | None) -> Path:
    """Where worktrees of ours live: ``retcon.worktreeDir``, else below XDG_DATA_HOME."""
    if configured:
        return expand_home(configured, os.environ)
    return data_folder(os.environ) / "worktrees"


def make_folder(folder: Path) -> None:
    """Make where worktrees are kept. Raises Fatal: nobody removed what could not be made, so no
    second try helps.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Fatal(
            f"cannot make '{folder}', where worktrees are kept: {error.strerror or error}",
            hint="set HOME or XDG_DATA_HOME to a folder that you can write into, or name another "
            "place with 'git config retcon.worktreeDir' (for git heal: heal.worktreeDir)",
        ) from error
