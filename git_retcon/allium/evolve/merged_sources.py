"""What a merge made of its sources, beside what its specifications say together.

A file that only one side changed is described by that side, and one that both changed by both. So a
merge is about every file that it has otherwise: one that it settled, and one that it took from a
side as if the other had not changed it, as ``git merge -s ours`` does.
"""

from collections.abc import Mapping, Sequence

from git_retcon.allium.engine import Fork
from git_retcon.allium.evolve.agenda import Parent
from git_retcon.allium.history.spec_branch import find_spec_commit
from git_retcon.allium.store.renamed_files import find_renames
from git_retcon.git.graph import Commit, is_commit, tree_of
from git_retcon.git.repository import Repository
from git_retcon.git.trees import EMPTY_TREE, Entry, EntryChange


def find_forks(repository: Repository, parents: Sequence[Parent]) -> Sequence[Fork]:
    """Each parent of a merge but the first, with what it and the first come from."""
    forks = [_make_fork(repository, parents[0], each) for each in parents[1:]]
    ours = tree_of(repository, parents[0].source) if forks else EMPTY_TREE
    return [each._replace(moved=_find_moved(repository, ours, each)) for each in forks]


def _make_fork(repository: Repository, ours: Parent, other: Parent) -> Fork:
    base = _find_base(repository, ours, other)
    tree = EMPTY_TREE if base is None else tree_of(repository, base)
    commits = [base] if base is not None else []
    return Fork(tree, tree_of(repository, other.source), commits=(commits, [other.source]))


def _find_moved(repository: Repository, ours: str, fork: Fork) -> Mapping[bytes, bytes]:
    """The files that one of two sides moved and the other changed: old path → new path."""
    mine, theirs = (
        {each.path: each for each in repository.trees.changes(fork.base, side)}
        for side in (ours, fork.side)
    )
    moved: dict[bytes, bytes] = {}
    for mover, other in ((mine, theirs), (theirs, mine)):
        gone = {path for path, each in mover.items() if each.new is None}
        changed = {path for path in gone & other.keys() if other[path].new is not None}
        renames = find_renames([*mover.values()]) if changed else {}
        moved |= {old: new for new, old in renames.items() if old in changed}
    return moved


def list_merge_changes(
    repository: Repository, ours: str, forks: Sequence[Fork], source: Commit
) -> Sequence[EntryChange]:
    """The files of a merge that are not as its specifications say, by their paths.

    ``old`` is what they say; of a file that both sides changed, a version that the merge has not.
    """
    trees = repository.trees
    said: dict[bytes, Entry | None] = {}
    mixed: dict[bytes, Entry | None] = {}
    for fork in forks:
        for change in trees.changes(fork.base, fork.side):
            path = change.path
            own = said[path] if path in said else _find_file(repository, ours, path)
            is_kept = change.new is None and own == _find_file(repository, source.tree, path)
            if is_kept:
                continue  # the declarations of the side that has it stay
            if own == change.old:
                said[path] = change.new
            elif own != change.new:
                said[path] = own
                mixed[path] = change.new
    found = {each.path: each for each in trees.changes(ours, source.tree)}
    for path, change in [*found.items()]:
        is_kept = change.old is None and any(
            change.new == _find_file(repository, fork.base, path) for fork in forks
        )
        if is_kept and path not in said:
            del found[path]
    for path, old in said.items():
        new = _find_file(repository, source.tree, path)
        found[path] = EntryChange(path, mixed.get(path, old) if old == new else old, new)
    differing = {path: each for path, each in found.items() if each.old != each.new}
    for fork in forks:
        for origin, path in fork.moved.items():
            # The specification has both there: of one side the place, of the other what it says.
            other = _find_file(repository, fork.side, origin)
            changed = other or _find_file(repository, ours, origin)
            is_now = _find_file(repository, source.tree, path)
            differing.setdefault(path, EntryChange(path, changed, is_now))
    return sorted(differing.values())


def _find_file(repository: Repository, tree: str, path: bytes) -> Entry | None:
    entry = repository.trees.find(tree, path)
    return entry if entry is not None and not entry.is_tree else None


def _find_base(repository: Repository, one: Parent, other: Parent) -> str | None:
    """The source commit that two specifications come from.

    Branches that were merged into each other come from several: it is the first of those that the
    merge of the specifications takes.
    """
    specs = (one.record.last, other.record.last)
    found = repository.objects.merge_base(*specs) if specs[0] != specs[1] else None
    described = find_spec_commit(repository, str(found)) if found is not None else None
    if described is not None and is_commit(repository, described.source):
        return described.source
    base = repository.objects.merge_base(one.source, other.source)
    return None if base is None else str(base)
