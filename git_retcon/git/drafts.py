"""Finding the atoms of changed entries, and naming them.

Text is cut along a zero-context diff and further by the caller's granularity. What is not
text on both sides is one atom per entry; entries that cannot exist without one another (a
rename's two ends, a file that becomes a directory) share one.
"""

import functools
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from git_retcon.git.atoms import Atom, FileText, Granularity, Hunk, Kind, Span, name_top_scope
from git_retcon.git.block_ends import keep_block_ends
from git_retcon.git.lines import check_tiling, close_tail
from git_retcon.git.texts import Texts
from git_retcon.git.trees import Entry, EntryChange
from git_retcon.lazy_dataclass import dataclass

_NOWHERE = Span(0, 0)
_NO_HUNK = Hunk(_NOWHERE, _NOWHERE)
_ID_LENGTH = 10


@dataclass(frozen=True, slots=True)
class Draft:
    """An atom without its id. ``place`` differs for equal atoms of one file."""

    kind: Kind
    path: bytes
    hunk: Hunk = _NO_HUNK
    removed: tuple[bytes, ...] = ()
    added: tuple[bytes, ...] = ()
    scope: Callable[[], str] = name_top_scope
    entries: tuple[EntryChange, ...] = ()
    place: bytes = b""


class Finder:
    """Drafts for changed entries; keeps the text of each file that has any."""

    def __init__(
        self,
        texts: Texts,
        granularity: Granularity,
        renames: Mapping[bytes, bytes],
    ) -> None:
        self._texts = texts
        self._granularity = granularity
        self._renames = renames
        self.texts: dict[bytes, FileText] = {}

    def drafts(self, changes: Sequence[EntryChange]) -> Iterator[Draft]:
        """The drafts of entries that only make sense together; mostly that is one."""
        if len(changes) == 1:
            yield from self._draft_change(changes[0])
            return
        # What goes comes first: the old end of a rename.
        first, second = sorted(changes[:2], key=lambda change: change.new is not None)
        if len(changes) == 2 and self._renames.get(second.path) == first.path:
            yield self._draft_rename(first, second)
        else:
            yield self._draft_replacement(changes)

    def _draft_change(self, change: EntryChange) -> Iterator[Draft]:
        old, new = change.old, change.new
        if new is None:
            yield self._draft_deletion(change)
        elif not new.is_file or (old is not None and not old.is_file):
            yield self._draft_special(change, new)
        elif old is None:
            yield from self._draft_addition(change, new)
        # The changes hold only what differs, so equal content means another mode.
        elif old.oid == new.oid:
            yield Draft(Kind.MODE, change.path, entries=(change,))
        else:
            yield from self._draft_modification(change, old, new)

    def _draft_deletion(self, change: EntryChange) -> Draft:
        lines = self._texts.lines(change.old)
        if lines:
            self.texts[change.path] = FileText(change.path, change.path, lines, (), is_deleted=True)
        return Draft(Kind.DELETE, change.path, removed=lines or (), entries=(change,))

    def _draft_special(self, change: EntryChange, new: Entry) -> Draft:
        """A symlink or a submodule on one side at least; of a symlink its target is the text."""
        texts = self._texts
        return Draft(
            _kind_of_special(change.old, new),
            change.path,
            removed=texts.lines(change.old) or texts.target(change.old),
            added=texts.lines(new) or texts.target(new),
            entries=(change,),
        )

    def _draft_addition(self, change: EntryChange, new: Entry) -> Iterator[Draft]:
        lines = self._texts.lines(new)
        if not lines:
            yield Draft(Kind.ADD, change.path, entries=(change,))
            return
        text = FileText(change.path, change.path, (), lines, is_new=True)
        yield from self._draft_hunks(text, [Hunk(_NOWHERE, Span(0, len(lines)))])

    def _draft_modification(self, change: EntryChange, old: Entry, new: Entry) -> Iterator[Draft]:
        if self._texts.lines(old) is None or self._texts.lines(new) is None:
            yield Draft(Kind.BINARY, change.path, entries=(change,))
            return
        if old.mode != new.mode:
            # The lines are not its own, so that it stays the same while they are taken.
            bare = EntryChange(change.path, Entry(old.mode, new.oid), new)
            yield Draft(Kind.MODE, change.path, entries=(bare,))
        before, after, hunks = self._texts.compare(old, new)
        text = FileText(change.path, change.path, before, after)
        yield from self._draft_hunks(text, keep_block_ends(text.old, text.new, hunks))

    def _draft_rename(self, start: EntryChange, end: EntryChange) -> Draft:
        removed: list[bytes] = []
        added: list[bytes] = []
        texts = self._texts
        if texts.lines(start.old) is not None and texts.lines(end.new) is not None:
            old, new, hunks = texts.compare(start.old, end.new)
            self.texts[end.path] = FileText(end.path, start.path, old, new)
            for hunk in hunks:
                removed += old[hunk.old.start : hunk.old.stop]
                added += new[hunk.new.start : hunk.new.stop]
        return Draft(
            Kind.RENAME,
            end.path,
            removed=tuple(removed),
            added=tuple(added),
            entries=(start, end),
        )

    def _draft_replacement(self, changes: Sequence[EntryChange]) -> Draft:
        ordered = sorted(changes, key=lambda change: change.path)
        removed = [line for change in ordered for line in self._texts.lines(change.old) or ()]
        added = [line for change in ordered for line in self._texts.lines(change.new) or ()]
        return Draft(
            Kind.REPLACE,
            ordered[0].path,
            removed=tuple(removed),
            added=tuple(added),
            entries=tuple(ordered),
        )

    def _draft_hunks(self, text: FileText, hunks: Iterable[Hunk]) -> Iterator[Draft]:
        self.texts[text.path] = text
        parts: list[Hunk] = []
        for hunk in hunks:
            found = tuple(self._granularity.split(text, hunk))
            check_tiling(hunk, found)
            # A last line without its end must not stay before lines that follow it.
            parts += close_tail(text.old, text.new, hunk, found)
        for part, place in zip(parts, _find_places(text.new, parts), strict=True):
            yield Draft(
                Kind.LINES,
                text.path,
                part,
                removed=text.old[part.old.start : part.old.stop],
                added=text.new[part.new.start : part.new.stop],
                scope=functools.partial(self._granularity.scope, text, part),
                place=place,
            )


def name_drafts(drafts: Iterable[Draft]) -> Iterator[Atom]:
    """Give each draft an id made of its content and its place in the target.

    The target stays while atoms are taken, so ids do too. What is still equal are neighbouring
    lines of which any may go first; those are counted.
    """
    seen: dict[str, int] = {}
    for draft in drafts:
        content = _hash_content(draft)
        count = seen[content] = seen.get(content, 0) + 1
        yield Atom(
            id=content if count == 1 else f"{content}.{count}",
            kind=draft.kind,
            path=draft.path,
            old=draft.hunk.old,
            new=draft.hunk.new,
            removed=draft.removed,
            added=draft.added,
            _scope=draft.scope,
            entries=draft.entries,
        )


def _hash_content(draft: Draft) -> str:
    parts = [draft.kind.value.encode(), draft.path]
    if draft.kind is Kind.LINES:
        parts += [*draft.removed, b"", *draft.added, b"", draft.place]
    elif draft.kind is Kind.MODE:
        parts += [side.mode for entry in draft.entries for side in (entry.old, entry.new) if side]
    else:
        # Whole entries are known by their ids in git: no content has to be read.
        parts += [repr(entry).encode() for entry in draft.entries]
    # A short name, no seal: what is equal gets a number behind it.
    return hashlib.sha1(b"\0".join(parts), usedforsecurity=False).hexdigest()[:_ID_LENGTH]


def _find_places(target: Sequence[bytes], parts: Sequence[Hunk]) -> Iterator[bytes]:
    """What follows each part: a line of the target, and how many equal ones precede it."""
    # Only lines that follow a part are counted: files are long, and parts few.
    anchors = {target[part.new.start] for part in parts if part.new.start < len(target)}
    rank: dict[int, int] = {}
    count = dict.fromkeys(anchors, 0)
    for at, line in enumerate(target):
        if line in anchors:
            rank[at] = count[line]
            count[line] += 1
    for part in parts:
        at = part.new.start
        yield b"%d %b" % (rank[at], target[at]) if at in rank else b""


def _kind_of_special(old: Entry | None, new: Entry) -> Kind:
    if new.is_submodule or (old is not None and old.is_submodule):
        return Kind.SUBMODULE
    if new.is_symlink or (old is not None and old.is_symlink):
        return Kind.SYMLINK
    return Kind.ADD
