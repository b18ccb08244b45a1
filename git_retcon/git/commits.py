"""Writing commits as the user would: identity, signing and encoding are git's business."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from git_retcon.errors import Fatal
from git_retcon.git.repository import Repository

_IDENT = re.compile(r"(?s)(?P<name>.*?) ?<(?P<email>.*)> (?P<seconds>-?\d+) (?P<zone>[+-]\d+)\Z")


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
        found = _IDENT.match(ident)
        if found is None:
            raise ValueError(f"not an ident: {ident!r}")
        return cls(found["name"], found["email"], int(found["seconds"]), found["zone"])

    @property
    def person(self) -> tuple[str, str]:
        """Name and address: who it is, whenever it was."""
        return self.name, self.email

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>"


def check_identity(repository: Repository) -> None:
    """Raise Fatal now, rather than after an hour's work, when git knows no committer."""
    done = repository.git.try_run("var", "GIT_COMMITTER_IDENT")
    if done.returncode != 0:
        raise Fatal(
            "git does not know who you are",
            hint="set user.name and user.email with 'git config'",
        )


def write_commit(
    repository: Repository,
    tree: str,
    parents: Sequence[str],
    message: str,
    author: Identity | None = None,
) -> str:
    """Write a commit object and return its id; no ref moves and no hook runs.

    The committer is whoever git says the user is; ``commit.gpgsign`` and ``gpg.format`` are
    honoured. Without an author the committer is the author. The message is kept byte for byte.
    """
    arguments: list[str] = ["commit-tree", tree]
    for parent in parents:
        arguments += ["-p", parent]
    if repository.config.boolean("commit.gpgsign"):
        arguments.append("-S")
    return (
        repository.git.run(
            *arguments,
            stdin=message.encode("utf-8", "surrogateescape"),
            env=_author_environment(author),
        )
        .decode()
        .strip()
    )


def _author_environment(author: Identity | None) -> dict[str, str]:
    if author is None:
        return {}
    return {
        # git refuses an empty name but libgit2 and old imports have written them
        "GIT_AUTHOR_NAME": author.name or author.email or "unknown",
        "GIT_AUTHOR_EMAIL": author.email,
        "GIT_AUTHOR_DATE": f"@{author.seconds} {author.zone}",
    }
