"""The index of a checkout whose branch moves to commits that were made of its files.

What was staged stays staged, unless a commit took it: then nothing differs from it any more. The
files themselves are not touched.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from git_retcon.errors import Fatal, Reason
from git_retcon.files.untrusted_paths import list_parents
from git_retcon.git.process import Git
from git_retcon.git.ref_updates import NOTHING
from git_retcon.git.trees import Entry, Trees
from git_retcon.show.counting import some_of
from git_retcon.show.style import show_path

_MOST_NAMED = 3


class IndexUpdate(NamedTuple):
    """What the index has at each path before and after; None is nothing."""

    before: Mapping[bytes, Entry | None]
    after: Mapping[bytes, Entry | None]

    def apply(self, git: Git) -> None:
        """Write it. Raises GitError where another git process has the index."""
        _write_entries(git, self.after)

    def undo(self, git: Git) -> None:
        """Put back what was there."""
        _write_entries(git, self.before)


def plan_index(git: Git, trees: Trees, before: str, after: str, files: str) -> IndexUpdate:
    """What the index needs when HEAD goes from one tree to another; ``files`` is the tree of the
    working state.

    Raises Fatal where it holds a version of a file that is in none of them, which would be lost.
    """
    staged = _list_staged(git)
    old: dict[bytes, Entry | None] = {}
    new: dict[bytes, Entry | None] = {}
    lost: list[bytes] = []
    for change in trees.changes(before, after):
        path = change.path
        if path not in staged:
            old[path], new[path] = change.old, change.new
        elif staged[path] not in (change.new, trees.find(files, path)):
            lost.append(path)
    lost += _find_covered(staged, (path for path, entry in new.items() if entry is not None))
    if lost:
        named = some_of([show_path(path) for path in lost], _MOST_NAMED)
        raise Fatal(
            f"what is staged is neither what is in the file nor what was committed: {named}",
            hint="'git restore --staged' or 'git add' them, then run the same command again",
            reason=Reason.UNSAVED_WORK,
            again=(),
        )
    return IndexUpdate(old, new)


def _find_covered(staged: Mapping[bytes, Entry | None], added: Iterable[bytes]) -> Sequence[bytes]:
    """The staged files that the index cannot hold beside those added: where one is a folder of the
    other, git drops what it had.
    """
    files = frozenset(added)
    folders = frozenset(folder for path in files for folder in list_parents(path))
    return [
        path
        for path, entry in staged.items()
        if entry is not None and (path in folders or not files.isdisjoint(list_parents(path)))
    ]


def _list_staged(git: Git) -> Mapping[bytes, Entry | None]:
    """Each path that differs between HEAD and the index, with what the index has."""
    # What "git add -N" announced is not staged yet.
    listed = git.records(
        "diff-index", "--cached", "--ita-invisible-in-index", "--no-renames", "--no-abbrev",
        "--ignore-submodules=none", "-z", "HEAD", "--",
    )  # fmt: skip
    return dict(_read_staged(listed))


def _read_staged(listed: Sequence[bytes]) -> list[tuple[bytes, Entry | None]]:
    """Each pair of records is ``:mode mode id id status`` and the path."""
    found: list[tuple[bytes, Entry | None]] = []
    for head, path in zip(listed[::2], listed[1::2], strict=True):
        _, mode, _, oid, status = head.split(b" ")
        entry = None if status == b"D" else Entry(mode, oid.decode("ascii"))
        found.append((path, entry))
    return found


def _write_entries(git: Git, entries: Mapping[bytes, Entry | None]) -> None:
    if not entries:
        return
    lines = (
        b"%b %b\t%b\0" % (b"0" if entry is None else entry.mode, _find_id(entry), path)
        for path, entry in entries.items()
    )
    git.run("update-index", "-z", "--index-info", stdin=b"".join(lines))
    # Else the next "git diff-files" would name files that are as they were; what really differs
    # makes git's status 1.
    git.try_run("update-index", "-q", "--refresh")


def _find_id(entry: Entry | None) -> bytes:
    return (NOTHING if entry is None else entry.oid).encode("ascii")
