"""The difference between two trees as atoms, and the tree that any subset of them makes.

Text is cut along a zero-context Myers diff (libgit2's xdiff) and further by the caller's
granularity; blobs are then built from base lines and chosen atoms, never by applying a patch, so
nothing can fail to apply. Whatever is not text on both sides is one atom per entry; entries that
cannot exist without one another (a rename's two ends, a file that becomes a directory) share one.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from git_retcon.git.atoms import (
    Atom,
    FileText,
    Granularity,
    Hunk,
    Kind,
    Span,
    WholeHunks,
)
from git_retcon.git.repository import Repository
from git_retcon.git.trees import EMPTY_BLOB, Entry, EntryChange, Trees

if TYPE_CHECKING:
    import pygit2

# Larger blobs are whole entries and are never loaded. Nobody splits a 16 MB file by hand either.
LARGEST_TEXT = 16 * 1024 * 1024
_NOWHERE = Span(0, 0)
_NO_HUNK = Hunk(_NOWHERE, _NOWHERE)
_ID_LENGTH = 10


@dataclass(frozen=True)
class Difference:
    """Everything that leads from the tree ``base`` to the tree ``target``.

    ``atoms`` are in path order, and within a file in line order. ``texts`` holds the lines of
    every file that has line atoms, and of deleted and renamed text files.
    """

    base: str
    target: str
    atoms: tuple[Atom, ...]
    texts: Mapping[bytes, FileText]
    changes: Mapping[bytes, EntryChange]
    _objects: "pygit2.Repository" = field(repr=False)
    _trees: Trees = field(repr=False)

    def tree(self, chosen: Collection[str]) -> str:
        """Write the tree of base plus the chosen atoms (by id). Unknown ids raise KeyError.

        The same set gives the same tree whatever its order; all of them give ``target``.
        """
        wanted = frozenset(chosen)
        if unknown := wanted - self._by_id.keys():
            raise KeyError(f"no such atom: {', '.join(sorted(unknown))}")
        if len(wanted) == len(self.atoms):
            return self.target
        edits: dict[bytes, Entry | None] = {}
        for path, atoms in self._by_path.items():
            taken = [atom for atom in atoms if atom.id in wanted]
            if taken:
                edits.update(self._edits(path, atoms, taken))
        return self._trees.edit(self.base, edits)

    def __getitem__(self, atom: str) -> Atom:
        return self._by_id[atom]

    def __contains__(self, atom: object) -> bool:
        return atom in self._by_id

    def __post_init__(self) -> None:
        by_path: dict[bytes, list[Atom]] = {}
        for atom in self.atoms:
            by_path.setdefault(atom.path, []).append(atom)
        object.__setattr__(self, "_by_id", {atom.id: atom for atom in self.atoms})
        object.__setattr__(self, "_by_path", by_path)
        object.__setattr__(self, "_blobs", {})

    _by_id: dict[str, Atom] = field(init=False, repr=False)
    _by_path: dict[bytes, list[Atom]] = field(init=False, repr=False)
    _blobs: dict[tuple[bytes, tuple[str, ...]], str] = field(init=False, repr=False)

    def _edits(
        self, path: bytes, atoms: Sequence[Atom], taken: Sequence[Atom]
    ) -> Iterator[tuple[bytes, Entry | None]]:
        for atom in taken:
            if atom.kind not in (Kind.LINES, Kind.MODE):
                yield from ((entry.path, entry.new) for entry in atom.entries)
        lines = [atom for atom in taken if atom.kind is Kind.LINES]
        modes = [atom for atom in taken if atom.kind is Kind.MODE]
        if lines or modes:
            change = self.changes[path]
            assert change.new is not None
            mode = change.new.mode if modes or change.old is None else change.old.mode
            yield path, Entry(mode, self._blob(path, atoms, lines))

    def _blob(self, path: bytes, atoms: Sequence[Atom], lines: Sequence[Atom]) -> str:
        change = self.changes[path]
        assert change.new is not None
        if len(lines) == sum(atom.kind is Kind.LINES for atom in atoms):
            return change.new.oid
        if not lines and change.old is not None:
            return change.old.oid
        key = (path, tuple(atom.id for atom in lines))
        if key not in self._blobs:
            content = b"".join(spliced(self.texts[path].old, lines))
            self._blobs[key] = str(self._objects.create_blob(content))
        return self._blobs[key]


def spliced(old: Sequence[bytes], atoms: Iterable[Atom]) -> Iterator[bytes]:
    """The old lines with each atom's removed lines replaced by its added ones."""
    at = 0
    for atom in atoms:
        yield from old[at : atom.old.start]
        yield from atom.added
        at = atom.old.stop
    yield from old[at:]


def difference(
    repository: Repository,
    base: str,
    target: str,
    *,
    granularity: Granularity | None = None,
    trees: Trees | None = None,
) -> Difference:
    """The difference from one tree to another (hexadecimal tree ids)."""
    trees = trees or Trees(repository.objects)
    changes = list(trees.changes(base, target))
    finder = _Finder(repository.objects, granularity or WholeHunks())
    groups = _inseparable(changes, _renames(repository, changes, base, target))
    drafts: list[_Draft] = []
    for group in groups:
        drafts.extend(finder.group(group) if len(group) > 1 else finder.single(group[0]))
    drafts.sort(key=lambda draft: draft.path)
    return Difference(
        base=base,
        target=target,
        atoms=tuple(_named(drafts)),
        texts=finder.texts,
        changes={change.path: change for change in changes},
        _objects=repository.objects,
        _trees=trees,
    )


@dataclass(frozen=True, slots=True)
class _Draft:
    """An atom without its id."""

    kind: Kind
    path: bytes
    hunk: Hunk = _NO_HUNK
    removed: tuple[bytes, ...] = ()
    added: tuple[bytes, ...] = ()
    scope: str = ""
    entries: tuple[EntryChange, ...] = ()


class _Finder:
    """Drafts for changed entries; keeps the text of each file it read."""

    def __init__(self, objects: "pygit2.Repository", granularity: Granularity) -> None:
        self._objects = objects
        self._granularity = granularity
        self.texts: dict[bytes, FileText] = {}

    def single(self, change: EntryChange) -> Iterator[_Draft]:
        """The drafts of one entry that changes by itself."""
        old, new = change.old, change.new
        if new is None:
            yield self._deletion(change)
        elif not new.is_file or (old is not None and not old.is_file):
            yield _Draft(_special(old, new), change.path, entries=(change,))
        elif old is None:
            yield from self._addition(change, new)
        else:
            yield from self._modification(change, old, new)

    def group(self, changes: Sequence[EntryChange]) -> Iterator[_Draft]:
        """One draft for entries that only make sense together."""
        ends = [change for change in changes if change.new is not None]
        starts = [change for change in changes if change.old is not None]
        if len(ends) == len(starts) == 1 and len(changes) == 2:
            yield self._rename(starts[0], ends[0])
        else:
            path = min(change.path for change in changes)
            yield _Draft(Kind.REPLACE, path, entries=tuple(changes))

    def _deletion(self, change: EntryChange) -> _Draft:
        assert change.old is not None
        lines = self._lines(change.old)
        if lines:
            self.texts[change.path] = FileText(change.path, change.path, lines, (), is_deleted=True)
        return _Draft(Kind.DELETE, change.path, removed=lines or (), entries=(change,))

    def _addition(self, change: EntryChange, new: Entry) -> Iterator[_Draft]:
        lines = self._lines(new)
        if not lines:
            yield _Draft(Kind.ADD, change.path, entries=(change,))
            return
        text = FileText(change.path, change.path, (), lines, is_new=True)
        yield from self._pieces(text, [Hunk(_NOWHERE, Span(0, len(lines)))])

    def _modification(self, change: EntryChange, old: Entry, new: Entry) -> Iterator[_Draft]:
        before = after = None
        if old.oid != new.oid:
            before, after = self._lines(old), self._lines(new)
            if before is None or after is None:
                yield _Draft(Kind.BINARY, change.path, entries=(change,))
                return
        if old.mode != new.mode:
            yield _Draft(Kind.MODE, change.path, entries=(change,))
        if before is None or after is None:
            return
        text = FileText(change.path, change.path, before, after)
        yield from self._pieces(text, list(zero_context(before, after)))

    def _rename(self, start: EntryChange, end: EntryChange) -> _Draft:
        assert start.old is not None
        assert end.new is not None
        removed: list[bytes] = []
        added: list[bytes] = []
        before, after = self._lines(start.old), self._lines(end.new)
        if before is not None and after is not None:
            self.texts[end.path] = FileText(end.path, start.path, before, after)
            for hunk in zero_context(before, after):
                removed += before[hunk.old.start : hunk.old.stop]
                added += after[hunk.new.start : hunk.new.stop]
        return _Draft(
            Kind.RENAME,
            end.path,
            removed=tuple(removed),
            added=tuple(added),
            entries=(start, end),
        )

    def _pieces(self, text: FileText, hunks: Iterable[Hunk]) -> Iterator[_Draft]:
        self.texts[text.path] = text
        for hunk in hunks:
            for piece in self._split(text, hunk):
                yield _Draft(
                    Kind.LINES,
                    text.path,
                    piece,
                    removed=text.old[piece.old.start : piece.old.stop],
                    added=text.new[piece.new.start : piece.new.stop],
                    scope=self._granularity.scope(text, piece),
                )

    def _split(self, text: FileText, hunk: Hunk) -> Sequence[Hunk]:
        """Never cut a run that ends without a newline: its parts could be glued together."""
        old, new = text.old[: hunk.old.stop], text.new[: hunk.new.stop]
        open_old = bool(len(hunk.old)) and not old[-1].endswith(b"\n")
        open_new = bool(len(hunk.new)) and not new[-1].endswith(b"\n")
        if open_old or (open_new and len(hunk.old)):
            return (hunk,)
        pieces = tuple(self._granularity.split(text, hunk))
        _check_tiling(hunk, pieces)
        return pieces

    def _lines(self, entry: Entry) -> tuple[bytes, ...] | None:
        """The lines of a text blob; None for binary content and for what is too large to read."""
        if not entry.is_file:
            return None
        if entry.oid == EMPTY_BLOB:
            return ()
        _, size = self._objects.odb.read_header(entry.oid)
        if size > LARGEST_TEXT:
            return None
        content = self._objects.odb.read(entry.oid)[1]
        if b"\0" in content:
            return None
        return split_lines(content)


def split_lines(content: bytes) -> tuple[bytes, ...]:
    """Lines with their ends, where ``b"\\n"`` alone ends a line, as git counts them."""
    lines = content.split(b"\n")
    last = lines.pop()
    ended = [line + b"\n" for line in lines]
    if last:
        ended.append(last)
    return tuple(ended)


def zero_context(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Hunk]:
    """The disjoint runs of a zero-context Myers diff (libgit2's xdiff), in order."""
    from pygit2 import Patch
    from pygit2.enums import DiffOption

    patch = Patch.create_from(
        b"".join(old),
        b"".join(new),
        flag=DiffOption.FORCE_TEXT | DiffOption.INDENT_HEURISTIC,
        context_lines=0,
        interhunk_lines=0,
    )
    for hunk in patch.hunks:
        old_start = hunk.old_start - (1 if hunk.old_lines else 0)
        new_start = hunk.new_start - (1 if hunk.new_lines else 0)
        yield Hunk(
            Span(old_start, old_start + hunk.old_lines),
            Span(new_start, new_start + hunk.new_lines),
        )


def _check_tiling(hunk: Hunk, pieces: Sequence[Hunk]) -> None:
    old, new = hunk.old.start, hunk.new.start
    for piece in pieces:
        if (piece.old.start, piece.new.start) != (old, new) or not (
            len(piece.old) or len(piece.new)
        ):
            raise ValueError(f"pieces do not tile {hunk}: {pieces}")
        old, new = piece.old.stop, piece.new.stop
    if (old, new) != (hunk.old.stop, hunk.new.stop):
        raise ValueError(f"pieces do not cover {hunk}: {pieces}")


def _special(old: Entry | None, new: Entry) -> Kind:
    if new.is_submodule or (old is not None and old.is_submodule):
        return Kind.SUBMODULE
    if new.is_symlink or (old is not None and old.is_symlink):
        return Kind.SYMLINK
    return Kind.ADD


def _renames(
    repository: Repository, changes: Sequence[EntryChange], base: str, target: str
) -> Mapping[bytes, bytes]:
    """New path → old path for every file that git itself would call renamed.

    A path whose letters only changed case is a rename whatever its content: on some machines the
    two cannot exist side by side.
    """
    gone = [change for change in changes if change.new is None]
    come = [change for change in changes if change.old is None]
    if not gone or not come:
        return {}
    folded = {change.path.lower(): change.path for change in gone}
    pairs = {
        change.path: folded[change.path.lower()] for change in come if change.path.lower() in folded
    }
    listing = repository.git.run(
        "diff-tree", "-r", "-z", "-M50%", "-l2000", "--diff-filter=R", "--no-ext-diff",
        "--ignore-submodules=none", "--raw", base, target,
    )  # fmt: skip
    fields = listing.split(b"\0")
    taken = set(pairs.values())
    for at in range(0, len(fields) - 2, 3):
        old, new = fields[at + 1], fields[at + 2]
        if new not in pairs and old not in taken:
            pairs[new] = old
            taken.add(old)
    return pairs


def _inseparable(
    changes: Sequence[EntryChange], renames: Mapping[bytes, bytes]
) -> list[list[EntryChange]]:
    """Group changes that cannot be applied one without the other."""
    by_path = {change.path: change for change in changes}
    leader: dict[bytes, bytes] = {path: path for path in by_path}

    def find(path: bytes) -> bytes:
        while leader[path] != path:
            leader[path] = leader[leader[path]]
            path = leader[path]
        return path

    for new, old in renames.items():
        leader[find(new)] = find(old)
    for path, change in by_path.items():
        parent = path.rpartition(b"/")[0]
        while parent:
            other = by_path.get(parent)
            if other is not None and (change.old is None) != (other.old is None):
                leader[find(path)] = find(parent)
            parent = parent.rpartition(b"/")[0]
    groups: dict[bytes, list[EntryChange]] = {}
    for path in by_path:
        groups.setdefault(find(path), []).append(by_path[path])
    return list(groups.values())


def _named(drafts: Iterable[_Draft]) -> Iterator[Atom]:
    """Give each draft an id made of its content; equal pieces are told apart by their order."""
    seen: dict[str, int] = {}
    for draft in drafts:
        digest = hashlib.sha1(usedforsecurity=False)
        for part in (draft.kind.value.encode(), draft.path, *draft.removed, b"\0", *draft.added):
            digest.update(part)
            digest.update(b"\0")
        for entry in draft.entries:
            digest.update(repr(entry).encode())
        content = digest.hexdigest()[:_ID_LENGTH]
        count = seen[content] = seen.get(content, 0) + 1
        name = content if count == 1 else f"{content}.{count}"
        yield Atom(
            id=name,
            kind=draft.kind,
            path=draft.path,
            old=draft.hunk.old,
            new=draft.hunk.new,
            removed=draft.removed,
            added=draft.added,
            scope=draft.scope,
            entries=draft.entries,
        )
