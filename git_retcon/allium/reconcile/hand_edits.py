"""What people wrote into a specification themselves: commits of the spec branch that are not as we
wrote them. One that a person amended is theirs with all that it changes.
"""

import functools
import operator
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from git_retcon.allium.history.spec_commit import is_as_written
from git_retcon.allium.store.declared_facts import FactName, compare_stores, find_new_comments
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.spec_tree import SpecTrees
from git_retcon.git.graph import Commit, is_commit, read_commit
from git_retcon.git.repository import Repository

# The kinds of types that a source makes of each other.
ALIKE = {"entity": "value", "value": "entity"}


def find_hand_edits(repository: Repository, tips: Sequence[str]) -> AbstractSet[FactName]:
    """The facts that people added, changed or removed in all that these spec commits come from, and
    their comments. A branch that was merged, or is to be, is as much theirs as the trunk.
    """
    found: set[FactName] = set()
    for _, befores, after in list_versions_by_hand(repository, tips):
        # What a merge by hand took from one of its sides is of whoever wrote it there.
        found |= functools.reduce(operator.and_, (_find_new(each, after) for each in befores))
    # A value may be an entity meanwhile, or the other way round, and is the same type still.
    return found | {(ALIKE[kind], name, item) for kind, name, item in found if kind in ALIKE}


def _find_new(before: SpecStore, after: SpecStore) -> AbstractSet[FactName]:
    changed = {change.name for change in compare_stores(before, after)}
    return changed | find_new_comments(before, after)


def list_versions_by_hand(
    repository: Repository, tips: Sequence[str]
) -> Iterator[tuple[Commit, Sequence[SpecStore], SpecStore]]:
    """Each commit that people made, the last first, with the specification before it, of a merge
    those of all its parents, and after it.
    """
    trees = SpecTrees(repository)
    for commit in _list_by_hand(repository, tips):
        # A clone that is shallow lacks some.
        parents = [each for each in commit.parents if is_commit(repository, each)]
        befores = [trees.read(read_commit(repository, each).tree).store for each in parents]
        if befores or not commit.parents:
            yield commit, befores or [SpecStore()], trees.read(commit.tree).store


def _list_by_hand(repository: Repository, tips: Sequence[str]) -> Iterator[Commit]:
    if not tips:
        return
    listing = repository.git.run("rev-list", "--date-order", *tips, "--")
    for oid in listing.decode("ascii").split():
        commit = read_commit(repository, oid)
        if not is_as_written(repository, commit):
            yield commit
