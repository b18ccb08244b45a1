"""Files that use types of which other files say something else now.

Those that the specification describes are found in it: with its declaration, a citation of it, or
its name behind ``Any``. Where a base class gets its first field, a class becomes an enum, or a
field gets states, the specification knew nothing of what uses them: then the source itself is
searched. That is rare: a new class has no users yet.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.engine import ListSources
from git_retcon.allium.extract.languages import name_language
from git_retcon.allium.extract.source_facts import (
    Declaration,
    Enumeration,
    FileFacts,
    Shape,
    Type,
    list_choices,
    list_types,
)
from git_retcon.allium.extract.source_tree import GitTree
from git_retcon.allium.extract.spec_layout import Modules
from git_retcon.allium.extract.symbol_finder import SymbolFinder
from git_retcon.allium.store.module_text import DeclarationText
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.git.repository import Repository
from git_retcon.git.trees import read_object


def find_touched(before: FileFacts | None, after: FileFacts | None) -> set[str]:
    """The names of types that a file says something else of."""
    changed: set[str] = set()
    for one, two in (
        (list_types(before), list_types(after)),
        (list_choices(before), list_choices(after)),
    ):
        changed |= {each for each in one.keys() | two.keys() if one.get(each) != two.get(each)}
    return {
        part for symbol in changed for part in symbol.rpartition(".")[::2] if part.isidentifier()
    }


def find_described_users(
    store: SpecStore, modules: Modules, names: Collection[str]
) -> Sequence[bytes]:
    """The files whose declarations in a specification name one of these types, sorted."""
    if not names:
        return ()
    words = sorted(re.escape(each).encode() for each in names)
    pattern = re.compile(rb"\b(?:%b)\b" % b"|".join(words))
    found = {
        source.encode("utf-8", "surrogateescape")
        for content in store.all_modules().values()
        if pattern.search(content)
        for each in modules.read(content).text.declarations
        if each.sources and pattern.search(each.text)
        for source in _list_declaring(each)
    }
    return sorted(found)


def _list_declaring(declaration: DeclarationText) -> Sequence[str]:
    """The files that a declaration is of: what is external belongs to all that use it."""
    return declaration.sources if declaration.kind == "external entity" else declaration.sources[:1]


def find_gained(paths: Iterable[bytes], base: GitTree, tree: GitTree) -> set[str]:
    """The names of types that these files had before too, and of which they say for the first time
    what others need: that they have fields, and between which values.
    """
    found: set[str] = set()
    finder = SymbolFinder(tree)
    for path in paths:
        before, after = base.read(path), tree.read(path)
        if before is None or after is None:
            continue
        known = list_types(before)
        gained = {
            name
            for name, each in list_types(after).items()
            if name.replace(".", "").isidentifier()
            and _says_something(each)
            and (not _says(known, name) or _has_more_values(path, known[name], each, finder))
        }
        gained = {name.rpartition(".")[2] for name in gained}
        found |= gained & {*_list_words(base.read_content(path), gained)}
    return found


def find_users(
    repository: Repository, list_sources: ListSources, tree: GitTree, names: Collection[str]
) -> Iterator[bytes]:
    """The source files that use one of these types, or a class that is made of one of them."""
    if not names:
        return
    odb = repository.objects.odb
    left = {path: entry.oid for path, entry in list_sources() if name_language(path)}
    wanted = {*names}
    while wanted:
        found = [
            path for path, oid in left.items() if any(_list_words(read_object(odb, oid), wanted))
        ]
        for path in found:
            del left[path]
        yield from found
        wanted = {name for path in found for name in _list_heirs(tree.read(path), wanted)}


def _says(known: Mapping[str, Declaration | Type], name: str) -> bool:
    return name in known and _says_something(known[name])


def _says_something(declaration: Declaration | Type) -> bool:
    return not isinstance(declaration, Shape) or bool(declaration.fields or declaration.kind)


def _has_more_values(
    path: bytes, before: Declaration | Type, after: Declaration | Type, finder: SymbolFinder
) -> bool:
    """Whether an enum has values, or a class a field with values, that it had not."""
    if isinstance(before, Enumeration) and isinstance(after, Enumeration):
        return not {*after.values} <= {*before.values}
    if not isinstance(before, Shape) or not isinstance(after, Shape):
        return False
    known = {each.name: each.type for each in before.fields}
    new = (each.type for each in after.fields if known.get(each.name) != each.type)
    return any(_has_values(path, each, finder) for each in new)


def _has_values(path: bytes, kind: Type, finder: SymbolFinder) -> bool:
    if kind.values or kind.name == "Boolean":
        return True
    is_plain = kind.source and not kind.arguments and not kind.is_relation
    found = finder.find_symbol(path, kind.source) if is_plain else None
    return found is not None and isinstance(found.meaning, Enumeration)


def _list_words(content: bytes, names: Collection[str]) -> Iterator[str]:
    """Those of the names that are words of a text."""
    for name in names:
        word = name.encode()
        # A search for bytes costs a tenth of one for a pattern.
        if word in content and re.search(rb"\b%b\b" % re.escape(word), content):
            yield name


def _list_heirs(facts: FileFacts | None, bases: Collection[str]) -> Iterator[str]:
    for name, each in list_types(facts).items():
        if isinstance(each, Shape) and any(base.rpartition(".")[2] in bases for base in each.bases):
            yield name
