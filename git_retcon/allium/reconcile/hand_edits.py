"""What people wrote into a specification themselves: commits of the spec branch that are not as we
wrote them. One that a person amended is theirs with all that it changes.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from git_retcon.allium.history.spec_commit import is_as_written
from git_retcon.allium.store.declared_facts import FactName, compare_stores, find_new_comments
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.spec_tree import SpecTrees
from git_retcon.git.graph import Commit, read_commit
from git_retcon.git.repository import Repository

_ALIKE = {"entity": "value", "value": "entity"}


def find_hand_edits(repository: Repository, tip: str | None) -> AbstractSet[FactName]:
    """The facts that people added, changed or removed, on the whole branch, and their comments."""
    if tip is None:
        return frozenset()
    found: set[FactName] = set()
    for _, before, after in list_versions_by_hand(repository, tip):
        found |= {change.name for change in compare_stores(before, after)}
        found |= find_new_comments(before, after)
    # A value may be an entity meanwhile, or the other way round, and is the same type still.
    return found | {(_ALIKE[kind], name, item) for kind, name, item in found if kind in _ALIKE}


def list_versions_by_hand(
    repository: Repository, tip: str
) -> Iterator[tuple[Commit, SpecStore, SpecStore]]:
    """Each commit that people made, the last first, with the specification before and after it."""
    trees = SpecTrees(repository)
    for commit in _list_by_hand(repository, tip):
        before = SpecStore()
        if commit.parents:
            before = trees.read(read_commit(repository, commit.parents[0]).tree).store
        yield commit, before, trees.read(commit.tree).store


def _list_by_hand(repository: Repository, tip: str) -> Iterator[Commit]:
    listing = repository.git.run("rev-list", "--first-parent", tip, "--")
    for oid in listing.decode("ascii").split():
        commit = read_commit(repository, oid)
        if not is_as_written(repository, commit):
            yield commit
