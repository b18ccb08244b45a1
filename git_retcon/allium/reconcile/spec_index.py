"""Where a specification speaks of a source file: its declarations by name and by what they cite."""

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, Protocol

from git_retcon.allium.engine import Finding, FindingType
from git_retcon.allium.store.declared_facts import name_fact
from git_retcon.allium.store.module_paths import MASTER
from git_retcon.allium.store.module_text import DeclarationText, cut_module, list_cited_paths
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.type_names import TYPES


class Place(NamedTuple):
    """A declaration of a specification, and the module that it is in."""

    module: bytes
    declaration: DeclarationText


class SpecIndex:
    """The declarations of one specification. Each module is parsed once."""

    def __init__(self, store: SpecStore) -> None:
        self._store = store
        self._named: dict[tuple[str, str], list[Place]] = {}
        self._citing: dict[str, list[Place]] = {}
        for module, text in {MASTER: store.master_spec(), **store.all_modules()}.items():
            for declaration in cut_module(text).declarations:
                place = Place(module, declaration)
                self._named.setdefault(declaration.key[:2], []).append(place)
                for source in dict.fromkeys(declaration.sources):
                    self._citing.setdefault(source, []).append(place)

    def list_citing(self, path: str) -> list[Place]:
        """The declarations that cite a file."""
        return self._citing.get(path, [])

    def list_cited(self) -> Mapping[str, list[Place]]:
        """Every file that is cited, with the declarations that cite it."""
        return self._citing

    def list_namesakes(self, place: Place) -> list[Place]:
        """The other declarations of the kind and the name of one."""
        named = self._named.get(place.declaration.key[:2], ())
        return [each for each in named if each != place]

    def find(
        self,
        declaration: DeclarationText,
        path: bytes,
        is_of_heir: Callable[[Place], bool] = lambda place: False,
    ) -> Place | None:
        """Where the specification says what a file declares: the declaration of that name that
        cites the file, first if it can be, else one in its module that cites none.

        ``is_of_heir`` says of one that cites the file behind another whether that other file
        declares it, so that it is the declaration of an heir, which cites its base.
        """
        shown = declaration.sources[0] if declaration.sources else ""
        kinds = TYPES if declaration.kind in TYPES else (declaration.kind,)
        # The same kind first: a class may have become a value, and is the same type still.
        found = [
            place
            for kind in sorted(kinds, key=lambda each: each != declaration.kind)
            for place in self._named.get((kind, declaration.name), ())
        ]
        for place in found:
            if place.declaration.sources[:1] == (shown,):
                return place
        for place in found:
            if shown in place.declaration.sources and not is_of_heir(place):
                return place
        module = self._store.root.find_module(path, self._store.all_modules())
        for place in found:
            if place.module in (module, MASTER) and not place.declaration.sources:
                return place
        return None


def list_symbols(declaration: DeclarationText) -> Iterator[tuple[str, str]]:
    """The files that a declaration cites, each with the symbol."""
    for found in _citation_pattern().finditer(declaration.text):
        path, symbol = (part.decode("utf-8", "replace") for part in found.groups())
        yield path, symbol


class HasFile(Protocol):
    """Knows a source tree."""

    def has_file(self, tree: str, path: bytes) -> bool:
        """Whether something is at a path, readable or not."""


def find_orphans(store: SpecStore, source: HasFile, tree: str) -> Iterator[Finding]:
    """A removal for each of them."""
    for cited, places in SpecIndex(store).list_cited().items():
        if any(source.has_file(tree, path) for path in list_cited_paths(cited)):
            continue
        for module, declaration in places:
            if set(declaration.sources) == {cited}:
                section = name_fact((declaration.kind, declaration.name, ""))
                description = f"{cited} is not there any more"
                yield Finding(FindingType.REMOVAL, section, description, (cited,), module)


@functools.cache
def _citation_pattern() -> "re.Pattern[bytes]":
    return re.compile(rb"(?m)^-- Source: (.*), ([^,\n]+?)\s*$")
