"""All readers of output, the surest first: a line that one took is not read by the next."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from git_retcon.code.diagnostics import (
    c,
    go,
    infrastructure,
    java,
    make,
    python,
    python_linters,
    python_tests,
    rust,
    tap,
    typescript,
    workflow_commands,
)
from git_retcon.code.diagnostics.diagnostic import Diagnostic


class Reader(NamedTuple):
    """``hints`` are literals, one of which is in every output worth reading.

    ``always``: asked whatever tools a step runs.
    """

    name: str
    hints: Sequence[str]
    read: Callable[[Sequence[str]], Iterator[Diagnostic]]
    always: bool = False


READERS = (
    Reader("workflow commands", workflow_commands.HINTS, workflow_commands.read, True),
    Reader("infrastructure", infrastructure.HINTS, infrastructure.read, True),
    Reader("python tests", python_tests.HINTS, python_tests.read),
    Reader("python linters", python_linters.HINTS, python_linters.read),
    Reader("rust", rust.HINTS, rust.read),
    Reader("go", go.HINTS, go.read),
    Reader("typescript", typescript.HINTS, typescript.read),
    Reader("tap", tap.HINTS, tap.read),
    Reader("python", python.HINTS, python.read),
    Reader("java", java.HINTS, java.read),
    Reader("c", c.HINTS, c.read),
    Reader("make", make.HINTS, make.read, True),
)
