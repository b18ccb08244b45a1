"""The changed Python files of one difference, as they are with some of their atoms."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from git_retcon.code.languages.known import language_of
from git_retcon.code.languages.python import PYTHON
from git_retcon.git.atoms import FileText, Kind
from git_retcon.git.lines import splice_lines
from git_retcon.retcon.planner.facts import Facts

if TYPE_CHECKING:
    from git_retcon.code.imported_names import ImportedName
    from git_retcon.code.unbound_names import ModuleNames

# Longer files are not read for every commit: they are data or generated.
_MOST_LINES = 20_000
# A plan may take about a second of this: of what is left then, nothing is known.
_MOST_READ = 200_000

Taken = frozenset[int]  # the atoms of one file that a state of it has, by position


class PythonStates:
    """Reads each state of a file once. ``atoms`` are those of each file that is not too long."""

    def __init__(self, facts: Sequence[Facts], texts: Mapping[bytes, FileText]) -> None:
        self._facts = facts
        self._texts = texts
        self.atoms: dict[bytes, list[int]] = {}
        for at, one in enumerate(facts):
            path = one.atom.path
            if one.atom.kind is not Kind.LINES or language_of(path) is not PYTHON:
                continue
            if len(texts[path].old) + len(texts[path].new) <= _MOST_LINES:
                self.atoms.setdefault(path, []).append(at)
        self._lines_read = 0
        self._names: dict[tuple[bytes, Taken], ModuleNames | None] = {}
        self._imported: dict[tuple[bytes, Taken], frozenset[ImportedName]] = {}

    def read_names(self, path: bytes, taken: Taken) -> "ModuleNames | None":
        """The names of a file with some atoms; None where they cannot be told."""
        key = path, taken
        if key not in self._names:
            if self._lines_read > _MOST_READ:
                return None
            # Late: most branches have no Python, or each file of it in one commit.
            from git_retcon.code.unbound_names import read_names

            self._names[key] = read_names(self._splice(path, taken))
        return self._names[key]

    def find_imported(self, path: bytes, taken: Taken) -> "frozenset[ImportedName]":
        """What a file with some atoms imports; nothing once too much is read."""
        key = path, taken
        if key not in self._imported:
            if self._lines_read > _MOST_READ:
                return frozenset()
            from git_retcon.code.imported_names import find_imported

            self._imported[key] = find_imported(self._splice(path, taken))
        return self._imported[key]

    def is_renamed(self, path: bytes) -> bool:
        """Whether a file has another path before."""
        return self._texts[path].old_path != path

    def _splice(self, path: bytes, taken: Taken) -> bytes:
        atoms = (self._facts[at].atom for at in sorted(taken))
        lines = list(splice_lines(self._texts[path].old, atoms))
        self._lines_read += len(lines)
        return b"".join(lines)
