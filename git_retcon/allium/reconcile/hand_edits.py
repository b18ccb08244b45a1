"""What people wrote into a specification themselves: commits of the spec branch with no trailer."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from git_retcon.allium.history.spec_commit import OWN_TRAILERS
from git_retcon.allium.store.declared_facts import FactName, compare_stores
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.spec_tree import SpecTrees
from git_retcon.git.graph import read_commit, tree_of
from git_retcon.git.repository import Repository


def find_hand_edits(repository: Repository, tip: str | None) -> AbstractSet[FactName]:
    """The facts that people added, changed or removed, on the whole branch."""
    if tip is None:
        return frozenset()
    trees = SpecTrees(repository)
    found: set[FactName] = set()
    for commit in _list_by_hand(repository, tip):
        parents = read_commit(repository, commit).parents
        before = trees.read(tree_of(repository, parents[0])).store if parents else SpecStore()
        after = trees.read(tree_of(repository, commit)).store
        found |= {change.name for change in compare_stores(before, after)}
    return found


def _list_by_hand(repository: Repository, tip: str) -> Iterator[str]:
    # git reads the messages: a branch has as many commits as its source.
    patterns = [f"--grep=^{trailer}: " for trailer in OWN_TRAILERS]
    listing = repository.git.run(
        "rev-list", "--first-parent", "--invert-grep", *patterns, tip, "--"
    )
    yield from listing.decode("ascii").split()
