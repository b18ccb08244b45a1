"""What a value names, so that completion can offer it while somebody types.

Give one as the ``type`` of an argument or an option; the functions that list such things are in
``completion/kinds.bash``, ``kinds.zsh`` and ``kinds.fish``, below the kind's name.
"""

import os
from pathlib import Path

import click

from git_retcon.errors import WrongUsage


class Kind(click.types.StringParamType):
    """A text that names something: a branch, a workflow. Nothing is refused here."""

    def __init__(self, name: str) -> None:
        self.name = name


class PathKind(click.Path):
    """The path of something."""

    def __init__(self, name: str) -> None:
        super().__init__(path_type=Path)
        self.name = name

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Refuse the empty name, which ``Path`` takes for the current folder."""
        _refuse_empty(value, self.name)
        return super().convert(value, param, ctx)


class FileKind(Kind):
    """The path of a file as text, or ``-`` where a command takes that."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Refuse the empty name, which joined to a folder is the folder."""
        _refuse_empty(value, self.name)
        return super().convert(value, param, ctx)


def _refuse_empty(value: object, name: str) -> None:
    # Often a variable of a script that is not set.
    if value == "":
        raise WrongUsage(f"an empty name for the {name}", hint="give its path")


class Suggestion(Kind):
    """A word, often one of ``words``; others are taken too."""

    def __init__(self, name: str, words: tuple[str, ...]) -> None:
        super().__init__(name)
        self.words = words


SPEC = PathKind("spec")
DIRECTORY = PathKind("directory")
FILE = FileKind("file")
ALLIUM_FILE = Kind("specification")
REVISION = Kind("revision")
MODULE = Kind("module")
DECLARATION = Kind("declaration")
WORKFLOW = Kind("workflow")
JOB = Kind("job")
EVENT = Suggestion("event", ("push", "pull_request", "workflow_dispatch", "schedule", "release"))
RUN = Kind("run")
ERROR = Kind("error")
REMOTE = Kind("remote")
VARIABLE = Kind("variable")
