"""``allium-changelog.md``: which source commits changed the specification, the newest first."""

from collections.abc import Iterable

from git_retcon.allium.store.module_paths import SUFFIX
from git_retcon.git.graph import Commit
from git_retcon.git.short_ids import IN_A_RECORD, shorten_id
from git_retcon.show.counting import some_of
from git_retcon.show.style import printable

_HEAD = b"# Changes of the specification\n\n"
_MOST = 200  # entries
_MOST_NAMED = 4  # modules of one entry
_LONGEST = 120  # characters of a subject


def add_entry(changelog: bytes, source: Commit, modules: Iterable[bytes]) -> bytes:
    """The changelog with an entry for a source commit that changed these modules."""
    names = [module.removesuffix(SUFFIX).decode("utf-8", "replace") for module in modules]
    # A subject is foreign text: no control characters, no line ends.
    subject = printable(" ".join(source.subject.split()))[:_LONGEST]
    entry = f"- `{shorten_id(source.oid, IN_A_RECORD)}` {subject} ({some_of(names, _MOST_NAMED)})"
    return _join_entries([entry.encode("utf-8", "backslashreplace"), *_list_entries(changelog)])


def merge_changelogs(ours: bytes, theirs: Iterable[bytes]) -> bytes:
    """Our entries, and those only the others have behind them."""
    entries = dict.fromkeys(_list_entries(ours))
    for other in theirs:
        entries.update(dict.fromkeys(_list_entries(other)))
    return _join_entries(list(entries)) if entries else ours


def _list_entries(changelog: bytes) -> list[bytes]:
    return [line for line in changelog.split(b"\n") if line.startswith(b"- ")]


def _join_entries(entries: list[bytes]) -> bytes:
    # Bounded: every spec commit holds the whole file.
    return _HEAD + b"".join(entry + b"\n" for entry in entries[:_MOST])
