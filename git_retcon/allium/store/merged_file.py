"""A file merged for people, as ``git merge`` does: by declaration, and with conflict markers around
what both sides changed.
"""

from typing import NamedTuple

from git_retcon.allium.language import is_error, parse
from git_retcon.allium.store.checked_merge import merge_checked
from git_retcon.allium.store.merge_choice import Conflict, Versions, choose_side


class MergedFile(NamedTuple):
    """What both sides say; of ``conflicts`` the titles."""

    content: bytes
    conflicts: tuple[str, ...]


class Markers(NamedTuple):
    """How conflicts are marked. ``has_base``: with what the sides come from, as ``diff3`` does."""

    size: int = 7
    has_base: bool = False

    def mark(self, conflict: Conflict) -> bytes:
        """All versions of a declaration, ours first."""
        parts = [b"<" * self.size + b" ours", conflict.ours]
        if self.has_base:
            parts += [b"|" * self.size + b" base", conflict.base]
        parts += [b"=" * self.size, conflict.theirs, b">" * self.size + b" theirs"]
        return b"\n".join(part for part in parts if part is not None)


def merge_files(base: bytes, ours: bytes, theirs: bytes, markers: Markers) -> MergedFile | None:
    """Merge three versions of a file; None where a merge of lines is to do it, since one of them
    does not parse, or both changed the comments at the top.
    """
    ends = choose_side(Versions(*map(_find_line_end, (base, ours, theirs)))).text
    if any(map(_find_line_end, (base, ours, theirs))):
        base, ours, theirs = (each.replace(b"\r\n", b"\n") for each in (base, ours, theirs))
    if any(any(map(is_error, parse(each).diagnostics)) for each in (base, ours, theirs) if each):
        return None
    merged = merge_checked(base, ours, theirs, markers.mark)
    if merged.has_two_heads:
        return None
    if not merged.conflicts and any(map(is_error, parse(merged.content).diagnostics)):
        return None
    content = merged.content.replace(b"\n", b"\r\n") if ends else merged.content
    return MergedFile(content, tuple(each.title for each in merged.conflicts))


def _find_line_end(content: bytes) -> bytes:
    """What is before the end of the first line: a carriage return, or nothing."""
    return b"\r" if content.partition(b"\n")[0].endswith(b"\r") else b""
