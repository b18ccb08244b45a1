"""Files that use types of which other files say something else now.

Those that the specification describes are found in it: with its declaration, a citation of it, or
its name behind ``Any``. Where a type arrives after its users, a base class gets its first field, a
class becomes an enum, or a field gets states, the specification knew nothing of what uses them:
then the source itself is searched.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.engines.source_words import SourceWords
from git_retcon.allium.extract.languages import PRISMA, name_language
from git_retcon.allium.extract.source_facts import (
    DEFAULT,
    Contract,
    Declaration,
    Enumeration,
    FileFacts,
    Shape,
    Type,
    get_kind,
    list_choices,
    list_tables,
    list_types,
)
from git_retcon.allium.extract.source_tree import GitTree
from git_retcon.allium.extract.spec_layout import Modules
from git_retcon.allium.extract.symbol_finder import SymbolFinder
from git_retcon.allium.extract.traced_tree import SourceTree
from git_retcon.allium.store.module_text import DeclarationText, list_cited_paths
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.git.trees import Entry


def find_touched(before: FileFacts | None, after: FileFacts | None) -> set[str]:
    """The names of types that a file says something else of, or of what their fields are."""
    changed: set[str] = set()
    old, new = list_types(before), list_types(after)
    # A class that asks a table cites it.
    tables = list_tables(before), list_tables(after)
    for one, two in ((old, new), (list_choices(before), list_choices(after)), tables):
        changed |= {each for each in one.keys() | two.keys() if one.get(each) != two.get(each)}
    # An operation elsewhere that moves a state cites its class alone where the enum is beside it.
    meant = changed | _list_reimported(before, after)
    changed |= {
        name
        for name, each in new.items()
        if isinstance(each, Shape)
        and not meant.isdisjoint((*each.bases, *(field.type.source for field in each.fields)))
    }
    return {
        part for symbol in changed for part in symbol.rpartition(".")[::2] if part.isidentifier()
    }


def _list_reimported(before: FileFacts | None, after: FileFacts | None) -> set[str]:
    """The names that a file imports from elsewhere than before, or did not import."""
    old = before.imports if before is not None else {}
    new = after.imports if after is not None else {}
    return {each for each in old.keys() | new.keys() if old.get(each) != new.get(each)}


def find_appeared(before: Iterable[Declaration], after: Iterable[Declaration]) -> set[str]:
    """The names of types that a file declares on one of two sides only: a class may come and go
    with its base class, though its own file stays as it is.
    """
    one, two = ({*_list_declared(each)} for each in (before, after))
    return one ^ two


def _list_declared(declarations: Iterable[Declaration]) -> Iterator[str]:
    for each in declarations:
        is_type = isinstance(each, Shape | Enumeration | Contract)
        if is_type and get_kind(each) != "external entity":
            yield each.evidence[0].symbol.rpartition(".")[2]


def find_described_users(
    store: SpecStore, modules: Modules, names: Collection[str]
) -> Sequence[bytes]:
    """The files whose declarations in a specification name one of these types, sorted."""
    if not names:
        return ()
    words = sorted(re.escape(each).encode() for each in names)
    pattern = re.compile(rb"\b(?:%b)\b" % b"|".join(words))
    found = {
        path
        for content in store.all_modules().values()
        if pattern.search(content)
        for each in modules.read(content).text.declarations
        if each.sources and pattern.search(each.text)
        for source in _list_declaring(each)
        for path in list_cited_paths(source)
    }
    return sorted(found)


def _list_declaring(declaration: DeclarationText) -> Sequence[str]:
    """The files that a declaration is of: what is external belongs to all that use it."""
    return declaration.sources if declaration.kind == "external entity" else declaration.sources[:1]


def find_gained(
    paths: Iterable[bytes],
    base: GitTree,
    tree: GitTree,
    arrived: Collection[bytes] = (),
    open_finder: Callable[[GitTree], SymbolFinder] = SymbolFinder,
) -> set[str]:
    """What source files say for the first time of types, as names that their users know: that there
    is such a type, that it has fields, or between which values. Names of types are dotted; what a
    file exports without a name goes by the name of the file. A class whose file imports otherwise
    may name other types than before. ``arrived`` are files that were at another path, where nobody
    found them.
    """
    found: set[str] = set()
    finder, finder_before = open_finder(tree), open_finder(base)
    for path in paths:
        known = list_types(base.read(path)) if path not in arrived else {}
        types = list_types(tree.read(path))
        gained = {
            name
            for name, each in types.items()
            if name.replace(".", "").isidentifier()
            and _says_something(each)
            and (not _says(known, name) or _says_more(path, known[name], each, finder))
        }
        gained |= _list_other_constants(base.read(path), tree.read(path))
        gained |= _list_other_answers(base.read(path), tree.read(path))
        listed = list_tables(base.read(path)) if path not in arrived else {}
        gained |= {*list_tables(tree.read(path))} - {*listed}
        if known and _imports_otherwise(path, base, tree):
            gained |= {
                name
                for name, each in types.items()
                if _finds_otherwise(path, each, finder_before, finder)
            }
        if path.endswith(PRISMA):
            # Code asks the client for ``order`` where the model is ``Order``.
            gained |= {each[:1].lower() + each[1:] for each in gained}
        if gained and DEFAULT in types:
            gained.add(path.rpartition(b"/")[2].partition(b".")[0].decode("utf-8", "replace"))
        if is_package(path):
            exported = find_reexported(tree, path, base)
            gained |= {each for each in exported if finder.find_symbol(path, each) is not None}
        found |= gained
    return found


def _list_other_constants(before: FileFacts | None, after: FileFacts | None) -> set[str]:
    """The constants alone that have another value than they had: classes elsewhere may have them as
    states.
    """
    old = list_choices(before)
    return {
        name
        for name, each in list_choices(after).items()
        if len(each) == 1 and name in old and old[name] != each
    }


def _list_other_answers(before: FileFacts | None, after: FileFacts | None) -> set[str]:
    """The lists and functions of a file, and its types, that answer otherwise than they did."""
    one, two = (
        {**each.lists, **each.answers} if each is not None else {} for each in (before, after)
    )
    return {each for each in one.keys() | two.keys() if one.get(each) != two.get(each)}


def is_package(path: bytes) -> bool:
    """Whether a file says what others find in its folder."""
    return path.rpartition(b"/")[2].partition(b".")[0] in (b"__init__", b"index", b"mod", b"lib")


def find_reexported(tree: SourceTree, path: bytes, other: SourceTree) -> Iterator[str]:
    """The names of types that a file has from other files, and in another tree otherwise."""
    facts, there = tree.read(path), other.read(path)
    for name, each in facts.imports.items() if facts is not None else ():
        if there is not None and there.imports.get(name) == each:
            continue
        names = {name, each.symbol, each.full_name.rpartition(".")[2]}
        for target in each.targets if name.startswith("*") else ():
            names |= {*list_types(tree.read(target))}
        yield from (each for each in names if each.isidentifier())


class SourceUsers:
    """Finds files that use types in source trees; the specification need not know of them."""

    def __init__(self, words: SourceWords) -> None:
        self._words = words

    def find(
        self, sources: Iterable[tuple[bytes, Entry]], tree: GitTree, types: Collection[str]
    ) -> Iterator[bytes]:
        """Those of the source files of a tree that name one of these types, or a class that is made
        of one of them, and those whose classes inherit a field of one.
        """
        left = {path: entry for path, entry in sources if name_language(path)} if types else {}
        users: list[bytes] = []
        known, wanted = {*types}, {*types}
        # Of classes that have such a type in a field, what inherits the field.
        lent: set[str] = set()
        lending: set[str] = set()
        while (wanted or lending) and (left or users):
            found = self._find_named(left, wanted)
            found += [
                path
                for path in self._find_named(left, lending)
                if path not in found and any(_list_heirs(tree.read(path), lending))
            ]
            for path in found:
                del left[path]
            yield from found
            users += found
            # A file may have heirs of what is made of the types in another one that is found.
            read = [tree.read(path) for path in users]
            lending = {
                name
                for facts in read
                for name in (*_list_heirs(facts, lent), *_list_holders(facts, known))
            } - lent
            wanted = {name for facts in read for name in _list_heirs(facts, known)} - known
            known |= wanted
            lent |= lending

    def _find_named(self, sources: Mapping[bytes, Entry], types: Collection[str]) -> list[bytes]:
        # What is inside a class is named with the class.
        names = {each.partition(".")[0] for each in types}
        return self._words.find_files(sources.items(), names) if names else []


def _says(known: Mapping[str, Declaration | Type], name: str) -> bool:
    return name in known and _says_something(known[name])


def _says_something(declaration: Declaration | Type) -> bool:
    if not isinstance(declaration, Shape):
        return True
    return bool(declaration.fields or declaration.kind or declaration.bases)


def _says_more(
    path: bytes, before: Declaration | Type, after: Declaration | Type, finder: SymbolFinder
) -> bool:
    """Whether a class is of another kind, or has other base classes, than it had; or whether an
    enum has values, or a class a field with values, that it had not; or a name is another type's.
    """
    if isinstance(before, Type) and isinstance(after, Type):
        return before != after
    if isinstance(before, Enumeration) and isinstance(after, Enumeration):
        return not {*after.values} <= {*before.values}
    if not isinstance(before, Shape) or not isinstance(after, Shape):
        return False
    if (before.kind, before.bases) != (after.kind, after.bases):
        return True
    known = {each.name: each.type for each in before.fields}
    new = (each.type for each in after.fields if known.get(each.name) != each.type)
    return any(_has_values(path, each, finder) for each in new)


def _imports_otherwise(path: bytes, base: GitTree, tree: GitTree) -> bool:
    before, after = base.read(path), tree.read(path)
    return before is None or after is None or before.imports != after.imports


def _finds_otherwise(
    path: bytes, declaration: Declaration | Type, before: SymbolFinder, after: SymbolFinder
) -> bool:
    """Whether a class finds another type by a name than it did, or finds none any more."""
    if not isinstance(declaration, Shape):
        return False
    names = {*declaration.bases, *(each.type.source for each in declaration.fields)}
    return any(
        after.find_symbol(path, each) != before.find_symbol(path, each) for each in names if each
    )


def _has_values(path: bytes, kind: Type, finder: SymbolFinder) -> bool:
    if kind.values or kind.name == "Boolean":
        return True
    is_plain = kind.source and not kind.arguments and not kind.is_relation
    found = finder.find_symbol(path, kind.source) if is_plain else None
    return found is not None and isinstance(found.meaning, Enumeration)


def _list_heirs(facts: FileFacts | None, bases: Collection[str]) -> Iterator[str]:
    names = {each.rpartition(".")[2] for each in bases}
    for name, each in list_types(facts).items():
        if isinstance(each, Shape) and any(base.rpartition(".")[2] in names for base in each.bases):
            yield name


def _list_holders(facts: FileFacts | None, types: Collection[str]) -> Iterator[str]:
    """The classes of a file that have one of these types in a field."""
    names = {each.rpartition(".")[2] for each in types}
    for symbol, each in list_types(facts).items():
        if isinstance(each, Shape) and any(
            name.rpartition(".")[2] in names
            for field in each.fields
            for name in (field.type.source, *(one.source for one in field.type.arguments))
        ):
            yield symbol
