"""The words of every atom, and of both versions of every changed file."""

import functools
import re
from collections.abc import Iterable, Mapping, Sequence

from git_retcon.git.atoms import FileText
from git_retcon.retcon.hints.words import WORD
from git_retcon.retcon.planner.facts import Facts

_WORD = re.compile(rb"[A-Za-z_]\w*")
_RUN = re.compile(rb"\w+")
_UNICODE_RUN = re.compile(rb"[\w\x80-\xff]+")


class Vocabulary:
    """``added`` and ``removed`` are by the position of an atom; files are read when asked for."""

    def __init__(self, facts: Sequence[Facts], texts: Mapping[bytes, FileText]) -> None:
        self.added = [frozenset(WORD.findall(one.added)) for one in facts]
        self.removed = [frozenset(WORD.findall(one.removed)) for one in facts]
        self.old = FileWords({path: text.old for path, text in texts.items()})
        self.new = FileWords({path: text.new for path, text in texts.items()})

    def has(self, at: int, name: str) -> bool:
        """Whether an atom adds or removes a word."""
        return name in self.added[at] or name in self.removed[at]


class FileWords:
    """The words of one version of the changed files, given as lines by path."""

    def __init__(self, lines: Mapping[bytes, Sequence[bytes]]) -> None:
        self._lines = lines
        # Only the last file's: atoms come file by file, and all sets together would be large.
        self._path: bytes | None = None
        self._words: frozenset[bytes] = frozenset()

    @functools.cached_property
    def everywhere(self) -> frozenset[str]:
        """The words of all files."""
        return frozenset().union(*map(find_words, self._lines.values()))

    def has(self, path: bytes, name: str) -> bool:
        """Whether a name occurs in one file as a whole word; linear for all names of a file."""
        if path != self._path:
            self._path, self._words = path, _find_runs(b"".join(self._lines.get(path, ())))
        return name.encode("utf-8", "replace") in self._words


def find_words(lines: Iterable[bytes]) -> frozenset[str]:
    """The words of some lines: names and keywords, not numbers."""
    found = set(_WORD.findall(b"".join(lines)))
    return frozenset(word.decode("utf-8", "replace") for word in found)


def index_words(atoms: Iterable[int], words: Mapping[int, frozenset[str]]) -> dict[str, list[int]]:
    """Word → the atoms that have it, in the order given."""
    found: dict[str, list[int]] = {}
    for at in atoms:
        for word in words[at]:
            found.setdefault(word, []).append(at)
    return found


def _find_runs(text: bytes) -> frozenset[bytes]:
    """Every run of word characters; a name of ASCII letters also where others adjoin it, as the
    text may be prose in a script that puts no spaces between words."""
    runs = frozenset(_RUN.findall(text))
    return runs if text.isascii() else runs.union(_UNICODE_RUN.findall(text))
