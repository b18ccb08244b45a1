"""Writing commits as the user would: identity, signing and encoding are git's business."""

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from git_retcon.errors import Fatal
from git_retcon.git.process import GitError
from git_retcon.git.repository import Repository
from git_retcon.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import pygit2

# Greedy up to the last "<": old imports have names with brackets in them.
_IDENT = r"(?s)(?P<name>.*?) ?<(?P<email>.*)> (?P<seconds>-?\d+) (?P<zone>[+-]\d+)\Z"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who and when. ``seconds`` since the epoch, ``zone`` as ``+0200``."""

    name: str
    email: str
    seconds: int
    zone: str

    @classmethod
    def parse(cls, ident: str) -> "Identity":
        """Read a commit header's ident. Raises ValueError for anything else."""
        found = re.match(_IDENT, ident)
        if found is None:
            raise ValueError(f"not an ident: {ident!r}")
        return cls(found["name"], found["email"], int(found["seconds"]), found["zone"])

    @property
    def person(self) -> tuple[str, str]:
        """Name and address: who it is, whenever it was."""
        return self.name, self.email

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>"


def format_date(seconds: int, zone: str) -> str:
    """A date for git's environment. Without the ``@``, git takes no date before March 1973."""
    return f"@{seconds} {zone}"


def check_identity(repository: Repository) -> None:
    """Raise Fatal now, rather than after an hour's work, when git knows no committer."""
    _read_committer(repository)


def write_commit(
    repository: Repository,
    tree: str,
    parents: Sequence[str],
    message: str,
    author: Identity | None = None,
) -> str:
    """Write a commit object and return its id; no ref moves and no hook runs.

    The committer is who git says the user is; ``commit.gpgsign`` and ``gpg.format`` are
    honoured. Without an author the committer is the author. The message is kept byte for byte.
    """
    if repository.config.boolean("commit.gpgsign"):
        return _write_signed(repository, tree, parents, message, author)
    return write_unsigned(repository, tree, parents, message, author)


def write_unsigned(
    repository: Repository,
    tree: str,
    parents: Sequence[str],
    message: str,
    author: Identity | None = None,
) -> str:
    """The same, never signed: for commits that only carry data, such as notes."""
    committer = _read_committer(repository)
    return write_commit_by(repository.objects, tree, parents, message, committer, author)


def write_commit_by(
    objects: "pygit2.Repository",
    tree: str,
    parents: Sequence[str],
    message: str,
    committer: Identity,
    author: Identity | None = None,
) -> str:
    """The same by somebody else than the user, at another time than now."""
    from pygit2.enums import ObjectType

    lines = [
        f"tree {tree}",
        *(f"parent {parent}" for parent in parents),
        f"author {_format_ident(author or committer)}",
        f"committer {_format_ident(committer)}",
        "",
        message,
    ]
    # Written through libgit2: ``git commit-tree`` would be one process for each commit.
    raw = "\n".join(lines).encode("utf-8", "surrogateescape")
    return str(objects.odb.write(ObjectType.COMMIT, raw))


def _write_signed(
    repository: Repository,
    tree: str,
    parents: Sequence[str],
    message: str,
    author: Identity | None,
) -> str:
    arguments = ["commit-tree", "-S", tree]
    for parent in parents:
        arguments += ["-p", parent]
    try:
        done = repository.git.run(
            # The message is UTF-8 already; under another setting git would label it wrongly.
            "-c", "i18n.commitEncoding=UTF-8", *arguments,
            stdin=message.encode("utf-8", "surrogateescape"),
            env=_set_author(author),
        )  # fmt: skip
    except GitError as error:
        raise GitError(
            f"cannot sign the commit: {error}",
            hint="correct the signing key or its program; 'git -c commit.gpgSign=false …' signs "
            "nothing this once",
        ) from error
    return done.decode().strip()


def _read_committer(repository: Repository) -> Identity:
    """Who git says commits now. Asked once: only the time goes on."""
    ident = repository.committer
    if ident is None:
        raise Fatal(
            "git does not know who you are",
            hint="set user.name and user.email with 'git config'",
        )
    identity = Identity.parse(ident)
    # The user fixed the time, so that ids can be made again.
    if repository.git.env.get("GIT_COMMITTER_DATE"):
        return identity
    return replace(identity, seconds=int(time.time()))


def _format_ident(identity: Identity) -> str:
    return f"{identity.name} <{identity.email}> {identity.seconds} {identity.zone}"


def _set_author(author: Identity | None) -> dict[str, str]:
    if author is None:
        return {}
    return {
        # git refuses an empty name, which libgit2 and old imports have written all the same
        "GIT_AUTHOR_NAME": author.name or author.email or "unknown",
        "GIT_AUTHOR_EMAIL": author.email,
        "GIT_AUTHOR_DATE": format_date(author.seconds, author.zone),
    }
