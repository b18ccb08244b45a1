"""Where a specification holds what was read, by its citations, and which names are free in it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.source_facts import Evidence
from git_retcon.allium.extract.spelling import spell_type_name
from git_retcon.allium.store.module_paths import fold_module_path
from git_retcon.allium.store.module_text import (
    DeclarationText,
    ModuleText,
    cut_module,
    list_citations,
    list_cited_paths,
)
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.show.style import show_path

# Kinds that share their names.
_TYPES = frozenset({"entity", "external entity", "value", "enum", "variant"})
_EXTERNAL = "external entity"
# The names of the language's own types: what a source declares by one of them is another.
_PLAIN_TYPES = frozenset(
    {"String", "Integer", "Decimal", "Boolean", "Timestamp", "Duration", "Any"}
)
_MOST_KEPT = 512  # modules


class Place(NamedTuple):
    """What identifies a declaration: where it was read, and among which kinds its name counts."""

    path: str
    symbol: str
    space: str


class ModuleIndex(NamedTuple):
    """A module's text, the place and the name of each declaration, and who has each name.
    ``operating`` are the files whose operations work on a type, by its path and symbol.
    """

    text: ModuleText
    names: Mapping[Place, str]
    owners: Mapping[tuple[str, str], Place]
    paths: frozenset[str]
    operating: Mapping[tuple[str, str], frozenset[str]] = {}


def find_space(kind: str) -> str:
    """The kinds among which a name must be the only one."""
    return "type" if kind in _TYPES else kind


def make_place(evidence: Evidence, kind: str) -> Place:
    """The identity of what was read."""
    return Place(show_path(evidence.path), evidence.symbol, find_space(kind))


def find_place(declaration: DeclarationText) -> Place | None:
    """The identity of a declaration in the specification; None where it cites nothing. An external
    entity is one for all that refer to it.
    """
    cited = list_citations(declaration.text)
    if declaration.kind == _EXTERNAL and cited:
        return Place("", declaration.name, _EXTERNAL)
    if not cited:
        return None
    # Of a configuration, the first parameter may go and the rest stay.
    symbol = "" if declaration.kind == "config" else cited[0][1]
    return Place(cited[0][0], symbol, find_space(declaration.kind))


class Modules:
    """The modules of many stores, each text cut up once."""

    def __init__(self) -> None:
        self._known: dict[bytes, ModuleIndex] = {}

    def read(self, content: bytes | None) -> ModuleIndex:
        """The index of a module's text."""
        if content is None:
            return ModuleIndex(ModuleText(b"", ()), {}, {}, frozenset())
        found = self._known.pop(content, None)
        if found is None:
            found = _make_index(cut_module(content))
            if len(self._known) >= _MOST_KEPT:
                del self._known[next(iter(self._known))]
        self._known[content] = found  # the last used comes last
        return found

    def keep(self, content: bytes, text: ModuleText) -> None:
        """Remember a text that was made of these declarations."""
        self._known[content] = _make_index(text)


def _make_index(text: ModuleText) -> ModuleIndex:
    names: dict[Place, str] = {}
    owners: dict[tuple[str, str], Place] = {}
    paths: set[str] = set()
    operating: dict[tuple[str, str], frozenset[str]] = {}
    for each in text.declarations:
        cited = list_citations(each.text) if each.kind == "rule" else ()
        for type_ in cited[1:]:
            operating[type_] = operating.get(type_, frozenset()) | {cited[0][0]}
        space = find_space(each.kind)
        if each.kind == "config":
            for place, name in _list_parameters(each):
                names.setdefault(place, name)
                owners.setdefault((space, name), place)
                paths.add(place.path)
            continue
        found = find_place(each)
        if found is not None:
            names.setdefault(found, each.name)
            paths.add(found.path)
        owners.setdefault((space, each.name), found or Place("", "", space))
    return ModuleIndex(text, names, owners, frozenset(paths), operating)


def _list_parameters(declaration: DeclarationText) -> Iterator[tuple[Place, str]]:
    """The parameters of a configuration, each with what it cites, in the same order."""
    cited = list_citations(declaration.text)
    lines = declaration.text.decode("utf-8", "replace").split("\n")
    named = [line.partition(":")[0].strip() for line in lines if line.startswith("    ")]
    for (path, symbol), name in zip(cited, named, strict=False):
        yield Place(path, symbol, "config"), name


class SpecLayout:
    """The names and modules of one source tree in a store.

    ``declares`` says whether a file of the tree still declares a symbol, for files that changed; a
    name whose owner is gone is free. Where it is None, only what the store holds counts.
    ``is_declaring`` says of a file whether it changed and declares anything, so that it is to have
    a module.
    """

    def __init__(
        self,
        store: SpecStore,
        modules: Modules,
        declares: Callable[[str, str], bool] | None = None,
        is_declaring: Callable[[bytes], bool] = lambda path: False,
    ) -> None:
        self._store = store
        self._modules = modules
        self._declares = declares
        self._is_declaring = is_declaring
        self._planned = set(store.all_modules())
        self._new: dict[str, bytes] = {}
        self._placed: dict[bytes, bytes | None] = {}
        self._given: dict[tuple[bytes, str, str], Place] = {}
        self._names: dict[Place, str] = {}

    def find_module(self, path: bytes) -> bytes | None:
        """The module of a file that is described, or is to be; else None."""
        if path not in self._placed:
            self._placed[path] = self._find_module(path)
        return self._placed[path]

    def _find_module(self, path: bytes) -> bytes | None:
        root = self._store.root
        module = root.find_module(path, self._planned)
        named = root.name_module(path) if module is None else None
        if named is not None:
            module = self._spell_module(named)
        if not self._is_declaring(path):
            is_there = module is not None and show_path(path) in self.read(module).paths
            return module if is_there else None
        if module is not None and module not in self._planned:
            self._planned.add(module)
            self._new[fold_module_path(module)] = module
        return module

    def _spell_module(self, path: bytes) -> bytes:
        """As ``SpecStore.spell_module``, with the modules that are to be made."""
        return self._new.get(fold_module_path(path)) or self._store.spell_module(path)

    def read(self, module: bytes) -> ModuleIndex:
        """A module as the store has it."""
        return self._modules.read(self._store.module_spec(module))

    def list_operating(self, place: Evidence) -> Iterator[bytes]:
        """The files that the store has rules of which are about a type, and the type's own."""
        yield place.path
        type_ = show_path(place.path), place.symbol
        for content in self._store.all_modules().values():
            for shown in self._modules.read(content).operating.get(type_, ()):
                yield from list_cited_paths(shown)

    def find_name(self, place: Evidence, kind: str, name: str) -> str:
        """The name of a declaration in its module: the one that it has, else a free one."""
        where = make_place(place, kind)
        if kind == _EXTERNAL:
            where = Place("", name, _EXTERNAL)
        module = self.find_module(place.path)
        if module is None:
            return name
        known = self._names.get(where)
        if known is None or kind == _EXTERNAL:
            index = self.read(module)
            known = index.names.get(where)
            # Of external entities, another one may have the name: ``ExternalGroup`` is what a
            # foreign ``Group`` is called beside one of the project's own.
            if known is None or self._given.get((module, find_space(kind), known), where) != where:
                known = self._choose_name(module, index, where, kind, name)
            self._names[where] = known
            self._given[module, find_space(kind), known] = where
        return known

    def _choose_name(
        self, module: bytes, index: ModuleIndex, where: Place, kind: str, name: str
    ) -> str:
        if kind == _EXTERNAL:
            kept = self._find_external(module, index, where, name)
            if kept is not None:
                return kept
        for candidate in list_candidates(where, kind, name):
            owner = self._given.get((module, find_space(kind), candidate))
            owner = owner or index.owners.get((find_space(kind), candidate))
            if owner is None or owner == where or self._is_gone(owner):
                return candidate
        raise AssertionError("the candidates never end")

    def _find_external(
        self, module: bytes, index: ModuleIndex, where: Place, name: str
    ) -> str | None:
        """The longer name that the module has for an external entity, None where it has none.

        It stays where the type that took the short name is gone: a split of the module does not
        rename what others refer to.
        """
        space = find_space(_EXTERNAL)
        for candidate in list_candidates(where, _EXTERNAL, name):
            owner = index.owners.get((space, candidate))
            if owner is None and candidate != name:
                return None
            is_other = self._given.get((module, space, candidate), where) != where
            if owner is not None and owner.space == _EXTERNAL and not is_other:
                return candidate
        raise AssertionError("the candidates never end")

    def _is_gone(self, owner: Place) -> bool:
        if self._declares is None or owner in self._names:
            return False
        return bool(owner.path) and not self._declares(owner.path, owner.symbol)


def list_candidates(where: Place, kind: str, name: str) -> Iterator[str]:
    """The names that a declaration may have, the best first; they never end."""
    if find_space(kind) != "type" or name not in _PLAIN_TYPES:
        yield name
    parts = where.path.split("/")
    stem = parts[-1].partition(".")[0]
    stem = parts[-2] if stem in ("__init__", "index", "mod") and len(parts) > 1 else stem
    if kind == _EXTERNAL:
        longer = f"External{name}"
    elif kind == "config":
        longer = f"{stem.lower()}_{name}" if f"{stem}_".isidentifier() else f"other_{name}"
    else:
        longer = f"{spell_type_name(stem) or 'Other'}{name}"
    yield longer
    number = 2
    while True:
        yield f"{longer}_{number}" if kind == "config" else f"{longer}{number}"
        number += 1


def list_places(declarations: Sequence[DeclarationText]) -> Mapping[Place, int]:
    """Where each declaration that cites something is in a list."""
    found: dict[Place, int] = {}
    for at, each in enumerate(declarations):
        place = find_place(each)
        if place is not None:
            found.setdefault(place, at)
    return found
