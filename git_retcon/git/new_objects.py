"""Objects that are written together: kept in memory first, where libgit2 sees them like all others.

A file for each object costs ten times what the object does. git makes one pack of what it fetches
unless that is little, and so does this.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon.errors import Fatal
from git_retcon.interrupts import Interrupts

if TYPE_CHECKING:
    import pygit2

    from git_retcon.git.collecting_store import CollectingStore
    from git_retcon.git.kept_packs import KeptPack

_FIRST = 10  # of libgit2's stores; those of files have 1 and 2
# git's own limit for what it fetches (transfer.unpackLimit): fewer objects are a file each.
_FEWEST_PACKED = 100
_MOST_KEPT = 64 * 1024 * 1024  # bytes


class NewObjects:
    """What is written to the store in ``folder`` within ``collect``, until it is saved."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._store: CollectingStore | None = None
        self._saved_before: dict[str, frozenset[str]] = {}
        self._kept: list[KeptPack] = []

    @contextlib.contextmanager
    def collect(self, odb: "pygit2.Odb") -> Iterator[None]:
        """Nothing that is written through ``odb`` within this block is on the disk before ``save``,
        which the end of the block does too, unless that is an error.

        For one thread alone: libgit2 holds a lock while it asks a store of Python's, and two
        threads would wait for each other. Another view of the repository, such as that for walks,
        sees nothing of it.
        """
        from git_retcon.git.collecting_store import CollectingStore
        from git_retcon.git.kept_packs import release_dead_packs

        if self._store is None:
            self._store = CollectingStore(self._folder)
            odb.add_backend(self._store, _FIRST)
        release_dead_packs(self._folder / "pack")
        self._store.is_open = True
        try:
            yield
            self.save()
        finally:
            self._store.is_open = False
            self._forget()  # what no ref names
            self.release()

    def add_commit(self, odb: "pygit2.Odb", content: bytes) -> str:
        """Write a commit that is hardly there yet, and return its id."""
        from pygit2.enums import ObjectType

        if self._store is None or not self._store.is_open:
            return str(odb.write(ObjectType.COMMIT, content))
        # libgit2 would look for it in all stores first, which costs ten times what this does.
        return self._store.add(ObjectType.COMMIT, content)

    @property
    def is_full(self) -> bool:
        """Whether so much is collected that it should be saved."""
        return self._store is not None and self._store.size > _MOST_KEPT

    def holds(self, oid: str) -> bool:
        """Whether an object is collected, and nobody else can read it yet."""
        return self._store is not None and self._store.get(oid) is not None

    def list_saved(self, tips: Iterable[str]) -> Sequence[str]:
        """Commits that a walk can begin at: in place of each that is collected, the nearest ones
        before it that are on the disk.
        """
        return sorted(frozenset().union(*map(self._find_saved, tips)))

    def _find_saved(self, tip: str) -> frozenset[str]:
        known = self._saved_before
        pending = [tip]
        while pending:
            content = self._store.get(pending[-1]) if self._store is not None else None
            parents = () if content is None else list_parents(content)
            unknown = [each for each in parents if each not in known]
            pending += unknown
            if not unknown:
                at = pending.pop()
                own = frozenset() if content is not None else frozenset([at])
                known[at] = own.union(*(known[each] for each in parents))
        return known[tip]

    def save(self) -> None:
        """Write what was collected to the disk: before a ref names any of it, and before somebody
        else reads it. Raises Fatal where the disk refuses; all of it is still collected then.
        """
        if self._store is None or not self._store.objects:
            return
        with Interrupts():
            objects = self._store.objects
            if len(objects) < _FEWEST_PACKED:
                self._store.write_files()
            else:
                self._write_pack(objects)
            self._forget()

    def release(self) -> None:
        """Refs name what was saved: nobody has to keep it any more."""
        kept, self._kept = self._kept, []
        for pack in kept:
            pack.release()

    def _forget(self) -> None:
        if self._store is not None:
            self._store.forget()
        self._saved_before = {}

    def _write_pack(self, objects: Mapping["pygit2.Oid", tuple[int, bytes]]) -> None:
        from git_retcon.git.pack_file import NewObject, write_pack

        listed = [NewObject(oid.raw, *each) for oid, each in objects.items()]
        try:
            self._kept.append(write_pack(self._folder / "pack", listed))
        except OSError as error:
            raise Fatal(
                f"cannot write a pack in '{self._folder}': {error.strerror or error}",
                hint="free some space or correct its permissions, then run the same command again",
                again=(),
            ) from error


def list_parents(content: bytes) -> Sequence[str]:
    """The parents that the content of a commit names."""
    head = content.partition(b"\nauthor ")[0].split(b"\n")[1:]
    return [line.removeprefix(b"parent ").decode("ascii") for line in head]
