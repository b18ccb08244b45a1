"""Merges that are checked: of one module, and of modules that refer to each other.

Each side alone may be right, and what they say together wrong: one took away what the other began
to use. That is a conflict as well.
"""

import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from git_retcon.allium.language import check, parse
from git_retcon.allium.store.merge_choice import Conflict
from git_retcon.allium.store.module_text import cut_module
from git_retcon.allium.store.spec_errors import find_declaration, list_errors
from git_retcon.allium.store.three_way import MergedModule, mark_conflicts

_DANGLING = frozenset({"allium.reference.unknownName", "allium.use.unresolvedPath"})

# The text of each module by its path.
Specification = Mapping[bytes, bytes]


def merge_checked(
    base: bytes,
    ours: bytes,
    theirs: bytes,
    mark: Callable[[Conflict], bytes | None] = lambda conflict: None,
) -> MergedModule:
    """Merge a module; ``mark`` gives the text in the place of a conflict, None for ours.

    What is merged without a conflict has no error that neither side had: what would have one is a
    conflict as a whole.
    """
    merged = mark_conflicts(base, ours, theirs, mark)
    if merged.conflicts or merged.has_two_heads or merged.content in (ours, theirs):
        return merged
    found = list_errors(merged.content)
    new = (found - list_errors(ours) - list_errors(theirs)) if found else found
    if not new:
        return merged
    disputed = {each.key for each in new if each.key is not None}
    marked = mark_conflicts(base, ours, theirs, mark, disputed)
    if marked.conflicts:
        return marked
    # The error is where the sides are alike: any of the others may be the cause.
    every = {each.key for side in (ours, theirs) for each in cut_module(side).declarations}
    return mark_conflicts(base, ours, theirs, mark, every)


def find_dangling(
    merged: Specification, ours: Specification, theirs: Specification
) -> Mapping[bytes, Sequence[Conflict]]:
    """The declarations, by their modules, that refer to something of another module which only one
    side took away.
    """
    lost = {name for side in (ours, theirs) for name in _list_lost(side, merged)}
    if not lost:
        return {}
    # What no text of the merge names cannot be missed, and reading a module takes long.
    pattern = re.compile(rb"\b[a-z_]\w*/(?:%b)\b" % b"|".join(map(re.escape, sorted(lost))))
    found: dict[bytes, Sequence[Conflict]] = {}
    for path, text in merged.items():
        if pattern.search(text):
            known = {
                (each.title, each.why)
                for side in (ours, theirs)
                for each in _list_dangling(side, path)
            }
            new = [e for e in _list_dangling(merged, path) if (e.title, e.why) not in known]
            if new:
                found[path] = new
    return found


def _list_lost(side: Specification, merged: Specification) -> Iterator[bytes]:
    """The names of declarations that a module of a side has, and that of the merge has not."""
    for path, text in side.items():
        if merged.get(path) != text:
            names = _list_names(merged.get(path, b""))
            yield from _list_names(text) - names


@functools.lru_cache(maxsize=256)
def _list_names(text: bytes) -> frozenset[bytes]:
    if not text:
        return frozenset()
    return frozenset(each.name.encode() for each in cut_module(text).declarations if each.name)


def _list_dangling(specification: Specification, path: bytes) -> Iterator[Conflict]:
    """The declarations of a module that refer to what no other module has."""
    text = specification.get(path)
    if text is None:
        return
    document = parse(text, path)
    others = (
        parse(other, name)
        for name, other in specification.items()
        if name != path and _is_used(text, name)
    )
    for each in check([document], others):
        declaration = find_declaration(document, each.line) if each.code in _DANGLING else None
        if declaration is not None:
            yield Conflict(
                declaration.kind, declaration.name, None, declaration.text, None, why=each.message
            )


def _is_used(text: bytes, path: bytes) -> bool:
    return path.rpartition(b"/")[2] + b'"' in text
