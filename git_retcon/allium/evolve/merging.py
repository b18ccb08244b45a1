"""The specification of a merge: module by module, what its parents say together."""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.evolve.names_apart import name_apart
from git_retcon.allium.evolve.removed_by_hand import (
    FindRemoved,
    HandRemovals,
    ask,
    leave_out,
    list_removals,
)
from git_retcon.allium.evolve.replaced_by_hand import part_replaced
from git_retcon.allium.store.aligned_aliases import align_aliases, share_aliases
from git_retcon.allium.store.checked_merge import find_dangling, merge_checked
from git_retcon.allium.store.kept_declarations import restore_kept
from git_retcon.allium.store.merge_choice import Conflict, merge_lists
from git_retcon.allium.store.module_paths import MASTER
from git_retcon.allium.store.module_text import cut_module, find_cited_path, join_module
from git_retcon.allium.store.moves_of_sides import follow_moves, place_alike, settle_moves
from git_retcon.allium.store.names_of_sides import NamedAlike, name_alike
from git_retcon.allium.store.sides import Sides
from git_retcon.allium.store.spec_store import EMPTY_MASTER, SpecStore
from git_retcon.allium.store.spec_tree import NO_SNAPSHOT, Snapshot, SpecTrees
from git_retcon.allium.store.three_way import ask_about
from git_retcon.git.graph import list_merge_bases, tree_of
from git_retcon.git.repository import Repository

_SIDES = ("the branch", "what is merged into it")


class MergedSpec(NamedTuple):
    """What all parents say, and what they disagree about, by module."""

    store: SpecStore
    conflicts: Mapping[bytes, Sequence[Conflict]]


class MergedTrees:
    """The source tree of a merge beside those of its parents, in their order."""

    def __init__(self, repository: Repository, tree: str, parents: Sequence[str]) -> None:
        self._find = repository.trees.find
        self._tree = tree
        self._parents = parents

    def has(self, path: str) -> bool:
        """Whether the merge has a file, as a citation spells it."""
        return self._has(self._find_path(path))

    def has_from(self, parent: int, path: str) -> bool:
        """Whether the merge has a file as one of its parents has it."""
        file = self._find_path(path)
        found = self._find(self._tree, file)
        return found is not None and found == self._find(self._parents[parent], file)

    def _find_path(self, cited: str) -> bytes:
        return find_cited_path(cited, self._has)

    def _has(self, path: bytes) -> bool:
        return self._find(self._tree, path) is not None


def merge_specs(
    repository: Repository,
    trees: SpecTrees,
    specs: Sequence[str],
    snapshots: Sequence[Snapshot],
    merged: MergedTrees,
    removals: HandRemovals,
) -> MergedSpec:
    """Merge the specifications of two or more spec commits, in their order: that of a merge."""
    store = snapshots[0].store
    conflicts: dict[bytes, list[Conflict]] = {}
    for number, (spec, snapshot) in enumerate(zip(specs[1:], snapshots[1:], strict=True), 1):
        bases = list_merge_bases(repository, specs[0], spec)
        start = next(iter(bases), None)
        base = _join_bases(repository, trees, bases)
        # What another name hides was not removed.
        aligned = _align(Sides(base, store, snapshot.store), merged.has)
        base, mine, other = aligned.sides
        by_us, by_them = (
            functools.cache(functools.partial(removals.find, start, tip))
            for tip in (specs[0], spec)
        )
        has_theirs = functools.partial(merged.has_from, number)
        ours = restore_kept(base, mine, other, has_theirs, by_us)
        theirs = restore_kept(base, other, mine, functools.partial(merged.has_from, 0), by_them)
        store, found = _merge_two(base, ours, theirs, merged.has, [by_us, by_them])
        for path, each in (*aligned.conflicts.items(), *found.items()):
            conflicts.setdefault(path, []).extend(each)
    return MergedSpec(store, conflicts)


def _align(sides: Sides, has_source: Callable[[str], bool]) -> NamedAlike:
    """The sides with each definition in one module and under one name, which is its own."""
    aligned = name_alike(place_alike(sides))
    return aligned._replace(sides=name_apart(aligned.sides, has_source))


def _join_bases(repository: Repository, trees: SpecTrees, bases: Sequence[str]) -> SpecStore:
    """What two sides come from. Where that is several commits, as of branches that were merged into
    each other, it is what these say together, as git has it of their sources.
    """
    stores = [trees.read(tree_of(repository, each)).store for each in bases]
    joined = stores[0] if stores else NO_SNAPSHOT.store
    for commit, store in zip(bases[1:], stores[1:], strict=True):
        before = repository.objects.merge_base(bases[0], commit)
        start = NO_SNAPSHOT if before is None else trees.read(tree_of(repository, str(before)))
        joined = merge_stores(start.store, joined, store).store
    return joined


def _merge_two(
    base: SpecStore,
    ours: SpecStore,
    theirs: SpecStore,
    has_source: Callable[[str], bool],
    find_removed: Sequence[FindRemoved],
) -> MergedSpec:
    """Merge two sides. What people took out on one of them stays out, though the other changed it.

    ``find_removed`` says what that is, of ours and of theirs.
    """
    merged = merge_stores(base, ours, theirs, has_source)
    by_us = [*list_removals(merged.conflicts, theirs, find_removed[0], is_ours=False)]
    by_them = [*list_removals(merged.conflicts, ours, find_removed[1], is_ours=True)]
    if not (by_us or by_them):
        return merged
    merged = merge_stores(base, leave_out(ours, by_them), leave_out(theirs, by_us), has_source)
    return merged._replace(store=ask(merged.store, [*by_us, *by_them]))


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
    aligned = _align(Sides(base, ours, theirs), has_source)
    # What was moved on one side is the same declaration that the other side changed.
    parted = part_replaced(follow_moves(settle_moves(aligned.sides, has_source)))
    base, ours, theirs = parted.sides
    merged = ours
    conflicts: dict[bytes, Sequence[Conflict]] = {**aligned.conflicts}
    old, mine, other = base.all_modules(), ours.all_modules(), theirs.all_modules()
    for path in sorted(mine.keys() | other.keys()):
        one, two, three = old.get(path), mine.get(path), other.get(path)
        if two == three:
            continue
        if one is None and (two is None or three is None):
            merged = _put_module(merged, path, two if three is None else three)
            continue
        # A side that removed a module removed what is in it: the other may have moved some of it.
        two, three = (
            each if each is not None else join_module(cut_module(one or b"").head, [])
            for each in (two, three)
        )
        # Two branches each name a module, and may give both one alias.
        before, after = align_aliases(path, two, [one or b"", three])
        module = merge_checked(before, two, after)
        content = module.content
        if module.has_two_heads:
            content = _join_heads(content, [cut_module(each).head for each in (before, two, after)])
        merged = _put_module(merged, path, content)
        if module.conflicts:
            conflicts[path] = [*conflicts.get(path, ()), *parted.ask(path, module.conflicts)]
    master, disputed = _merge_masters(base.master_spec(), ours.master_spec(), theirs.master_spec())
    if disputed:
        conflicts[MASTER] = disputed
    for path, found in find_dangling(merged.all_modules(), mine, other).items():
        conflicts[path] = [*conflicts.get(path, ()), *found]
    return MergedSpec(merged.set_master_spec(master), conflicts)


def _join_heads(merged: bytes, heads: Sequence[bytes]) -> bytes:
    """A module with what both sides wrote at its top: comments do not exclude each other."""
    lines = merge_lists(*(head.split(b"\n") for head in heads))
    declared = cut_module(merged).declarations
    return join_module(b"\n".join(lines), [each.text for each in declared])


def _merge_masters(base: bytes, ours: bytes, theirs: bytes) -> tuple[bytes, Sequence[Conflict]]:
    start = b"" if base == EMPTY_MASTER else base
    master = merge_checked(start, ours, share_aliases(MASTER, start, ours, theirs))
    # Which modules a master uses, and by which aliases, follows from the modules.
    return master.content, [each for each in master.conflicts if each.kind != "use"]


def _put_module(store: SpecStore, path: bytes, content: bytes | None) -> SpecStore:
    if content is None or cut_module(content).is_empty:
        return store.remove_module_spec(path)
    return store.set_module_spec(store.spell_module(path), content)


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
