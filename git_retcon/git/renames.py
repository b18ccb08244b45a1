"""Which changed entries cannot be applied one without the other."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from git_retcon.git.repository import Repository
from git_retcon.git.trees import EntryChange

if TYPE_CHECKING:
    import pygit2

# Beyond this many excluded paths an argument list grows too long, and only exact renames count.
_MOST_EXCLUDED = 200


def find_renames(
    repository: Repository,
    changes: Sequence[EntryChange],
    base: str,
    target: str,
    *,
    largest: int,
) -> Mapping[bytes, bytes]:
    """New path → old path for every file that git itself would call renamed.

    A path whose letters only changed case is a rename with any content: on some machines the
    two cannot exist side by side. Blobs larger than ``largest`` bytes are renamed only unchanged,
    so that git need not load them to compare.
    """
    gone = [change for change in changes if change.new is None]
    come = [change for change in changes if change.old is None]
    pairs = _pair_by_case(gone, come)
    # Nothing is left to pair, so git need not compare contents.
    if len(pairs) in (len(gone), len(come)):
        return pairs
    excluded = _list_too_large(repository.objects, gone, come, largest)
    similarity = "-M50%" if len(excluded) <= _MOST_EXCLUDED else "-M100%"
    listing = repository.git.run(
        # More files than git's own limit of 1000, but not without end: each is compared with each.
        "diff-tree", "-r", "-z", similarity, "-l2000", "--diff-filter=R", "--no-ext-diff",
        "--ignore-submodules=none", "--raw", base, target, "--",
        *(b":(exclude,literal)" + path for path in excluded[:_MOST_EXCLUDED]),
    )  # fmt: skip
    fields = listing.split(b"\0")
    taken = set(pairs.values())
    for at in range(0, len(fields) - 2, 3):
        old, new = fields[at + 1], fields[at + 2]
        if new not in pairs and old not in taken:
            pairs[new] = old
            taken.add(old)
    return pairs


def _pair_by_case(gone: Sequence[EntryChange], come: Sequence[EntryChange]) -> dict[bytes, bytes]:
    # Reversed, so that of two that fold alike the first in path order wins.
    folded = {change.path.lower(): change.path for change in reversed(gone)}
    pairs: dict[bytes, bytes] = {}
    for change in come:
        old = folded.pop(change.path.lower(), None)
        if old is not None:
            pairs[change.path] = old
    return pairs


def _list_too_large(
    objects: "pygit2.Repository",
    gone: Sequence[EntryChange],
    come: Sequence[EntryChange],
    largest: int,
) -> list[bytes]:
    """The large files that came, unless they only moved or nothing large went."""
    went = {change.old.oid for change in gone if change.old and change.old.is_file}
    large = {oid for oid in went if objects.odb.read_header(oid)[1] > largest}
    if not large:
        return []
    return [
        change.path
        for change in come
        if change.new is not None
        and change.new.is_file
        and change.new.oid not in large
        and objects.odb.read_header(change.new.oid)[1] > largest
    ]


def group_inseparable(
    changes: Sequence[EntryChange], pairs: Mapping[bytes, bytes]
) -> Collection[Sequence[EntryChange]]:
    """Changes in groups: the two ends of a rename, a file and what it makes room for."""
    by_path = {change.path: change for change in changes}
    leader: dict[bytes, bytes] = {}

    def find(path: bytes) -> bytes:
        while (above := leader.get(path, path)) != path:
            leader[path] = leader.get(above, above)
            path = above
        return path

    def join(one: bytes, other: bytes) -> None:
        first, second = find(one), find(other)
        if first != second:
            leader[first] = second

    for new, old in pairs.items():
        join(new, old)
    for path, parent in _list_displaced(by_path):
        join(path, parent)
    groups: dict[bytes, list[EntryChange]] = {}
    for path, change in by_path.items():
        groups.setdefault(find(path), []).append(change)
    return groups.values()


def _list_displaced(by_path: Mapping[bytes, EntryChange]) -> Iterator[tuple[bytes, bytes]]:
    """Each changed path with the changed path that is a directory of it on the other side.

    There is at most one: above it, both sides have directories.
    """
    for path in by_path:
        parent = path.rpartition(b"/")[0]
        while parent and parent not in by_path:
            parent = parent.rpartition(b"/")[0]
        if parent:
            yield path, parent
