"""The one JSON object of ``--json``, the same for every subcommand (git-retcon(1), OUTPUT).

    {"version": 1, "status": "done", …the data…}
    {"version": 1, "status": "failed", …the data…, "reason": "locked", "retryable": true,
     "error": "…", "hint": "…", "next": [["git", "retcon", "undo"]]}

The last five members are there if, and only if, the command failed.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TextIO

from git_retcon.errors import Reason, UserError, options_done_with
from git_retcon.show.style import write_line

VERSION = 1
DONE = "done"
FAILED = "failed"
PLANNED = "planned"  # of every --dry-run: what would be done

Argv = Sequence[str]


class Failure(NamedTuple):
    """Why a command failed, and what goes on; ``again`` and ``commands`` as in UserError.

    ``done_with`` are options of the command that must not be repeated: they had their effect.
    """

    reason: Reason
    error: str
    hint: str | None = None
    again: Sequence[str] | None = None
    commands: Sequence[Argv] = ()
    done_with: Sequence[str] = ()


class Ending(NamedTuple):
    """How a command ended. ``data`` is what ``--json`` prints; people have seen it already.

    ``status`` is one word; a failure makes the exit status 1.
    """

    status: str = DONE
    data: Mapping[str, object] = {}
    failure: Failure | None = None


def failure_of(error: UserError) -> Failure:
    """An error as programs read it."""
    done_with = options_done_with(error)
    return Failure(error.reason, str(error), error.hint, error.again, error.commands, done_with)


def next_commands(failure: Failure, prefix: Argv, rest: Argv) -> list[list[str]]:
    """The argument vectors that go on after a failure.

    The command that failed is ``prefix``, behind which options may be added, and ``rest``.
    """
    again = () if failure.again is None and failure.reason.is_retryable else failure.again
    kept = leave_out(failure.done_with, rest)
    same = [] if again is None else [[*prefix, *again, *kept]]
    return [*same, *(list(command) for command in failure.commands)]


def leave_out(options: Sequence[str], words: Argv) -> list[str]:
    """The words of a command line without some of its options, which take no value."""
    names = list(words)
    end = names.index("--") if "--" in names else len(names)
    return [word for word in names[:end] if word not in options] + names[end:]


def print_envelope(stream: TextIO, ending: Ending, following: Sequence[Argv] = ()) -> None:
    """Write the object, indented, as the last thing on a stream."""
    import json  # late: most commands are read by people

    whole: dict[str, object] = {"version": VERSION, "status": ending.status, **ending.data}
    if ending.failure is not None:
        failure = ending.failure
        whole |= {
            "reason": failure.reason.value,
            "retryable": failure.reason.is_retryable,
            "error": failure.error,
            "hint": failure.hint,
            "next": [list(command) for command in following],
        }
    write_line(stream, json.dumps(whole, indent=2))
