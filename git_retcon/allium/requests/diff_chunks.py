"""The changes of a commit as text for a model, in parts that each fit into a request.

A part is one folder of the source where that fits, several where they are small, and less where it
is large: split by the folders below, then by files, and a file by its lines.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeVar

from git_retcon.allium.store.source_map import HOLDERS
from git_retcon.git.repository import Repository
from git_retcon.git.trees import Entry, EntryChange, object_size, read_object
from git_retcon.model.never_send import NeverSend
from git_retcon.model.token_count import count_tokens
from git_retcon.show.style import show_path

_LARGEST = 4 * 1024 * 1024  # bytes; a larger file is data
NO_RENAMES: Mapping[bytes, bytes] = MappingProxyType({})


class FileDiff(NamedTuple):
    """What a commit did to one file, or to some of its lines."""

    path: bytes
    text: str

    @property
    def tokens(self) -> int:
        return count_tokens(self.text.encode("utf-8", "surrogatepass"))


class Part(Protocol):
    """A file, or some of its lines, with its size."""

    @property
    def path(self) -> bytes: ...
    @property
    def tokens(self) -> int: ...


P = TypeVar("P", bound=Part)
Chunk = Sequence[FileDiff]


def find_group(path: bytes) -> bytes:
    """The folder that a file is grouped by; files at the top are ``.``."""
    parts = path.split(b"/")
    # What is below one of these is a project, and a group of its own.
    depth = 2 if parts[0] in HOLDERS and len(parts) > 2 else 1
    return b"/".join(parts[:depth]) if len(parts) > depth else b"/".join(parts[:-1]) or b"."


def read_diffs(
    repository: Repository,
    changes: Sequence[EntryChange],
    never_send: NeverSend,
    renames: Mapping[bytes, bytes] = NO_RENAMES,
) -> Iterator[FileDiff]:
    """Changes as unified diffs; ``renames`` are new path → old path. What is withheld, or no text,
    is named only.
    """
    for change in changes:
        if change.path in renames.values() and change.new is None:
            continue  # shown at its new path
        former = renames.get(change.path, change.path)
        old = change.old
        if former != change.path:
            old = next(each.old for each in changes if each.path == former)
        shown = show_path(change.path)
        if never_send.matches(change.path) or never_send.matches(former):
            yield FileDiff(change.path, f"--- {shown} changed; its content is withheld\n")
            continue
        before, after = _read_text(repository, old), _read_text(repository, change.new)
        if before is None or after is None:
            yield FileDiff(change.path, f"--- {shown} changed; it is no text\n")
            continue
        yield FileDiff(change.path, _compare_blobs(show_path(former), shown, before, after))


def divide(diffs: Iterable[FileDiff], limit: int) -> Sequence[Chunk]:
    """The diffs in chunks of at most ``limit`` tokens, those of one folder together."""
    return group([part for diff in diffs for part in _cut_diff(diff, limit)], limit)


def group(found: Sequence[P], limit: int) -> Sequence[Sequence[P]]:
    """Parts in chunks of at most ``limit`` tokens, those of one folder together. One that alone is
    larger is a chunk of its own.
    """
    # All of it in one request: a model sees how the changes belong together.
    if sum(part.tokens for part in found) <= limit:
        return [found] if found else []
    groups: dict[bytes, list[P]] = {}
    for part in found:
        groups.setdefault(find_group(part.path), []).append(part)
    parts = [part for key in sorted(groups) for part in _split_folders(groups[key], key, limit)]
    return list(_pack_parts(parts, limit))


def _split_folders(diffs: Sequence[P], folder: bytes, limit: int) -> Iterator[Sequence[P]]:
    """A group, by the folders below it where it is too large."""
    if sum(diff.tokens for diff in diffs) <= limit:
        yield diffs
        return
    below: dict[bytes, list[P]] = {}
    for diff in diffs:
        rest = diff.path if folder == b"." else diff.path[len(folder) + 1 :]
        name, slash, _ = rest.partition(b"/")
        key = (name if folder == b"." else folder + b"/" + name) if slash else folder
        below.setdefault(key, []).append(diff)
    for key in sorted(below):
        if key == folder:
            yield from _pack_parts([[diff] for diff in below[key]], limit)
        else:
            yield from _split_folders(below[key], key, limit)


def _pack_parts(parts: Iterable[Sequence[P]], limit: int) -> Iterator[Sequence[P]]:
    """Parts in their order, as many together as fit."""
    packed: list[P] = []
    size = 0
    for part in parts:
        tokens = sum(diff.tokens for diff in part)
        if packed and size + tokens > limit:
            yield packed
            packed, size = [], 0
        packed = [*packed, *part]
        size += tokens
    if packed:
        yield packed


def _cut_diff(diff: FileDiff, limit: int) -> Iterator[FileDiff]:
    """A diff by its lines where it alone is too large."""
    if diff.tokens <= limit:
        yield diff
        return
    lines = diff.text.splitlines(keepends=True)
    most = max(
        1, limit * 4 * 9 // 10
    )  # bytes, leaving room for the line that says which part it is
    part: list[str] = []
    size = first = 0
    for number, line in enumerate([*lines, ""]):
        length = len(line.encode("utf-8", "surrogatepass"))
        if part and (size + length > most or number == len(lines)):
            name = f"{show_path(diff.path)}:{first + 1}-{number}"
            yield FileDiff(diff.path, f"(lines of the change of {name})\n{''.join(part)}")
            part, size, first = [], 0, number
        # A line that alone is too large is generated or data; its head is enough.
        part.append(line[:most])
        size += length


def _read_text(repository: Repository, entry: Entry | None) -> bytes | None:
    """The content of a file, empty where there is none; None for what is no text."""
    if entry is None:
        return b""
    if not entry.is_file or object_size(repository.objects.odb, entry.oid) > _LARGEST:
        return None
    content = read_object(repository.objects.odb, entry.oid)
    return None if b"\0" in content else content


def _compare_blobs(former: str, path: str, old: bytes, new: bytes) -> str:
    from pygit2 import Patch

    patch = Patch.create_from(old, new, context_lines=3)
    shown: bytes = patch.data or b""
    # Git's own header names files that do not exist: two blobs were compared.
    start = shown.find(b"\n@@")
    hunks = shown[start + 1 :].decode("utf-8", "replace") if start >= 0 else ""
    head = f"--- {former if old else '(new)'}\n+++ {path if new else '(removed)'}\n"
    return head + hunks
