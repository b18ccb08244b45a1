"""Keys of a specification that are not read, and look like one that is.

People may add keys of their own, so an unknown key is no error; without a warning, a misspelled
one would be ignored.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

_TOP = ("source", "remote", "cleaned", "setup", "build", "test", "commit")
_OF_COMMIT = ("message", "hints", "files", "exclude", "history")
_CUTOFF = 0.8


@dataclass(frozen=True, slots=True)
class Misspelled:
    """A key in the n-th commit, or at the top (None), and the key it looks like."""

    key: str
    commit: int | None
    meant: str


def misspelled(document: Mapping[str, object]) -> Iterator[Misspelled]:
    """Each such key of a specification, the first time it occurs."""
    yield from _among(document, None, _TOP)
    commits = document.get("commit")
    seen: set[str] = set()
    for index, table in enumerate(commits if isinstance(commits, list) else ()):
        fresh = [key for key in table if key not in seen]
        seen.update(fresh)
        yield from _among(fresh, index, _OF_COMMIT)


def _among(keys: Iterable[str], commit: int | None, known: tuple[str, ...]) -> Iterator[Misspelled]:
    unknown = [key for key in keys if key not in known]
    if not unknown:
        return
    import difflib  # late: hardly any specification needs it

    for key in unknown:
        for meant in difflib.get_close_matches(key.lower(), known, n=1, cutoff=_CUTOFF):
            yield Misspelled(key, commit, meant)
