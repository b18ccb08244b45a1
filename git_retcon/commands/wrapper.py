"""What every executable does around its command: exit codes, messages, Ctrl-C, colour.

git's manners (gitcli(7)): 0 done, 1 a truthful "no", 128 fatal, 129 usage, 130 interrupted;
``error:``, ``fatal:``, ``warning:`` and ``hint:`` in lower case on standard error.
"""

import contextlib
import gc
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn, TextIO

import click

from git_retcon.errors import UserError
from git_retcon.show.style import enable_windows_console, printable, write_line

FATAL = 128
USAGE = 129
INTERRUPTED = 130
_MEND = "free some space or mend its permissions, then run the same command again"
_REPORT = "please report it with the lines above; nothing saved so far is lost"


def execute(command: click.Command, name: str, arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command as git would, and leave the process."""
    _open_streams()
    enable_windows_console()
    # A command makes much that lives to its end and few cycles: looking for those costs a tenth.
    gc.set_threshold(100_000, 20, 20)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks
            signal.signal(number, _terminated)
    try:
        status = _status(command, name, arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        status = 128 + signal.SIGPIPE
    except OSError as error:  # the last of the output is written here only
        say("fatal", f"cannot write the output: {_lower(error.strerror or str(error))}", _MEND)
        status = FATAL
    _silence_broken(sys.stdout, sys.stderr)
    sys.exit(status)


def _open_streams() -> None:
    """Give a process that was started with closed streams some that lead nowhere."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
    sys.stdin = sys.stdin or os.fdopen(0, closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


def _silence_broken(*streams: TextIO) -> None:
    """Whoever read our output has seen enough: Python may not complain of it at exit either."""
    for stream in streams:
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _status(command: click.Command, name: str, arguments: Sequence[str] | None) -> int:
    try:
        given = list(sys.argv[1:] if arguments is None else arguments)
        # as it is typed: "git retcon", which git turned into git-retcon; and not through main(),
        # which ends a broken pipe with 1, a truthful "no"
        with command.make_context(name.replace("-", " ", 1), given) as context:
            result = command.invoke(context)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.UsageError as error:
        return _usage(error)
    except click.ClickException as error:
        say("error", error.format_message())
        return USAGE
    except (click.Abort, KeyboardInterrupt):
        # Python would kill itself at exit where the interrupt came while a string was executed,
        # as dataclasses are made; the next string forgets that.
        exec("")
        say("error", "interrupted", "run the same command again: it goes on where this one ended")
        return INTERRUPTED
    except UserError as error:
        say(error.label, str(error), error.hint)
        return error.status
    except BrokenPipeError:
        raise
    except OSError as error:
        where = f": '{os.fsdecode(error.filename)}'" if error.filename else ""
        say("fatal", f"{_lower(error.strerror or str(error))}{where}", _MEND)
        return FATAL
    except Exception:  # a bug, which shows as one, but never as a truthful "no"
        traceback.print_exc()
        say("fatal", f"this is a bug in {name}", _REPORT)
        return FATAL


def say(label: str, message: str, hint: str | None = None) -> None:
    """One message on standard error, and what to do next."""
    # there may be nobody left to read it; the exit status says the same
    with contextlib.suppress(OSError):
        _say(label, message, hint)


def _say(label: str, message: str, hint: str | None) -> None:
    lines = printable(message).splitlines() or [""]
    write_line(sys.stderr, f"{label}: {lines[0]}")
    for line in lines[1:]:
        write_line(sys.stderr, f"  {line}")
    _hint(hint)


def _hint(text: str | None) -> None:
    if text and os.environ.get("GIT_ADVICE") != "0":
        for line in printable(text).splitlines():
            write_line(sys.stderr, f"hint: {line}")


def _usage(error: click.UsageError) -> int:
    say("error", _lower(error.format_message()))
    if error.ctx is not None:
        write_line(sys.stderr, error.ctx.get_usage())
        _hint(f"'{error.ctx.command_path} -h' lists the options")
    return USAGE


def _terminated(*_: object) -> NoReturn:
    """Unwind on SIGTERM and SIGHUP as on Ctrl-C, so that a build's processes end with us."""
    raise KeyboardInterrupt


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:].rstrip(".")
