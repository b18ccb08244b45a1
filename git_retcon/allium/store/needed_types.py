"""Types that the source does not declare any more, and that something which stays still names: they
stay too, each beside a question, so that the specification means something.
"""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.language.plurals import list_plurals
from git_retcon.allium.store.contradictions import (
    QUESTION,
    Contradiction,
    add_questions,
    drop_questions,
    is_about_comments,
)
from git_retcon.allium.store.module_paths import MASTER
from git_retcon.allium.store.module_text import DeclarationText, ModuleText, cut_module, join_module
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.type_names import (
    TYPES,
    Reference,
    Uses,
    list_meant,
    list_references,
)

# What is asked about a declaration, or what is in it, as long as it is there.
_OF_PARTS = (
    Contradiction.NEEDED, Contradiction.UNSAID, Contradiction.NEVER_SAID,
    Contradiction.DECLARED_OTHERWISE, Contradiction.SAID_OTHERWISE, Contradiction.ITEM_REMOVED,
)  # fmt: skip


class NeededType(NamedTuple):
    """A type that stays for what names it, and what is asked about it."""

    module: bytes
    declaration: DeclarationText
    question: str


class RestoredTypes(NamedTuple):
    """A specification with its needed types, and the questions that are new in it."""

    store: SpecStore
    needed: Sequence[NeededType]
    asked: frozenset[str]


def restore_needed(before: SpecStore, after: SpecStore) -> RestoredTypes:
    """The specification ``after`` an edit with the types of ``before`` that it still names."""
    needed: list[NeededType] = []
    asked: set[str] = set()
    store = after
    # What is restored may name something that went as well.
    while found := [*_find_needed(before, store)]:
        for module in dict.fromkeys(each.module for each in found):
            mine = [each for each in found if each.module == module]
            store, new = _restore(before, store, module, mine)
            asked |= new
        needed += found
    return RestoredTypes(_drop_settled(before, store), needed, frozenset(asked))


def _drop_settled(before: SpecStore, store: SpecStore) -> SpecStore:
    """The specification without the questions about types that nothing names any more, and about
    what was in declarations that are gone.
    """
    for module, content in before.all_modules().items():
        new = store.module_spec(module)
        if new is None or new == content or QUESTION.encode() not in new:
            continue
        text = cut_module(new)
        there = {each.key for each in text.declarations}
        old = (each for each in cut_module(content).declarations if each.key not in there)
        gone = {f"{each.kind} {each.name}" for each in old}
        kept = drop_questions(text.declarations, _OF_PARTS, gone) if gone else text.declarations
        if len(kept) < len(text.declarations):
            written = join_module(text.head, [each.text for each in kept])
            store = (
                store.remove_module_spec(module)
                if cut_module(written).is_empty
                else store.set_module_spec(module, written)
            )
    return store


def _find_needed(before: SpecStore, after: SpecStore) -> Iterator[NeededType]:
    gone = {
        (module, each.name): each
        for module, content in before.all_modules().items()
        if after.module_spec(module) != content
        for each in _list_gone(content, after.module_spec(module))
    }
    if not gone:
        return
    named = set(_list_named(after, {name for _, name in gone}))
    for (module, name), declaration in gone.items():
        if (module, name) in named:
            section = f"{declaration.kind} {name}"
            path = declaration.sources[0] if declaration.sources else "the source"
            yield NeededType(module, declaration, Contradiction.NEEDED.ask(section, path))


def _list_gone(old: bytes, new: bytes | None) -> Iterator[DeclarationText]:
    names = {*_type_pattern().findall(old)} - {*_type_pattern().findall(new or b"")}
    # Most edits take no type away, and a search is far cheaper than reading both versions.
    if names:
        there = {each.name for each in _list_types(new)} if new is not None else set()
        yield from (each for each in _list_types(old) if each.name not in there)


def _list_types(content: bytes) -> Iterator[DeclarationText]:
    yield from (each for each in cut_module(content).declarations if each.kind in TYPES)


@functools.cache
def _type_pattern() -> "re.Pattern[bytes]":
    return re.compile(rb"(?m)^\s*(?:[a-z]+\s+)+([A-Z]\w*)")


def _list_named(store: SpecStore, names: set[str]) -> Iterator[tuple[bytes, str]]:
    """The modules and the names of the types that declarations of a specification name."""
    words = {word for each in names for word in (each, *list_plurals(each))}
    pattern = re.compile(rb"\b(?:%b)\b" % b"|".join(re.escape(each.encode()) for each in words))
    for module, content in {MASTER: store.master_spec(), **store.all_modules()}.items():
        if not pattern.search(content):
            continue
        declarations = cut_module(content).declarations
        uses = Uses(module, [each for each in declarations if each.kind == "use"])
        for each in declarations:
            if each.kind not in ("use", "open question") and pattern.search(each.text):
                for reference in list_references(each.text):
                    alias = reference.alias
                    target = uses.find_target(alias) if alias else module
                    if target is not None:
                        meant = [*list_meant(each.text, reference)]
                        # A plural means a type where none has the plural itself for its name.
                        is_type = reference.name in names or _declares(store, target, reference)
                        for name in meant[:1] if is_type else meant:
                            yield target, name


def _declares(store: SpecStore, module: bytes, reference: Reference) -> bool:
    content = store.module_spec(module)
    types = _list_types(content) if content is not None else ()
    return any(each.name == reference.name for each in types)


def _restore(
    before: SpecStore, store: SpecStore, module: bytes, needed: Sequence[NeededType]
) -> tuple[SpecStore, frozenset[str]]:
    """The specification with these types in their module, and the questions that are new."""
    old = cut_module(before.module_spec(module) or b"")
    content = store.module_spec(module)
    text = cut_module(content) if content is not None else ModuleText(old.head, ())
    texts = [each.declaration.text for each in needed]
    sections = {f"{each.declaration.kind} {each.declaration.name}" for each in needed}
    # They come back with their comments, which the question about these holds as well.
    kept = [each for each in text.declarations
            if each.kind != "use" and not is_about_comments(each, sections)]  # fmt: skip
    lines = [each for each in text.declarations if each.kind == "use"]
    used = {each.alias for whole in texts for each in list_references(whole)}
    lines += [each for each in old.declarations
              if each.kind == "use" and each.text not in {line.text for line in lines}
              and each.text.rpartition(b" ")[2].decode() in used]  # fmt: skip
    asked = [*add_questions(kept, [each.question for each in needed])]
    end = len(kept)
    while end and kept[end - 1].kind == "open question":
        end -= 1
    parts = [*lines, *kept[:end], *(each.declaration for each in needed), *kept[end:], *asked]
    written = join_module(text.head, [each.text for each in parts])
    return store.set_module_spec(module, written), frozenset(each.name for each in asked)


def index_needed(needed: Sequence[NeededType]) -> Mapping[tuple[bytes, str], str]:
    """The question about each of them, by its module and its section."""
    return {
        (each.module, f"{each.declaration.kind} {each.declaration.name}"): each.question
        for each in needed
    }
