"""All readers of output, the surest first: a line that one took is not read by the next."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from git_retcon.code.diagnostics import (
    ava_tests,
    c_errors,
    formatters,
    generic,
    go_errors,
    go_tests,
    infrastructure,
    jasmine_tests,
    java_errors,
    java_tests,
    javascript_linters,
    javascript_tests,
    line_tools,
    make_errors,
    native_tests,
    python_errors,
    python_linters,
    python_tests,
    rust_errors,
    shell_errors,
    tap,
    typescript_errors,
    workflow_commands,
)
from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.code.diagnostics.matchers import Matcher, read_with_matchers
from git_retcon.code.diagnostics.reports import embedded


class Reader(NamedTuple):
    """``hints`` are literals, one of which is in every output worth reading.

    ``needles`` are literals by which it finds its lines (``LineIndex``).
    ``always``: asked for every step. ``by_name``: asked only where the step's command
    calls for it, since any command may print what it reads. ``sees_marks``: given the lines
    with what GitHub's runner puts before them.
    """

    name: str
    hints: Sequence[str]
    read: Callable[[Sequence[str]], Iterator[Diagnostic]]
    always: bool = False
    by_name: bool = False
    needles: Sequence[str] = ()
    sees_marks: bool = False


READERS = (
    Reader("reports", embedded.HINTS, embedded.read_diagnostics, True),
    Reader(
        "workflow commands",
        workflow_commands.HINTS,
        workflow_commands.read_diagnostics,
        True,
        sees_marks=True,
    ),
    Reader("infrastructure", infrastructure.HINTS, infrastructure.read_diagnostics, True),
    Reader(
        "python tests",
        python_tests.HINTS,
        python_tests.read_diagnostics,
        needles=python_tests.NEEDLES,
    ),
    Reader(
        "python linters",
        python_linters.HINTS,
        python_linters.read_diagnostics,
        needles=python_linters.NEEDLES,
    ),
    Reader("javascript tests", javascript_tests.HINTS, javascript_tests.read_diagnostics),
    Reader("ava tests", ava_tests.HINTS, ava_tests.read_diagnostics),
    Reader("jasmine tests", jasmine_tests.HINTS, jasmine_tests.read_diagnostics),
    Reader("javascript linters", javascript_linters.HINTS, javascript_linters.read_diagnostics),
    Reader("go tests", go_tests.HINTS, go_tests.read_diagnostics),
    Reader("java tests", java_tests.HINTS, java_tests.read_diagnostics),
    Reader("native tests", native_tests.HINTS, native_tests.read_diagnostics),
    Reader("shell", shell_errors.HINTS, shell_errors.read_diagnostics, True),
    Reader(
        "rust",
        (*rust_errors.HINTS, "error[", "warning["),
        rust_errors.read_diagnostics,
        needles=rust_errors.NEEDLES,
    ),
    Reader("go", go_errors.HINTS, go_errors.read_diagnostics),
    Reader("tap", tap.HINTS, tap.read_all),
    Reader(
        "python",
        (*python_errors.HINTS, "Warning: ", "Traceback"),
        python_errors.read_diagnostics,
        needles=python_errors.NEEDLES,
    ),
    Reader("java", java_errors.HINTS, java_errors.read_diagnostics, needles=java_errors.NEEDLES),
    Reader(
        "typescript",
        (*typescript_errors.HINTS, "Error: ", "Error ["),
        typescript_errors.read_diagnostics,
        needles=typescript_errors.NEEDLES,
    ),
    Reader("line tools", line_tools.HINTS, line_tools.read_diagnostics, True),
    Reader("c", c_errors.HINTS, c_errors.read_diagnostics, needles=c_errors.NEEDLES),
    Reader("make", make_errors.HINTS, make_errors.read_diagnostics, True),
    Reader("diffs", formatters.DIFF_HINTS, formatters.read_diffs, by_name=True),
    Reader("file lists", formatters.LIST_HINTS, formatters.read_lists, by_name=True),
    Reader("generic", generic.HINTS, generic.read_diagnostics, True),
)


def make_matcher_reader(matchers: Sequence[Matcher]) -> Reader:
    """The reader of a workflow's own problem matchers."""
    return Reader("matchers", ("",), lambda lines: read_with_matchers(lines, matchers), True)
