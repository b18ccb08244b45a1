"""Specifications in git: read from a commit's tree, written as blobs and trees.

Nothing goes through an index or a checkout. A tree is written as the difference from the one
before, so subtrees without a change are neither read nor written.
"""

from collections.abc import Mapping
from typing import NamedTuple

from git_retcon.allium.store.module_paths import MASTER, SUFFIX
from git_retcon.allium.store.source_map import SourceRoot, read_root
from git_retcon.allium.store.spec_store import EMPTY_MASTER, FOLDER, SpecStore
from git_retcon.git.repository import Repository
from git_retcon.git.trees import EMPTY_TREE, Entry, read_object

CHANGELOG = b"allium-changelog.md"
_FILE = b"100644"
# Blobs that were last read or written. Most of a specification stays from commit to commit.
_MOST_KEPT = 32 * 1024 * 1024  # bytes


class Snapshot(NamedTuple):
    """What a spec commit holds, and the tree that holds it."""

    store: SpecStore
    changelog: bytes
    tree: str


NO_SNAPSHOT = Snapshot(SpecStore(), b"", EMPTY_TREE)


class SpecTrees:
    """Reads and writes the specifications of one repository.

    ``root`` is the configured source root; None: the one that a master names.
    """

    def __init__(self, repository: Repository, root: SourceRoot | None = None) -> None:
        self._objects = repository.objects
        self._trees = repository.trees
        self._root = root
        self._contents: dict[str, bytes] = {}
        self._oids: dict[bytes, str] = {}
        self._size = 0

    def read(self, tree: str) -> Snapshot:
        """What a tree holds. Links and other files are left out.

        Raises BadModulePath where modules have paths that they may not have.
        """
        master, modules = EMPTY_MASTER, {}
        spec = self._trees.find(tree, FOLDER.rstrip(b"/"))
        if spec is not None and spec.is_tree:
            for path, entry in self._trees.files(spec.oid):
                if not entry.is_file or not path.endswith(SUFFIX):
                    continue
                if path == MASTER:
                    master = self._read_blob(entry.oid)
                else:
                    modules[path] = self._read_blob(entry.oid)
        changelog = self._trees.find(tree, CHANGELOG)
        text = self._read_blob(changelog.oid) if changelog and changelog.is_file else b""
        store = SpecStore(master, modules, self._root or read_root(master))
        return Snapshot(store, text, tree)

    def write(self, store: SpecStore, changelog: bytes, before: Snapshot) -> Snapshot:
        """Write what differs from another snapshot, and the trees above it."""
        edits: dict[bytes, Entry | None] = {}
        old, new = before.store.all_modules(), store.all_modules()
        for path in old.keys() - new.keys():
            edits[FOLDER + path] = None
        for path, content in new.items():
            # Identity first: most modules are the same bytes object as before.
            if content is not old.get(path) and content != old.get(path):
                edits[FOLDER + path] = self._write_blob(content)
        is_first = before.tree == EMPTY_TREE
        if is_first or store.master_spec() != before.store.master_spec():
            edits[FOLDER + MASTER] = self._write_blob(store.master_spec())
        if changelog != before.changelog:
            # Each step has another one, so it is not worth keeping.
            edits[CHANGELOG] = Entry(_FILE, str(self._objects.create_blob(changelog)))
        tree = self._trees.edit(before.tree, edits) if edits else before.tree
        return Snapshot(store, changelog, tree)

    def find_spec_tree(self, tree: str) -> str:
        """The id of the tree below ``spec/``, which is the specification without its changelog."""
        entry = self._trees.find(tree, FOLDER.rstrip(b"/"))
        return entry.oid if entry is not None and entry.is_tree else EMPTY_TREE

    def _read_blob(self, oid: str) -> bytes:
        found = self._contents.get(oid)
        return (
            self._keep_content(oid, read_object(self._objects.odb, oid)) if found is None else found
        )

    def _write_blob(self, content: bytes) -> Entry:
        oid = self._oids.get(content)
        if oid is None:
            oid = str(self._objects.create_blob(content))
            self._keep_content(oid, content)
        return Entry(_FILE, oid)

    def _keep_content(self, oid: str, content: bytes) -> bytes:
        self._size += len(content)
        # Emptied at once instead of entry by entry: simpler, and reading back is cheap.
        if self._size > _MOST_KEPT:
            self._contents, self._oids, self._size = {}, {}, len(content)
        self._contents[oid] = content
        self._oids[content] = oid
        return content


def list_changed_files(before: SpecStore, after: SpecStore) -> Mapping[bytes, bytes | None]:
    """The modules, and the master, that differ, with what they became; None is removed."""
    old, new = before.all_modules(), after.all_modules()
    changed: dict[bytes, bytes | None] = {each: None for each in old if each not in new}
    changed |= {each: text for each, text in new.items() if old.get(each) != text}
    if before.master_spec() != after.master_spec():
        changed[MASTER] = after.master_spec()
    return changed
