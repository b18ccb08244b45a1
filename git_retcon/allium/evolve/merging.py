"""The specification of a merge: module by module, what its parents say together."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.store.aligned_aliases import align_aliases
from git_retcon.allium.store.checked_merge import find_dangling, merge_checked
from git_retcon.allium.store.merge_choice import Conflict
from git_retcon.allium.store.module_paths import MASTER
from git_retcon.allium.store.module_text import cut_module, join_module
from git_retcon.allium.store.moves_of_sides import follow_other_side, settle_moves
from git_retcon.allium.store.spec_store import EMPTY_MASTER, SpecStore
from git_retcon.allium.store.spec_tree import NO_SNAPSHOT, Snapshot, SpecTrees
from git_retcon.allium.store.three_way import ask_about
from git_retcon.git.graph import Commit, tree_of
from git_retcon.git.repository import Repository

_SIDES = ("the branch", "what is merged into it")


class MergedSpec(NamedTuple):
    """What all parents say, and what they disagree about, by module."""

    store: SpecStore
    conflicts: Mapping[bytes, Sequence[Conflict]]


def merge_specs(
    repository: Repository,
    trees: SpecTrees,
    specs: Sequence[str],
    snapshots: Sequence[Snapshot],
    source: Commit,
) -> MergedSpec:
    """Merge the specifications of two or more spec commits, in their order: that of a merge."""

    def has_source(path: str) -> bool:
        file = path.encode("utf-8", "surrogateescape")
        return repository.trees.find(source.tree, file) is not None

    store = snapshots[0].store
    conflicts: dict[bytes, list[Conflict]] = {}
    for spec, snapshot in zip(specs[1:], snapshots[1:], strict=True):
        base = _find_base(repository, trees, specs[0], spec)
        store, found = merge_stores(base.store, store, snapshot.store, has_source)
        for path, each in found.items():
            conflicts.setdefault(path, []).extend(each)
    return MergedSpec(store, conflicts)


def merge_stores(
    base: SpecStore,
    ours: SpecStore,
    theirs: SpecStore,
    has_source: Callable[[str], bool] = lambda path: True,
) -> MergedSpec:
    """Merge the modules that are on both sides, then the master.

    A module that one side made is taken, one that a side removed goes if the other left it alone.
    ``has_source`` says whether the merged source has a file.
    """
    base, ours, theirs = settle_moves(base, ours, theirs, has_source)
    # What was moved on one side is the same declaration that the other side changed.
    base, ours = follow_other_side(base, ours, theirs)
    base, theirs = follow_other_side(base, theirs, ours)
    merged = ours
    conflicts: dict[bytes, Sequence[Conflict]] = {}
    old, mine, other = base.all_modules(), ours.all_modules(), theirs.all_modules()
    for path in sorted(mine.keys() | other.keys()):
        one, two, three = old.get(path), mine.get(path), other.get(path)
        if two == three:
            continue
        if two is None and three is not None:
            if three != one:
                merged = merged.set_module_spec(merged.spell_module(path), three)
        elif three is None and two is not None:
            if two == one:
                merged = merged.remove_module_spec(path)
        elif two is not None and three is not None:
            # Two branches each name a module, and may give both one alias.
            aligned = align_aliases(path, two, [one or b"", three])
            module = merge_checked(aligned[0], two, aligned[1])
            merged = merged.set_module_spec(path, module.content)
            if module.conflicts:
                conflicts[path] = module.conflicts
    start = b"" if base.master_spec() == EMPTY_MASTER else base.master_spec()
    master = merge_checked(start, ours.master_spec(), theirs.master_spec())
    if master.conflicts:
        conflicts[MASTER] = master.conflicts
    dangling = find_dangling(merged.all_modules(), mine, other)
    for path, found in dangling.items():
        conflicts[path] = [*conflicts.get(path, ()), *found]
    return MergedSpec(merged.set_master_spec(master.content), conflicts)


def add_questions(store: SpecStore, conflicts: Mapping[bytes, Sequence[Conflict]]) -> SpecStore:
    """Ask about every conflict in the module that has it."""
    for path, found in conflicts.items():
        content = store.master_spec() if path == MASTER else store.module_spec(path)
        if content is None:
            continue
        text = cut_module(content)
        declarations = [declaration.text for declaration in text.declarations]
        # A question that a parent asked already is not asked twice.
        asked = {question.text for question in ask_about(found, _SIDES)} - set(declarations)
        written = join_module(text.head, [*declarations, *sorted(asked)])
        if path == MASTER:
            store = store.set_master_spec(written)
        else:
            store = store.set_module_spec(path, written)
    return store


def _find_base(repository: Repository, trees: SpecTrees, one: str, other: str) -> Snapshot:
    """What two spec commits come from; of several, the one that libgit2 finds first."""
    base = repository.objects.merge_base(one, other)
    return NO_SNAPSHOT if base is None else trees.read(tree_of(repository, str(base)))
