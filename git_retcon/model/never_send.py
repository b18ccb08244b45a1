"""What never leaves this machine (``retcon.neverSend``): named only, its content never shown."""

import re
from collections.abc import Iterable, Iterator, Sequence

from git_retcon.files.patterns import read_protective_patterns
from git_retcon.git.atoms import Atom
from git_retcon.lazy_dataclass import dataclass

LARGEST_FILE = 1024 * 1024  # bytes; a larger file is not searched for its lines
HIDDEN_LINE = "[a line of a withheld file]"
# Shorter lines (a brace, "return") are everybody's.
_SHORTEST_LINE = 6
_MOST_LINES = 20_000


@dataclass(frozen=True)
class NeverSend:
    """The patterns, as ``.gitignore`` reads them."""

    patterns: Sequence[str] = ()

    def matches(self, path: bytes) -> bool:
        """Whether a path, or a directory above it, is withheld in any spelling."""
        return read_protective_patterns(self.patterns).matches(path)

    def holds(self, atom: Atom) -> bool:
        """Whether any path that a hunk touches is withheld (a rename touches two)."""
        paths = {atom.path, *(entry.path for entry in atom.entries)}
        return any(self.matches(path) for path in paths)


def hide_lines(text: str, lines: Iterable[bytes]) -> str:
    """What a command printed, without the lines of withheld files.

    Best effort: a line that a tool shortens, wraps or changes is not found.
    """
    # The longest first: a line may be the beginning of another.
    known = sorted(set(_known_lines(lines)), key=len, reverse=True)[:_MOST_LINES]
    if not known:
        return text
    return re.sub("|".join(map(re.escape, known)), HIDDEN_LINE, text)


def _known_lines(lines: Iterable[bytes]) -> Iterator[str]:
    for line in lines:
        text = line.strip().decode("utf-8", "backslashreplace")
        if len(text) >= _SHORTEST_LINE:
            yield text
