"""Atoms: the smallest hunks of the difference between two trees.

Any subset of the atoms of one difference applies, in any order, because line atoms are disjoint
runs of one zero-context diff (their old ranges never overlap) and everything else is a whole
entry. See ``difference`` for how they are found and applied.
"""

import enum
import functools
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Protocol

from git_retcon.git.trees import EntryChange
from git_retcon.lazy_dataclass import dataclass


class Kind(enum.Enum):
    """What sort of change an atom is."""

    LINES = "lines"
    MODE = "mode"
    BINARY = "binary"
    SYMLINK = "symlink"
    SUBMODULE = "submodule"
    ADD = "add"
    DELETE = "delete"
    RENAME = "rename"
    REPLACE = "replace"  # a file becomes a directory, or the reverse


@dataclass(frozen=True, slots=True)
class Span:
    """Lines ``[start, stop)`` of one version of a file, counted from 0."""

    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, slots=True)
class Hunk:
    """Old lines and the new lines that replace them; either span may be empty, never both."""

    old: Span
    new: Span


@dataclass(frozen=True, slots=True)
class FileText:
    """Both versions of one text file as lines with their ends (``b"\\n"`` alone ends a line).

    ``old`` is empty for a new file, ``new`` for a deleted one. ``old_path`` differs from ``path``
    for a rename.
    """

    path: bytes
    old_path: bytes
    old: tuple[bytes, ...]
    new: tuple[bytes, ...]
    is_new: bool = False
    is_deleted: bool = False


def name_top_scope() -> str:
    """The scope of what is in no definition."""
    return ""


@dataclass(frozen=True)
class Atom:
    """One smallest hunk of a difference.

    ``id`` depends on the content and on its place among the target's lines, so an atom keeps its
    id while others are taken. ``removed`` and ``added`` are lines with their ends (for whole
    entries of text too, where they are small enough to read). ``old`` and ``new`` place a line
    atom in the two versions; they are empty spans for whole entries, whose ``entries`` say all
    that changes. The path ``.`` is for trees that are only spelled differently. ``scope``
    names the definition that the atom is in, outermost first, joined by ``.``; "" at the top of a
    file.
    """

    id: str
    kind: Kind
    path: bytes
    old: Span
    new: Span
    removed: tuple[bytes, ...]
    added: tuple[bytes, ...]
    _scope: Callable[[], str] = field(default=name_top_scope, repr=False, compare=False)
    entries: tuple[EntryChange, ...] = ()

    @functools.cached_property
    def scope(self) -> str:
        """Found when it is asked for, because that takes reading the whole file."""
        return self._scope()

    @property
    def size(self) -> int:
        """Lines removed and added; a change without any counts as one."""
        return max(1, len(self.removed) + len(self.added))


class Granularity(Protocol):
    """How finely text is cut. Kept out of this room, because cutting well needs languages."""

    def split(self, text: FileText, hunk: Hunk) -> Sequence[Hunk]:
        """The hunk as one or more hunks that tile it, in order."""

    def scope(self, text: FileText, hunk: Hunk) -> str:
        """The definition that the hunk is in, or ""."""


class WholeHunks:
    """The coarsest granularity: a hunk is an atom."""

    def split(self, text: FileText, hunk: Hunk) -> Sequence[Hunk]:
        return (hunk,)

    def scope(self, text: FileText, hunk: Hunk) -> str:
        return ""
