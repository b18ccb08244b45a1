"""The commands in a shell script, roughly: enough to see which programs it calls, with what.

Not a shell's parser. Quotes, comments, here-documents and substitutions are understood, expansions
are left as they are written.
"""

import functools
import re
from collections.abc import Iterator

_KEYWORDS = frozenset({"!", "do", "elif", "else", "if", "then", "time", "until", "while", "{"})
# What follows these is no command.
_OTHER_KEYWORDS = frozenset({"case", "for", "function", "select"})


@functools.cache  # each who asks about a script reads all of it
def read_commands(script: str) -> tuple[tuple[str, ...], ...]:
    """The words of each simple command, without assignments before it."""
    return tuple(_list_commands(script))


def _list_commands(script: str) -> Iterator[tuple[str, ...]]:
    for words in _Reader(script).read():
        start = 0
        while start < len(words) and (
            words[start] in _KEYWORDS or _assignment().match(words[start])
        ):
            start += 1
        if start < len(words) and words[start] not in _OTHER_KEYWORDS:
            yield tuple(words[start:])


@functools.cache
def _assignment() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")


@functools.cache
def _heredoc() -> re.Pattern[str]:
    return re.compile(r"<<(-?)[ \t]*(['\"]?)([A-Za-z_][A-Za-z0-9_]*)\2")


class _Reader:
    """Goes through the characters once. What a substitution interrupts waits on a stack."""

    def __init__(self, script: str) -> None:
        self._script = script
        self._at = 0
        self._words: list[str] = []
        self._word: list[str] | None = None
        self._quoted = False
        self._waiting: list[tuple[list[str], list[str] | None, bool]] = []
        self._documents: list[tuple[bool, str]] = []
        self._done: list[list[str]] = []

    def read(self) -> list[list[str]]:
        while self._at < len(self._script):
            self._read_one(self._script[self._at])
        # A substitution that is never closed: its commands are read all the same.
        while self._waiting:
            self._leave_nested()
        self._end_command()
        return self._done

    def _read_one(self, char: str) -> None:
        if char == "\\":
            self._read_escape()
        elif self._script.startswith("$(", self._at):
            self._enter_nested(2)
        elif char == '"':
            self._quoted = not self._quoted
            self._add_text("")
        elif self._quoted:
            self._add_text(char)
        else:
            self._read_unquoted(char)

    def _read_unquoted(self, char: str) -> None:
        found = _heredoc().match(self._script, self._at) if char == "<" else None
        if char == "'":
            end = self._script.find("'", self._at + 1)
            end = end if end >= 0 else len(self._script)
            self._add_text(self._script[self._at + 1 : end], end + 1 - self._at)
        elif char == "#" and self._word is None:
            end = self._script.find("\n", self._at)
            self._at = end if end >= 0 else len(self._script)
        elif self._script.startswith("<<<", self._at):
            self._add_text("<<<", 3)
        elif found:
            self._documents.append((bool(found[1]), found[3]))
            self._at = found.end()
        elif char == "\n":
            self._end_line()
        else:
            self._read_sign(char)

    def _read_sign(self, char: str) -> None:
        if char in " \t\r":
            self._end_word()
            self._at += 1
        elif char == "(":
            self._end_command()
            self._enter_nested(1)
        elif char == ")":
            self._leave_nested()
            self._at += 1
        # A backquote begins and ends a command, and nobody nests them.
        elif char in ";&|`":
            self._end_command()
            self._at += 1
        else:
            self._add_text(char)

    def _read_escape(self) -> None:
        following = self._script[self._at + 1 : self._at + 2]
        if following == "\n":
            self._at += 2
        else:
            self._add_text(following, 2)

    def _add_text(self, text: str, length: int = 1) -> None:
        if self._word is None:
            self._word = []
        self._word.append(text)
        self._at += length

    def _end_word(self) -> None:
        if self._word is not None:
            self._words.append("".join(self._word))
        self._word = None

    def _end_command(self) -> None:
        self._end_word()
        if self._words:
            self._done.append(self._words)
        self._words = []

    def _end_line(self) -> None:
        self._end_command()
        self._at += 1
        for indented, word in self._documents:
            self._skip_document(indented, word)
        self._documents = []

    def _skip_document(self, indented: bool, word: str) -> None:
        while self._at < len(self._script):
            end = self._script.find("\n", self._at)
            end = end if end >= 0 else len(self._script)
            line = self._script[self._at : end]
            self._at = end + 1
            if (line.lstrip("\t") if indented else line) == word:
                return

    def _enter_nested(self, length: int) -> None:
        self._waiting.append((self._words, self._word, self._quoted))
        self._words, self._word, self._quoted = [], None, False
        self._at += length

    def _leave_nested(self) -> None:
        self._end_command()
        if self._waiting:
            self._words, self._word, self._quoted = self._waiting.pop()
