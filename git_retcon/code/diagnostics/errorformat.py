"""Vim's errorformat: the field's language for what line-oriented tools print.

``:help errorformat`` is the reference. A format is a pattern of a whole line:

    %f file  %l line  %c column  %v screen column  %e end line  %k end column  %t type (one letter)
    %n number  %m message  %r the rest of the line, read again  %p a line that points ("   ^")
    %s text of the line  %o module  %% a percent sign
    %*[..] %*\\D what is skipped  %.%# any text  %\\+ %\\? %\\( %\\) %\\| as in a regular expression

and begins, where a message has several lines, with a prefix:

    %E %W %I %N %A  the first line of an error, warning, information, note, or of any sort
    %C a line that goes on  %Z the last one  %G a line that is general: no complaint
    %D enters a directory, %X leaves it  %O %P %Q a file that the next lines are about
    %-  the line is no message   %+  the whole line is the message   %>  the next line begins here

A departure: ``%o`` is the rule that a linter names, and ``%n`` is one where nothing else is.
The text of an option of Vim (``split_option``) differs in its escapes alone.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from git_retcon.code.diagnostics.diagnostic import (
    Category,
    Diagnostic,
    PlacedMessage,
    Severity,
    make_diagnostic,
    read_number,
)
from git_retcon.code.diagnostics.line_index import LineIndex
from git_retcon.code.lazy_pattern import LazyPattern

_NUMBER = r"\d{1,9}"
_FIELDS = {
    "l": _NUMBER,
    "c": _NUMBER,
    "v": _NUMBER,
    "e": _NUMBER,
    "k": _NUMBER,
    "n": _NUMBER,
    "t": r"[A-Za-z]",
    "m": r".+",
    "r": r".*",
    "p": r"[- .\t]*\^?",
    "s": r".+",
    "o": r"\S+?",
}
_PREFIX = re.compile(r"%(?P<flag>[-+]?)(?P<kind>[EWINACZGDXOPQ>])")
_SEVERITIES = {
    "e": Severity.ERROR,
    "f": Severity.ERROR,
    "w": Severity.WARNING,
    "c": Severity.WARNING,
    "i": Severity.NOTE,
    "n": Severity.NOTE,
    "h": Severity.NOTE,
}
# In Vim's regular expressions these have no backslash's meaning, or the contrary.
_VIM_ATOMS = {"(": "(?:", ")": ")", "|": "|", "+": "+", "?": "?", "=": "?", "{": "{", "}": "}"}
_MOST_LINES = 200  # of one message


class Format(NamedTuple):
    """One format: what sort of line it is, and its pattern."""

    kind: str  # one of "EWINACZGDXOPQ", or "" for a message of one line
    flag: str  # "-", "+" or ""
    again: bool  # "%>"
    needle: str  # a literal that each such line holds; "" where there is none
    pattern: LazyPattern[str]


def split_option(text: str) -> list[str]:
    """The formats in the value of Vim's option, which separates them by commas."""
    # A comma behind a backslash is part of a format.
    parts = re.split(r"(?<!\\),", text)
    return [re.sub(r"\\([, |\"\\])", r"\1", part) for part in parts if part]


@functools.cache
def compile_format(text: str) -> Format:
    """The pattern of one format. Raises ``ValueError`` where it is none.

    Parentheses that do not match are found at the first use (``re.error``): most formats are
    never used, as no line holds their needle.
    """
    kind, flag, again, at = "", "", False, 0
    while found := _PREFIX.match(text, at):
        if found["kind"] == ">":
            again = True
        elif kind:
            break
        else:
            kind, flag = found["kind"], found["flag"]
        at = found.end()
    needle = _find_needle(text[at:])
    return Format(kind, flag, again, needle, LazyPattern(_translate_format(text[at:])))


def _find_needle(text: str) -> str:
    """The longest literal that a line of this format must hold."""
    # What a "%#" is behind may be absent, and so may a group, or what a "%\\?" is behind.
    text = re.sub(r"%?.%#", "%r", text)
    if re.search(r"%\\[(|?={]", text):
        return ""
    items = r"%\*(?:\[\^?.[^\]]*\]|\\.)|%\[\^?.[^\]]*\]|%\\?."
    return max(re.split(items, text), key=len)


def _translate_format(text: str) -> str:
    out: list[str] = []
    seen: set[str] = set()
    at = 0
    while at < len(text):
        if text[at] != "%":
            out.append(re.escape(text[at]))
            at += 1
            continue
        part, at = _translate_item(text, at + 1, seen)
        out.append(part)
    # Whole lines; tools on Windows leave a carriage return, others a space.
    return "".join(out) + r"\s*$"


def _translate_item(text: str, at: int, seen: set[str]) -> tuple[str, int]:
    """One item after its "%": its pattern, and where it ends."""
    letter = text[at : at + 1]
    if letter == "f" or letter in _FIELDS:
        pattern = _choose_file_pattern(text[at + 1 :]) if letter == "f" else _FIELDS[letter]
        # Python refuses two groups of one name; the first place is the one that counts.
        name = "" if letter in seen else f"?P<{letter}>"
        seen.add(letter)
        return f"({name}{pattern})" if name else f"(?:{pattern})", at + 1
    if letter == "*":
        return _translate_skipped(text, at + 1)
    if letter == "\\":
        escaped = text[at + 1 : at + 2]
        return _VIM_ATOMS.get(escaped, "\\" + escaped), at + 2
    if letter == "#":
        return "*", at + 1
    if letter == "[":
        end = _find_class_end(text, at)
        return (text[at:end] if end else r"\["), end or at + 1
    if letter in (".", "^", "$"):
        return letter, at + 1
    if letter in ("%", "~"):
        return re.escape(letter), at + 1
    raise ValueError(f"bad errorformat {text!r}: %{letter} is unknown")


def _choose_file_pattern(following: str) -> str:
    """A path ends before what follows it; only a drive's letter may hold a colon."""
    if following.startswith(":"):
        return r"(?:[A-Za-z]:)?[^\s:][^:]*"
    if following.startswith("%") or not following:
        return r"(?:[A-Za-z]:)?\S+?" if following else r"(?:[A-Za-z]:)?\S.*"
    return r"(?:[A-Za-z]:)?\S.*?"


def _translate_skipped(text: str, at: int) -> tuple[str, int]:
    """What ``%*`` skips: a class of characters, at least one of them."""
    if text[at : at + 1] == "[":
        end = _find_class_end(text, at)
        if not end:
            raise ValueError(f"bad errorformat {text!r}: %*[ without ]")
        return text[at:end] + "+", end
    if text[at : at + 1] == "\\":
        return text[at : at + 2] + "+", at + 2
    raise ValueError(f"bad errorformat {text!r}: %* without a class")


def _find_class_end(text: str, at: int) -> int:
    """Where a class of characters ends; a "]" that comes first is one of them. 0: nowhere."""
    begin = at + 2 + text.startswith("^", at + 1)
    return text.find("]", begin) + 1


class LineTool(NamedTuple):
    """A tool that is read by formats.

    ``hints`` are literals, one of which is in every output of it. ``severity`` is that of
    messages which say none. ``files`` ends the names of the files that it reads; empty for any.
    """

    name: str
    category: Category
    hints: tuple[str, ...]
    formats: tuple[str, ...]
    severity: Severity = Severity.ERROR
    files: tuple[str, ...] = ()
    needle: str = ""  # in every first line of a message, where such a literal exists
    message: str = ""  # where the tool has no words of its own


class _OpenMessage(NamedTuple):
    """A message whose lines are not all read."""

    fields: dict[str, str]
    kind: str
    first: int
    last: int


def read_with(tool: LineTool, lines: LineIndex) -> Iterator[Diagnostic]:
    """What the tool complains of, in order."""
    formats, needles = _compile_formats(tool.formats)
    begins = lines.find_any(needles)
    if not begins:
        return
    if all(each.kind in ("", "G") for each in formats):
        yield from _read_single(tool, formats, lines, begins)
    else:
        yield from _FormatReader(tool, formats).read(lines, begins)


@functools.cache
def _compile_formats(texts: tuple[str, ...]) -> tuple[Sequence[Format], Sequence[str]]:
    """The formats, and what lines hold that may begin a message."""
    formats = [compile_format(text) for text in texts]
    begin = (each.needle for each in formats if each.kind not in ("C", "Z"))
    return formats, tuple(dict.fromkeys(begin))


def _read_single(
    tool: LineTool, formats: Sequence[Format], lines: Sequence[str], begins: Sequence[int]
) -> Iterator[Diagnostic]:
    for at in begins:
        line = lines[at]
        if tool.needle and tool.needle not in line:
            continue
        for each in formats:
            if found := each.pattern.match(line):
                if not each.kind:
                    yield from _make_diagnostic(tool, _OpenMessage(_read_fields(found), "", at, at))
                break


class _FormatReader:
    """The state of one reading: the message that goes on, files and directories."""

    def __init__(self, tool: LineTool, formats: Sequence[Format]) -> None:
        self._tool = tool
        self._formats = formats
        self._kinds = {each.kind for each in formats}
        self._pending: _OpenMessage | None = None
        self._files: list[str] = []
        self._folders: list[str] = []
        self._begin = 0  # the format that the next line is tried with first, after "%>"

    def read(self, lines: Sequence[str], begins: Sequence[int]) -> Iterator[Diagnostic]:
        """``begins`` are the lines that may be read while no message goes on."""
        end = 0
        for begin in begins:
            # A message that went on has read the lines below its first one.
            for at in range(begin, len(lines) if begin >= end else 0):
                end = at + 1
                yield from self._read_line(lines[at], at)
                if self._pending is None and not self._begin:
                    break
        yield from self._close_message()

    def _read_line(self, line: str, at: int) -> Iterator[Diagnostic]:
        begin, self._begin = self._begin, 0
        # "%>" begins at its own format; the others come behind it, in their order.
        for number in [*range(begin, len(self._formats)), *range(begin)]:
            each = self._formats[number]
            # Nothing to go on with: such lines are often quotes of the source.
            if each.kind in ("C", "Z") and self._pending is None:
                continue
            found = each.pattern.match(line)
            if found is None:
                continue
            if each.again:
                self._begin = number
            yield from self._take_line(each, found, line, at)
            return
        if self._pending is not None and (
            at - self._pending.first > _MOST_LINES or "C" not in self._kinds
        ):
            yield from self._close_message()

    def _take_line(
        self, each: Format, found: re.Match[str], line: str, at: int
    ) -> Iterator[Diagnostic]:
        fields = _read_fields(found)
        if each.flag == "+":
            fields["m"] = _cut_place(line, found)
        if each.kind in ("E", "W", "I", "N", "A"):
            yield from self._close_message()
            self._pending = _OpenMessage(fields, each.kind, at, at)
        elif each.kind in ("C", "Z") and self._pending is not None:
            if each.flag != "-":
                self._pending = _join_messages(self._pending, fields, at)
            if each.kind == "Z":
                yield from self._close_message()
        elif each.kind == "G":
            yield from self._close_message()
        elif each.kind in ("D", "X", "O", "P", "Q"):
            yield from self._close_message()
            self._move_file(each.kind, fields)
            rest = fields.get("r", "")
            if rest:
                yield from self._read_line(rest, at)
        elif each.kind == "":
            yield from self._close_message()
            yield from self._finish_message(_OpenMessage(fields, "", at, at))

    def _move_file(self, kind: str, fields: dict[str, str]) -> None:
        file = fields.get("f", "")
        if kind == "D":
            self._folders.append(file)
        elif kind == "X":
            del self._folders[-1:]
        elif kind == "Q":
            del self._files[-1:]
        elif kind == "P":
            self._files.append(file)
        else:
            self._files[-1:] = [file]

    def _close_message(self) -> Iterator[Diagnostic]:
        if (pending := self._pending) is not None:
            self._pending = None
            yield from self._finish_message(pending)

    def _finish_message(self, pending: _OpenMessage) -> Iterator[Diagnostic]:
        if "f" not in pending.fields and self._files and self._files[-1]:
            pending.fields["f"] = self._files[-1]
        file = pending.fields.get("f", "")
        if file and self._folders and self._folders[-1] and not file.startswith("/"):
            pending.fields["f"] = f"{self._folders[-1].rstrip('/')}/{file}"
        yield from _make_diagnostic(self._tool, pending)


def _cut_place(line: str, found: re.Match[str]) -> str:
    """All of the line but the place that it begins with."""
    ends = [found.end(name) for name in ("f", "l", "c") if found.groupdict().get(name)]
    return line[max(ends, default=0) :].lstrip(" :,)")


def _read_fields(found: re.Match[str]) -> dict[str, str]:
    return {name: text for name, text in found.groupdict().items() if text}


def _join_messages(pending: _OpenMessage, fields: dict[str, str], at: int) -> _OpenMessage:
    """The message of several lines is one; of places the first counts."""
    message = " ".join(filter(None, (pending.fields.get("m"), fields.pop("m", ""))))
    merged = {**fields, **pending.fields}
    if message:
        merged["m"] = message.strip()
    return pending._replace(fields=merged, last=at)


def _make_diagnostic(tool: LineTool, pending: _OpenMessage) -> Iterator[Diagnostic]:
    fields = pending.fields
    file = fields.get("f")
    # Many tools print "file:line: message"; the suffix is what tells them apart.
    if tool.files and not (file or "").endswith(tool.files):
        return
    message = fields.get("m") or fields.get("s") or tool.message
    if not message or (file is None and "l" not in fields and pending.kind == ""):
        return
    rule = fields.get("o") or fields.get("n") or ""
    letter = (fields.get("t") or pending.kind or "").lower()
    severity = _SEVERITIES.get(letter, tool.severity)
    column = read_number(fields.get("c") or fields.get("v"))
    # A line like "   ^" points at the column below it.
    if column is None and "p" in fields:
        column = len(fields["p"].rstrip("^")) + 1
    located = PlacedMessage(
        file,
        read_number(fields.get("l")),
        message,
        column,
        severity,
        tool.category,
        rule,
        tool.name,
        pending.first,
        pending.last,
    )
    yield make_diagnostic(located)._replace(
        end_line=read_number(fields.get("e")), end_column=read_number(fields.get("k"))
    )
