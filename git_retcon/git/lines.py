"""Text as lines of bytes: split, compared and spliced.

``b"\\n"`` alone ends a line, as git counts them; a last line may lack it.
"""

from collections.abc import Iterable, Iterator, Sequence

from git_retcon.git.atoms import Atom, Hunk, Span


def split_lines(content: bytes) -> tuple[bytes, ...]:
    """Lines with their ends, where ``b"\\n"`` alone ends a line, as git counts them."""
    lines = content.split(b"\n")
    last = lines.pop()
    ended = [line + b"\n" for line in lines]
    if last:
        ended.append(last)
    return tuple(ended)


def diff_lines(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Hunk]:
    """The disjoint runs of a zero-context Myers diff (libgit2's xdiff), in order."""
    from pygit2 import Patch
    from pygit2.enums import DiffOption

    patch = Patch.create_from(
        b"".join(old),
        b"".join(new),
        # Binary files never come here, and a NUL beyond what libgit2 looks at must not change that.
        # The heuristic is what ``git diff`` uses.
        flag=DiffOption.FORCE_TEXT | DiffOption.INDENT_HEURISTIC,
        context_lines=0,
        # Hunks that touch would be joined, and then could not be taken apart.
        interhunk_lines=0,
    )
    for hunk in patch.hunks:
        # A side without lines is numbered by the line before it, which is the same as its start
        # from 0.
        old_start = hunk.old_start - (1 if hunk.old_lines else 0)
        new_start = hunk.new_start - (1 if hunk.new_lines else 0)
        yield Hunk(
            Span(old_start, old_start + hunk.old_lines),
            Span(new_start, new_start + hunk.new_lines),
        )


def count_changed_lines(old: bytes, new: bytes) -> int:
    """How many lines are removed and added, as ``git diff --numstat`` counts; of binary files 0."""
    from pygit2 import Patch

    _, added, removed = Patch.create_from(old, new).line_stats
    return added + removed


def splice_lines(old: Sequence[bytes], atoms: Iterable[Atom]) -> Iterator[bytes]:
    """The old lines with each atom's removed lines replaced by its added ones."""
    at = 0
    for atom in atoms:
        yield from old[at : atom.old.start]
        yield from atom.added
        at = atom.old.stop
    yield from old[at:]


def is_part_of_change(lines: Sequence[bytes], old: Sequence[bytes], new: Sequence[bytes]) -> bool:
    """Whether lines are the old ones with a part of what leads to the new ones.

    What both share is all there; between that are only lines that one of them has at that place,
    those of each in their order.
    """
    stops, at = {0}, 0
    for hunk in diff_lines(old, new):
        starts = _skip_shared(lines, stops, old[at : hunk.old.start])
        removed, added = old[hunk.old.start : hunk.old.stop], new[hunk.new.start : hunk.new.stop]
        stops = {stop for start in starts for stop in _find_stops(lines, start, removed, added)}
        at = hunk.old.stop
    return len(lines) in _skip_shared(lines, stops, old[at:])


def _skip_shared(
    lines: Sequence[bytes], starts: Iterable[int], shared: Sequence[bytes]
) -> set[int]:
    length, wanted = len(shared), tuple(shared)
    return {start + length for start in starts if tuple(lines[start : start + length]) == wanted}


def _find_stops(
    lines: Sequence[bytes], start: int, removed: Sequence[bytes], added: Sequence[bytes]
) -> Iterator[int]:
    """Where a run from ``start`` can end that takes lines of both, each in their order."""
    yield start
    # How many of each are behind us; the fewest are enough, as more can only be taken later.
    taken = {(0, 0)}
    for at in range(start, min(len(lines), start + len(removed) + len(added))):
        line = lines[at]
        taken = {
            *((removed.index(line, i) + 1, j) for i, j in taken if line in removed[i:]),
            *((i, added.index(line, j) + 1) for i, j in taken if line in added[j:]),
        }
        if not taken:
            return
        yield at + 1


def check_tiling(hunk: Hunk, parts: Sequence[Hunk]) -> None:
    """Raise ValueError unless the parts follow one another and cover the hunk, none empty."""
    old, new = hunk.old.start, hunk.new.start
    for part in parts:
        if (part.old.start, part.new.start) != (old, new) or not (len(part.old) or len(part.new)):
            raise ValueError(f"parts do not tile {hunk}: {parts}")
        old, new = part.old.stop, part.new.stop
    if (old, new) != (hunk.old.stop, hunk.new.stop):
        raise ValueError(f"parts do not cover {hunk}: {parts}")


def close_tail(
    old: Sequence[bytes], new: Sequence[bytes], hunk: Hunk, parts: Sequence[Hunk]
) -> Sequence[Hunk]:
    """Join the parts from the first that holds a line without its newline to the last.

    Nothing may ever follow such a line: the two would be glued into one.
    """
    open_old = len(hunk.old) > 0 and not old[hunk.old.stop - 1].endswith(b"\n")
    open_new = len(hunk.new) > 0 and not new[hunk.new.stop - 1].endswith(b"\n")
    for at, part in enumerate(parts):
        if (open_old and part.old.stop == hunk.old.stop) or (
            open_new and part.new.stop == hunk.new.stop
        ):
            tail = Hunk(Span(part.old.start, hunk.old.stop), Span(part.new.start, hunk.new.stop))
            return (*parts[:at], tail)
    return parts
