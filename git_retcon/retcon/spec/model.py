"""The history specification as values (history-specification.md); ``file`` reads it."""

import functools
import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from git_retcon.errors import Fatal
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.spec.history import CommitCreated, Event, Status, Stuck, read_status

if TYPE_CHECKING:
    from git_retcon.files.patterns import Case


class BranchFault(Fatal):
    """Something is wrong with a branch that a spec names; ``key`` is the spec's key for it."""

    def __init__(
        self, key: str, message: str, *, hint: str, commands: Sequence[Sequence[str]] = ()
    ) -> None:
        super().__init__(message, hint=hint, commands=commands)
        self.key = key


class PinLine(NamedTuple):
    """A pin (an entry of ``hunks``), and the comment that a new one gets."""

    id: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class LogicalCommit:
    """One ``[[commit]]``: what it should be, and its history.

    ``files`` and ``exclude`` are optional patterns (as in ``.gitignore``, over the paths of the
    repository) that decide outright which paths belong here, or do not. ``hunks`` are pins: the
    ids of hunks (or unique beginnings of ids) that belong here, before all else.
    """

    message: str
    hints: str = ""
    files: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    hunks: tuple[str, ...] = ()
    history: tuple[Event, ...] = ()

    @property
    def subject(self) -> str:
        return self.message.strip().partition("\n")[0]

    @property
    def status(self) -> Status:
        return read_status(self.history)

    @property
    def commits(self) -> tuple[str, ...]:
        """The ids of its commits, oldest first."""
        return tuple(event.oid for event in self.history if isinstance(event, CommitCreated))

    @property
    def wips(self) -> int:
        """How many of its commits are WIP fixes: all but the first."""
        return max(0, len(self.commits) - 1)

    @property
    def is_empty(self) -> bool:
        """Whether it is complete without a commit, as nothing was left for it."""
        return self.status is Status.COMPLETE and not self.commits

    @property
    def last_summary(self) -> str | None:
        """Why it was stuck the last time, though it may have gone on since; None for never."""
        summaries = (event.summary for event in reversed(self.history) if isinstance(event, Stuck))
        return next(summaries, None)

    def claims(self, path: bytes, case: "Case") -> bool:
        """Whether ``files`` names a path."""
        return _matches_any(self.files, path, case)

    def excludes(self, path: bytes, case: "Case") -> bool:
        """Whether ``exclude`` names a path."""
        return _matches_any(self.exclude, path, case)

    def may_hold(self, path: bytes, case: "Case") -> bool:
        """Whether ``files`` and ``exclude``, which decide outright, let a path in."""
        return (not self.files or self.claims(path, case)) and not self.excludes(path, case)

    @property
    def digest(self) -> str:
        """Changes when anything but the history is edited. 16 hex digits."""
        return _make_digest(self.message, self.hints, self.files, self.exclude, self.hunks)


@dataclass(frozen=True, slots=True)
class Spec:
    """A whole history specification."""

    source: str
    remote: str
    cleaned: str
    commits: tuple[LogicalCommit, ...]
    setup: str | None = None
    build: str | None = None
    test: str | None = None
    worktree: bool = False  # whether what is not committed in the source's checkout counts

    @property
    def empty(self) -> tuple[int, ...]:
        """The positions of the commits for which nothing was left."""
        return tuple(at for at, commit in enumerate(self.commits) if commit.is_empty)

    @property
    def leftover_message(self) -> str:
        """The message of the last commit that is added for what no other takes."""
        return f"WIP: remaining changes from {self.source}"

    def is_leftover(self, index: int) -> bool:
        """Whether a commit is that one."""
        is_last = index == len(self.commits) - 1
        return is_last and self.commits[index].message == self.leftover_message


# A run asks for the digest of every commit at every turn.
@functools.cache
def _make_digest(
    message: str,
    hints: str,
    files: tuple[str, ...],
    exclude: tuple[str, ...],
    hunks: tuple[str, ...],
) -> str:
    # JSON keeps the fields apart: a message that ends as the hints begin gives another digest.
    # Without pins the digest is what it was before there were pins, so old notes stay valid.
    values = json.dumps([message, hints, files, exclude, *([hunks] if hunks else [])])
    return hashlib.sha256(values.encode()).hexdigest()[:16]


def _matches_any(patterns: Sequence[str], path: bytes, case: "Case") -> bool:
    if not patterns:
        return False
    # not at import: `status` reads a spec and needs no patterns
    from git_retcon.files.patterns import read_patterns

    return read_patterns(patterns, case).matches(path)
