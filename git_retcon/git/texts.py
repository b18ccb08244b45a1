"""The text of blobs as lines, and where two of them differ, each found once.

The walk along the source's commits and the difference from base to source ask about mostly the
same blobs.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from git_retcon.git.atoms import Hunk
from git_retcon.git.lines import diff_lines, split_lines
from git_retcon.git.trees import EMPTY_BLOB, Entry, object_size, read_object

if TYPE_CHECKING:
    import pygit2

# Larger blobs are whole entries and are never loaded. Nobody splits a 16 MB file by hand either.
LARGEST_TEXT = 16 * 1024 * 1024
# A pointer each, where versions share their unchanged lines: 40 MB, then all is forgotten.
_MOST_KEPT = 5_000_000

_Lines = tuple[bytes, ...]


class Comparison(NamedTuple):
    """Two versions as lines, and the runs of a zero-context diff between them, in order."""

    old: _Lines
    new: _Lines
    hunks: Sequence[Hunk]


class Texts:
    """The texts of one repository's blobs."""

    def __init__(self, objects: "pygit2.Repository") -> None:
        self._odb = objects.odb
        self._lines: dict[str, _Lines | None] = {}
        self._hunks: dict[tuple[str, str], Sequence[Hunk]] = {}
        self._kept = 0

    def lines(self, entry: Entry | None) -> _Lines | None:
        """A file's lines; None for what is no file, is binary, or is too large to read.

        Raises Fatal where the object is missing.
        """
        if entry is None or not entry.is_file:
            return None
        if entry.oid in self._lines:
            return self._lines[entry.oid]
        content = self._read_content(entry.oid)
        return self._keep_lines(entry.oid, None if content is None else split_lines(content))

    def target(self, entry: Entry | None) -> _Lines:
        """Where a symlink leads, as lines without a last end; () for anything else."""
        if entry is None or not entry.is_symlink:
            return ()
        content = self._read_content(entry.oid)
        return () if content is None else tuple(split_lines(content))

    def compare(self, old: Entry | None, new: Entry | None) -> Comparison:
        """Compare two entries; one that has no lines counts as empty."""
        before, after = self.lines(old) or (), self.lines(new) or ()
        if before is after:
            return Comparison(before, after, ())
        if old is None or new is None or not before or not after:
            return Comparison(before, after, tuple(diff_lines(before, after)))
        pair = old.oid, new.oid
        hunks = self._hunks.get(pair)
        if hunks is None:
            hunks = tuple(diff_lines(before, after))
            self._keep_lines(new.oid, _share_lines(before, after, hunks))
            self._hunks[pair] = hunks
        return Comparison(before, self._lines[new.oid] or (), hunks)

    def _read_content(self, oid: str) -> bytes | None:
        if oid == EMPTY_BLOB:
            return b""
        if object_size(self._odb, oid) > LARGEST_TEXT:
            return None
        content = read_object(self._odb, oid)
        # Anywhere, where git looks at the first 8000 bytes only: such lines cannot be shown.
        return None if b"\0" in content else content

    def _keep_lines(self, oid: str, lines: _Lines | None) -> _Lines | None:
        self._kept += len(lines or ()) + 1
        if self._kept > _MOST_KEPT:
            # All at once: an order of use would cost more than reading a few files again.
            self._lines.clear()
            self._hunks.clear()
            self._kept = 0
        self._lines[oid] = lines
        return lines


def _share_lines(old: _Lines, new: _Lines, hunks: Sequence[Hunk]) -> _Lines:
    """The new lines, the unchanged ones being those of ``old`` itself: half the memory."""
    shared: list[bytes] = []
    at = 0
    for hunk in hunks:
        shared += old[at : hunk.old.start]
        shared += new[hunk.new.start : hunk.new.stop]
        at = hunk.old.stop
    shared += old[at:]
    return tuple(shared)
