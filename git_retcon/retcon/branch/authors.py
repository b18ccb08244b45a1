"""The authors of a rebuilt commit are those of its lines in the source."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from git_retcon.git.commits import Identity
from git_retcon.git.graph import Commit
from git_retcon.git.process import GitError, run_git, unconfigured_environment
from git_retcon.lazy_dataclass import dataclass

_PERSON = re.compile(r"(.*?) ?<(.*)>")


@dataclass(frozen=True)
class Authors:
    """The source's own commits along first parents, oldest first."""

    commits: Sequence[Commit]

    def of(
        self, atoms: Collection[str], origin: Mapping[str, Mapping[int, int]]
    ) -> tuple[Identity | None, tuple[Identity, ...]]:
        """The author, who wrote most of these hunks (None if unknown), and the other authors.

        ``origin`` gives by hunk the positions of the commits its lines came from, with their
        number. The date is that of the author's last commit among those.
        """
        weight: Counter[int] = Counter()
        for atom in atoms:
            weight.update(origin.get(atom, {}))
        if not weight:
            # A bridge or a mode change has no lines: the branch's authors share it.
            weight.update(dict.fromkeys(range(len(self.commits)), 1))
        share: Counter[tuple[str, str]] = Counter()
        last: dict[tuple[str, str], Identity] = {}
        for position in sorted(weight):
            identity = _read_author(self.commits[position])
            if identity is not None:
                share[identity.person] += weight[position]
                last[identity.person] = identity
        ranked = sorted(share, key=lambda person: (-share[person], list(last).index(person)))
        people = [last[person] for person in ranked]
        return (people[0] if people else None), tuple(people[1:])


def _read_author(commit: Commit) -> Identity | None:
    """The author of a commit; None for a header that git would not write today."""
    try:
        return Identity.parse(commit.author)
    except ValueError:
        return None


def find_authors(commits: Sequence[Commit]) -> tuple[Identity | None, Sequence[Identity]]:
    """The first commit's author, and everyone else whom one of the commits names."""
    first = _read_author(commits[0])
    people: dict[tuple[str, str], Identity] = {}
    for commit in commits:
        for identity in (_read_author(commit), *_read_co_authors(commit)):
            if identity is not None:
                people.setdefault(identity.person, identity)
    if first is not None:
        del people[first.person]
    return first, tuple(people.values())


def _read_co_authors(commit: Commit) -> Iterator[Identity]:
    for line in commit.message.split("\n"):
        key, _, value = line.partition(": ")
        if key.lower() == "co-authored-by":
            found = _PERSON.fullmatch(value.strip())
            if found is not None:
                yield Identity(found[1], found[2], 0, "+0000")


def add_co_authors(message: str, others: Sequence[Identity]) -> str:
    """Add a ``Co-authored-by`` trailer for each further author; with none, nothing changes."""
    text = message if message.endswith("\n") else message + "\n"
    if not others:
        return text
    arguments: list[str | bytes] = ["-c", "trailer.ifexists=addIfDifferent"]
    # A message may begin a line with "#", which git would drop.
    arguments += ["-c", "core.commentChar=\x01", "interpret-trailers", "--no-divider"]
    for other in others:
        arguments += ["--trailer", f"Co-authored-by: {other}"]
    # Outside of every repository and configuration: trailer.<token>.cmd would run a command, and a
    # divider, or lines that look like comments, would end the message early.
    done = run_git(
        arguments,
        env=unconfigured_environment(),
        stdin=text.encode("utf-8", "surrogateescape"),
        cwd=Path("/"),
    )
    if done.returncode != 0:
        raise GitError(f"git interpret-trailers failed: {done.stderr.decode('utf-8', 'replace')}")
    return done.stdout.decode("utf-8", "surrogateescape")
