"""Declarations that one side of a merge took away with their file, which the merge has kept."""

import functools
import re
from collections.abc import Callable, Mapping, Sequence, Set

from git_retcon.allium.store.contradictions import find_section
from git_retcon.allium.store.declared_facts import FactName, name_fact
from git_retcon.allium.store.module_text import (
    DeclarationKey,
    DeclarationText,
    cut_module,
    join_module,
)
from git_retcon.allium.store.spec_store import SpecStore


def restore_kept(
    base: SpecStore,
    remover: SpecStore,
    keeper: SpecStore,
    is_kept: Callable[[str], bool],
    find_removed: Callable[[], Set[FactName]] = frozenset,
) -> SpecStore:
    """The side ``remover`` with the declarations of the base that it has no more and the other side
    ``keeper`` has, where ``is_kept`` says of their file that the merge has it as the keeper has it.

    What ``find_removed`` names people took out there. It is asked only where something would come
    back.
    """
    lost = {
        path: found
        for path, content in base.all_modules().items()
        if (there := remover.module_spec(path)) != content
        and (found := [d for d in _list_cited(content) if d.key not in _list_keys(there)])
    }
    if not lost:
        return remover
    moved, arrived = _find_come(base, remover), _find_come(base, keeper)
    store = remover
    for path, declarations in lost.items():
        files = {each.key: each.sources[0] for each in _list_cited(keeper.module_spec(path))}
        # What it moved to another module it has not taken away.
        kept = [
            each
            for each in declarations
            if each.key not in moved
            and (file := files.get(each.key) or _find_file(each, arrived)) is not None
            and is_kept(file)
        ]
        kept = [e for e in kept if (e.kind, e.name, "") not in find_removed()] if kept else []
        if kept:
            store = _put_back(store, path, base.module_spec(path) or b"", kept)
    return store


def _find_file(
    declaration: DeclarationText, arrived: Mapping[DeclarationKey, DeclarationText]
) -> str | None:
    """The file that a declaration is of in another module. One that has only its name in common
    with it is another one.
    """
    there = arrived.get(declaration.key)
    if there is None:
        return None
    one, other = (_list_items(each.text) for each in (declaration, there))
    return None if one and other and one.isdisjoint(other) else there.sources[0]


def _list_items(text: bytes) -> frozenset[bytes]:
    """What is between the braces, without its layout."""
    body = text.partition(b"{")[2].rpartition(b"}")[0]
    return frozenset(filter(None, (each.strip() for each in re.split(rb"[|\n]", body))))


def _find_come(base: SpecStore, side: SpecStore) -> Mapping[DeclarationKey, DeclarationText]:
    """The declarations that modules of a side have and those of the base have not."""
    return {
        each.key: each
        for path, content in side.all_modules().items()
        if (before := base.module_spec(path)) != content
        for each in _list_cited(content)
        if each.key not in _list_keys(before)
    }


def _list_cited(content: bytes | None) -> Sequence[DeclarationText]:
    found = cut_module(content).declarations if content is not None else ()
    return [each for each in found if each.sources]


@functools.lru_cache(maxsize=256)
def _list_keys(content: bytes | None) -> frozenset[DeclarationKey]:
    declarations = cut_module(content).declarations if content is not None else ()
    return frozenset(each.key for each in declarations)


def _put_back(
    store: SpecStore, path: bytes, content: bytes, kept: list[DeclarationText]
) -> SpecStore:
    """The store with these declarations in a module, without the questions why they went."""
    before = cut_module(content)
    there = store.module_spec(path)
    head = before.head if there is None else cut_module(there).head
    left = cut_module(there).declarations if there is not None else ()
    sections = {name_fact((each.kind, each.name, "")) for each in kept}
    asked = {each.text for each in before.declarations if find_section(each) is not None}
    stays = [e for e in left if e.text in asked or find_section(e) not in sections]
    lines = [
        *(e for e in stays if e.kind == "use"),
        *(e for e in before.declarations if e.kind == "use"),
    ]
    lines = [*{each.key: each for each in reversed(lines)}.values()]
    parts = [*lines, *kept, *(each for each in stays if each.kind != "use")]
    written = join_module(head, [each.text for each in parts])
    return store.set_module_spec(store.spell_module(path), written)
