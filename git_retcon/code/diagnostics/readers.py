"""All readers of output, the surest first: a line that one took is not read by the next."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from git_retcon.code.diagnostics import (
    ava_tests,
    c,
    formatters,
    generic,
    go,
    go_tests,
    infrastructure,
    java,
    java_tests,
    javascript_linters,
    javascript_tests,
    line_tools,
    make,
    native_tests,
    python,
    python_linters,
    python_tests,
    rust,
    shell,
    tap,
    typescript,
    workflow_commands,
)
from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.code.diagnostics.matchers import Matcher, read_with_matchers
from git_retcon.code.diagnostics.reports import embedded


class Reader(NamedTuple):
    """``hints`` are literals, one of which is in every output worth reading.

    ``always``: asked for every step. ``by_name``: asked only where the step's command
    calls for it, since any command may print what it reads.
    """

    name: str
    hints: Sequence[str]
    read: Callable[[Sequence[str]], Iterator[Diagnostic]]
    always: bool = False
    by_name: bool = False


READERS = (
    Reader("reports", embedded.HINTS, embedded.read, True),
    Reader("workflow commands", workflow_commands.HINTS, workflow_commands.read, True),
    Reader("infrastructure", infrastructure.HINTS, infrastructure.read, True),
    Reader("python tests", python_tests.HINTS, python_tests.read),
    Reader("python linters", python_linters.HINTS, python_linters.read),
    Reader("javascript tests", javascript_tests.HINTS, javascript_tests.read),
    Reader("ava tests", ava_tests.HINTS, ava_tests.read),
    Reader("javascript linters", javascript_linters.HINTS, javascript_linters.read),
    Reader("go tests", go_tests.HINTS, go_tests.read),
    Reader("java tests", java_tests.HINTS, java_tests.read),
    Reader("native tests", native_tests.HINTS, native_tests.read),
    Reader("shell", shell.HINTS, shell.read, True),
    Reader("rust", (*rust.HINTS, "error[", "warning["), rust.read),
    Reader("go", go.HINTS, go.read),
    Reader("tap", tap.HINTS, tap.read_all),
    Reader("python", (*python.HINTS, "Warning: ", "Traceback"), python.read),
    Reader("java", java.HINTS, java.read),
    Reader("typescript", (*typescript.HINTS, "Error: ", "Error ["), typescript.read),
    Reader("line tools", line_tools.HINTS, line_tools.read, True),
    Reader("c", c.HINTS, c.read),
    Reader("make", make.HINTS, make.read, True),
    Reader("diffs", formatters.DIFF_HINTS, formatters.read_diffs, by_name=True),
    Reader("file lists", formatters.LIST_HINTS, formatters.read_lists, by_name=True),
    Reader("generic", generic.HINTS, generic.read, True),
)


def make_matcher_reader(matchers: Sequence[Matcher]) -> Reader:
    """The reader of a workflow's own problem matchers."""
    return Reader("matchers", ("",), lambda lines: read_with_matchers(lines, matchers), True)
