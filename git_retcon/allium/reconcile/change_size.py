"""How many tokens a source commit changed, of the files that a specification speaks of."""

from collections.abc import Callable, Sequence

from git_retcon.allium.requests.diff_chunks import read_diffs
from git_retcon.git.graph import is_commit, read_commit, tree_of
from git_retcon.git.repository import Repository
from git_retcon.git.trees import EMPTY_TREE, EntryChange
from git_retcon.model.never_send import NeverSend

# The changes of a tree that are to source files.
SelectSource = Callable[[Sequence[EntryChange], str], Sequence[EntryChange]]


def count_change_tokens(repository: Repository, select: SelectSource, oid: str) -> int:
    """The tokens of a commit's diff; of a merge, what no parent of it has."""
    commit = read_commit(repository, oid)
    parents = [each for each in commit.parents if is_commit(repository, each)]
    bases = [tree_of(repository, each) for each in parents] or [EMPTY_TREE]
    trees = repository.trees
    changes = select(trees.changes(bases[0], commit.tree), commit.tree)
    for base in bases[1:]:
        changes = [each for each in changes if trees.find(base, each.path) != each.new]
    return _count_tokens(repository, changes)


def count_tokens_between(
    repository: Repository, select: SelectSource, base: str | None, oid: str
) -> int:
    """The tokens of the diff between two source commits; of all source without a base."""
    old = tree_of(repository, base) if base is not None else EMPTY_TREE
    new = tree_of(repository, oid)
    return _count_tokens(repository, select(repository.trees.changes(old, new), new))


def _count_tokens(repository: Repository, changes: Sequence[EntryChange]) -> int:
    # Nothing is sent here, so nothing has to be withheld.
    return sum(diff.tokens for diff in read_diffs(repository, changes, NeverSend()))
