"""What is said where files that are to be put back have been edited by somebody else."""

import contextlib
from collections.abc import Iterator, Sequence

from git_retcon.errors import Reason, Refused
from git_retcon.files.transaction import EditedSince
from git_retcon.show.counting import some_of
from git_retcon.show.style import show_path

_MOST_NAMED = 5


@contextlib.contextmanager
def refusing_edited(command: Sequence[str] = ()) -> Iterator[None]:
    """Raise Refused for EditedSince, with the command that puts the files back all the same:
    ``command``, or without one the same command again, with ``--force``.
    """
    try:
        yield
    except EditedSince as error:
        names = some_of([show_path(path) for path in error.paths], _MOST_NAMED)
        way = f"'{' '.join(command)} --force'" if command else "the same command with --force"
        raise Refused(
            f"changed since, by somebody else: {names}",
            hint=f"save them elsewhere, then run {way}",
            reason=Reason.UNSAVED_WORK,
            again=None if command else ["--force"],
            commands=[[*command, "--force"]] if command else (),
        ) from error
