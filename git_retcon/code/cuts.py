"""Where a changed run of lines may be cut, so that each part is worth placing by itself.

Parts follow statements and blank lines, at most about six lines each; removed and added lines
that belong to one statement stay together by a monotone alignment on their words. Entries of a
list (``entries``) are parts of their own. Cuts are made only where it is safe (``seams``).
"""

import functools
import itertools
from collections.abc import Iterator, Sequence

from git_retcon.code.alignment import LARGEST_ALIGNMENT, align_lines, find_words
from git_retcon.code.definitions import indent_of
from git_retcon.code.entries import find_entries
from git_retcon.code.imports import may_import
from git_retcon.code.languages.language import Blocks
from git_retcon.code.seams import find_decorators, find_seams, keeps_commas
from git_retcon.code.versions import Version

MOST_LINES = (
    6  # longer parts are rarely of one purpose; shorter ones cannot be judged by their words
)
MOST_ALIGNED = 12  # old and new lines together
_DEEPEST = 24  # levels of nested statements: ends the recursion on generated code


class Run:
    """Lines ``[start, stop)`` of a version. ``origins`` says of each, where that is known, which of
    the source's own commits added it (of an old version: removed it)."""

    def __init__(
        self, version: Version, start: int, stop: int, origins: Sequence[int] = ()
    ) -> None:
        self.version = version
        self.start = start
        self.stop = stop
        self.origins = origins

    @functools.cached_property
    def borders(self) -> frozenset[int]:
        """The lines with another origin than the line before them: a cut is welcome there."""
        pairs = enumerate(itertools.pairwise(self.origins), self.start + 1)
        return frozenset(at for at, (before, own) in pairs if before != own)

    def part(self, start: int, stop: int) -> "Run":
        """Some of its lines as a run of their own."""
        origins = self.origins[start - self.start : stop - self.start]
        return Run(self.version, start, stop, origins)

    @functools.cached_property
    def _allowed(self) -> frozenset[int]:
        return frozenset(find_seams(self.version, self.start, self.stop))

    @functools.cached_property
    def entries(self) -> frozenset[int]:
        """Where one entry of a list ends and the next begins: a cut is as welcome as at a border,
        since two of them may have come for two reasons."""
        if len(self) < 2:
            return frozenset()
        found = find_entries(self.version, self.start, self.stop)
        return frozenset(at for at in found if self.allows(at))

    def __len__(self) -> int:
        return self.stop - self.start

    @property
    def imports_only(self) -> bool:
        lines = self.version.lines[self.start : self.stop]
        return all(map(may_import, lines)) and all(
            at in self.version.imports for at in range(self.start, self.stop)
        )

    def allows(self, at: int) -> bool:
        """Whether the run may be cut before line ``at``; its two ends count as cuts too."""
        return at == self.start or at in self._allowed

    def allows_part(self, at: int) -> bool:
        """As ``allows``, between decorators too: no cut is proposed there, as they mostly come
        together, but a person or a model may know better.
        """
        return self.allows(at) or at in self._decorators

    @functools.cached_property
    def _decorators(self) -> frozenset[int]:
        return frozenset(find_decorators(self.version, self.start, self.stop))


Cut = tuple[int, int]


def find_cuts(old: Run, new: Run) -> list[Cut]:
    """The ends of the parts, as (old line, new line); the last is the end of both runs."""
    end = (old.stop, new.stop)
    found = (_move_behind_blanks(old, new, cut) for cut in _propose_cuts(old, new))
    kept = [cut for cut in found if cut != end and _both_allow(old, new, cut)]
    return [*_keep_rising(kept, (old.start, new.start)), end]


def _propose_cuts(old: Run, new: Run) -> Sequence[Cut]:
    """Where cuts would be welcome, allowed or not."""
    if len(old) and len(new) and old.imports_only and new.imports_only:
        return list(_import_cuts(old, new))
    # One line, or one line that became another: nothing to cut but between origins or entries.
    if len(old) + len(new) <= 2 and not any(run.borders or run.entries for run in (old, new)):
        return ()
    if not len(old):
        return [(old.stop, at) for at in find_block_ends(new)]
    if not len(new):
        return [(at, new.stop) for at in find_block_ends(old)]
    # The body stays where it is, and must not lose its head.
    if _opens_block(old) or _opens_block(new):
        return ()
    return list(_cut_replaced(old, new))


def _move_behind_blanks(old: Run, new: Run, cut: Cut) -> Cut:
    """A cut, behind the blank lines that follow it where it is not allowed before them: they
    belong to what they close."""
    if _both_allow(old, new, cut):
        return cut
    return _skip_blanks(old, cut[0]), _skip_blanks(new, cut[1])


def _skip_blanks(run: Run, at: int) -> int:
    while run.start < at < run.stop and not run.version.lines[at].strip():
        at += 1
    return at


def _both_allow(old: Run, new: Run, cut: Cut) -> bool:
    return old.allows(cut[0]) and new.allows(cut[1]) and keeps_commas(old.version, new.version, cut)


def _keep_rising(found: Sequence[Cut], start: Cut) -> Iterator[Cut]:
    last = start
    for cut in found:
        # Proposals of different kinds may cross; a cut must not go back on either side.
        if cut != last and cut[0] >= last[0] and cut[1] >= last[1]:
            yield cut
            last = cut


def _opens_block(run: Run) -> bool:
    """Whether a run ends with the head of a block whose body is outside it."""
    if run.version.language.blocks is not Blocks.INDENT:
        return False
    written = (run.version.lines[at] for at in range(run.stop - 1, run.start - 1, -1))
    last = next((line.rstrip() for line in written if line.strip()), b"")
    return last.endswith(b":")


def find_block_ends(run: Run) -> list[int]:
    """The ends of a run's blocks: cut after blank lines, then long blocks by their statements,
    and everywhere between entries."""
    return sorted({*_find_block_ends(run), *run.entries})


def _find_block_ends(run: Run) -> list[int]:
    lines = run.version.lines
    ends: list[int] = []
    start = run.start
    written = False
    for at in range(run.start + 1, run.stop + 1):
        written = written or bool(lines[at - 1].strip())
        if at != run.stop:
            blank = not lines[at - 1].strip() and bool(lines[at].strip())
            if not written or not (blank or at in run.borders) or not run.allows(at):
                continue
        ends.extend(_find_statement_ends(run, start, at, 0) if at - start > MOST_LINES else [at])
        start = at
        written = False
    return ends


def _find_statement_ends(run: Run, start: int, stop: int, level: int) -> list[int]:
    """The ends of one long block's parts: statements packed together up to six lines."""
    lines = run.version.lines
    written = [indent_of(lines[at]) for at in range(start, stop) if lines[at].strip()]
    least = min(written, default=0)
    starts = [start]
    for at in range(start + 1, stop):
        if run.allows(at) and indent_of(lines[at]) == least:
            starts.append(at)
    ends: list[int] = []
    begun = start
    for first, after in zip(starts, [*starts[1:], stop], strict=True):
        if after - begun > MOST_LINES and begun < first:
            ends.append(first)
            begun = first
        if after - first > MOST_LINES and level < _DEEPEST:
            inner = _find_statement_ends(run, first + 1, after, level + 1)
            ends.extend(inner)
            begun = after
    if begun < stop:
        ends.append(stop)
    return [end for end in ends if end == stop or run.allows(end)]


def _cut_replaced(old: Run, new: Run) -> Iterator[Cut]:
    """Cuts of a replaced run: where one source commit's share of it ends and the next one's
    begins, and within each share."""
    start = (old.start, new.start)
    for cut in [*(cut for cut in _find_share_ends(old, new) if _both_allow(old, new, cut)), None]:
        stop = cut or (old.stop, new.stop)
        yield from _cut_aligned(old.part(start[0], stop[0]), new.part(start[1], stop[1]))
        yield stop
        start = stop


def _find_share_ends(old: Run, new: Run) -> list[Cut]:
    """The ends of what each source commit replaced, where the same ones, in the same order, added
    the new lines as removed the old ones; none where a line was replaced more than once."""
    if not (old.borders and new.borders):
        return []
    ends = [[*sorted(run.borders), run.stop] for run in (old, new)]
    commits = [
        [run.origins[end - 1 - run.start] for end in own]
        for run, own in zip((old, new), ends, strict=True)
    ]
    # -1: a line of no known commit, so the shares cannot be matched.
    if commits[0] != commits[1] or -1 in commits[0]:
        return []
    return list(zip(*ends, strict=True))[:-1]


def _cut_aligned(old: Run, new: Run) -> Iterator[Cut]:
    """Cuts of a replaced run, by aligning what was removed with what was added."""
    removed = old.version.lines[old.start : old.stop]
    added = new.version.lines[new.start : new.stop]
    if len(removed) * len(added) > LARGEST_ALIGNMENT:
        # Too much to align; where much is in common, blocks paired by place alone would be wrong
        # ones.
        if _are_alike(removed, added):
            return
        pairs: list[tuple[int, int]] = []
    else:
        pairs = [(old.start + a, new.start + b) for a, b in align_lines(removed, added)]
    if pairs:
        yield from _cut_between_pairs(old, new, pairs)
    elif len(old) + len(new) <= MOST_LINES:
        return
    # A line or two that were replaced by much more: they go with its first part.
    elif len(old) <= 2:
        yield from ((old.stop, at) for at in find_block_ends(new))
    else:
        yield from _pair_block_ends(find_block_ends(old), find_block_ends(new))


def _import_cuts(old: Run, new: Run) -> Iterator[Cut]:
    """Import lines one by one, each with what it became where that is plain."""
    removed = old.version.lines[old.start : old.stop]
    added = new.version.lines[new.start : new.stop]
    small = len(removed) * len(added) <= LARGEST_ALIGNMENT
    pairs = align_lines(removed, added) if small else []
    a = b = 0
    for row, column in [*pairs, (len(removed), len(added))]:
        yield from ((old.start + at, new.start + b) for at in range(a + 1, row + 1))
        yield from ((old.start + row, new.start + at) for at in range(b + 1, column + 1))
        a, b = row + 1, column + 1
        yield old.start + a, new.start + b


def _pair_block_ends(old: Sequence[int], new: Sequence[int]) -> Iterator[Cut]:
    """Blocks that were replaced as a whole: the first for the first, which may be what is left of
    a statement, then the rest of either side by itself."""
    yield from ((at, new[0]) for at in old)
    yield from ((old[-1], at) for at in new[1:])


def _are_alike(removed: Sequence[bytes], added: Sequence[bytes]) -> bool:
    before = frozenset().union(*map(find_words, removed))
    after = frozenset().union(*map(find_words, added))
    return len(before & after) > 0.3 * len(before | after)


def _cut_between_pairs(old: Run, new: Run, pairs: Sequence[tuple[int, int]]) -> Iterator[Cut]:
    shifted = _find_shifted(old, new, pairs)
    last = (old.start, new.start)
    begun = last
    for pair in [*pairs, (old.stop, new.stop)]:
        gap = (pair[0] - last[0], pair[1] - last[1])
        if gap != (0, 0):
            yield from (cut for cut in _cut_gap(old, new, last, pair) if cut[1] not in shifted)
            begun = pair
        size = last[0] - begun[0] + last[1] - begun[1]
        foreign = pair[1] in new.borders or pair[0] in old.borders
        listed = pair[1] in new.entries and pair[0] in old.entries
        if (size >= MOST_ALIGNED or foreign or listed) and pair[1] not in shifted:
            yield pair
            begun = pair
        last = (pair[0] + 1, pair[1] + 1)


def _find_shifted(old: Run, new: Run, pairs: Sequence[tuple[int, int]]) -> set[int]:
    """New lines next to one whose indentation changed: a block that moves inwards moves whole."""
    near: set[int] = set()
    for a, b in pairs:
        if indent_of(old.version.lines[a]) != indent_of(new.version.lines[b]):
            near.update((b, b + 1))
    return near


def _cut_gap(old: Run, new: Run, start: Cut, stop: Cut) -> Iterator[Cut]:
    """Cuts at both ends of what is unpaired between two pairs, and within it if it is long."""
    yield start
    removed, added = stop[0] - start[0], stop[1] - start[1]
    if not removed:
        yield from ((stop[0], at) for at in _cut_within(new, start[1], stop[1]))
    elif not added:
        yield from ((at, stop[1]) for at in _cut_within(old, start[0], stop[0]))
    elif removed + added > MOST_ALIGNED:
        yield from _pair_block_ends(
            _cut_within(old, start[0], stop[0]) or [stop[0]],
            _cut_within(new, start[1], stop[1]) or [stop[1]],
        )
    yield stop


def _cut_within(run: Run, start: int, stop: int) -> list[int]:
    return [at for at in find_block_ends(run.part(start, stop)) if run.allows(at)]
