"""The text that tools printed, fit to be read by line: no colours, no carriage returns."""

from collections.abc import Iterator, Sequence

from git_retcon.code.lazy_pattern import LazyPattern

# What a build prints beyond this names nothing new; the head and the tail are kept.
_MOST_BYTES = 2 * 1024 * 1024
# A longer line is data, not a message; the cut also bounds what a regular expression can cost.
_LONGEST_LINE = 1000
# Records in JSON stand on one line, which no regular expression reads.
_LONGEST_RECORD = 64 * 1024

_CONTROL = LazyPattern(
    r"\x1b\[[0-9;:?<=>]{0,40}[ -/]{0,4}[@-~]"
    r"|\x1b\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)"
    r"|\x1b[()][0-9A-Z]"  # a set of characters
    r"|\x1b[@-Z\\^_]"
)
# 2024-01-01T00:00:00.0000000Z of a log that GitHub keeps, with job and step before it where
# `gh run view --log` printed it.
_TIMESTAMP = LazyPattern(
    r"^(?:[^\t\n]{1,120}\t[^\t\n]{1,120}\t)?\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z ?"
)
# [workflow/job   ]   | of act
_ACT = LazyPattern(r"^\[[^\]\n]{1,120}\] {1,4}\| ?")
_SAMPLED = 20  # lines
# What Ant puts before each line that a task prints, so that it begins at the thirteenth column.
_ANT = tuple(
    f"[{task}]".rjust(11)
    for task in ("javac", "junit", "junitlauncher", "testng", "java", "exec", "apply", "javadoc")
)
# Below such a line, pip, uv and cargo print what a program that they started said, indented.
_QUOTED = LazyPattern(
    r"^(?P<indent> *(?:╰─> )?)\[(?:\d+ lines? of output|stdout|stderr)\]$"
    r"|^(?P<margin> +)--- std(?:out|err)$"
)
_QUOTES = ("of output]", "[stdout]", "[stderr]", "--- stdout", "--- stderr")


def split_output(output: bytes) -> Sequence[str]:
    """The lines of what was printed. Bytes that are no UTF-8 survive as lone surrogates."""
    if len(output) > _MOST_BYTES:
        # The first errors are at the head, the summary and the exit at the tail.
        half = _MOST_BYTES // 2
        output = output[:half] + b"\n" + output[-half:]
    return _strip_tools([line[:_LONGEST_LINE] for line in split_text(output)])


def split_text(output: bytes) -> list[str]:
    """The lines without colours, of any length."""
    text = output.decode("utf-8", "surrogateescape")
    if "\x1b" in text:
        text = _CONTROL.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def cut_lines(lines: Sequence[str]) -> Sequence[str]:
    """The part of each line that is read."""
    if max(map(len, lines), default=0) <= _LONGEST_LINE:
        return lines
    return [cut_line(line) for line in lines]


def cut_line(line: str) -> str:
    """The part of a line that is read: all of a JSON record, else what may be a message."""
    if len(line) <= _LONGEST_LINE:
        return line
    return line[: _LONGEST_RECORD if line.startswith(("{", "[")) else _LONGEST_LINE]


def strip_prefixes(lines: Sequence[str]) -> Sequence[str]:
    """The lines as the tool printed them whose words they are: without what is before each,
    a time, the name of a job or a task, or an indentation.

    A runner's is looked for where some of the first lines have it: no tool's message begins so.
    """
    sampled = [line for line in lines[:_SAMPLED] if line]
    for prefix in (_TIMESTAMP, _ACT):
        if any(prefix.match(line) for line in sampled):
            lines = [prefix.sub("", line) for line in lines]
            break
    return _strip_tools(lines)


def _strip_tools(lines: Sequence[str]) -> Sequence[str]:
    """The lines without what a tool puts before each line of another tool that it runs."""
    if any(line.startswith(_ANT) for line in lines):
        lines = [
            line[line.index("]") + 1 :].removeprefix(" ") if line.startswith(_ANT) else line
            for line in lines
        ]
    return list(_strip_margins(lines)) if any(line.endswith(_QUOTES) for line in lines) else lines


def _strip_margins(lines: Sequence[str]) -> Iterator[str]:
    width = 0
    for line in lines:
        # What is less indented is no part of what is quoted.
        if line[:width].strip():
            width = 0
        rest = line[width:]
        if found := _QUOTED.match(rest):
            width += len(found["indent"] or found["margin"] or "")
        yield rest
