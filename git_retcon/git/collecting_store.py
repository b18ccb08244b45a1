"""A store of libgit2's that keeps in memory what is written to it."""

import hashlib
import os
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

_LARGEST = 1024 * 1024  # bytes: what is larger is a file of its own, at once


class CollectingStore(pygit2.OdbBackend):
    """Takes what is written while ``is_open``, and gives what it has; at other times all becomes
    files below ``folder``. The names of its methods are pygit2's, which takes KeyError for "not
    here".
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.is_open = False
        self.objects: dict[pygit2.Oid, tuple[int, bytes]] = {}
        self.size = 0  # bytes
        # libgit2 asks no second store for a write that the first one refuses.
        self._files = pygit2.Odb()
        self._files.add_backend(pygit2.OdbBackendLoose(os.fspath(folder), -1, False, 0, 0), 1)

    def write_files(self) -> None:
        """Make files of what it has, which it goes on having."""
        for kind, content in self.objects.values():
            self._files.write(kind, content)

    def forget(self) -> None:
        """Have nothing."""
        self.objects, self.size = {}, 0

    def get(self, oid: str) -> bytes | None:
        """The content of the object with this whole id, or None."""
        found = self.objects.get(pygit2.Oid(hex=oid)) if self.objects else None
        return None if found is None else found[1]

    def add(self, kind: ObjectType, content: bytes) -> str:
        """Keep an object while it is open, and return its id."""
        head = b"%b %d\0" % (kind.name.lower().encode(), len(content))
        oid = hashlib.sha1(head + content, usedforsecurity=False).hexdigest()
        self.write_cb(pygit2.Oid(hex=oid), content, kind)
        return oid

    def write_cb(self, oid: pygit2.Oid, content: bytes, kind: int) -> None:
        """Keep an object, or make it a file."""
        if self.is_open and len(content) <= _LARGEST:
            self.objects[oid] = kind, content
            self.size += len(content)
        else:
            self._files.write(kind, content)

    def read_cb(self, oid: pygit2.Oid) -> tuple[int, bytes]:
        """Type and content of an object."""
        return self.objects[oid]

    def read_header_cb(self, oid: pygit2.Oid) -> tuple[int, int]:
        """Type and size of an object."""
        kind, content = self.objects[oid]
        return kind, len(content)

    def read_prefix_cb(self, short: str) -> tuple[int, bytes, pygit2.Oid]:
        """Type, content and id of the one object whose id begins so."""
        oid = self.exists_prefix_cb(short)
        return *self.objects[oid], oid

    def exists_cb(self, oid: pygit2.Oid) -> bool:
        """Whether there is such an object."""
        return oid in self.objects

    def exists_prefix_cb(self, short: str) -> pygit2.Oid:
        """The id of the one object whose id begins so."""
        if len(short) == 40:
            oid = pygit2.Oid(hex=short)
            found = [oid] if oid in self.objects else []
        else:
            found = [each for each in self.objects if str(each).startswith(short)]
        if len(found) != 1:
            raise KeyError(short)
        return found[0]

    def refresh_cb(self) -> None:
        """Look again: there is nothing to look at."""
