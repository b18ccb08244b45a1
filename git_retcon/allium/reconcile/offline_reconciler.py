"""Reconciliation with no model: the specification beside what is read from the source."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, Protocol

from git_retcon.allium.engine import Checkpoint, Finding, Grounding, ListSources
from git_retcon.allium.reconcile.change_size import SelectSource
from git_retcon.allium.reconcile.compared_sides import Sides
from git_retcon.allium.reconcile.comparison import (
    Compared,
    compare_declaration,
    find_renamed,
    judge_vanished,
    leave_out_removed,
    make_addition,
    take_comments,
)
from git_retcon.allium.reconcile.moved_sources import follow_sources
from git_retcon.allium.reconcile.spec_index import Place, SpecIndex
from git_retcon.allium.store.contradictions import Contradiction, add_questions
from git_retcon.allium.store.declared_facts import name_fact
from git_retcon.allium.store.module_layout import follow_root, make_head
from git_retcon.allium.store.module_paths import MASTER
from git_retcon.allium.store.module_text import DeclarationText, cut_module, join_module
from git_retcon.allium.store.needed_types import index_needed, restore_needed
from git_retcon.allium.store.renamed_files import pair_equal
from git_retcon.allium.store.source_map import read_root
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.three_way import make_question
from git_retcon.git.graph import Commit, read_commit
from git_retcon.git.repository import Repository
from git_retcon.git.trees import EMPTY_TREE, Entry, EntryChange, read_object
from git_retcon.show.style import show_path


class Declarations(Protocol):
    """What source commits declare, as one specification would have it."""

    def read(self, commit: Commit, path: bytes) -> Sequence[DeclarationText] | None:
        """What a file declares; () where there is none. One that cannot be read is None in the
        commit that is compared, and counts as what it said before in an earlier one.
        """

    def find_users(self, base: Commit, list_sources: ListSources) -> Sequence[bytes]:
        """The files beside those that are compared whose declarations may be others now than in a
        commit, as these say something else of a type.
        """

    def find_module(self, path: bytes) -> bytes | None:
        """The module that speaks of a file, or is to be made for it; None: it may have none."""

    def list_uses(self, module: bytes, texts: Iterable[bytes]) -> Sequence[bytes] | None:
        """The ``use`` lines that a module needs for these declarations; None: as they are."""


# Opens them for a specification, a commit to compare it with, and the files that are compared.
OpenDeclarations = Callable[[SpecStore, Commit, Iterable[bytes]], Declarations]


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
        declared = self._open(store, commit, changes)
        if starts:
            changes |= {each.path: each for each in self._list_users(declared, starts, tree)}
            declared = self._open(store, commit, changes)
        now = {path: declared.read(commit, path) for path in changes}
        followed = follow_sources(store, index, now, renames)
        if followed.origins:
            index = SpecIndex(followed.store)
            declared = self._open(followed.store, commit, changes)
            now = {path: declared.read(commit, path) for path in changes}
        edits = _Edits(followed.store, declared)

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
        skipped = [(path, "it cannot be parsed") for path in changes if now[path] is None]
        grounding = Grounding(edits.write(), edits.findings, "offline", skipped_files=skipped)
        return Comparison(grounding, declared, followed.store, edits.asked)

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
            path = cited.encode("utf-8", "surrogateescape")
            if path not in known and self._repository.trees.find(tree, path) is None:
                yield EntryChange(path, None, None)

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
            file = path.encode("utf-8", "surrogateescape")
            other = self._repository.trees.find(tree, file) if path != shown else change.new
            return self._read(other)

        return Sides(shown, before, checkpoint.hand_edits, checkpoint.accepted, read)

    def _read(self, entry: Entry | None) -> bytes:
        is_file = entry is not None and entry.is_file
        return read_object(self._repository.objects.odb, entry.oid) if entry and is_file else b""


class _Edits:
    """What is to change in a specification, collected by module."""

    def __init__(self, store: SpecStore, declared: Declarations) -> None:
        self._store = store
        self._declared = declared
        self._replaced: dict[bytes, dict[tuple[str, str, int], bytes | None]] = {}
        self._added: dict[bytes, list[bytes]] = {}
        self._questions: dict[bytes, list[str]] = {}
        self._new: list[Place] = []
        self._kept: list[tuple[Place, Compared]] = []
        self.findings: list[Finding] = []
        self.asked: set[str] = set()

    def replace(self, place: Place, compared: Compared) -> None:
        """Take the outcome of a comparison; what is gone already, by another file, stays gone."""
        if self._replaced.get(place.module, {}).get(place.declaration.key, b"") is None:
            return
        self.note(place.module, compared.findings)
        if compared.text != place.declaration.text:
            texts = self._replaced.setdefault(place.module, {})
            texts[place.declaration.key] = compared.text

    def note(self, module: bytes, findings: Sequence[Finding]) -> None:
        """Take findings, and ask what they ask."""
        self.findings += findings
        for finding in findings:
            if finding.question:
                self.ask(module, finding.question)

    def keep(self, place: Place, vanished: Compared) -> None:
        """Take one that its file does not declare any more, and that a person wrote at."""
        self._kept.append((place, vanished))

    def place_kept(self, index: SpecIndex) -> None:
        """Put them where another file declares the same, else leave them beside a question."""
        for place, vanished in self._kept:
            moved = [
                (heir, text)
                for heir in (*index.list_namesakes(place), *self._new)
                if heir.declaration.key[:2] == place.declaration.key[:2]
                and heir.declaration.key not in self._replaced.get(heir.module, {})
                and (text := take_comments(place, heir.declaration)) is not None
            ]
            # Of two that it could be, none is known to be it.
            if len(moved) != 1:
                self.replace(place, vanished)
                continue
            heir, text = moved[0]
            findings = [each._replace(question="") for each in vanished.findings]
            self.replace(place, Compared(None, findings))
            if heir in self._new:
                self._new.remove(heir)
                added = self._added[heir.module]
                added[added.index(heir.declaration.text)] = text
            else:
                self.replace(heir, Compared(text, ()))

    def add(self, module: bytes, declaration: DeclarationText, finding: Finding) -> None:
        """Add a declaration to a module, which may be new."""
        self.findings.append(finding)
        self._new.append(Place(module, declaration))
        self._added.setdefault(module, []).append(declaration.text)

    def ask(self, module: bytes, question: str) -> None:
        """Ask beside the declarations of a module, once."""
        self._questions.setdefault(module, []).append(question)

    def find_module(self, path: bytes) -> bytes | None:
        """The module that speaks of a file or is to be made for it; None: it may have none."""
        return self._declared.find_module(path)

    def write(self) -> SpecStore:
        """The specification with all of it."""
        store = self._store
        for module in sorted(self._replaced.keys() | self._added.keys() | self._questions.keys()):
            is_master = module == MASTER
            content = store.master_spec() if is_master else store.module_spec(module)
            text = cut_module(content) if content is not None else None
            replaced = self._replaced.get(module, {})
            kept = [
                written
                for each in (text.declarations if text else ())
                if (written := replaced.get(each.key, each.text)) is not None
            ]
            added = [each for each in self._added.get(module, ()) if each not in kept]
            asked = self._ask_new(module, text.declarations if text else ())
            head = text.head if text else make_head(module)
            whole = [*kept, *dict.fromkeys(added), *(each.text for each in asked)]
            uses = self._declared.list_uses(module, whole)
            if uses is not None:
                whole = [*uses, *(each for each in whole if not each.startswith(b"use "))]
            written = join_module(head, whole)
            if is_master:
                store = store.set_master_spec(written)
            elif cut_module(written).is_empty:
                store = store.remove_module_spec(module)
            else:
                store = store.set_module_spec(module, written)
        return self._keep_needed(store)

    def _keep_needed(self, store: SpecStore) -> SpecStore:
        """The specification with those types that went and that something which stays names."""
        restored = restore_needed(self._store, store)
        self.asked |= restored.asked
        questions = index_needed(restored.needed)
        self.findings = [
            each._replace(question=questions.get((each.module, each.section), each.question))
            for each in self.findings
        ]
        return restored.store

    def _ask_new(
        self, module: bytes, declarations: Sequence[DeclarationText]
    ) -> Sequence[DeclarationText]:
        """The questions about a module that nobody has asked in it yet."""
        questions = dict.fromkeys(self._questions.get(module, ()))
        new = [*add_questions(declarations, questions)]
        added = {each.name for each in new}
        self.asked |= {each for each in questions if make_question(each).name in added}
        return new


def _is_of_heir(place: Place, declared: Declarations, commits: Iterable[Commit]) -> bool:
    """Whether the first file that a declaration cites declares it by itself: a class with the name
    of its base. A declaration that a model read in several files is of all of them.
    """
    kind, name, _ = place.declaration.key
    if kind in ("external entity", "config"):
        return False
    first = place.declaration.sources[0].encode("utf-8", "surrogateescape")
    return any(
        each.key[:2] == (kind, name)
        for commit in commits
        for each in declared.read(commit, first) or ()
    )


def _compare_file(
    edits: _Edits,
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
