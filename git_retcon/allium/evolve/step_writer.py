"""One step: a source commit in, its spec commit out. No git process is started and no ref moves."""

import functools
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from git_retcon.allium.engine import Earlier, Grounding, Step, Update
from git_retcon.allium.evolve.agenda import Parent
from git_retcon.allium.evolve.changelog import add_entry, merge_changelogs
from git_retcon.allium.evolve.merged_sources import find_forks, list_merge_changes
from git_retcon.allium.evolve.merging import MergedSpec, MergedTrees, add_questions, merge_specs
from git_retcon.allium.evolve.removed_by_hand import HandRemovals
from git_retcon.allium.evolve.source_files import SourceFiles
from git_retcon.allium.evolve.taken_side import take_side
from git_retcon.allium.history.reconciliations import Reconciliation
from git_retcon.allium.history.spec_commit import Account, write_spec_commit
from git_retcon.allium.reconcile.lost_master import read_whole
from git_retcon.allium.store.comment_questions import drop_repeated
from git_retcon.allium.store.declared_facts import FactName, compare_stores
from git_retcon.allium.store.merge_choice import Conflict
from git_retcon.allium.store.module_layout import (
    follow_root,
    list_in_master,
    rename_modules,
    split_modules,
)
from git_retcon.allium.store.module_paths import MASTER
from git_retcon.allium.store.needed_types import restore_needed
from git_retcon.allium.store.renamed_files import find_renames
from git_retcon.allium.store.source_map import (
    SourceRoot,
    detect_root,
    write_root,
)
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.spec_tree import (
    NO_SNAPSHOT,
    Snapshot,
    SpecTrees,
    list_changed_files,
)
from git_retcon.git.graph import Commit, is_commit, read_commit, tree_of
from git_retcon.git.repository import Repository
from git_retcon.git.short_ids import IN_A_RECORD, shorten_id
from git_retcon.git.trees import EMPTY_TREE
from git_retcon.show.counting import count, list_some
from git_retcon.show.style import show_path

# Snapshots share their bytes; those of parents far back are read again.
_MOST_SNAPSHOTS = 64
_MOST_LISTED = 40  # modules in a message


class PreparedStep(NamedTuple):
    """A step that an engine can tell: with the source commits and the spec commits that it follows,
    what the first of them holds, and the changelog of all of them. ``sides`` are the specifications
    that a merge joins.
    """

    step: Step
    sources: Sequence[str]
    specs: Sequence[str]
    before: Snapshot
    changelog: bytes
    sides: Sequence[SpecStore] = ()


class Result(NamedTuple):
    """What a step wrote. ``changed`` are the modules, and the master, that differ from before."""

    spec: str
    changed: Sequence[bytes]
    update: Update
    grounded: "GroundedStep | None" = None

    @property
    def cost(self) -> float:
        """US dollars, of the step and of a reconciliation."""
        return self.update.cost + (self.grounded.grounding.cost if self.grounded else 0.0)


class GroundedStep(NamedTuple):
    """What a reconciliation made of the specification after a step, and its record; ``before`` is
    the specification that it was given.
    """

    grounding: Grounding
    record: Reconciliation
    before: SpecStore


class Layout(NamedTuple):
    """How modules are made: the configured source root, if any, and when they are split. And of how
    many commits a step shows the changes, its own included.
    """

    root: SourceRoot | None
    most_tokens: int
    depth: int = 1


class StepWriter:
    """Prepares and finishes the steps of one repository; ``engine`` is the name of who describes
    them in between.
    """

    def __init__(
        self, repository: Repository, engine: str, files: SourceFiles, layout: Layout
    ) -> None:
        self._repository = repository
        self._name = engine
        self._files = files
        self._layout = layout
        self._trees = SpecTrees(repository, layout.root)
        self._removals = HandRemovals(repository, self._trees)
        self._snapshots: OrderedDict[str, Snapshot] = OrderedDict()
        self._empty = NO_SNAPSHOT._replace(store=SpecStore(root=layout.root))

    def prepare(
        self, source: Commit, number: int, parents: Sequence[Parent], context: Sequence[Commit]
    ) -> PreparedStep:
        """Find out what a step is about."""
        specs = list(dict.fromkeys(parent.record.last for parent in parents))
        snapshots = [self._read_snapshot(spec) for spec in specs]
        before = snapshots[0] if snapshots else self._empty
        merged = MergedSpec(before.store, {})
        changelog = before.changelog
        base: str | None = None
        if len(snapshots) > 1:
            sources = {parent.record.last: parent.source for parent in reversed(parents)}
            sides = [tree_of(self._repository, sources[spec]) for spec in specs]
            taken = self._take_side(source, specs, sides)
            if taken is not None:
                merged, base = MergedSpec(taken, {}), source.tree
            else:
                merged_trees = MergedTrees(self._repository, source.tree, sides)
                merged = merge_specs(
                    self._repository, self._trees, specs, snapshots, merged_trees, self._removals
                )
            changelog = merge_changelogs(changelog, [each.changelog for each in snapshots[1:]])
        step = self._make_step(source, number, parents, merged, context, base)
        joined = [each.store for each in snapshots] if len(snapshots) > 1 else ()
        return PreparedStep(
            step, [parent.source for parent in parents], specs, before, changelog, joined
        )

    def finish(
        self, prepared: PreparedStep, update: Update, grounded: "GroundedStep | None" = None
    ) -> Result:
        """Write the spec commit of a step, with what an engine made of it, and in the same commit
        what a reconciliation with the source made of that.
        """
        step, _, specs, before, changelog, _ = prepared
        store = self.apply(prepared, update)
        if grounded is not None:
            store = split_modules(grounded.grounding.store, self._layout.most_tokens)
        has_moved = store.all_modules().keys() != before.store.all_modules().keys()
        if has_moved or len(specs) > 1:
            store = list_in_master(store)
        changed = sorted(list_changed_files(before.store, store))
        if changed:
            changelog = add_entry(changelog, step.commit, changed)
        after = self._trees.write(store, changelog, before)
        lines = list(_describe_step(step, update, changed, len(specs)))
        if grounded is not None:
            lines += ["", *describe_grounding(grounded)]
        account = Account(
            lines,
            update.model or self._name,
            update.cost,
            update.incomplete,
            [grounded.record.trailer] if grounded else (),
        )
        spec = write_spec_commit(self._repository, step.commit, after.tree, specs, account)
        self._keep_snapshot(spec, after)
        return Result(spec, changed, update, grounded)

    def _take_side(
        self, source: Commit, specs: Sequence[str], sides: Sequence[str]
    ) -> SpecStore | None:
        """The specification of the first side of a merge that has its source, if one has."""
        if source.tree not in sides:
            return None
        taken = specs[sides.index(source.tree)]
        others = [each for each in specs if each != taken]
        return take_side(self._repository, self._trees, taken, others)

    def _make_step(
        self,
        source: Commit,
        number: int,
        parents: Sequence[Parent],
        merged: MergedSpec,
        context: Sequence[Commit],
        described: str | None,
    ) -> Step:
        """``described`` is the source tree that the specification describes, if that is known."""
        base = described or (
            tree_of(self._repository, parents[0].source) if parents else EMPTY_TREE
        )
        trees = self._repository.trees
        forks = find_forks(self._repository, parents) if described is None else ()
        changed = (
            list_merge_changes(self._repository, base, forks, source)
            if forks
            else trees.changes(base, source.tree)
        )
        changes = self._files.select(changed, source.tree)
        # Of a merge, each side followed its own renames: left are those of the merge itself.
        renames = find_renames(changes)
        store = merged.store
        if self._layout.root is None:
            store = follow_root(
                store, renames, lambda each: trees.find(source.tree, each) is not None
            )
        store = rename_modules(store, {old: new for new, old in renames.items()})
        # Only before the first module: another root later would rename all of them.
        if changes and self._layout.root is None and not store.all_modules():
            root = detect_root(path for path, _ in trees.files(source.tree))
            store = SpecStore(write_root(store.master_spec(), root), root=root)
        specs = [parent.record.last for parent in parents]
        return Step(
            source, number, store, base, source.tree, changes, renames, context,
            list(self._list_earlier(context)), merged.conflicts, forks,
            functools.cache(functools.partial(self._find_removed, specs)),
            functools.partial(self._files.list_paths, source.tree),
        )  # fmt: skip

    def _find_removed(self, specs: Sequence[str]) -> AbstractSet[FactName]:
        """What people took out of any of these specifications since they began."""
        return frozenset().union(*(self._removals.find(None, each) for each in specs))

    def _list_earlier(self, context: Sequence[Commit]) -> Iterator[Earlier]:
        """The last of the commits before, each with what it changed of its first parent."""
        for at in range(max(0, len(context) - self._layout.depth + 1), len(context)):
            commit = context[at]
            if commit.parents and is_commit(self._repository, commit.parents[0]):
                base = tree_of(self._repository, commit.parents[0])
                found = self._repository.trees.changes(base, commit.tree)
                yield Earlier(commit, self._files.select(found, commit.tree))

    def apply(self, prepared: PreparedStep, update: Update) -> SpecStore:
        """The specification with what an engine made of a step."""
        step, store = prepared.step, prepared.step.store
        for path, content in update.modules.items():
            if content is None:
                store = store.remove_module_spec(path)
            else:
                store = store.set_module_spec(path, content)
        if update.master is not None:
            store = store.set_master_spec(update.master)
        for side in prepared.sides:
            # One side of a merge took a type away, and what another says by hand names it.
            store = restore_needed(side, store).store
        if prepared.sides:
            store = drop_repeated(store)
        if step.conflicts and not update.is_decided:
            store = add_questions(store, _find_open(step, update, store))
        # Counting tokens takes time, and only a changed module can have grown.
        return split_modules(store, self._layout.most_tokens) if update.modules else store

    def _read_snapshot(self, spec: str) -> Snapshot:
        found = self._snapshots.get(spec)
        if found is None:
            commit = read_commit(self._repository, spec)
            found = self._trees.read(commit.tree)
            store = read_whole(self._repository, self._trees, commit)
            if store.master_spec() != found.store.master_spec():
                found = self._trees.write(store, found.changelog, found)
        self._keep_snapshot(spec, found)
        return found

    def _keep_snapshot(self, spec: str, snapshot: Snapshot) -> None:
        self._snapshots[spec] = snapshot
        self._snapshots.move_to_end(spec)
        if len(self._snapshots) > _MOST_SNAPSHOTS:
            self._snapshots.popitem(last=False)


def _find_open(step: Step, update: Update, store: SpecStore) -> Mapping[bytes, Sequence[Conflict]]:
    """The conflicts that the step did not decide: the text that was kept is still there."""
    opened: dict[bytes, Sequence[Conflict]] = {}
    for path, conflicts in step.conflicts.items():
        content = store.master_spec() if path == MASTER else store.module_spec(path)
        kept = [
            each
            for each in conflicts
            if content
            and (each.ours or each.theirs or b"") in content
            and each not in update.settled
        ]
        if kept:
            opened[path] = kept
    return opened


def describe_grounding(grounded: GroundedStep) -> Iterator[str]:
    """What a spec commit says of a reconciliation."""
    grounding, record, before = grounded
    source = shorten_id(record.at_sha, IN_A_RECORD)
    if grounding.skipped:
        yield f"Reconciliation: skipped at {source}, {grounding.skipped}"
    else:
        yield f"Reconciliation: source-grounded at {source}"
        # Counted from what is written, not from what was proposed.
        kinds = [each.kind for each in compare_stores(before, grounding.store)]
        additions, removals = kinds.count("added"), kinds.count("removed")
        yield f"Findings: {additions} additions, {removals} removals"
    yield f"Reconciliation cost: ${record.cost:.4f}"
    yield from grounding.failures
    yield from grounding.account
    skipped = grounding.skipped_files
    yield from (f"Skipped: {show_path(path)}: {why}" for path, why in skipped[:_MOST_LISTED])
    if len(skipped) > _MOST_LISTED:
        yield f"Skipped: {count(len(skipped) - _MOST_LISTED, 'more file')}"


def _describe_step(
    step: Step, update: Update, changed: Sequence[bytes], sides: int
) -> Iterator[str]:
    """What a spec commit says below its subject."""
    if sides > 1:
        yield f"Merged {count(sides, 'specification')}."
    number = sum(map(len, step.conflicts.values()))
    if number:
        yield f"{count(number, 'declaration')} changed on more than one side."
    yield from update.account
    if changed:
        yield ""  # format_message drops it where nothing is before it
        lines = [f"Changed: {show_path(path)}" for path in changed]
        yield from list_some(lines, _MOST_LISTED, "module")
