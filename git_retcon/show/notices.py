"""Messages on standard error as git words them: a label in lower case, a hint on what to do next.

What a subcommand says beside its data goes through here too, so that ``-q`` and ``GIT_ADVICE``
mean the same everywhere.
"""

import contextlib
import os
import sys
from collections.abc import Iterator

from git_retcon.show.style import Style, printable, write_line


def say(label: str, message: str, hint: str | None = None) -> None:
    """Print one message, its further lines indented, and a hint below it."""
    # there may be nobody left to read it; the exit status says the same
    with contextlib.suppress(OSError):
        lines = printable(message).splitlines() or [""]
        write_line(sys.stderr, f"{label}: {lines[0]}")
        for line in lines[1:]:
            write_line(sys.stderr, f"  {line}")
        say_hint(hint)


def say_hint(text: str | None) -> None:
    """Print a hint, line by line, unless the user has switched advice off as for git."""
    for line in hint_lines(text):
        write_line(sys.stderr, line)


def hint_lines(text: str | None) -> Iterator[str]:
    """The lines of a hint; none where the user has switched advice off as for git."""
    if text and os.environ.get("GIT_ADVICE") != "0":
        yield from (f"hint: {line}" for line in printable(text).splitlines())


def engine_lines(description: str, hint: str) -> Iterator[str]:
    """The first lines of a run: which engine, with model and budget, and how to get another."""
    yield f"Engine: {printable(description)}"
    yield from hint_lines(hint)


def warning_lines(message: str, hint: str, style: Style) -> Iterator[str]:
    """The lines of a warning among the events of a run."""
    yield f"{style.warn('warning:')} {printable(message)}"
    yield from hint_lines(hint)


def say_line(text: str) -> None:
    """Print a line about what was done."""
    write_line(sys.stderr, printable(text))
