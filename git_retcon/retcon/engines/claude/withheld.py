"""What never leaves this machine (``retcon.neverSend``): named only, its content never shown."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from git_retcon.files.patterns import read_protective_patterns
from git_retcon.git.atoms import Atom
from git_retcon.git.difference import Difference
from git_retcon.git.repository import Repository
from git_retcon.git.trees import object_size, read_object

# Shorter lines (a brace, "return") are everybody's.
_SHORTEST_LINE = 6
_MOST_LINES = 20_000
_LARGEST_FILE = 1024 * 1024
_HIDDEN = "[a line of a withheld file]"


@dataclass(frozen=True)
class Withheld:
    """The patterns, as ``.gitignore`` reads them."""

    patterns: Sequence[str] = ()

    def matches(self, path: bytes) -> bool:
        """Whether a path, or a directory above it, is withheld in any spelling."""
        return read_protective_patterns(self.patterns).matches(path)

    def holds(self, atom: Atom) -> bool:
        """Whether any path that a piece touches is withheld (a rename touches two)."""
        paths = {atom.path, *(entry.path for entry in atom.entries)}
        return any(self.matches(path) for path in paths)


class Quotations:
    """Finds lines of withheld files in what commands print.

    Best effort: a line that a tool shortens, wraps or changes is not found.
    """

    def __init__(self, withheld: Withheld, repository: Repository, difference: Difference) -> None:
        self._withheld = withheld
        self._repository = repository
        self._difference = difference

    def hidden(self, text: str, tree: str) -> str:
        """The text without lines of withheld files of the difference, or of ``tree``."""
        if not self._withheld.patterns:
            return text
        lines = sorted(set(self._lines(tree)), key=len, reverse=True)[:_MOST_LINES]
        if not lines:
            return text
        return re.sub("|".join(map(re.escape, lines)), _HIDDEN, text)

    def _lines(self, tree: str) -> Iterator[str]:
        for atom in self._difference.atoms:
            if self._withheld.holds(atom):
                yield from _telling((*atom.removed, *atom.added))
        odb = self._repository.objects.odb
        for path, entry in self._repository.trees.files(tree):
            is_content = not entry.is_submodule and self._withheld.matches(path)
            if is_content and object_size(odb, entry.oid) <= _LARGEST_FILE:
                yield from _telling(read_object(odb, entry.oid).split(b"\n"))


def _telling(lines: Iterable[bytes]) -> Iterator[str]:
    for line in lines:
        text = line.strip().decode("utf-8", "backslashreplace")
        if len(text) >= _SHORTEST_LINE:
            yield text
