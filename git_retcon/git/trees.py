"""Trees, read and written byte for byte.

Tree objects are parsed and built here rather than through libgit2's builder, so that a path of
any bytes and a mode of any age keeps its exact spelling: the last tree must be the source's by
object id.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from git_retcon.errors import Fatal

if TYPE_CHECKING:
    import pygit2

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

_TREE_MODE = b"40000"
_ENTRY = re.compile(rb"([0-7]+) ([^\0]+)\0(.{20})", re.DOTALL)
# About 300 bytes each; more than two whole trees of the largest projects that people rebuild by
# hand, and little enough to forget about.
_MOST_CACHED = 150_000


class Entry(NamedTuple):
    """What a tree holds at one name: the mode as the tree spells it, and the object's id."""

    mode: bytes
    oid: str

    # The last four digits are permissions, of which old versions of git recorded more.
    @property
    def is_tree(self) -> bool:
        return self.mode[:-4] in (b"4", b"04")

    @property
    def is_file(self) -> bool:
        return self.mode[:-4] in (b"10", b"010")

    @property
    def is_symlink(self) -> bool:
        return self.mode[:-4] in (b"12", b"012")

    @property
    def is_submodule(self) -> bool:
        return self.mode[:-4] in (b"16", b"016")


class EntryChange(NamedTuple):
    """One path going from one entry to another; None is absence."""

    path: bytes
    old: Entry | None
    new: Entry | None


# Mode, name and binary id, as a tree spells them.
_Spelled = tuple[bytes, bytes, bytes]


class _Tree(Mapping[bytes, Entry]):
    """One tree's entries by name, each made when it is asked for: most never are."""

    __slots__ = ("is_modern", "spelled")

    def __init__(self, spelled: Mapping[bytes, _Spelled], *, is_modern: bool = False) -> None:
        self.spelled = spelled
        # Whether git would spell it so today; of trees that were read nobody has looked.
        self.is_modern = is_modern

    def __getitem__(self, name: bytes) -> Entry:
        mode, _, binary = self.spelled[name]
        return Entry(mode, binary.hex())

    def get(
        self, name: bytes, default: Any = None
    ) -> Any:  # Mapping.get catches errors, which takes longer
        found = self.spelled.get(name)
        return default if found is None else Entry(found[0], found[2].hex())

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.spelled)

    def __len__(self) -> int:
        return len(self.spelled)


_NO_ENTRIES = _Tree({}, is_modern=True)


class Trees:
    """The trees of one repository; the ones last used are kept parsed."""

    def __init__(self, objects: "pygit2.Repository") -> None:
        self._odb = objects.odb
        self._parsed: dict[str, _Tree] = {}
        self._cached = 0

    def read(self, oid: str) -> Mapping[bytes, Entry]:
        """The entries of one tree by name. Raises Fatal where the object is missing."""
        return self._read_tree(oid)

    def _read_tree(self, oid: str) -> _Tree:
        if oid == EMPTY_TREE:
            return _NO_ENTRIES
        # Taken out and put back: the dictionary's order is the order of use.
        found = self._parsed.pop(oid, None)
        if found is None:
            return self._keep_tree(oid, _Tree(_parse_tree(oid, read_object(self._odb, oid))))
        self._parsed[oid] = found
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

    def is_same(self, one: str, other: str, path: bytes) -> bool:
        """Whether two trees have the same at a path; below equal ones nothing is read."""
        for name in path.split(b"/"):
            a, b = (self._read_tree(each).spelled.get(name) for each in (one, other))
            if a == b:
                return True
            if a is None or b is None or not (_is_tree(a) and _is_tree(b)):
                return False
            one, other = a[2].hex(), b[2].hex()
        return False

    def files(self, tree: str) -> Iterator[tuple[bytes, Entry]]:
        """Every path that is not a tree, depth first, in tree order."""
        # No recursion: a hostile tree may be thousands of directories deep.
        pending = [(b"", iter(self.read(tree).items()))]
        while pending:
            prefix, entries = pending[-1]
            for name, entry in entries:
                if entry.is_tree:
                    below = iter(self.read(entry.oid).items())
                    pending.append((prefix + name + b"/", below))
                    break
                yield prefix + name, entry
            else:
                pending.pop()

    def changes(self, old: str, new: str) -> list[EntryChange]:
        """Every path that differs between two trees, sorted; equal subtrees are never opened."""
        found: list[EntryChange] = []
        pending = [(b"", old, new)]
        while pending:
            prefix, one, other = pending.pop()
            before, after = self._read_tree(one), self._read_tree(other)
            differing = before.spelled.items() ^ after.spelled.items()
            for name in {name for name, _ in differing}:
                a, b = before.get(name), after.get(name)
                a_tree, a_leaf = _tree_or_leaf(a)
                b_tree, b_leaf = _tree_or_leaf(b)
                if a_tree != b_tree:
                    pending.append((prefix + name + b"/", a_tree, b_tree))
                if a_leaf != b_leaf:
                    found.append(EntryChange(prefix + name, a_leaf, b_leaf))
        found.sort(key=lambda change: change.path)
        return found

    def edit(self, tree: str, edits: Mapping[bytes, Entry | None]) -> str:
        """Write the tree that differs from ``tree`` by these paths; empty directories vanish.

        A directory takes the place of a file where both are asked for. Removing what is not
        there, or the path of a directory, changes nothing. Every tree written is spelled as git
        spells it today, so that edits made one after another give the same as all at once.
        """
        wanted = _group_by_directory(edits)
        before: dict[bytes, _Tree] = {}
        for directory in sorted(wanted):
            parent, _, name = directory.rpartition(b"/")
            oid = _tree_or_leaf(before[parent].get(name))[0] if directory else tree
            before[directory] = self._read_tree(oid)
        written: dict[bytes, dict[bytes, str]] = {}
        # From the deepest up: a directory needs the ids of those in it.
        for directory in sorted(wanted, reverse=True):
            subtrees = written.pop(directory, {})
            oid = self._write_directory(before.pop(directory), wanted[directory], subtrees)
            if not directory:
                return oid
            parent, _, name = directory.rpartition(b"/")
            written.setdefault(parent, {})[name] = oid
        raise AssertionError("the root is always written, and last")

    def _write_directory(
        self,
        before: _Tree,
        leaves: Mapping[bytes, Entry | None],
        subtrees: Mapping[bytes, str],
    ) -> str:
        spelled = dict(before.spelled)
        kinds = {name: _is_tree(spelled[name]) for name in {*leaves, *subtrees} & spelled.keys()}
        for name, leaf in leaves.items():
            if leaf is not None:
                spelled[name] = (leaf.mode, name, bytes.fromhex(leaf.oid))
            elif name in spelled and not _is_tree(spelled[name]):
                del spelled[name]
        for name, oid in subtrees.items():
            if oid != EMPTY_TREE:
                spelled[name] = (_TREE_MODE, name, bytes.fromhex(oid))
            elif name in spelled and _is_tree(spelled[name]):
                del spelled[name]
        # Other content under the same names and kinds keeps the order.
        stays = kinds.keys() >= {*leaves, *subtrees} and all(
            name in spelled and _is_tree(spelled[name]) == kind for name, kind in kinds.items()
        )
        return self._write_tree(spelled if before.is_modern and stays else _spell_as_today(spelled))

    def _write_tree(self, spelled: dict[bytes, _Spelled]) -> str:
        from pygit2.enums import ObjectType

        raw = b"".join([b"%b %b\0%b" % each for each in spelled.values()])
        oid = hashlib.sha1(b"tree %d\0%b" % (len(raw), raw), usedforsecurity=False).hexdigest()
        # What was parsed or written before is in the object store already.
        if oid not in self._parsed:
            self._odb.write(ObjectType.TREE, raw)
        self._keep_tree(oid, _Tree(spelled, is_modern=True))
        return oid

    def _keep_tree(self, oid: str, tree: _Tree) -> _Tree:
        self._cached += len(tree) - len(self._parsed.pop(oid, ()))
        self._parsed[oid] = tree
        while self._cached > _MOST_CACHED and len(self._parsed) > 1:
            self._cached -= len(self._parsed.pop(next(iter(self._parsed))))
        return tree


def _is_tree(spelled: _Spelled) -> bool:
    return spelled[0][:-4] in (b"4", b"04")


def _spell_as_today(spelled: Mapping[bytes, _Spelled]) -> dict[bytes, _Spelled]:
    """In git's order, which takes a directory's name as if it ended in a slash, and its mode."""
    trees = {name for name, each in spelled.items() if _is_tree(each)}
    return {
        name: (_TREE_MODE, name, spelled[name][2]) if name in trees else spelled[name]
        for name in sorted(spelled, key=lambda name: name + b"/" if name in trees else name)
    }


def find_object(odb: "pygit2.Odb", oid: str) -> bytes | None:
    """The content of an object; None where it is missing."""
    try:
        return odb.read(oid)[1]
    except KeyError:
        return None


def read_object(odb: "pygit2.Odb", oid: str) -> bytes:
    """The content of an object. Raises Fatal where it is missing."""
    found = find_object(odb, oid)
    if found is None:
        raise _explain_missing(oid)
    return found


def find_object_size(odb: "pygit2.Odb", oid: str) -> int | None:
    """The size of an object in bytes, without loading it; None where it is missing."""
    try:
        return odb.read_header(oid)[1]
    except KeyError:
        return None


def object_size(odb: "pygit2.Odb", oid: str) -> int:
    """The same. Raises Fatal where it is missing."""
    found = find_object_size(odb, oid)
    if found is None:
        raise _explain_missing(oid)
    return found


def _explain_missing(oid: str) -> Fatal:
    return Fatal(
        f"object {oid} is missing from this repository",
        hint="'git fsck' says what else is damaged; fetch it again from where it came",
        commands=[["git", "fsck"]],
    )


def _parse_tree(oid: str, raw: bytes) -> dict[bytes, _Spelled]:
    parts: list[_Spelled] = _ENTRY.findall(raw)
    # A space and a NUL in each; what else is missing was skipped.
    if len(b"".join(map(b"".join, parts))) + 2 * len(parts) != len(raw):
        hint = "'git fsck' says what else is damaged"
        raise Fatal(f"tree {oid} is malformed", hint=hint, commands=[["git", "fsck"]])
    return {each[1]: each for each in parts}


def _tree_or_leaf(entry: Entry | None) -> tuple[str, Entry | None]:
    """The tree of an entry, the empty one if none, and the entry where it is no tree."""
    if entry is not None and entry.is_tree:
        return entry.oid, None
    return EMPTY_TREE, entry


def _group_by_directory(
    edits: Mapping[bytes, Entry | None],
) -> dict[bytes, dict[bytes, Entry | None]]:
    """Edits by the directory they fall into, with every directory above."""
    found: dict[bytes, dict[bytes, Entry | None]] = {b"": {}}
    for path, entry in edits.items():
        directory, _, name = path.rpartition(b"/")
        above = directory
        while above not in found:
            found[above] = {}
            above = above.rpartition(b"/")[0]
        found[directory][name] = entry
    return found
