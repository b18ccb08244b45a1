"""What every specification needs of its master, where people's edits took it away.

The master names the source root, and without that every module would be looked for elsewhere. What
it declares is theirs to remove.
"""

from git_retcon.allium.history.spec_commit import is_as_written
from git_retcon.allium.store.module_layout import list_in_master
from git_retcon.allium.store.source_map import SourceRoot, write_root
from git_retcon.allium.store.spec_store import EMPTY_MASTER, SpecStore
from git_retcon.allium.store.spec_tree import SpecTrees
from git_retcon.git.graph import Commit, is_commit, read_commit
from git_retcon.git.repository import Repository


def read_whole(repository: Repository, trees: SpecTrees, commit: Commit) -> SpecStore:
    """The specification of a spec commit: with the source root that the last commit named which no
    person wrote, and with a master that lists the modules.
    """
    store = trees.read(commit.tree).store
    if not store.all_modules() or is_as_written(repository, commit):
        return store
    if not store.root.folder and (root := _find_root(repository, trees, commit)).folder:
        master = write_root(store.master_spec(), root)
        store = SpecStore(master, store.all_modules(), root)
        return list_in_master(store)
    return list_in_master(store) if store.master_spec() == EMPTY_MASTER else store


def _find_root(repository: Repository, trees: SpecTrees, commit: Commit) -> SourceRoot:
    """The root of the nearest commit before, along first parents, that no person wrote."""
    while not is_as_written(repository, commit):
        if not commit.parents or not is_commit(repository, commit.parents[0]):
            return SourceRoot()
        commit = read_commit(repository, commit.parents[0])
    return trees.read(commit.tree).store.root
