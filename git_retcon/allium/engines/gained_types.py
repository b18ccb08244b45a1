"""Types of which a file says something for the first time, and the files that use them already.

Where a base class gets its first field, or a class becomes an enum, what uses it in other files is
another declaration now, or one at last. The specification knew nothing of the type, so it cannot
name those files: the source itself is searched. That is rare: a new class has no users yet.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from git_retcon.allium.engine import ListSources
from git_retcon.allium.extract.languages import name_language
from git_retcon.allium.extract.source_facts import Declaration, FileFacts, Shape, Type, list_types
from git_retcon.allium.extract.source_tree import GitTree
from git_retcon.git.repository import Repository
from git_retcon.git.trees import read_object


def find_gained(paths: Iterable[bytes], base: GitTree, tree: GitTree) -> set[str]:
    """The names of types that these files had before too, and said nothing of."""
    found: set[str] = set()
    for path in paths:
        before, after = base.read(path), tree.read(path)
        if before is None or after is None:
            continue
        known = list_types(before)
        gained = {
            name
            for name, each in list_types(after).items()
            if name.isidentifier() and _says_something(each) and not _says(known, name)
        }
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
