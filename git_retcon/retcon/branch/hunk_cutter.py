"""Cuts one hunk by its lines, only where no statement breaks."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from git_retcon.code.cuts import Run
from git_retcon.code.seams import keeps_commas
from git_retcon.code.versions import read_version
from git_retcon.errors import Fatal, Reason
from git_retcon.git.atoms import Atom, FileText, Hunk, Kind, Span
from git_retcon.git.lines import close_tail
from git_retcon.retcon.spec.hunk_parts import HunkId, join_numbers
from git_retcon.show.counting import count, some_of
from git_retcon.show.style import clip_text, printable

_LONGEST_QUOTE = 60
_MOST_BORDERS = 12


class UnusablePart(Fatal):
    """A part of a hunk that cannot be taken by itself."""

    reason = Reason.INVALID


class _Cut(NamedTuple):
    """A place between two parts: how many removed and added lines of the hunk come before it."""

    removed: int
    added: int


_START = _Cut(0, 0)


class HunkCutter:
    """A whole hunk and the parts that were asked for so far. ``text`` is its file, if it has
    lines."""

    def __init__(self, whole: Atom, text: FileText | None) -> None:
        self._whole = whole
        self._text = text if whole.kind is Kind.LINES else None
        self._size = _Cut(len(whole.removed), len(whole.added))
        self._spans: list[tuple[Span, Span]] = []
        if self._text is not None:
            before = read_version(self._text.old_path, self._text.old)
            after = read_version(self._text.path, self._text.new)
            self._old = Run(before, whole.old.start, whole.old.stop)
            self._new = Run(after, whole.new.start, whole.new.stop)

    @property
    def borders(self) -> Sequence[int]:
        """The lines behind which the hunk may be cut, counted as in its id."""
        return [at for at in range(1, sum(self._size)) if self._allows(self._cut_behind(at))]

    def try_part(self, part: HunkId) -> None:
        """Cut out a part, where that can be done."""
        try:
            self.add_part(part)
        except UnusablePart:
            return

    def add_part(self, part: HunkId) -> None:
        """Cut at both ends of a part. Raises UnusablePart, and cuts nothing then."""
        if self._text is None:
            raise UnusablePart(
                f"'{part}': the hunk is a whole entry", hint="only lines can be divided"
            )
        before, self._spans = self._spans, [*self._spans, self._find_spans(part)]
        cuts = self._find_cuts()
        bad = next((cut for cut in cuts or () if not self._allows(cut)), None)
        if cuts is None or bad is not None:
            self._spans = before
            raise _refuse_crossing(part) if bad is None else self._refuse_cut(part, bad)

    def make_part(self, part: HunkId) -> Atom:
        """A part as one atom, though other cuts may divide it."""
        return self._make_atom(*self._find_spans(part))

    def list_tiles(self) -> Iterator[Atom]:
        """The hunk as it is cut."""
        cuts = [_START, *(self._find_cuts() or ()), self._size]
        if len(cuts) == 2:
            yield self._whole
            return
        for start, stop in itertools.pairwise(cuts):
            yield self._make_atom(Span(start.removed, stop.removed), Span(start.added, stop.added))

    def _cut_behind(self, line: int) -> _Cut:
        removed = min(line, self._size.removed)
        return _Cut(removed, line - removed)

    def _find_spans(self, part: HunkId) -> tuple[Span, Span]:
        """Which removed and which added lines a part has. Raises UnusablePart."""
        removed, added = self._size
        total = removed + added
        if not part.lines or any(not first <= last <= total for first, last in part.lines):
            raise UnusablePart(
                f"'{part}' names lines that are not there",
                hint=f"hunk {part.hunk} has {count(total, 'line')}",
            )
        numbers = sorted(part.numbers)
        gone = [at - 1 for at in numbers if at <= removed]
        come = [at - 1 - removed for at in numbers if at > removed]
        if not (_is_run(gone) and _is_run(come)):
            raise UnusablePart(
                f"'{part}' names lines that are not together",
                hint=f"a part is a run of the removed lines (1 to {removed}), one of the added "
                f"lines ({removed + 1} to {total}), or one of each",
            )
        return _make_span(gone), _make_span(come)

    def _find_cuts(self) -> list[_Cut] | None:
        """Where the hunk is cut, in order; None where two parts cross.

        A part with removed and added lines says where they meet. Otherwise what is added comes
        behind what is removed.
        """
        met = {
            cut
            for old, new in self._spans
            if len(old) and len(new)
            for cut in (_Cut(old.start, new.start), _Cut(old.stop, new.stop))
        }
        found = set(met)
        for old, new in self._spans:
            if not len(new):
                found |= {
                    _Cut(at, max(cut.added for cut in {_START, *met} if cut.removed <= at))
                    for at in (old.start, old.stop)
                }
            elif not len(old):
                found |= {
                    _Cut(min(cut.removed for cut in {self._size, *met} if cut.added >= at), at)
                    for at in (new.start, new.stop)
                }
        cuts = sorted(found)
        if any(a.added > b.added for a, b in itertools.pairwise(cuts)):
            return None
        return [cut for cut in cuts if cut not in (_START, self._size)]

    def _allows(self, cut: _Cut) -> bool:
        """Whether what comes before a cut and what comes behind it are both whole."""
        if self._text is None:
            return False
        old, new = self._old, self._new
        lines = (old.start + cut.removed, new.start + cut.added)
        parts = (
            Hunk(Span(old.start, lines[0]), Span(new.start, lines[1])),
            Hunk(Span(lines[0], old.stop), Span(lines[1], new.stop)),
        )
        whole = Hunk(self._whole.old, self._whole.new)
        return (
            old.allows_part(_skip_blank(old, lines[0]))
            and new.allows_part(_skip_blank(new, lines[1]))
            and keeps_commas(old.version, new.version, lines)
            and len(close_tail(self._text.old, self._text.new, whole, parts)) == 2
        )

    def _make_atom(self, old: Span, new: Span) -> Atom:
        whole, behind = self._whole, self._size.removed
        numbers = [at + 1 for at in range(old.start, old.stop)]
        numbers += [at + 1 + behind for at in range(new.start, new.stop)]
        return replace(
            whole,
            id=str(HunkId(whole.id, join_numbers(numbers))),
            old=Span(whole.old.start + old.start, whole.old.start + old.stop),
            new=Span(whole.new.start + new.start, whole.new.start + new.stop),
            removed=whole.removed[old.start : old.stop],
            added=whole.added[new.start : new.stop],
        )

    def _refuse_cut(self, part: HunkId, cut: _Cut) -> UnusablePart:
        """Name the statement that a cut would break, and where the hunk can be cut."""
        borders = self.borders
        runs = [str(HunkId("", (run,)))[1:] for run in join_numbers(borders)]
        word = "line" if len(borders) == 1 else "lines"
        hint = f"hunk {part.hunk} can be cut behind {word} {some_of(runs, _MOST_BORDERS)}"
        if not borders:
            hint = f"hunk {part.hunk} is one statement, and cannot be cut"
        if cut.added and cut.removed < self._size.removed:
            # Such a cut is behind a removed line and behind an added one.
            return UnusablePart(f"'{part}' would break a statement", hint=hint)
        at = cut.removed + cut.added
        start = max((line for line in borders if line < at), default=0)
        stop = min((line for line in borders if line > at), default=sum(self._size))
        lines = (*self._whole.removed, *self._whole.added)[start:stop]
        first = next((line for line in lines if line.strip()), b"").strip()
        quoted = clip_text(printable(first.decode("utf-8", "backslashreplace")), _LONGEST_QUOTE)
        return UnusablePart(
            f"'{part}' would break the statement '{quoted}' (lines {start + 1} to {stop})",
            hint=hint,
        )


def _refuse_crossing(part: HunkId) -> UnusablePart:
    return UnusablePart(
        f"'{part}' crosses another part of its hunk",
        hint="parts with removed and with added lines come one behind the other",
    )


def _skip_blank(run: Run, at: int) -> int:
    """The first written line from ``at`` on: blank lines break nothing on either side of a cut."""
    while run.start < at < run.stop and not run.version.lines[at].strip():
        at += 1
    return at


def _is_run(numbers: Sequence[int]) -> bool:
    return not numbers or numbers[-1] - numbers[0] + 1 == len(numbers)


def _make_span(numbers: Sequence[int]) -> Span:
    return Span(numbers[0], numbers[-1] + 1) if numbers else Span(0, 0)
