"""Spec commits: one for each source commit, with its subject, people and dates, and trailers.

Nothing but the source and the engine's answer goes into one, so the same input gives the same id.
They are never signed.
"""

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

from git_retcon.git.graph import Commit
from git_retcon.git.repository import Repository

SOURCE = "Allium-Source"
MODEL = "Allium-Model"
COST = "Allium-Cost"
INCOMPLETE = "Allium-Incomplete"
_LONGEST_SUBJECT = 500  # characters


class Account(NamedTuple):
    """What a step did: lines for people, who did it, what it cost in US dollars, and why it is not
    whole, if it is not.
    """

    lines: Sequence[str]
    model: str
    cost: float = 0.0
    incomplete: str = ""


class Trailers(NamedTuple):
    """What the trailers of a spec commit say; ``source`` is None on any other commit."""

    source: str | None
    model: str = ""
    cost: float = 0.0
    incomplete: str = ""


NO_TRAILERS = Trailers(None)


def write_spec_commit(
    repository: Repository, source: Commit, tree: str, parents: Sequence[str], account: Account
) -> str:
    """Write the spec commit of a source commit and return its id. No ref moves."""
    from pygit2.enums import ObjectType

    lines = [
        f"tree {tree}",
        *(f"parent {parent}" for parent in dict.fromkeys(parents)),
        f"author {source.author}",
        f"committer {source.committer}",
        "",
        format_message(source, account),
    ]
    raw = "\n".join(lines).encode("utf-8", "surrogateescape")
    return str(repository.objects.odb.write(ObjectType.COMMIT, raw))


def format_message(source: Commit, account: Account) -> str:
    """Subject, the account, and the trailers."""
    subject = " ".join(source.subject.split())[:_LONGEST_SUBJECT] or "(no subject)"
    body = [_defuse(line) for text in account.lines for line in text.splitlines() or [""]]
    trailers = [
        f"{SOURCE}: {source.oid}",
        f"{MODEL}: {' '.join(account.model.split())}",
        f"{COST}: ${account.cost:.4f}",
    ]
    if account.incomplete:
        trailers.append(f"{INCOMPLETE}: {' '.join(account.incomplete.split())}")
    paragraphs = [f"allium: {subject}", "\n".join(body).strip(), "\n".join(trailers)]
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def read_trailers(commit: Commit) -> Trailers:
    """What a commit's last paragraph says."""
    paragraph = commit.message.rstrip().rpartition("\n\n")[2]
    found = dict(_trailer_pattern().findall(paragraph))
    source = found.get(SOURCE)
    if source is None or not _id_pattern().fullmatch(source):
        return NO_TRAILERS
    return Trailers(
        source, found.get(MODEL, ""), _read_dollars(found.get(COST)), found.get(INCOMPLETE, "")
    )


def read_account(commit: Commit) -> Sequence[str]:
    """The lines of a spec commit's body."""
    paragraphs = commit.message.rstrip().split("\n\n")
    return "\n\n".join(paragraphs[1:-1]).splitlines()


def _defuse(line: str) -> str:
    """A line of an account that is no trailer, whoever wrote it."""
    return f" {line}" if line.startswith("Allium-") else line.rstrip()


def _read_dollars(text: str | None) -> float:
    try:
        return float((text or "0").removeprefix("$"))
    except ValueError:
        return 0.0


@functools.cache
def _trailer_pattern() -> re.Pattern[str]:
    return re.compile(r"^(Allium-[A-Za-z]+): (.*)$", re.MULTILINE)


@functools.cache
def _id_pattern() -> re.Pattern[str]:
    return re.compile(r"[0-9a-f]{40}")
