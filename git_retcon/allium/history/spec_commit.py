"""Spec commits: one for each source commit, with its subject, people and dates, and trailers.

Nothing but the source and the engine's answer goes into one, so the same input gives the same id.
They are never signed.
"""

import dataclasses
import functools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from git_retcon.git.graph import Commit, is_commit, read_commit
from git_retcon.git.repository import Repository
from git_retcon.git.short_ids import shorten_id
from git_retcon.show.counting import count
from git_retcon.show.style import printable

SOURCE = "Allium-Source"
RECONCILES = "Allium-Reconciles"
MODEL = "Allium-Model"
COST = "Allium-Cost"
INCOMPLETE = "Allium-Incomplete"
ACCEPTS = "Allium-Accepts"
_LONGEST_SUBJECT = 500  # characters


class Account(NamedTuple):
    """What a step did: lines for people, who did it, what it cost in US dollars, and why it is not
    whole, if it is not. ``trailers`` are whole lines.
    """

    lines: Sequence[str]
    model: str
    cost: float = 0.0
    incomplete: str = ""
    trailers: Sequence[str] = ()


class Trailers(NamedTuple):
    """What the trailers of a spec commit say; ``source`` is None on any other commit.

    ``reconciles`` is the source commit that a reconciliation on demand compared with.
    """

    source: str | None
    model: str = ""
    cost: float = 0.0
    incomplete: str = ""
    reconciles: str | None = None

    @property
    def describes(self) -> str | None:
        """The source commit whose specification the commit holds, where it names one."""
        return self.source or self.reconciles


NO_TRAILERS = Trailers(None)


def write_spec_commit(
    repository: Repository, source: Commit, tree: str, parents: Sequence[str], account: Account
) -> str:
    """Write the spec commit of a source commit and return its id. No ref moves."""
    return _write_commit(repository, source, tree, parents, format_message(source, account))


def write_own_commit(
    repository: Repository, source: Commit, tree: str, parent: str, account: Account
) -> str:
    """Write a reconciliation with a source commit, on top of a spec commit; return its id."""
    body = [_defuse_line(line) for text in account.lines for line in text.splitlines()]
    trailers = [f"{RECONCILES}: {source.oid}", *_list_trailers(account)]
    subject = f"allium: reconcile with {shorten_id(source.oid)}"
    message = "\n\n".join([subject, "\n".join(body), "\n".join(trailers)]) + "\n"
    # The people and dates of the source: the same input gives the same id here, too.
    return _write_commit(repository, source, tree, [parent], message)


def write_acceptance(
    repository: Repository, tip: str, person: str, lines: Sequence[str], anchors: Sequence[str]
) -> str:
    """Write a commit that changes no specification and accepts divergences; return its id.

    ``person`` is git's ident line of who accepts them; ``lines`` say for people what they are.
    """
    before = read_commit(repository, tip)
    trailers = [f"{ACCEPTS}: {anchor}" for anchor in anchors]
    body = "\n".join(map(_defuse_line, lines))
    number = count(len(anchors), "divergence")
    message = f"allium: accept {number}\n\n{body}\n\n" + "\n".join(trailers) + "\n"
    people = dataclasses.replace(before, author=person, committer=person)
    return _write_commit(repository, people, before.tree, [tip], message)


def _write_commit(
    repository: Repository, source: Commit, tree: str, parents: Sequence[str], message: str
) -> str:
    lines = [
        f"tree {tree}",
        *(f"parent {parent}" for parent in dict.fromkeys(parents)),
        f"author {source.author}",
        f"committer {source.committer}",
        "",
        message,
    ]
    raw = "\n".join(lines).encode("utf-8", "surrogateescape")
    return repository.new_objects.add_commit(repository.objects.odb, raw)


def format_message(source: Commit, account: Account) -> str:
    """Subject, the account, and the trailers."""
    # git reads no message further than to a NUL: the trailers would be lost.
    words = source.subject.replace("\0", "").split()
    subject = " ".join(words)[:_LONGEST_SUBJECT] or "(no subject)"
    body = [_defuse_line(line) for text in account.lines for line in text.splitlines() or [""]]
    trailers = [f"{SOURCE}: {source.oid}", *_list_trailers(account)]
    paragraphs = [f"allium: {subject}", "\n".join(body).strip("\n"), "\n".join(trailers)]
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def _list_trailers(account: Account) -> Iterator[str]:
    yield f"{MODEL}: {' '.join(account.model.split())}"
    yield f"{COST}: ${account.cost:.4f}"
    if account.incomplete:
        yield f"{INCOMPLETE}: {printable(' '.join(account.incomplete.split()))}"
    yield from account.trailers


def read_trailers(commit: Commit) -> Trailers:
    """What a commit's last paragraph says."""
    paragraph = commit.message.rstrip().rpartition("\n\n")[2]
    found = dict(_trailer_pattern().findall(paragraph))
    source, reconciles = (_read_id(found.get(key)) for key in (SOURCE, RECONCILES))
    if source is None and reconciles is None:
        return NO_TRAILERS
    cost, incomplete = _read_dollars(found.get(COST)), found.get(INCOMPLETE, "")
    return Trailers(source, found.get(MODEL, ""), cost, incomplete, reconciles)


def is_as_written(repository: Repository, commit: Commit) -> bool:
    """Whether a commit describes a source commit and is as we wrote it. One that a person wrote, or
    amended, is not.
    """
    described = read_trailers(commit).describes
    if described is None:
        return False
    # An amended commit keeps the trailers. Its committer is who amended it, and when.
    is_here = is_commit(repository, described)
    return not is_here or read_commit(repository, described).committer == commit.committer


def read_account(commit: Commit) -> Sequence[str]:
    """The lines of a spec commit's body."""
    paragraphs = commit.message.rstrip().split("\n\n")
    return "\n\n".join(paragraphs[1:-1]).splitlines()


def _defuse_line(line: str) -> str:
    """A line of an account, which a model may have written: nothing that git reads as a trailer or
    as the end of the message, and nothing that cannot be written.
    """
    return f" {printable(line)}" if line.startswith("Allium-") else printable(line.rstrip())


def _read_id(text: str | None) -> str | None:
    return text if text is not None and _id_pattern().fullmatch(text) else None


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
