"""The offline engine: what the source itself proves, declaration by declaration.

A step reads the changed files as they were and as they are, and merges the difference into the
specification: what a person, or a model, wrote beside it stays. Where both changed the same
declaration, the specification's version stays, and an open question names the source. A file that
did not change is read again only where it uses a name that means something else now.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.engine import Step, Update
from git_retcon.allium.engines.module_edits import Edit, edit_module, follow_renames
from git_retcon.allium.engines.source_declarations import SourceDeclarations
from git_retcon.allium.extract.joining import Joiner
from git_retcon.allium.extract.source_facts import (
    Contract,
    Declaration,
    Enumeration,
    FileFacts,
    Shape,
    Type,
)
from git_retcon.allium.extract.source_tree import FactsReader, GitTree
from git_retcon.allium.extract.spec_layout import Modules, SpecLayout
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.git.repository import Repository
from git_retcon.show.counting import count
from git_retcon.show.style import show_path


class OfflineEngine:
    """Describes steps with what ``extract`` reads, one file at a time."""

    name = "offline"
    is_slow = False

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._reader = FactsReader(repository)
        self._modules = Modules()
        self._unplaced: set[bytes] = set()
        self._declared = False
        self._is_used = False

    def update(self, step: Step) -> Update:
        self._is_used = True
        moved = {old: new for new, old in step.renames.items()}
        base = GitTree(self._repository, self._reader, step.base, moved)
        tree = GitTree(self._repository, self._reader, step.tree)
        account: list[str] = []
        paths: list[bytes] = []
        for change in step.changes:
            if change.path in moved and change.new is None:
                continue  # described at its new path
            if tree.is_broken(change.path):
                account.append(f"Not read: {show_path(change.path)}")
                continue
            paths.append(change.path)
        store = follow_renames(step.store, self._modules, step.renames)
        store = self._merge_sides(store, base, tree, paths, step.renames.keys(), account)
        names = store.all_modules()
        before = step.store.all_modules()
        changed = {each: names.get(each) for each in sorted(names.keys() | before.keys())}
        self._declared |= bool(names)
        return Update(
            {path: text for path, text in changed.items() if text != before.get(path)},
            account=account,
        )

    def open_declarations(
        self, store: SpecStore, tree: str, paths: Iterable[bytes]
    ) -> SourceDeclarations:
        """What source files declare, to compare a specification with."""
        return SourceDeclarations(self._repository, self._reader, self._modules, store, tree, paths)

    def summarize(self) -> Sequence[str]:
        return [*self._summarize_changes()]

    def _summarize_changes(self) -> Iterator[str]:
        read, unreadable = self._reader.read_files, self._reader.unreadable
        for language in sorted(read):
            broken = f", {unreadable[language]} could not be read" if unreadable[language] else ""
            yield f"{language}: {count(read[language], 'file')} read{broken}"
        if self._reader.other:
            yield f"{count(self._reader.other, 'file')} in languages that are not read offline"
        if self._unplaced:
            yield f"{count(len(self._unplaced), 'file')} left out: bad name for a module"
        outlined = self._reader.outlined
        if outlined:
            extras = ",".join(sorted({*outlined.values()}))
            names = ", ".join(sorted(outlined))
            yield f"{names}: in outline only; whole after: pip install 'git-retcon[{extras}]'"
        if self._is_used and not self._declared:
            if not read:
                yield "nothing is specified: no file is in a language that is read offline"
            else:
                yield "nothing is specified: no file declares entities, values, enums or rules"

    def _merge_sides(
        self,
        store: SpecStore,
        base: GitTree,
        tree: GitTree,
        paths: Sequence[bytes],
        renamed: Collection[bytes],
        account: list[str],
    ) -> SpecStore:
        shown = {show_path(path): path for path in paths}

        def declares(path: str, symbol: str) -> bool:
            facts = tree.read(shown[path]) if path in shown else None
            return path not in shown or (
                facts is not None
                and any(symbol == each for each in _list_symbols(facts.declarations))
            )

        described = [
            path
            for path in paths
            if base.is_broken(path)
            or _has_declarations(base, path)
            or _has_declarations(tree, path)
        ]
        if not described:
            return store
        places = SpecLayout(store, self._modules)
        targets = SpecLayout(
            store,
            self._modules,
            declares,
            frozenset(p for p in described if _has_declarations(tree, p)),
        )
        was, now = Joiner(base, places), Joiner(tree, targets)
        touched: set[str] = set()
        edits: dict[bytes, list[Edit]] = {}
        for path in described:
            touched |= _find_touched(base.read(path), tree.read(path))
            # What a file says that could not be read before replaces all that it said once.
            before = None if base.is_broken(path) else was.join(path)
            after = now.join(path)
            # What a renamed file refers to may be new to the module that it is in now.
            if before == after and path not in renamed:
                continue
            module = targets.find_module(path) or places.find_module(path)
            if module is not None:
                edits.setdefault(module, []).append(Edit(path, before, after))
            elif after:
                account.append(f"Left out: {show_path(path)}: no module may have its name")
                self._unplaced.add(path)
        for path in self._find_dependents(store, touched, tree, {*described}):
            module = places.find_module(path)
            before, after = was.join(path), now.join(path)
            if module is not None and before != after:
                edits.setdefault(module, []).append(Edit(path, before, after))
        for module in sorted(edits):
            store = edit_module(store, self._modules, module, edits[module])
        return store

    def _find_dependents(
        self, store: SpecStore, touched: set[str], tree: GitTree, known: set[bytes]
    ) -> Sequence[bytes]:
        """Files beside ``known`` whose declarations name one of these types, as the specification
        says: with its declaration, a citation of it, or its name behind ``Any``.
        """
        if not touched:
            return ()
        pattern = re.compile(
            rb"\b(?:%b)\b" % b"|".join(sorted(map(re.escape, map(str.encode, touched))))
        )
        found: dict[bytes, None] = {}
        for content in store.all_modules().values():
            if not pattern.search(content):
                continue
            index = self._modules.read(content)
            for each in index.text.declarations:
                if each.sources and pattern.search(each.text):
                    for source in (
                        each.sources if each.kind == "external entity" else each.sources[:1]
                    ):
                        found[source.encode()] = None
        return [path for path in sorted(found) if path not in known and tree.read(path) is not None]


def _has_declarations(tree: GitTree, path: bytes) -> bool:
    facts = tree.read(path)
    return facts is not None and bool(facts.declarations)


def _list_symbols(declarations: Sequence[Declaration]) -> Iterator[str]:
    for each in declarations:
        yield from (place.symbol for place in each.evidence)


def _find_touched(before: FileFacts | None, after: FileFacts | None) -> set[str]:
    """The names of types that a file says something else of."""
    one, two = _list_types(before), _list_types(after)
    changed = [each for each in one.keys() | two.keys() if one.get(each) != two.get(each)]
    return {
        part for symbol in changed for part in symbol.rpartition(".")[::2] if part.isidentifier()
    }


def _list_types(facts: FileFacts | None) -> Mapping[str, Declaration | Type]:
    if facts is None:
        return {}
    types = (
        each for each in facts.declarations if isinstance(each, Shape | Enumeration | Contract)
    )
    return {**facts.aliases, **{each.evidence[0].symbol: each for each in types}}
