"""Trees, read and written byte for byte.

Tree objects are parsed and built here rather than through libgit2's builder, so that a path of
any bytes and a mode of any age keeps its exact spelling: the last tree must be the source's by
object id.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pygit2

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


@dataclass(frozen=True, slots=True)
class Entry:
    """What a tree holds at one name: the mode as the tree spells it, and the object's id."""

    mode: bytes
    oid: str

    @property
    def is_tree(self) -> bool:
        return self.mode in (b"40000", b"040000")

    @property
    def is_file(self) -> bool:
        return self.mode.startswith(b"100")

    @property
    def is_symlink(self) -> bool:
        return self.mode == b"120000"

    @property
    def is_submodule(self) -> bool:
        return self.mode == b"160000"


@dataclass(frozen=True, slots=True)
class EntryChange:
    """One path going from one entry to another; None is absence."""

    path: bytes
    old: Entry | None
    new: Entry | None


class Trees:
    """The trees of one repository, each parsed at most once."""

    def __init__(self, objects: "pygit2.Repository") -> None:
        self._odb = objects.odb
        self._parsed: dict[str, dict[bytes, Entry]] = {EMPTY_TREE: {}}

    def read(self, oid: str) -> Mapping[bytes, Entry]:
        """The entries of one tree by name, in tree order."""
        found = self._parsed.get(oid)
        if found is None:
            found = self._parsed[oid] = _parse(self._odb.read(oid)[1])
        return found

    def find(self, tree: str, path: bytes) -> Entry | None:
        """The entry at a path, or None."""
        *parents, name = path.split(b"/")
        for parent in parents:
            entry = self.read(tree).get(parent)
            if entry is None or not entry.is_tree:
                return None
            tree = entry.oid
        return self.read(tree).get(name)

    def files(self, tree: str, prefix: bytes = b"") -> Iterator[tuple[bytes, Entry]]:
        """Every path that is not a tree, depth first."""
        for name, entry in self.read(tree).items():
            if entry.is_tree:
                yield from self.files(entry.oid, prefix + name + b"/")
            else:
                yield prefix + name, entry

    def changes(self, old: str, new: str, prefix: bytes = b"") -> Iterator[EntryChange]:
        """Every path that differs between two trees; equal subtrees are never opened."""
        if old == new:
            return
        before, after = self.read(old), self.read(new)
        for name in sorted(before.keys() | after.keys()):
            a, b = before.get(name), after.get(name)
            if a == b:
                continue
            yield from self._changed_entry(prefix + name, a, b)

    def _changed_entry(
        self, path: bytes, a: Entry | None, b: Entry | None
    ) -> Iterator[EntryChange]:
        old_tree = a.oid if a is not None and a.is_tree else EMPTY_TREE
        new_tree = b.oid if b is not None and b.is_tree else EMPTY_TREE
        if (a and a.is_tree) or (b and b.is_tree):
            yield from self.changes(old_tree, new_tree, path + b"/")
        old_leaf = None if a is None or a.is_tree else a
        new_leaf = None if b is None or b.is_tree else b
        if old_leaf != new_leaf:
            yield EntryChange(path, old_leaf, new_leaf)

    def edit(self, tree: str, edits: Mapping[bytes, Entry | None]) -> str:
        """Write the tree that differs from ``tree`` by these paths; empty directories vanish."""
        written = self._edit(tree, edits)
        return EMPTY_TREE if written is None else written

    def _edit(self, tree: str, edits: Mapping[bytes, Entry | None]) -> str | None:
        entries = dict(self.read(tree))
        below: dict[bytes, dict[bytes, Entry | None]] = {}
        leaves: dict[bytes, Entry | None] = {}
        for path, entry in edits.items():
            name, slash, rest = path.partition(b"/")
            if slash:
                below.setdefault(name, {})[rest] = entry
            else:
                leaves[name] = entry
        for name, leaf in leaves.items():
            if leaf is None and not (name in entries and entries[name].is_tree):
                entries.pop(name, None)
            elif leaf is not None:
                entries[name] = leaf
        for name, inner in below.items():
            self._edit_below(entries, name, inner)
        if not entries:
            return None
        return self._write(entries)

    def _edit_below(
        self, entries: dict[bytes, Entry], name: bytes, inner: Mapping[bytes, Entry | None]
    ) -> None:
        current = entries.get(name)
        is_tree = current is not None and current.is_tree
        if not is_tree and all(entry is None for entry in inner.values()):
            return
        start = current.oid if current is not None and is_tree else EMPTY_TREE
        child = self._edit(start, inner)
        if child is None:
            entries.pop(name, None)
        elif current is None or not is_tree or child != current.oid:
            entries[name] = Entry(b"40000", child)

    def _write(self, entries: dict[bytes, Entry]) -> str:
        from pygit2.enums import ObjectType

        ordered = sorted(
            entries.items(), key=lambda item: item[0] + (b"/" if item[1].is_tree else b"")
        )
        raw = b"".join(
            entry.mode + b" " + name + b"\0" + bytes.fromhex(entry.oid) for name, entry in ordered
        )
        oid = str(self._odb.write(ObjectType.TREE, raw))
        self._parsed[oid] = dict(ordered)
        return oid


def _parse(raw: bytes) -> dict[bytes, Entry]:
    entries: dict[bytes, Entry] = {}
    at = 0
    while at < len(raw):
        space = raw.index(b" ", at)
        nul = raw.index(b"\0", space)
        entries[raw[space + 1 : nul]] = Entry(raw[at:space], raw[nul + 1 : nul + 21].hex())
        at = nul + 21
    return entries
