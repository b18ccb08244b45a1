"""Questions after a merge that another side of it has elsewhere: about comments, or any other."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.store.contradictions import (
    QUESTION,
    Contradiction,
    find_section,
    find_source,
    is_about_comments,
)
from git_retcon.allium.store.module_text import (
    DeclarationText,
    cut_module,
    join_module,
    list_comments,
)
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.three_way import make_question

_ASKED = Contradiction.COMMENTED.rpartition("} ")[2].encode()


class _Holder(NamedTuple):
    """What has comments: a declaration, or a question about those of one that is gone."""

    module: bytes
    text: bytes
    section: str
    comments: frozenset[str]
    is_question: bool


def drop_repeated(store: SpecStore) -> SpecStore:
    """The specification with each question that names a file once: each side of a merge may have
    moved what it is about to another module. It stays where that is, else in the first module.
    """
    store = _drop_repeated_comments(store)
    asking: dict[str, list[bytes]] = {}
    for module, content in sorted(store.all_modules().items()):
        for each in _list_bare_questions(content):
            asking.setdefault(each, []).append(module)
    for question, modules in asking.items():
        if len(modules) > 1:
            section = find_section(make_question(question)) or ""
            kept = next((each for each in modules if _declares(store, each, section)), modules[0])
            for module in modules:
                store = store if module == kept else _drop_question(store, module, question)
    return store


def _list_bare_questions(content: bytes) -> Iterator[str]:
    """What a module asks about a file, with no comments of people at it."""
    if QUESTION.encode() not in content:
        return
    for each in cut_module(content).declarations:
        if find_source(each) is not None and each.text == make_question(each.name).text:
            yield each.name


def _declares(store: SpecStore, module: bytes, section: str) -> bool:
    content = store.module_spec(module) or b""
    return any(
        section == name or section.startswith(f"{name}:")
        for each in cut_module(content).declarations
        if (name := f"{each.kind} {each.name}") and each.kind != QUESTION
    )


def _drop_question(store: SpecStore, module: bytes, question: str) -> SpecStore:
    text = cut_module(store.module_spec(module) or b"")
    asked = make_question(question).text
    kept = [each.text for each in text.declarations if each.text != asked]
    return _write_module(store, module, join_module(text.head, kept))


def _drop_repeated_comments(store: SpecStore) -> SpecStore:
    """The specification without the questions about comments that are at the declaration itself,
    or at another question about it, as well: a side of a merge had them there.
    """
    modules = store.all_modules()
    if not any(_ASKED in content for content in modules.values()):
        return store
    holders = [
        each for module, content in modules.items() for each in _list_holders(module, content)
    ]
    repeated = {each for each in holders if each.is_question and _is_elsewhere(each, holders)}
    for module in sorted({each.module for each in repeated}):
        store = _drop_questions(store, modules, module, repeated)
    return store


def _list_holders(module: bytes, content: bytes) -> Iterator[_Holder]:
    for each in cut_module(content).declarations:
        comments = frozenset(list_comments(each.text))
        if comments:
            yield _make_holder(module, each, comments)


def _make_holder(module: bytes, each: DeclarationText, comments: frozenset[str]) -> _Holder:
    section = find_section(each)
    if section is not None and is_about_comments(each, (section,)):
        return _Holder(module, each.text, section, comments, is_question=True)
    section = f"{each.kind} {each.name}"
    return _Holder(module, each.text, section, comments, is_question=False)


def _is_elsewhere(question: _Holder, holders: list[_Holder]) -> bool:
    return any(
        other.section == question.section
        and other != question
        and question.comments <= other.comments
        # Of two questions that say the same, one stays.
        and not (other.is_question and _rank(other) > _rank(question))
        for other in holders
    )


def _rank(holder: _Holder) -> tuple[int, bytes, bytes]:
    return -len(holder.comments), holder.module, holder.text


def _drop_questions(
    store: SpecStore, modules: Mapping[bytes, bytes], module: bytes, repeated: set[_Holder]
) -> SpecStore:
    text = cut_module(modules[module])
    kept = [
        each.text
        for each in text.declarations
        if _make_holder(module, each, frozenset(list_comments(each.text))) not in repeated
    ]
    return _write_module(store, module, join_module(text.head, kept))


def _write_module(store: SpecStore, module: bytes, written: bytes) -> SpecStore:
    if cut_module(written).is_empty:
        return store.remove_module_spec(module)
    return store.set_module_spec(module, written)
