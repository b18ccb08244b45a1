"""``git heal apply``, ``reject`` and ``undo``: decisions about fixes that were found before."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from git_retcon.errors import Fatal, Reason
from git_retcon.heal.check_situation import open_checkout
from git_retcon.heal.records.database import database_path, open_database
from git_retcon.heal.records.heals import Decision
from git_retcon.heal.review.settled_heals import Settled
from git_retcon.heal.review.settlement import Settlement
from git_retcon.heal.subcommands.held_back import end_held_back
from git_retcon.options import Output
from git_retcon.show.envelope import Ending
from git_retcon.show.notices import say, say_hint, say_line
from git_retcon.show.style import show_path


def apply_heals(names: Sequence[str], output: Output) -> Ending:
    """Apply some heals by their numbers."""
    numbers = [_read_number(name) for name in names]
    with _open_settlement() as settlement:
        settled = settlement.apply_stored(numbers)
    return _end_settlement(settled, output)


def reject_heals(names: Sequence[str], output: Output) -> Ending:
    """Record that some heals are not wanted."""
    numbers = [_read_number(name) for name in names]
    with _open_settlement() as settlement:
        settled = settlement.reject_stored(numbers)
    return _end_settlement(settled, output)


def undo_heals(output: Output, *, force: bool) -> Ending:
    """Take back what was applied last."""
    with _open_settlement() as settlement:
        settled = settlement.undo(force=force)
    return _end_settlement(settled, output)


@contextmanager
def _open_settlement() -> Iterator[Settlement]:
    checkout = open_checkout(Path.cwd())
    path = database_path(checkout.repository.common_dir)
    with open_database(path, lambda message, hint: say("warning", message, hint)) as database:
        yield Settlement(checkout, database)


def _read_number(name: str) -> int:
    if not (name.isascii() and name.isdigit()) or len(name) > 12:
        hint = "'git heal' names them by their numbers"
        raise Fatal(f"'{name}' is no heal's number", hint=hint, reason=Reason.INVALID)
    return int(name)


def _end_settlement(settled: Sequence[Settled], output: Output) -> Ending:
    if not output.quiet:
        for one in settled:
            files = ", ".join(map(show_path, one.files))
            say_line(f"heal {one.number}: {one.text}{f': {files}' if files else ''}")
    data: dict[str, object] = {"heals": [one.as_json() for one in settled]}
    kept = [one for one in settled if one.decision is Decision.KEPT]
    if not kept:
        if any(one.doubt for one in settled):
            say_hint("'git heal check' runs the jobs on the files as they are now")
        return Ending(data=data)
    return end_held_back(kept, data)
