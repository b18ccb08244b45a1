"""What a value names, so that completion can offer it while somebody types.

Give one as the ``type`` of an argument or an option; the functions that list such things are in
``completion/kinds.bash``, ``kinds.zsh`` and ``kinds.fish``, below the kind's name.
"""

from pathlib import Path

import click


class Kind(click.types.StringParamType):
    """A text that names something: a branch, a workflow. Nothing is refused here."""

    def __init__(self, name: str) -> None:
        self.name = name


class PathKind(click.Path):
    """The path of something."""

    def __init__(self, name: str) -> None:
        super().__init__(path_type=Path)
        self.name = name


class Suggestion(Kind):
    """A word, often one of ``words``; others are taken too."""

    def __init__(self, name: str, words: tuple[str, ...]) -> None:
        super().__init__(name)
        self.words = words


SPEC = PathKind("spec")
DIRECTORY = PathKind("directory")
FILE = Kind("file")
ALLIUM_FILE = Kind("specification")
REVISION = Kind("revision")
MODULE = Kind("module")
DECLARATION = Kind("declaration")
WORKFLOW = Kind("workflow")
JOB = Kind("job")
EVENT = Suggestion("event", ("push", "pull_request", "workflow_dispatch", "schedule", "release"))
RUN = Kind("run")
ERROR = Kind("error")
VARIABLE = Kind("variable")
