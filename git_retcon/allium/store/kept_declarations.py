"""Declarations that one side of a merge took away with their file, which the merge has kept."""

from collections.abc import Callable, Iterator

from git_retcon.allium.store.contradictions import find_section
from git_retcon.allium.store.declared_facts import name_fact
from git_retcon.allium.store.module_text import DeclarationText, cut_module, join_module
from git_retcon.allium.store.spec_store import SpecStore


def restore_kept(
    base: SpecStore, remover: SpecStore, keeper: SpecStore, is_kept: Callable[[str], bool]
) -> SpecStore:
    """The side ``remover`` with the declarations of the base that it has no more and the other side
    ``keeper`` has, where ``is_kept`` says of their file that the merge has it as the keeper has it.
    """
    store = remover
    for path, content in base.all_modules().items():
        there = keeper.module_spec(path)
        if there is None or remover.module_spec(path) == content:
            continue
        kept = [*_list_kept(content, there, remover, path, is_kept)]
        if kept:
            store = _put_back(store, path, content, kept)
    return store


def _list_kept(
    content: bytes,
    there: bytes,
    remover: SpecStore,
    path: bytes,
    is_kept: Callable[[str], bool],
) -> Iterator[DeclarationText]:
    left = _list_keys(remover.module_spec(path))
    keys = _list_keys(there)
    for each in cut_module(content).declarations:
        if each.sources and each.key in keys and each.key not in left and is_kept(each.sources[0]):
            yield each


def _list_keys(content: bytes | None) -> set[tuple[str, str, int]]:
    return {each.key for each in cut_module(content).declarations} if content is not None else set()


def _put_back(
    store: SpecStore, path: bytes, content: bytes, kept: list[DeclarationText]
) -> SpecStore:
    """The store with these declarations in a module, without the questions why they went."""
    before = cut_module(content)
    there = store.module_spec(path)
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
    written = join_module(before.head, [each.text for each in parts])
    return store.set_module_spec(store.spell_module(path), written)
