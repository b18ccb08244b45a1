"""What every executable does around its command: exit codes, messages, JSON, Ctrl-C, colour.

git's manners (gitcli(7)): 0 done, 1 the answer is no, 128 fatal, 129 usage, 130 interrupted;
``error:``, ``fatal:``, ``warning:`` and ``hint:`` in lower case on standard error. With ``--json``
the envelope is the last thing on standard output, after an error too.
"""

import atexit
import contextlib
import gc
import os
import signal
import sys
from collections.abc import Sequence
from typing import NamedTuple, NoReturn, TextIO

import click

from git_retcon.commands.options import OUTPUT, RequestedOutput
from git_retcon.errors import (
    Reason,
    UserError,
    has_written_nothing,
    lower_first,
    options_done_with,
)
from git_retcon.show.counting import all_of
from git_retcon.show.envelope import FAILED, Ending, Failure
from git_retcon.show.notices import say, say_hint
from git_retcon.show.style import enable_windows_console, write_line

FATAL = 128
USAGE = 129
INTERRUPTED = 130
_ROOM = "free some space or correct its permissions, then run the same command again"
_REPORT = "please report it with the lines above; nothing saved so far is lost"


class Call(NamedTuple):
    """One command line: the executable's name and the words behind it."""

    name: str
    words: tuple[str, ...]
    subcommands: frozenset[str]

    @property
    def spelling(self) -> str:
        """As people type it: "git retcon", which git turned into git-retcon."""
        return self.name.replace("-", " ", 1)

    @property
    def asked(self) -> RequestedOutput:
        """How to speak, as far as the words alone say it: they may be wrong usage."""
        options = self.words[: self.words.index("--")] if "--" in self.words else self.words
        return RequestedOutput(json="--json" in options, events="--events" in options)

    @property
    def parts(self) -> tuple[list[str], list[str]]:
        """The words up to where an option may be added, and those behind it."""
        first = 1 if self.words[:1] and self.words[0] in self.subcommands else 0
        return [*self.spelling.split(), *self.words[:first]], list(self.words[first:])


def execute(command: click.Command, name: str, arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command as git would, and leave the process."""
    _open_streams()
    enable_windows_console()
    spare_collections()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks
            signal.signal(number, _raise_interrupt)
    words = tuple(sys.argv[1:] if arguments is None else arguments)
    subcommands = frozenset(command.commands) if isinstance(command, click.Group) else frozenset()
    try:
        status = _run_command(command, Call(name, words, subcommands))
        sys.stdout.flush()
    except BrokenPipeError:
        status = 128 + signal.SIGPIPE
    except OSError as error:  # the last of the output is written here only
        say("fatal", f"cannot write the output: {lower_first(error.strerror or str(error))}", _ROOM)
        status = FATAL
    _silence_broken(sys.stdout, sys.stderr)
    sys.exit(status)


def spare_collections() -> None:
    """Look for cycles of garbage rarely: a command makes much that lives to its end, few cycles.

    Looking as often as Python does costs a tenth of a run, and its last look another tenth.
    """
    gc.set_threshold(100_000, 20, 20)
    atexit.register(gc.freeze)


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
    """The reader of our output has closed it: Python may not complain of it at exit either."""
    for stream in streams:
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run_command(command: click.Command, call: Call) -> int:
    """Run the command and write its envelope; the exit status."""
    asked = call.asked
    try:
        # not through main(), which ends a broken pipe with 1, which means "no"
        with command.make_context(call.spelling, list(call.words)) as context:
            try:
                ending = command.invoke(context)
            finally:
                asked = context.meta.get(OUTPUT, asked)
    except click.exceptions.Exit as error:
        return error.exit_code
    except BrokenPipeError:
        raise
    except (click.Abort, KeyboardInterrupt) as interrupt:
        # Python would kill itself at exit where the interrupt came while a string was executed,
        # as dataclasses are made; the next string forgets that.
        exec("")
        status, failure = INTERRUPTED, _report_interrupt(interrupt, call)
    except Exception as error:
        status, failure = _explain_error(error, call)
    else:
        assert isinstance(ending, Ending), "a subcommand ends with an Ending"
        _write_ending(asked, ending, call)
        return 1 if ending.failure else 0
    with contextlib.suppress(OSError):  # the error itself may be that nothing can be written
        _write_ending(asked, Ending(FAILED, failure=failure), call, closing=True)
    return status


def _write_ending(
    asked: RequestedOutput, ending: Ending, call: Call, *, closing: bool = False
) -> None:
    """Write the JSON that ends a command; ``closing``: no event has said it yet."""
    if not (asked.json or asked.events):
        return
    from git_retcon.show.envelope import next_commands, print_envelope

    following = next_commands(ending.failure, *call.parts) if ending.failure else []
    if asked.events and closing and ending.failure:
        from git_retcon.show.events import Failed, write_event

        write_event(sys.stdout, Failed.of(ending.failure, following))
    if asked.json:
        print_envelope(sys.stdout, ending, following)


def _report_interrupt(interrupt: BaseException, call: Call) -> Failure:
    usual = "run the same command again: it goes on where this one ended"
    hint = _choose_hint(
        interrupt, "nothing was written" if has_written_nothing(interrupt) else usual, call
    )
    say("error", "interrupted", hint)
    done_with = options_done_with(interrupt)
    return Failure(Reason.INTERRUPTED, "interrupted", hint, done_with=done_with)


def _choose_hint(error: BaseException, hint: str, call: Call) -> str:
    """The hint, and which options of this command line must not be repeated."""
    named = [option for option in options_done_with(error) if option in call.words]
    return f"{hint}; leave out {all_of(named)} this time" if named else hint


def _explain_error(error: Exception, call: Call) -> tuple[int, Failure]:
    """Say what went wrong; the exit status, and the same for programs."""
    from git_retcon.show.envelope import failure_of

    if isinstance(error, UserError):
        hint = error.hint and _choose_hint(error, error.hint, call)
        say(error.label, str(error), hint)
        return error.status, failure_of(error)._replace(hint=hint)
    if isinstance(error, click.ClickException):
        return USAGE, _wrong_usage(error, call)
    if isinstance(error, OSError):
        where = f": '{os.fsdecode(error.filename)}'" if error.filename else ""
        message = f"{lower_first(error.strerror or str(error))}{where}"
        hint, done_with = _choose_hint(error, _ROOM, call), options_done_with(error)
        say("fatal", message, hint)
        return FATAL, Failure(Reason.NOT_READY, message, hint, again=(), done_with=done_with)
    import traceback

    traceback.print_exception(error)  # a bug shows as one, and never as a "no"
    message = f"this is a bug in {call.name}"
    say("fatal", message, _REPORT)
    return FATAL, Failure(Reason.BUG, message, _REPORT)


def _wrong_usage(error: click.ClickException, call: Call) -> Failure:
    message = lower_first(error.format_message())
    say("error", message)
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context else call.spelling
    hint = f"'{path} -h' lists the options"
    if context is not None:
        write_line(sys.stderr, context.get_usage())
        say_hint(hint)
    return Failure(Reason.USAGE, message, hint, commands=[[*path.split(), "-h"]])


def _raise_interrupt(*_: object) -> NoReturn:
    """Unwind on SIGTERM and SIGHUP as on Ctrl-C, so that a build's processes end with us."""
    raise KeyboardInterrupt
