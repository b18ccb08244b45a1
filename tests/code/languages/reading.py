"""What the readers make of a few lines of a language, in short."""

from git_retcon.code.definitions import find_definitions
from git_retcon.code.imports import find_import_lines
from git_retcon.code.languages.known import language_of
from git_retcon.code.lexer import scan_lines


def defined(path: bytes, text: str) -> list[str]:
    """The names that the lines define, one after the other."""
    lines = text.encode().splitlines(keepends=True)
    return [name for line in lines for name in find_definitions(line, language_of(path))]


def imported(path: bytes, text: str) -> list[int]:
    """The numbers (from 0) of the lines that only bring names in."""
    lines, language = text.encode().splitlines(keepends=True), language_of(path)
    return sorted(find_import_lines(lines, scan_lines(lines, language), language))


def opened(path: bytes, text: str) -> list[bool]:
    """Of each line but the first, whether it begins in a string or a comment."""
    lines = text.encode().splitlines(keepends=True)
    return list(scan_lines(lines, language_of(path)).is_open[1:-1])


def attached(path: bytes, line: str) -> bool:
    """Whether a line belongs to the line that follows."""
    pattern = language_of(path).attached
    return pattern is not None and pattern.match(line.encode()) is not None
