"""``git heal errors``: what a check found, without running anything."""

import os
import sys
from collections.abc import Sequence

from git_retcon.errors import Fatal, Reason
from git_retcon.heal.check_report import count_rows
from git_retcon.heal.error_report import error_members, list_error_lines, sort_errors
from git_retcon.heal.found_errors import FoundError
from git_retcon.heal.records.run_errors import ErrorFilter, is_at, read_errors
from git_retcon.heal.records.runs import find_run
from git_retcon.heal.subcommands.run_choice import (
    Records,
    choose_run,
    describe_run,
    open_records,
    run_members,
)
from git_retcon.options import Output
from git_retcon.show.counting import count
from git_retcon.show.envelope import Ending
from git_retcon.show.notices import say_line
from git_retcon.show.style import style_of, write_line


def show_errors(
    paths: Sequence[str], run: str | None, workflow: str, job: str, output: Output
) -> Ending:
    """Print the errors of a run, of the last one of this checkout unless one is named."""
    with open_records() as records:
        chosen = choose_run(records, run)
        named = tuple(_resolve_path(path, records) for path in paths)
        only = ErrorFilter(named, workflow, job)
        errors = [one.found for one in read_errors(records.database, chosen.number, only)]
        _refuse_missing(paths, named, errors, records)
        setting = records.repository.config.get
    if not output.json:
        if not output.quiet:
            say_line(describe_run(chosen))
        style = style_of(sys.stdout, output, setting)
        room = None if output.verbose else count_rows()
        for line in list_error_lines(errors, style, room, ids=True):
            write_line(sys.stdout, line)
        if not output.quiet:
            say_line(_count_errors(errors))
    ordered = [error_members(error) for error in sort_errors(errors)]
    return Ending(data={"run": run_members(chosen), "errors": ordered})


def _count_errors(errors: Sequence[FoundError]) -> str:
    files = {error.path for error in errors if error.path is not None}
    where = f" in {count(len(files), 'file')}" if files else ""
    return f"{count(len(errors), 'error')}{where}"


def _refuse_missing(
    paths: Sequence[str], named: Sequence[bytes], errors: Sequence[FoundError], records: Records
) -> None:
    """Raise Fatal for what is no file now and was none when it was checked: "0 errors" would be an
    answer to another question.
    """
    for given, path in zip(paths, named, strict=True):
        known = any(is_at(error.path, path) for error in errors)
        if known or os.path.lexists(os.path.join(records.checkout, path)):  # noqa: PTH118
            continue
        command = ["git", "heal", "errors", f"--run={given}"]
        hint, commands = "name files and folders of this checkout", []
        if find_run(records.database, given) is not None:
            hint, commands = f"'{' '.join(command)}' lists those of a run", [command]
        raise Fatal(
            f"there is no file '{given}'", hint=hint, reason=Reason.INVALID, commands=commands
        )


def _resolve_path(named: str, records: Records) -> bytes:
    """A path that is given from this folder, from the top of the checkout."""
    whole = os.path.join(records.prefix, os.fsencode(named))  # noqa: PTH118
    if os.path.isabs(whole):  # noqa: PTH117
        whole = os.path.relpath(whole, records.checkout)
    path = os.path.normpath(whole)
    if path == b".." or path.startswith(b"../"):
        raise Fatal(
            f"'{named}' is outside of the repository",
            hint="name files and folders of it",
            reason=Reason.INVALID,
        )
    return b"" if path == b"." else path
