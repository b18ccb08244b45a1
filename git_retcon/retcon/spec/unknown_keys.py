"""Keys of a specification that are not read.

A key that a user adds stays, so an unknown one is no error. But we do not read it, and its writer
should know. At the top, where users may have tables of their own, we name only a key that looks
like one that is read.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from git_retcon.show.suggestion import find_similar

_TOP = ("source", "remote", "cleaned", "worktree", "setup", "build", "test", "commit")
_OF_COMMIT = ("message", "hints", "files", "exclude", "hunks", "history")


class UnknownKey(NamedTuple):
    """A key of a commit, counted from 0, or of the top (None). ``remedy`` may be empty."""

    key: str
    commit: int | None
    remedy: str


def find_unknown_keys(document: Mapping[str, object]) -> Iterator[UnknownKey]:
    """Each such key of a specification, the first time it occurs."""
    for key in document:
        if key not in _TOP and (meant := find_similar(key, _TOP)):
            yield UnknownKey(key, None, f"did you mean '{meant}'?")
    commits = document.get("commit")
    seen = set(_OF_COMMIT)
    for index, table in enumerate(commits if isinstance(commits, list) else ()):
        fresh = [key for key in table if key not in seen]
        seen.update(fresh)
        yield from (UnknownKey(key, index, _remedy_in_commit(key)) for key in fresh)


def _remedy_in_commit(key: str) -> str:
    if key in _TOP:
        return "it counts only above the first [[commit]]"
    meant = find_similar(key, _OF_COMMIT)
    return f"did you mean '{meant}'?" if meant else ""
