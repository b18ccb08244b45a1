"""One version of a file, with what is known of its lines."""

import functools
from collections.abc import Sequence

from git_retcon.code.imports import find_import_lines
from git_retcon.code.languages.known import language_of
from git_retcon.code.languages.language import Language
from git_retcon.code.lexer import LineStates, scan_lines
from git_retcon.code.outlines import Outline, read_outline


class Version:
    """One version of a file, read once for everything that asks about its lines.

    What is asked for is found out then, in time linear in the file: most changes are of a line or
    two, and need little of it.
    """

    def __init__(self, language: Language, lines: Sequence[bytes]) -> None:
        self.language = language
        self.lines = lines

    @functools.cached_property
    def states(self) -> LineStates:
        return scan_lines(self.lines, self.language)

    @functools.cached_property
    def outline(self) -> Outline:
        return read_outline(self.lines, self.language)

    @functools.cached_property
    def imports(self) -> frozenset[int]:
        return find_import_lines(self.lines, self.states, self.language)


def read_version(path: bytes, lines: Sequence[bytes]) -> Version:
    """A version of the file at a path, by whose name the language is known."""
    return know_version(language_of(path), tuple(lines))


# Cutting, facts and what binds hunks ask about the same files, one after the other.
@functools.lru_cache(maxsize=1024)
def know_version(language: Language, lines: tuple[bytes, ...]) -> Version:
    """A version of a file in a language; what was found out about it lately is kept."""
    return Version(language, lines)
