"""What every executable does around its command: exit codes, messages, Ctrl-C, colour.

git's manners (gitcli(7)): 0 done, 1 a truthful "no", 128 fatal, 129 usage, 130 interrupted;
``error:``, ``fatal:``, ``warning:`` and ``hint:`` in lower case on standard error.
"""

import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from git_retcon.errors import UserError
from git_retcon.show.style import printable, write_line

USAGE = 129
INTERRUPTED = 130


def execute(command: click.Command, name: str, arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command as git would, and leave the process."""
    signal.signal(signal.SIGTERM, _terminated)
    status = _status(command, name, arguments)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # whoever read our output has seen enough; nothing may complain at exit either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = status or 128 + signal.SIGPIPE
    sys.exit(status)


def _status(command: click.Command, name: str, arguments: Sequence[str] | None) -> int:
    try:
        # as it is typed: "git retcon", which git turned into git-retcon
        result = command.main(arguments, prog_name=name.replace("-", " ", 1), standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.UsageError as error:
        return _usage(error)
    except click.ClickException as error:
        say("error", error.format_message())
        return USAGE
    except (click.Abort, KeyboardInterrupt):
        say("error", "interrupted", "run the same command again: it goes on where this one ended")
        return INTERRUPTED
    except UserError as error:
        say(error.label, str(error), error.hint)
        return error.status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE


def say(label: str, message: str, hint: str | None = None) -> None:
    """One message on standard error, and what to do next."""
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
    """Unwind on SIGTERM as on Ctrl-C, so that a build's processes end with us."""
    raise KeyboardInterrupt


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:].rstrip(".")
