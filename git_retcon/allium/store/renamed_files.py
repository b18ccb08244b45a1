"""Which file of a source tree was another one before."""

from collections.abc import Callable, Mapping, Sequence

from git_retcon.git.trees import EntryChange

_MOST_RENAMES = 200  # files that came, or went; beyond that only equal ones pair


def find_renames(changes: Sequence[EntryChange]) -> Mapping[bytes, bytes]:
    """New path → old path: the same content, else the same name where only one can be meant."""
    gone = [each for each in changes if each.new is None]
    come = [each for each in changes if each.old is None]
    pairs = pair_equal(gone, come)
    if len(gone) <= _MOST_RENAMES and len(come) <= _MOST_RENAMES:
        taken = set(pairs.values())
        pairs |= _pair_paths(
            [each for each in gone if each.path not in taken],
            [each for each in come if each.path not in pairs],
            _read_name,
        )
    return pairs


def pair_equal(gone: Sequence[EntryChange], come: Sequence[EntryChange]) -> dict[bytes, bytes]:
    """New path → old path of files with the same content, where only one can be meant."""
    return _pair_paths(gone, come, _read_oid) if gone and come else {}


def _pair_paths(
    gone: Sequence[EntryChange],
    come: Sequence[EntryChange],
    read_key: Callable[[EntryChange], bytes],
) -> dict[bytes, bytes]:
    """New path → old path where one that went and one that came have a key of their own."""
    before, after = (_group_changes(changes, read_key) for changes in (gone, come))
    return {
        after[key][0]: before[key][0]
        for key in after
        if len(after[key]) == 1 and len(before.get(key, ())) == 1
    }


def _group_changes(
    changes: Sequence[EntryChange], read_key: Callable[[EntryChange], bytes]
) -> Mapping[bytes, Sequence[bytes]]:
    found: dict[bytes, list[bytes]] = {}
    for change in changes:
        found.setdefault(read_key(change), []).append(change.path)
    return found


def _read_oid(change: EntryChange) -> bytes:
    entry = change.new or change.old
    return entry.oid.encode() if entry is not None else b""


def _read_name(change: EntryChange) -> bytes:
    return change.path.rpartition(b"/")[2]
