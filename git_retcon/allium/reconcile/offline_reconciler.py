"""Reconciliation with no model: the specification beside what is read from the source."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, Protocol

from git_retcon.allium.engine import Checkpoint, Grounding, ListSources
from git_retcon.allium.extract.moved_types import TypeMove
from git_retcon.allium.reconcile.change_size import SelectSource
from git_retcon.allium.reconcile.collected_edits import Edits, Places
from git_retcon.allium.reconcile.compared_sides import Sides
from git_retcon.allium.reconcile.comparison import (
    compare_declaration,
    find_renamed,
    judge_vanished,
    leave_out_removed,
    make_addition,
)
from git_retcon.allium.reconcile.moved_sources import follow_sources
from git_retcon.allium.reconcile.spec_index import Place, SpecIndex
from git_retcon.allium.store.answered_questions import drop_all_answered
from git_retcon.allium.store.contradictions import Contradiction
from git_retcon.allium.store.declared_facts import name_fact
from git_retcon.allium.store.module_layout import follow_root
from git_retcon.allium.store.module_text import DeclarationText, list_cited_paths
from git_retcon.allium.store.renamed_files import pair_equal
from git_retcon.allium.store.source_map import read_root
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.git.graph import Commit, read_commit
from git_retcon.git.repository import Repository
from git_retcon.git.trees import EMPTY_TREE, Entry, EntryChange, read_object
from git_retcon.show.style import show_path


class Declarations(Places, Protocol):
    """What source commits declare, as one specification would have it."""

    def read(self, commit: Commit, path: bytes) -> Sequence[DeclarationText] | None:
        """What a file declares; () where there is none. One that cannot be read is None in the
        commit that is compared, and counts as what it said before in an earlier one.
        """

    def find_users(self, base: Commit, list_sources: ListSources) -> Sequence[bytes]:
        """The files beside those that are compared whose declarations may be others now than in a
        commit, as these say something else of a type.
        """


# Opens them for a specification, a commit to compare it with, the files that are compared, and the
# moves that the specification followed since the commits before.
OpenDeclarations = Callable[[SpecStore, Commit, Iterable[bytes], Sequence[TypeMove]], Declarations]


class Comparison(NamedTuple):
    """What a comparison gave, the declarations that it rests on, and the specification that was
    compared: it follows declarations whose source moved. ``asked`` are the questions of the
    findings that nobody had asked before.
    """

    grounding: Grounding
    declarations: Declarations
    store: SpecStore
    asked: AbstractSet[str] = frozenset()

    def leave_out_known(self) -> Grounding:
        """What the comparison changes: without the contradictions that are asked about already."""
        found = self.grounding.findings
        new = [each for each in found if not each.question or each.question in self.asked]
        return self.grounding._replace(findings=new)


class OfflineReconciler:
    """Compares declaration by declaration. What the source proves is written; what a person wrote
    otherwise stays, with an open question beside it.
    """

    def __init__(
        self, repository: Repository, open_declarations: OpenDeclarations, select: SelectSource
    ) -> None:
        self._repository = repository
        self._open = open_declarations
        self._select = select

    def reconcile(self, checkpoint: Checkpoint) -> Grounding:
        return self.compare(checkpoint).leave_out_known()

    def compare(self, checkpoint: Checkpoint) -> Comparison:
        """The same with what was read of the source, and with what is asked about already."""
        commit, tree = checkpoint.commit, checkpoint.commit.tree
        before = [*self._read_base(checkpoint), *checkpoint.earlier]
        index = SpecIndex(checkpoint.store)
        # What was described since the base and taken back is no change since then.
        starts = before if checkpoint.base is not None else ()
        changes = {
            each.path: each
            for start in [each.tree for each in starts] or [EMPTY_TREE]
            for each in self._list_changes(start, tree)
        }
        changes |= {each.path: each for each in self._list_orphans(index, tree, changes)}
        renames = self._find_renames(changes, before)
        store = self._follow_root(checkpoint.store, renames, tree)
        declared = self._open(store, commit, changes, ())
        if starts:
            changes |= {each.path: each for each in self._list_users(declared, starts, tree)}
            declared = self._open(store, commit, changes, ())
        now = {path: declared.read(commit, path) for path in changes}
        followed = follow_sources(store, index, now, renames)
        if followed.origins:
            index = SpecIndex(followed.store)
            declared = self._open(followed.store, commit, changes, followed.moves)
            now = {path: declared.read(commit, path) for path in changes}
        edits = Edits(followed.store, declared)

        def is_of_heir(place: Place) -> bool:
            return _is_of_heir(place, declared, [commit, *starts])

        for change in changes.values():
            declarations = now[change.path]
            if declarations is not None:
                origins = (change.path, *followed.origins.get(change.path, ()))
                sides = self._make_sides(checkpoint, declared, change, before, origins)
                _compare_file(edits, index, change.path, declarations, sides, is_of_heir)
        # Where a declaration went is known when all files were compared.
        edits.place_kept(index)
        return Comparison(_write_grounding(edits, now), declared, followed.store, edits.asked)

    def _read_base(self, checkpoint: Checkpoint) -> Sequence[Commit]:
        return [read_commit(self._repository, checkpoint.base)] if checkpoint.base else []

    def _follow_root(
        self, store: SpecStore, renames: Mapping[bytes, bytes], tree: str
    ) -> SpecStore:
        if store.root != read_root(store.master_spec()):
            return store  # the configured one, which moves no modules
        find = self._repository.trees.find
        came = {new: old for old, new in renames.items()}
        return follow_root(store, came, lambda each: find(tree, each) is not None)

    def _find_renames(
        self, changes: Mapping[bytes, EntryChange], before: Sequence[Commit]
    ) -> Mapping[bytes, bytes]:
        """Old path → new path of files that are as they were before, and elsewhere."""
        gone = [
            EntryChange(each.path, old, None)
            for each in changes.values()
            if each.new is None and (old := self._find_earlier(each.path, before)) is not None
        ]
        wanted = {each.old.oid for each in gone if each.old is not None}
        come = [
            EntryChange(each.path, None, each.new)
            for each in changes.values()
            if each.new is not None
            and each.new.oid in wanted
            and self._find_earlier(each.path, before) is None
        ]
        return {old: new for new, old in pair_equal(gone, come).items()}

    def _find_earlier(self, path: bytes, commits: Sequence[Commit]) -> Entry | None:
        """What was at a path in the first of these commits that had anything there."""
        found = (self._repository.trees.find(each.tree, path) for each in commits)
        return next((each for each in found if each is not None), None)

    def _list_changes(self, base: str, tree: str) -> Sequence[EntryChange]:
        return self._select(self._repository.trees.changes(base, tree), tree)

    def _list_users(
        self, declared: Declarations, starts: Iterable[Commit], tree: str
    ) -> Iterator[EntryChange]:
        """Files that did not change, and that use what the changed ones say otherwise."""

        def list_sources() -> Iterator[tuple[bytes, Entry]]:
            for each in self._list_changes(EMPTY_TREE, tree):
                if each.new is not None:
                    yield each.path, each.new

        for start in starts:
            for path in declared.find_users(start, list_sources):
                entry = self._repository.trees.find(tree, path)
                yield EntryChange(path, entry, entry)

    def _list_orphans(
        self, index: SpecIndex, tree: str, known: Mapping[bytes, EntryChange]
    ) -> Iterator[EntryChange]:
        """Files that are cited and not in the tree any more, whenever they went."""
        for cited in index.list_cited():
            paths = list_cited_paths(cited)
            is_there = any(self._repository.trees.find(tree, path) is not None for path in paths)
            if not is_there and known.keys().isdisjoint(paths):
                yield EntryChange(paths[0], None, None)

    def _make_sides(
        self,
        checkpoint: Checkpoint,
        declared: Declarations,
        change: EntryChange,
        commits: Iterable[Commit],
        origins: Sequence[bytes],
    ) -> Sides:
        before: dict[tuple[str, str], list[DeclarationText]] = {}
        for commit in commits:
            for path in origins:
                for declaration in declared.read(commit, path) or ():
                    before.setdefault(declaration.key[:2], []).append(declaration)
        tree, shown = checkpoint.commit.tree, show_path(change.path)

        @functools.cache
        def read(path: str) -> bytes:
            if path == shown:
                return self._read(change.new)
            found = (self._repository.trees.find(tree, each) for each in list_cited_paths(path))
            return self._read(next((each for each in found if each is not None), None))

        return Sides(shown, before, checkpoint.hand_edits, checkpoint.accepted, read)

    def _read(self, entry: Entry | None) -> bytes:
        is_file = entry is not None and entry.is_file
        return read_object(self._repository.objects.odb, entry.oid) if entry and is_file else b""


def _write_grounding(
    edits: Edits, now: Mapping[bytes, Sequence[DeclarationText] | None]
) -> Grounding:
    """What files, which declare this ``now``, made of a specification; None cannot be read."""
    store, answered = drop_all_answered(edits.write(), now)
    account = [f"No question any more: {each}" for each in answered]
    skipped = [(path, "it cannot be parsed") for path in now if now[path] is None]
    return Grounding(store, edits.findings, "offline", account=account, skipped_files=skipped)


def _is_of_heir(place: Place, declared: Declarations, commits: Iterable[Commit]) -> bool:
    """Whether the first file that a declaration cites declares it by itself: a class with the name
    of its base. A declaration that a model read in several files is of all of them.
    """
    kind, name, _ = place.declaration.key
    if kind in ("external entity", "config"):
        return False
    first = list_cited_paths(place.declaration.sources[0])
    return any(
        each.key[:2] == (kind, name)
        for commit in commits
        for path in first
        for each in declared.read(commit, path) or ()
    )


def _compare_file(
    edits: Edits,
    index: SpecIndex,
    path: bytes,
    now: Sequence[DeclarationText],
    sides: Sides,
    is_of_heir: Callable[[Place], bool],
) -> None:
    seen: set[tuple[bytes, tuple[str, str, int]]] = set()
    for declaration in now:
        place = index.find(declaration, path, is_of_heir)
        if place is not None:
            seen.add((place.module, place.declaration.key))
            compared = compare_declaration(place, declaration, sides)
            edits.replace(place, find_renamed(place, compared, now, sides))
        elif (module := edits.find_module(path)) is not None:
            finding = make_addition(declaration, module, sides.path)
            if finding.section in sides.accepted:
                continue
            if sides.is_by_hand(declaration):
                section = name_fact((declaration.kind, declaration.name, ""))
                question = Contradiction.DECLARATION_REMOVED.ask(section, sides.path)
                edits.findings.append(finding._replace(question=question))
                edits.ask(module, question)
                continue
            text, found = leave_out_removed(Place(module, declaration), index.list_namesakes, sides)
            edits.add(module, declaration._replace(text=text or declaration.text), finding)
            edits.note(module, found)
    for place in index.list_citing(sides.path):
        if (place.module, place.declaration.key) not in seen:
            vanished = judge_vanished(place, sides)
            if vanished is not None and vanished.text is not None:
                edits.keep(place, vanished)
            elif vanished is not None:
                edits.replace(place, vanished)
