"""Whose work a rebuilt commit is: the source's authors, not whoever runs the rebuild."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from git_retcon.git.commits import Identity
from git_retcon.git.graph import Commit
from git_retcon.git.repository import Repository


@dataclass(frozen=True)
class Authors:
    """The source's own commits along first parents, oldest first."""

    commits: Sequence[Commit]

    def of(
        self, atoms: Collection[str], origin: Mapping[str, Mapping[int, int]]
    ) -> tuple[Identity, tuple[Identity, ...]]:
        """The author (who wrote most of these pieces) and the others.

        ``origin`` gives by piece the positions of the commits its lines came from, with their
        number. The date is that of the author's last commit among those.
        """
        weight: Counter[int] = Counter()
        for atom in atoms:
            weight.update(origin.get(atom, {}))
        if not weight:
            weight.update(dict.fromkeys(range(len(self.commits)), 1))
        share: Counter[tuple[str, str]] = Counter()
        last: dict[tuple[str, str], Identity] = {}
        for position in sorted(weight):
            identity = Identity.parse(self.commits[position].author)
            share[identity.person] += weight[position]
            last[identity.person] = identity
        ranked = sorted(share, key=lambda person: (-share[person], list(last).index(person)))
        lead, *others = ranked
        return last[lead], tuple(last[person] for person in others)


def signed_message(repository: Repository, message: str, others: Sequence[Identity]) -> str:
    """The message with a ``Co-authored-by`` trailer for each further author; else verbatim."""
    text = message if message.endswith("\n") else message + "\n"
    if not others:
        return text
    trailers: list[str] = []
    for other in others:
        trailers += ["--trailer", f"Co-authored-by: {other}"]
    done = repository.git.run(
        "-c", "trailer.ifexists=addIfDifferent", "interpret-trailers", *trailers,
        stdin=text.encode("utf-8", "surrogateescape"),
    )  # fmt: skip
    return done.decode("utf-8", "surrogateescape")
