"""How many lines of a rebuilt history are in the commit that their author put them in.

Both histories lead from the same base to the same tree, so every line of the source and every
removed line of the base has an origin in each; the two are compared line by line.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from git_retcon.git.difference import compare_trees
from git_retcon.git.graph import read_commit, tree_of
from git_retcon.git.provenance import History
from git_retcon.git.repository import Repository

Place = tuple[bytes, str, int]


@dataclass(frozen=True)
class Placed:
    """Changed lines, those placed as the author did, and those of the largest commit.

    ``largest`` is what the best constant answer would get.
    """

    lines: int
    right: int
    largest: int


def placed(
    repository: Repository, base: str, truth: Sequence[str], rebuilt: Mapping[str, int]
) -> Placed:
    """Compare the original commits, oldest first, with rebuilt ones and their positions."""
    written = dict(_origins(repository, base, truth))
    own = list(rebuilt.values())
    found = {place: own[position] for place, position in _origins(repository, base, list(rebuilt))}
    sizes = Counter(written.values())
    right = sum(found.get(place) == position for place, position in written.items())
    return Placed(len(written), right, max(sizes.values(), default=0))


def _origins(
    repository: Repository, base: str, commits: Sequence[str]
) -> Iterator[tuple[Place, int]]:
    """The position of the commit that each changed line came from."""
    if len(commits) < 2:
        yield from _all_in_one(repository, base, commits)
        return
    history = History.read(repository, base, [read_commit(repository, oid) for oid in commits])
    whole = compare_trees(repository, tree_of(repository, base), tree_of(repository, commits[-1]))
    for text in whole.texts.values():
        added, removed = history.lines(text)
        yield from (((text.path, "new", at), k) for at, k in enumerate(added) if k >= 0)
        yield from (((text.old_path, "old", at), k) for at, k in removed.items())


def _all_in_one(
    repository: Repository, base: str, commits: Sequence[str]
) -> Iterator[tuple[Place, int]]:
    """A history of one commit: follow it twice, since one commit has no origins to tell."""
    if commits:
        yield from ((place, 0) for place, _ in _origins(repository, base, [commits[0], commits[0]]))
