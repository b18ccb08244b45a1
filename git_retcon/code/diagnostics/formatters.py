"""What formatters print when a file is not as they would write it: a diff, or its name alone.

Both say nothing by themselves: any command may print a diff or a name. So they are read only for
a step whose command is known to mean it so (``step_tools.py``).
"""

from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    PlacedMessage,
    make_diagnostic,
    read_number,
)
from git_retcon.code.lazy_pattern import LazyPattern

DIFF_HINTS = ("@@ -",)
LIST_HINTS = (".",)

_OLD = LazyPattern(r"^--- (?:a/)?(?P<path>[^\t]+?)(?:\.orig|:before)?(?:\t.*)?$")
_HUNK = LazyPattern(r"^@@ -(?P<line>\d{1,9})(?:,(?P<count>\d{1,9}))? \+\d{1,9}(?:,\d{1,9})? @@")
_NAME = LazyPattern(r"^(?P<path>(?:[A-Za-z]:)?[\w./\\@+ -]{1,250}\.\w{1,10})$")
_LONGEST = 500  # lines of a hunk


def read_diffs(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """The first line of each hunk that would change, in the numbers of the file as it is."""
    path = ""
    for at, line in enumerate(lines):
        below = lines[at + 1] if at + 1 < len(lines) else ""
        if line.startswith("--- ") and below.startswith("+++ "):
            found = _OLD.match(line)
            # A new file has no lines yet that could be formatted otherwise.
            path = found["path"] if found and not found["path"].startswith("/dev/") else ""
        elif line.startswith("+--- ") and below.startswith("++++ "):
            yield from _read_nested(lines, at)
        elif path and line.startswith("@@ -") and (found := _HUNK.match(line)):
            begin = read_number(found["line"]) or 1
            same, last = _find_change(lines, at + 1)
            yield _report_file(path, begin + same, at, last)


def _read_nested(lines: Sequence[str], at: int) -> Iterator[Diagnostic]:
    """A diff that is all new in another one, as ``diff <(echo -n) <(gofmt -d .)`` prints it."""
    end = next((end for end in range(at, len(lines)) if lines[end][:1] != "+"), len(lines))
    beyond = next(
        (end for end in range(at + 2, end) if lines[end].startswith("+--- ")), end
    )  # the next file of it is read when its own turn comes
    for found in read_diffs([line[1:] for line in lines[at:beyond]]):
        yield found._replace(first=at + found.first, last=at + found.last)


def _find_change(lines: Sequence[str], at: int) -> tuple[int, int]:
    """How many lines of a hunk stay before the first that does not; and where the hunk ends."""
    same, changed = 0, False
    for number in range(at, min(len(lines), at + _LONGEST)):
        sign = lines[number][:1]
        # "\" begins "\ No newline at end of file".
        if sign not in (" ", "+", "-", "\\") or lines[number].startswith("--- "):
            return same, number - 1
        changed = changed or sign in ("+", "-")
        same += not changed
    return same, min(len(lines), at + _LONGEST) - 1


def read_lists(lines: Sequence[str]) -> Iterator[Diagnostic]:
    """The lines that are the name of a file and nothing else."""
    for at, line in enumerate(lines):
        if found := _NAME.match(line):
            yield _report_file(found["path"], None, at, at)


def _report_file(path: str, line: int | None, first: int, last: int) -> Diagnostic:
    located = PlacedMessage(path, line, "not formatted", category=Category.LINT, tool="formatter")
    return make_diagnostic(located._replace(first=first, last=last))
