"""The specification of a merge whose source is that of one parent, as of ``git merge -s ours``.

That parent's specification says what the source does. What the other sides say of theirs is of no
source now, so only what people wrote there is added.
"""

from collections.abc import Iterator, Sequence

from git_retcon.allium.evolve.merging import merge_stores
from git_retcon.allium.history.spec_commit import is_as_written
from git_retcon.allium.reconcile.lost_master import read_whole
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.spec_tree import SpecTrees
from git_retcon.git.graph import Commit, is_commit, read_commit
from git_retcon.git.repository import Repository


def take_side(
    repository: Repository, trees: SpecTrees, taken: str, others: Sequence[str]
) -> SpecStore | None:
    """The specification of the spec commit ``taken`` with what people wrote on the other sides.

    None where that does not fit: it is about what the taken side has otherwise, or has not.
    """
    store = read_whole(repository, trees, read_commit(repository, taken))
    for commit in _list_by_hand(repository, taken, others):
        before = trees.read(read_commit(repository, commit.parents[0]).tree).store
        merged = merge_stores(before, store, trees.read(commit.tree).store)
        if merged.conflicts:
            return None
        store = merged.store
    return store


def _list_by_hand(repository: Repository, taken: str, others: Sequence[str]) -> Iterator[Commit]:
    """The commits that people made on the other sides, parents first."""
    from pygit2.enums import SortMode

    walker = repository.walks.walk(None, SortMode.TOPOLOGICAL | SortMode.REVERSE)
    # What this run wrote is no person's, and need not be walked over.
    for other in repository.new_objects.list_saved(others):
        walker.push(other)
    for known in repository.new_objects.list_saved([taken]):
        walker.hide(known)
    for found in walker:
        commit = read_commit(repository, str(found.id))
        has_parent = bool(commit.parents) and is_commit(repository, commit.parents[0])
        if has_parent and not is_as_written(repository, commit):
            yield commit
