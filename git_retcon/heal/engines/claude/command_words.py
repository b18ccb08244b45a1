"""One command as a model writes it, split into words as a POSIX shell splits them.

Nothing is expanded and no shell runs. What a shell would do more with is refused, with the reason:
the model means something else than what would happen.
"""

import unicodedata
from collections.abc import Iterator

_LONGEST = 4_000  # characters
_OPERATORS = "|&;<>()"
_EXPANDED = "$`"
_GLOBS = "*?[]{}"
_AT_BEGINNING = "~!#"  # elsewhere in a word they are letters


class BadCommand(Exception):
    """A command that is no plain list of words; the message says why."""


def split_words(command: str) -> list[str]:
    """The words of a command. Raises BadCommand."""
    if len(command) > _LONGEST:
        raise BadCommand("the command is too long")
    for char in command:
        if char != "\t" and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            what = "more than one line" if char in "\n\r" else "an invisible character"
            raise BadCommand(f"it has {what}; give one plain command")
    words = list(_read_words(iter(command)))
    if not words:
        raise BadCommand("there is no command in it")
    if "=" in words[0]:
        raise BadCommand("variables cannot be set before a command")
    return words


def _read_words(chars: Iterator[str]) -> Iterator[str]:
    word: list[str] | None = None
    for char in chars:
        if char in " \t":
            if word is not None:
                yield "".join(word)
            word = None
            continue
        if word is None:
            word = []
            if char in _AT_BEGINNING:
                raise BadCommand(f"'{char}' is a shell's, and no shell runs: quote it")
        if char == "'":
            word.append(_read_single(chars))
        elif char == '"':
            word.append(_read_double(chars))
        elif char == "\\":
            word.append(_take_next(chars, "a backslash"))
        else:
            _refuse_meta(char)
            word.append(char)
    if word is not None:
        yield "".join(word)


def _refuse_meta(char: str) -> None:
    if char in _OPERATORS:
        raise BadCommand(f"'{char}' is a shell's, and no shell runs: give one plain command")
    if char in _EXPANDED:
        raise BadCommand(f"'{char}' is expanded by a shell, and no shell runs: write what you mean")
    if char in _GLOBS:
        raise BadCommand(f"'{char}' is expanded by a shell, and no shell runs: quote it")


def _read_single(chars: Iterator[str]) -> str:
    read: list[str] = []
    for char in chars:
        if char == "'":
            return "".join(read)
        read.append(char)
    raise BadCommand("a quote has no end")


def _read_double(chars: Iterator[str]) -> str:
    read: list[str] = []
    for char in chars:
        if char == '"':
            return "".join(read)
        if char in _EXPANDED:
            _refuse_meta(char)
        if char == "\\":
            follows = _take_next(chars, "a backslash")
            char = follows if follows in '"\\$`' else f"\\{follows}"
        read.append(char)
    raise BadCommand("a quote has no end")


def _take_next(chars: Iterator[str], what: str) -> str:
    found = next(chars, None)
    if found is None:
        raise BadCommand(f"it ends in {what}")
    return found
