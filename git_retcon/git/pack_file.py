"""Packs: many objects in one file, with an index beside it (gitformat-pack(5), both version 2).

There are no deltas in what is written here: 'git gc' finds them later.
"""

import contextlib
import hashlib
import os
import struct
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.files.atomic import read_umask, sync_directory

_VERSION = 2
_INDEX_MAGIC = b"\377tOc"
_MODE = 0o444  # git's own: nobody changes a pack
_LEVEL = 1  # of zlib, as git has it for objects that are in no pack yet


class NewObject(NamedTuple):
    """An object that is in no store yet: its id in binary, git's number of its type, its bytes."""

    oid: bytes
    kind: int
    content: bytes


class _Placed(NamedTuple):
    """Where an object begins in a pack, and the CRC-32 of what is there."""

    oid: bytes
    checksum: int
    place: int


def write_pack(folder: Path, objects: Sequence[NewObject]) -> Path:
    """Write a pack, and its index, into a store's folder of packs; return the pack's path.

    Both are on the disk when this returns. None has its name before it is whole, and the pack has
    its own before the index, without which nobody reads it. What a kill leaves is what git's own
    leave, and 'git gc' removes it. More than two gigabytes would need one more table in the index.
    Raises OSError.
    """
    folder.mkdir(exist_ok=True)
    placed: list[_Placed] = []
    digest = hashlib.sha1(usedforsecurity=False)

    def parts() -> Iterator[bytes]:
        place = 0
        header = b"PACK" + struct.pack(">II", _VERSION, len(objects))
        for each in (None, *objects):
            part = header if each is None else _spell_object(each)
            if each is not None:
                placed.append(_Placed(each.oid, zlib.crc32(part), place))
            place += len(part)
            digest.update(part)
            yield part
        yield digest.digest()

    with _remove_unfinished() as unfinished:
        pack = _write_new(folder, "tmp_pack_", parts(), unfinished)
        placed.sort()
        index = _write_new(folder, "tmp_idx_", [_spell_index(placed, digest.digest())], unfinished)
        target = folder / f"pack-{digest.hexdigest()}.pack"
        pack.replace(target)
        index.replace(target.with_suffix(".idx"))
    sync_directory(folder)
    return target


def _spell_object(each: NewObject) -> bytes:
    """Its type and length, seven bits a byte after the first four, and what zlib makes of it."""
    length = len(each.content)
    first, length = (each.kind << 4) | (length & 15), length >> 4
    header = bytearray()
    while length:
        header.append(first | 0x80)
        first, length = length & 0x7F, length >> 7
    header.append(first)
    return bytes(header) + zlib.compress(each.content, _LEVEL)


def _spell_index(placed: Sequence[_Placed], digest: bytes) -> bytes:
    """The index of a pack with this digest; ``placed`` is sorted."""
    counts = [0] * 256
    for each in placed:
        counts[each.oid[0]] += 1
    sums = [sum(counts[: first + 1]) for first in range(256)]
    whole = b"".join([
        _INDEX_MAGIC,
        struct.pack(">I256I", _VERSION, *sums),
        *(each.oid for each in placed),
        struct.pack(f">{len(placed)}I", *(each.checksum for each in placed)),
        struct.pack(f">{len(placed)}I", *(each.place for each in placed)),
        digest,
    ])  # fmt: skip
    return whole + hashlib.sha1(whole, usedforsecurity=False).digest()


@contextlib.contextmanager
def _remove_unfinished() -> Iterator[list[Path]]:
    """Files that are removed where something goes wrong."""
    unfinished: list[Path] = []
    try:
        yield unfinished
    except BaseException:  # Ctrl-C too
        for path in unfinished:
            path.unlink(missing_ok=True)
        raise


def _write_new(folder: Path, prefix: str, parts: Iterable[bytes], unfinished: list[Path]) -> Path:
    """Write a file that has no name of its own yet, through to the disk."""
    handle, name = tempfile.mkstemp(prefix=prefix, dir=folder)
    unfinished.append(Path(name))
    with os.fdopen(handle, "wb") as file:
        file.writelines(parts)
        file.flush()
        os.fchmod(file.fileno(), _MODE & ~read_umask())
        os.fsync(file.fileno())
    return Path(name)
