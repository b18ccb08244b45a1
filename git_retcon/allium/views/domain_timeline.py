"""How a domain has changed: each commit that changed what the specification declares, in order."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from git_retcon.allium.history.spec_commit import read_trailers
from git_retcon.allium.store.declared_facts import FactChange, compare_stores
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.spec_tree import SpecTrees
from git_retcon.git.commits import Identity
from git_retcon.git.graph import Commit, read_commit
from git_retcon.git.repository import Repository
from git_retcon.show.counting import all_of, count


class Moment(NamedTuple):
    """A spec commit that changed declarations. ``source`` is None for a person's own; ``counts``
    says how many declarations there are behind it, by kind.
    """

    spec: str
    source: str | None
    date: str
    author: str
    subject: str
    changes: Sequence[FactChange]
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """How many declarations there are."""
        return sum(self.counts.values())


def list_moments(repository: Repository, spec: str) -> Iterator[Moment]:
    """From the first commit to this one, along first parents: a merge is one moment."""
    trees = SpecTrees(repository)
    counts: dict[str, int] = {}
    store, tree = SpecStore(), ""
    for commit in _walk_up(repository, spec):
        if commit.tree == tree:
            continue
        before, store, tree = store, trees.read(commit.tree).store, commit.tree
        changes = compare_stores(before, store)
        for each in changes:
            if not each.name[2]:
                step = (each.before is None) - (each.after is None)
                counts[each.name[0]] = counts.get(each.name[0], 0) + step
        if changes:
            yield _describe(commit, changes, {kind: n for kind, n in counts.items() if n})


def count_kinds(counts: Mapping[str, int]) -> str:
    """ "2 entities, 1 enum and 3 rules"."""
    return all_of(
        count(number, kind, f"{kind[:-1]}ies" if kind.endswith("y") else None)
        for kind, number in counts.items()
    )


def _walk_up(repository: Repository, spec: str) -> Iterator[Commit]:
    listing = repository.git.run("rev-list", "--reverse", "--first-parent", spec)
    yield from (read_commit(repository, oid) for oid in listing.decode("ascii").split())


def _describe(commit: Commit, changes: Sequence[FactChange], counts: Mapping[str, int]) -> Moment:
    person = Identity.parse(commit.author)
    date = datetime.fromtimestamp(person.seconds, UTC).strftime("%Y-%m-%d")
    source = read_trailers(commit).describes
    subject = commit.subject.removeprefix("allium: ")
    return Moment(commit.oid, source, date, person.name, subject, changes, counts)
