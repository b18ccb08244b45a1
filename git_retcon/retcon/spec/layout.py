"""A specification's text in sections, so that an edit of one commit touches no byte of another.

A section is one ``[[commit]]`` with everything that belongs to it, or the text between two of them.
Joined, the sections are the text again. Only the section that is edited is parsed, which keeps a
save as cheap for the five hundredth commit as for the first.
"""

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple


@functools.cache
def _token_pattern() -> re.Pattern[str]:
    """Everything in TOML that can hold a bracket or the end of a line, or is one."""
    return re.compile(
        r'"""(?:\\.|[^\\])*?""""{0,2}|\'\'\'.*?\'\'\'\'{0,2}'
        r'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}\n]',
        re.DOTALL,
    )


@functools.cache
def _header_pattern() -> re.Pattern[str]:
    return re.compile(r"(\[\[?)\s*(\"[^\"\n]*\"|'[^'\n]*'|[\w-]+)\s*(\.)?")


class UnwritableTable(Exception):
    """The table would not keep its bytes if a key of it were written."""


class Header(NamedTuple):
    """The line of one ``[table]`` or ``[[table]]``; offsets count characters of the text."""

    start: int
    stop: int
    line: int  # counted from 1
    name: str  # the first key of a dotted name
    is_dotted: bool
    is_array: bool

    @property
    def begins_commit(self) -> bool:
        """Whether this is a ``[[commit]]`` itself."""
        return self.name == "commit" and self.is_array and not self.is_dotted


class Section(NamedTuple):
    """A header line (empty for what comes before the first) and what is below it."""

    header: str
    body: str
    is_commit: bool

    @property
    def text(self) -> str:
        return self.header + self.body


class Layout(NamedTuple):
    """The sections of one text, in order."""

    sections: tuple[Section, ...]

    @property
    def text(self) -> str:
        return "".join(section.text for section in self.sections)

    @property
    def commits(self) -> tuple[int, ...]:
        """The indices of the sections that are commits."""
        return tuple(at for at, section in enumerate(self.sections) if section.is_commit)

    def with_body(self, at: int, body: str) -> "Layout":
        """The layout with another body in one section."""
        changed = self.sections[at]._replace(body=body)
        return Layout((*self.sections[:at], changed, *self.sections[at + 1 :]))

    def with_commit(self, body: str) -> "Layout":
        """The layout with a ``[[commit]]`` below the last one, set off by blank lines."""
        last = self.commits[-1]
        above = self.sections[last]
        end = above.text[len(above.text.rstrip()) :]
        above = above._replace(body=above.body + "\n" * (2 - end.count("\n")))
        below = self.sections[last + 1 :]
        added = Section("[[commit]]\n", body + ("\n" if below else ""), is_commit=True)
        return Layout((*self.sections[:last], above, added, *below))


def divide_text(text: str) -> Layout:
    """Divide a text that is TOML into its sections.

    A ``[commit.…]`` table belongs to the commit above it.
    """
    starts = [
        header
        for header in find_headers(text)
        if header.begins_commit or not (header.name == "commit" and header.is_dotted)
    ]
    sections = [Section("", text[: starts[0].start if starts else len(text)], is_commit=False)]
    stops = [*(header.start for header in starts), len(text)][1:]
    for header, stop in zip(starts, stops, strict=True):
        line, body = text[header.start : header.stop], text[header.stop : stop]
        sections.append(Section(line, body, header.begins_commit))
    return Layout(tuple(sections))


def hide_long_strings(text: str) -> str:
    """The text with its lines, but without comments and what multi-line strings hold."""
    return _token_pattern().sub(_hide_inside, text)


def _hide_inside(token: re.Match[str]) -> str:
    if token[0].startswith(("#", '"""', "'''")):
        return re.sub(r"[^\n]", " " if token[0][0] == "#" else '"', token[0])
    return token[0]


def find_headers(text: str) -> Iterator[Header]:
    """Every table header of a text that is TOML, never one inside a string or an array."""
    depth, line, start = 0, 1, 0
    tokens = _token_pattern().finditer(text)
    for token in tokens:
        first = token[0][0]
        if first == "\n":
            line, start = line + 1, token.end()
            continue
        # A header is the first thing on its line, and outside of every array.
        if first == "[" and depth == 0 and not text[start : token.start()].strip():
            header = _read_header(text, start, token.start(), line)
            if header is not None:
                yield header
                line, start = line + 1, header.stop
                _skip_to(tokens, header.stop)
                continue
        if first in "[{":
            depth += 1
        elif first in "]}":
            depth -= 1
        line += token[0].count("\n")


def _read_header(text: str, start: int, at: int, line: int) -> Header | None:
    found = _header_pattern().match(text, at)
    if found is None:
        return None
    stop = text.find("\n", at) + 1 or len(text)
    return Header(start, stop, line, found[2].strip("\"'"), bool(found[3]), found[1] == "[[")


def _skip_to(tokens: Iterator[re.Match[str]], stop: int) -> None:
    """Read on to the end of a line whose brackets are already understood."""
    for token in tokens:
        if token.end() >= stop:
            return
