"""Files of a tree that have another name outside of it.

What a sandbox makes writable is names. A package manager that links files of its store into a tree
(pnpm, uv), or a copy made with ``cp -al``, gives one file two names: written by the one, it is
changed by the other, which may be in another project or in the user's home.
"""

import os
import stat
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

# Each is a mount of its own; with more, folders that hold nothing else are taken as a whole.
_MOST_SINGLE = 1_000


class _Entry(NamedTuple):
    name: str
    state: os.stat_result

    @property
    def identity(self) -> tuple[int, int]:
        return self.state.st_dev, self.state.st_ino


def find_hard_links(top: Path) -> tuple[Path, ...]:
    """Files beneath ``top`` that are files outside of it too, or folders that hold no others.

    What lies in ``.git`` at the top is left out.
    """
    folders = dict(_list_folders(str(top)))
    names = Counter(
        entry.identity
        for entries in folders.values()
        for entry in entries
        if stat.S_ISREG(entry.state.st_mode) and entry.state.st_nlink > 1
    )

    def leads_out(entry: _Entry) -> bool:
        return entry.state.st_nlink > names[entry.identity] > 0

    found = [
        os.path.join(folder, entry.name)  # noqa: PTH118
        for folder, entries in folders.items()
        for entry in entries
        if leads_out(entry)
    ]
    if len(found) > _MOST_SINGLE:
        found = _fold_whole_folders(str(top), folders, frozenset(found))
    return tuple(map(Path, found))


def _list_folders(top: str) -> Iterator[tuple[str, Sequence[_Entry]]]:
    """Each folder with what is in it, the outer before the inner."""
    pending = [top]
    while pending:
        folder = pending.pop()
        entries = []
        try:
            with os.scandir(folder) as listed:
                for each in listed:
                    entries.append(_Entry(each.name, each.stat(follow_symlinks=False)))
                    if each.is_dir(follow_symlinks=False) and each.path != f"{top}/.git":
                        pending.append(each.path)
        except OSError:  # it is gone, or nobody's to read
            continue
        yield folder, entries


def _fold_whole_folders(
    top: str, folders: Mapping[str, Sequence[_Entry]], found: frozenset[str]
) -> list[str]:
    """The same places, with a folder in place of all that is in it wherever that is all there is.

    Links do not count: what they lead to has a place of its own.
    """
    whole: set[str] = set()
    for folder in reversed(list(folders)):
        paths = [
            os.path.join(folder, entry.name)  # noqa: PTH118
            for entry in folders[folder]
            if not stat.S_ISLNK(entry.state.st_mode)
        ]
        if paths and folder != top and all(path in found or path in whole for path in paths):
            whole.add(folder)
    places = whole.union(found)
    return [place for place in places if os.path.dirname(place) not in whole]  # noqa: PTH120
