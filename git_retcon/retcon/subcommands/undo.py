"""``git retcon undo``: take the last run back, and say how to get it again."""

import os
from pathlib import Path

from git_retcon.errors import WrongUsage
from git_retcon.git.repository import open_repository
from git_retcon.git.short_ids import shorten_id
from git_retcon.options import Output
from git_retcon.retcon.branch.undo import (
    UndoResult,
    find_last_run,
    restoring_command,
    undo_last_run,
)
from git_retcon.retcon.spec.discovery import find_spec, list_specs
from git_retcon.show.counting import count
from git_retcon.show.envelope import Ending
from git_retcon.show.notices import say, say_hint, say_line
from git_retcon.show.style import shell_words, show_path


def undo_run(given: Path | None, output: Output, *, force: bool) -> Ending:
    """Take back the last run of a spec, and say what was done. Raises WrongUsage where none is
    given and several are here.
    """
    path = _choose_spec(given)

    def warn(message: str) -> None:
        if not output.quiet:
            say("warning", message)

    undone = undo_last_run(open_repository(Path.cwd()), path, warn, force=force)
    if not output.quiet:
        _report_undone(undone, path)
    return Ending(
        data={
            "branch": undone.branch,
            "tip": undone.tip,
            "kept": undone.kept,
            "way_back": _restoring_command(undone),
        }
    )


def _choose_spec(given: Path | None) -> Path:
    specs = list_specs() if given is None else []
    last = find_last_run(open_repository(Path.cwd()), specs) if len(specs) > 1 else None
    if last is None:
        return find_spec(given, "undo")
    # Not undone without being asked for: the user may think of another one.
    command = ["git", "retcon", "undo", str(last)]
    raise WrongUsage(
        f"which spec? there are {len(specs)} here, and the last run was of '{last}'",
        hint=f"to take it back: '{shell_words(command)}'",
        commands=[command],
    )


def _report_undone(undone: UndoResult, spec: Path) -> None:
    if undone.tip is None:
        say_line(f"'{undone.branch}' is deleted: the run had made it")
    else:
        say_line(f"'{undone.branch}' is back at {shorten_id(undone.tip)}")
    if undone.pins:
        say_hint(
            f"{show_path(os.fsencode(spec))} still has {count(undone.pins, 'pin')}: "
            "remove ids from the 'hunks' of a [[commit]] to take pins back"
        )
    back = _restoring_command(undone)
    if back is not None:
        say_hint(
            f"'{shell_words(back)}' brings the undone commits back, "
            "but not their histories: --restart then builds them again"
        )


def _restoring_command(undone: UndoResult) -> list[str] | None:
    if undone.kept is None:
        return None
    return restoring_command(undone.branch, undone.kept, exists=undone.tip is not None)
