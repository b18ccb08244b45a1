"""Objects that are written together: kept in memory first, where libgit2 sees them like all others.

A file for each object costs ten times what the object does. git makes one pack of what it fetches
unless that is little, and so does this.
"""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon.errors import Fatal
from git_retcon.interrupts import Interrupts

if TYPE_CHECKING:
    import pygit2

    from git_retcon.git.collecting_store import CollectingStore

_FIRST = 10  # of libgit2's stores; those of files have 1 and 2
# git's own limit for what it fetches (transfer.unpackLimit): fewer objects are a file each.
_FEWEST_PACKED = 100
_MOST_KEPT = 64 * 1024 * 1024  # bytes


class NewObjects:
    """What is written to the store in ``folder`` within ``collect``, until it is saved."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._store: CollectingStore | None = None

    @contextlib.contextmanager
    def collect(self, odb: "pygit2.Odb") -> Iterator[None]:
        """Nothing that is written through ``odb`` within this block is on the disk before ``save``,
        which the end of the block does too, unless that is an error.

        For one thread alone: libgit2 holds a lock while it asks a store of Python's, and two
        threads would wait for each other. Another view of the repository, such as that for walks,
        sees nothing of it.
        """
        from git_retcon.git.collecting_store import CollectingStore

        if self._store is None:
            self._store = CollectingStore(self._folder)
            odb.add_backend(self._store, _FIRST)
        self._store.is_open = True
        try:
            yield
            self.save()
        finally:
            self._store.is_open = False
            self._store.forget()  # what no ref names

    @property
    def is_full(self) -> bool:
        """Whether so much is collected that it should be saved."""
        return self._store is not None and self._store.size > _MOST_KEPT

    def holds(self, oid: str) -> bool:
        """Whether an object is collected, and nobody else can read it yet."""
        return self._store is not None and self._store.has(oid)

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
            self._store.forget()

    def _write_pack(self, objects: Mapping["pygit2.Oid", tuple[int, bytes]]) -> None:
        from git_retcon.git.pack_file import NewObject, write_pack

        listed = [NewObject(oid.raw, *each) for oid, each in objects.items()]
        try:
            write_pack(self._folder / "pack", sorted(listed, key=lambda each: each.kind))
        except OSError as error:
            raise Fatal(
                f"cannot write a pack in '{self._folder}': {error.strerror or error}",
                hint="free some space or correct its permissions, then run the same command again",
                again=(),
            ) from error
