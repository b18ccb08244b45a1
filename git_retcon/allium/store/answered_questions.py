"""Questions that need no answer any more: a specification and the file that they name say the same
of what they ask about, whichever of them changed.
"""

from collections.abc import Iterable, Mapping, Sequence

from git_retcon.allium.store.block_items import name_wholes
from git_retcon.allium.store.contradictions import (
    QUESTION,
    Contradiction,
    drop_where,
    find_section,
    find_source,
    is_asking,
)
from git_retcon.allium.store.declared_facts import read_facts
from git_retcon.allium.store.module_text import MARKER, DeclarationText, cut_module, join_module
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.show.style import show_path

# What is asked about something that one of the two says otherwise, or not at all.
_OF_BOTH = (
    Contradiction.UNSAID,
    Contradiction.NEVER_SAID,
    Contradiction.DECLARED_OTHERWISE,
    Contradiction.SAID_OTHERWISE,
    Contradiction.DECLARATION_REMOVED,
    Contradiction.ITEM_REMOVED,
)


def drop_all_answered(
    store: SpecStore, declared: Mapping[bytes, Sequence[DeclarationText] | None]
) -> tuple[SpecStore, Sequence[str]]:
    """The specification without such questions about these files, and what they were about. None is
    declared by a file that cannot be read.
    """
    answered: list[str] = []
    by_name = {show_path(path): now for path, now in declared.items()}
    for module, content in store.all_modules().items():
        text = cut_module(content) if QUESTION.encode() in content else None
        kept = [*text.declarations] if text is not None else []
        for path in dict.fromkeys(map(find_source, kept)):
            now = by_name.get(path or "")
            if path is not None and now is not None:
                kept = drop_answered(kept, path, now)
        if text is not None and len(kept) < len(text.declarations):
            left = {each.name for each in kept if each.kind == QUESTION}
            gone = (e for e in text.declarations if e.kind == QUESTION and e.name not in left)
            answered += (find_section(each) or "" for each in gone)
            written = join_module(text.head, [each.text for each in kept])
            store = store.set_module_spec(module, written)
    return store, answered


def drop_answered(
    declarations: Sequence[DeclarationText], path: str, now: Sequence[DeclarationText]
) -> list[DeclarationText]:
    """The declarations of a module without such questions about a file, which declares ``now``."""

    def is_answered(question: DeclarationText) -> bool:
        section = find_section(question)
        if section is None or find_source(question) != path or not is_asking(question, _OF_BOTH):
            return False
        title, _, item = section.partition(": ")
        one, other = (_read(each, title, path, item) for each in (declarations, now))
        return one == other

    if not any(each.kind == QUESTION for each in declarations):
        return [*declarations]
    return drop_where(declarations, is_answered)


def _read(
    declarations: Iterable[DeclarationText], title: str, path: str, item: str
) -> Mapping[str, str]:
    """What they say of an item, "" for all of a declaration."""
    named = [each for each in declarations if f"{each.kind} {each.name}".strip() == title]
    # Two files may each have one of this name.
    found = next((each for each in named if path in each.sources), next(iter(named), None))
    facts = read_facts(MARKER + found.text) if found is not None else {}
    return {
        name: said for (_, _, name), said in facts.items() if not item or item in name_wholes(name)
    }
