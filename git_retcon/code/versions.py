"""One version of a file, with what is known of its lines."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from git_retcon.code.imports import import_lines
from git_retcon.code.languages import Language, language_of
from git_retcon.code.lexing import LineStates, scan
from git_retcon.code.outlines import Outline, outline


@dataclass(frozen=True)
class Version:
    """One version of a file, read once for everything that asks about its lines.

    What is asked for is found out then, in time linear in the file: most changes are of a line or
    two, and need little of it.
    """

    language: Language
    lines: Sequence[bytes]

    @functools.cached_property
    def states(self) -> LineStates:
        return scan(self.lines, self.language)

    @functools.cached_property
    def outline(self) -> Outline:
        return outline(self.lines, self.language)

    @functools.cached_property
    def imports(self) -> frozenset[int]:
        return import_lines(self.lines, self.states, self.language)


def read_version(path: bytes, lines: Sequence[bytes]) -> Version:
    """A version of the file at a path, by whose name the language is known."""
    return Version(language_of(path), lines)
