"""What changed in source files, put into the text of one module.

A declaration is found by what it cites. It is replaced where the specification still says what the
source said before; else somebody edited it, and both changes are merged.
"""

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from git_retcon.allium.extract.moved_names import name_moved
from git_retcon.allium.extract.source_facts import Declaration
from git_retcon.allium.extract.spec_layout import Modules, Place, find_place, list_places
from git_retcon.allium.extract.spelling import spell_declaration
from git_retcon.allium.store.answered_questions import drop_answered
from git_retcon.allium.store.assumed_base import assume_base
from git_retcon.allium.store.block_items import name_items, name_wholes
from git_retcon.allium.store.carried_comments import select_comments, strip_comments
from git_retcon.allium.store.contradictions import (
    QUESTION,
    Contradiction,
    add_questions,
    ask_about_comments,
    drop_questions,
)
from git_retcon.allium.store.declared_facts import FactName
from git_retcon.allium.store.merge_choice import Conflict
from git_retcon.allium.store.module_layout import Move, make_head, move_declarations
from git_retcon.allium.store.module_text import (
    DeclarationText,
    cut_module,
    join_module,
    list_citations,
    list_comments,
)
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.three_way import merge_modules
from git_retcon.allium.store.type_names import Uses
from git_retcon.show.style import show_path

_EXTERNAL = "external entity"
# What is asked about declarations that the source does not have any more.
_OF_GONE = (Contradiction.UNDECLARED, Contradiction.COMMENTED)


# The facts that people took out of the specification.
FindRemoved = Callable[[], AbstractSet[FactName]]


class ForkedFile(NamedTuple):
    """What a file declared that both sides of a merge changed: the specification says both."""

    base: Sequence[Declaration]
    side: Sequence[Declaration]


class Edit(NamedTuple):
    """What a source file declared when it was described last, and what it declares now. ``others``
    is what the other parents of a merge declare: the specification may have a declaration from
    them. ``forks`` are what ``before`` was merged with.
    """

    path: bytes
    before: Sequence[Declaration]
    after: Sequence[Declaration]
    others: Sequence[Declaration] = ()
    forks: Sequence[ForkedFile] = ()


def edit_module(
    store: SpecStore,
    modules: Modules,
    module: bytes,
    edits: Sequence[Edit],
    find_removed: FindRemoved,
) -> SpecStore:
    """The store with these changes in one module, which is made or removed as needed."""
    content = store.module_spec(module)
    text = modules.read(content).text
    lines = [each for each in text.declarations if each.kind == "use"]
    uses = Uses(module, lines)
    editor = _Editor([each for each in text.declarations if each.kind != "use"], find_removed)
    for edit in edits:
        # What was there before has its aliases in the module already.
        before = [spell_declaration(each, uses.make_alias) for each in edit.before]
        for fork in edit.forks:
            base, side = (
                [spell_declaration(each, uses.make_alias) for each in found] for found in fork
            )
            before = _merge_declarations(base, before, side)
        after = [spell_declaration(each, uses.make_alias) for each in edit.after]
        others = [spell_declaration(each, uses.make_alias) for each in edit.others]
        editor.replace(edit.path, before, after, others)
        editor.declarations = drop_answered(editor.declarations, show_path(edit.path), after)
    return _write_module(store, module, text.head, uses, editor)


def _merge_declarations(
    *versions: Sequence[DeclarationText],
) -> list[DeclarationText]:
    """What a file declares on both sides of a merge together: base, ours and theirs."""
    texts = (join_module(b"", [each.text for each in found]) for found in versions)
    return [*cut_module(merge_modules(*texts).content).declarations]


def _write_module(
    store: SpecStore, module: bytes, head: bytes, uses: Uses, editor: "_Editor"
) -> SpecStore:
    if not editor.declarations:
        return store.remove_module_spec(module)
    texts = [each.text for each in editor.declarations]
    used = {alias.decode() for each in texts for alias in _alias_pattern().findall(each)}
    written = join_module(head or make_head(module), [*uses.list_lines(used), *texts])
    return store.set_module_spec(module, written)


def follow_renames(store: SpecStore, modules: Modules, renames: Mapping[bytes, bytes]) -> SpecStore:
    """The declarations of renamed files in the modules of their new paths.

    ``renames`` are new path → old path. A module of which all files moved alike has moved already,
    and every declaration cites the new path.
    """
    moves: list[Move] = []
    for new in sorted(renames):
        shown = show_path(new)
        store = _drop_external(store, modules, new)
        places = list(store.root.list_modules(new))
        for module, content in store.all_modules().items():
            if module in places or shown.encode() not in content:
                continue
            target = store.root.find_module(new, store.all_modules())
            target = target or store.root.name_module(new)
            for each in modules.read(content).text.declarations if target else ():
                if each.sources[:1] == (shown,) and each.kind != _EXTERNAL and target:
                    moves.append(Move(each, module, store.spell_module(target)))
    return move_declarations(store, name_moved(store, modules, moves))


def _drop_external(store: SpecStore, modules: Modules, path: bytes) -> SpecStore:
    """Without a renamed file's citations of external entities in modules that it left: such an
    entity is of all who refer to it, and is written again where it is needed.
    """
    shown = show_path(path)
    places = list(store.root.list_modules(path))
    for module, content in store.all_modules().items():
        if module in places or shown.encode() not in content:
            continue
        text = modules.read(content).text
        found = [d for d in text.declarations if d.kind == _EXTERNAL and shown in d.sources]
        if found:
            uses = Uses(module, [each for each in text.declarations if each.kind == "use"])
            editor = _Editor([each for each in text.declarations if each.kind != "use"])
            editor.replace(path, found, ())
            store = _write_module(store, module, text.head, uses, editor)
    return store


class _Editor:
    """The declarations of a module, in their order."""

    def __init__(
        self, declarations: Sequence[DeclarationText], find_removed: FindRemoved = frozenset
    ) -> None:
        self.declarations = list(declarations)
        self._find_removed = find_removed

    def replace(
        self,
        path: bytes,
        before: Sequence[DeclarationText],
        after: Sequence[DeclarationText],
        others: Sequence[DeclarationText] = (),
    ) -> None:
        """Put what a file declares now where it declared something before."""
        old, new, aside = _by_place(before), _by_place(after), _by_place(others)
        self._cite_external(path, old, new)
        at = self._find_end(path)
        removed: list[int] = []
        removed_by_hand: list[str] = []
        added: list[DeclarationText] = []
        places = list_places(self.declarations)
        returned = [place for place in new if place in places and place not in old]
        old |= {place: aside[place] for place in returned if place in aside}
        sections = {_name_section(self.declarations[places[each]]) for each in returned}
        for place in dict.fromkeys([*old, *new]):
            was, is_now, index = old.get(place), new.get(place), places.get(place)
            if place.space == _EXTERNAL:
                continue
            if index is None:
                if is_now is not None and (was is None or was.text != is_now.text):
                    if was is not None and self._was_taken_out(was, is_now):
                        removed_by_hand.append(_name_section(is_now))
                    else:
                        added.append(is_now)
                continue
            written = self._settle_declaration(path, was, self.declarations[index], is_now)
            if written is None or self._asks_already(written):
                removed.append(index)
            else:
                self.declarations[index] = written
        self.declarations[at:at] = added
        for index in sorted(removed, reverse=True):
            del self.declarations[index + len(added) * (index >= at)]
        self.declarations = drop_questions(self.declarations, _OF_GONE, sections)
        ask = Contradiction.DECLARATION_REMOVED.ask
        asked = (ask(each, show_path(path)) for each in removed_by_hand)
        self.declarations += add_questions(self.declarations, asked)

    def _was_taken_out(self, *versions: DeclarationText) -> bool:
        """Whether people took a declaration out: it may also never have been there."""
        removed = self._find_removed()
        return any((each.kind, each.name, "") in removed for each in versions)

    def _was_item_taken_out(self, declaration: DeclarationText, text: bytes) -> bool:
        """The same of an item, as the source says it."""
        kind, name = declaration.kind, declaration.name
        items = {item for *owner, item in self._find_removed() if owner == [kind, name]}
        return bool(items) and not items.isdisjoint(name_items(kind, text))

    def _asks_already(self, question: DeclarationText) -> bool:
        """Whether the other side of a merge brought the same question, with its comments."""
        return question.kind == QUESTION and any(
            each.name == question.name
            and {*list_comments(question.text)} <= {*list_comments(each.text)}
            for each in self.declarations
            if each.kind == QUESTION
        )

    def _find_end(self, path: bytes) -> int:
        """Behind the last declaration of a file, else behind all but the questions."""
        shown = show_path(path)
        end = len(self.declarations)
        while end and self.declarations[end - 1].kind == QUESTION:
            end -= 1
        for at in range(len(self.declarations), 0, -1):
            each = self.declarations[at - 1]
            if each.kind != _EXTERNAL and each.sources[:1] == (shown,):
                return at
        return end

    def _cite_external(
        self,
        path: bytes,
        old: Mapping[Place, DeclarationText],
        new: Mapping[Place, DeclarationText],
    ) -> None:
        """An external entity cites every place that refers to it, and goes with the last."""
        shown = show_path(path)
        for place in dict.fromkeys([*old, *new]):
            if place.space != _EXTERNAL:
                continue
            index = list_places(self.declarations).get(place)
            is_now = new.get(place)
            if index is None:
                # First in the module, by convention.
                self.declarations[:0] = [is_now] if is_now is not None else []
                continue
            there = self.declarations[index]
            lines = there.text.decode().split("\n")
            cited = len(list_citations(there.text))
            kept = [each for each in lines[:cited] if not each.startswith(f"-- Source: {shown}, ")]
            own = is_now.text.decode().split("\n")[:-1] if is_now is not None else []
            comments = sorted({*kept, *own})
            if not comments:
                del self.declarations[index]
                continue
            text = "\n".join([*comments, *lines[cited:]]).encode()
            sources = tuple(dict.fromkeys(source for source, _ in list_citations(text)))
            self.declarations[index] = there._replace(text=text, sources=sources)

    def _settle_declaration(
        self,
        path: bytes,
        was: DeclarationText | None,
        there: DeclarationText,
        is_now: DeclarationText | None,
    ) -> DeclarationText | None:
        """What becomes of a declaration that is ``there``; None: it goes."""
        if is_now is not None and there.text == is_now.text:
            return there
        if was is None and is_now is not None:
            # Somebody's text outlived what the source had, and nothing tells what that was.
            return self._join_declaration(path, there, is_now)
        # A file that could not be read in between comes back with what it had.
        if was is not None and there.text != was.text:
            return self._merge_declaration(path, was, there, is_now)
        return is_now

    def _join_declaration(
        self, path: bytes, there: DeclarationText, is_now: DeclarationText
    ) -> DeclarationText:
        """What the source brings, added to what somebody wrote about the same definition."""
        versions = None
        if there.key == is_now.key:
            versions = assume_base(
                there.text, is_now.text, functools.partial(self._was_item_taken_out, is_now)
            )
        if versions is None:
            if _say_otherwise(there.text, is_now.text):
                kind = Contradiction.DECLARED_OTHERWISE
                question = kind.ask(_name_section(there), show_path(path))
                self.declarations += add_questions(self.declarations, [question])
            return there
        was, now = (is_now._replace(text=each) for each in versions)
        return self._merge_declaration(path, was, there, now) or there

    def _stays_out(self, conflict: Conflict) -> bool:
        """Whether people took out what the source says otherwise now."""
        return conflict.ours is None and any(
            conflict.item in name_wholes(item) for _, _, item in self._find_removed()
        )

    def _merge_declaration(
        self,
        path: bytes,
        was: DeclarationText,
        there: DeclarationText,
        is_now: DeclarationText | None,
    ) -> DeclarationText | None:
        """Both the specification and the source changed a declaration."""
        if is_now is not None and was.kind == there.kind:
            was, there = (each.as_kind(is_now.kind) for each in (was, there))
        if is_now is None and strip_comments(was.text) == strip_comments(there.text):
            known = {*list_comments(was.text)}
            comments = select_comments(there.text, lambda each: each not in known)
            # A comment does not make a declaration somebody's own: it goes, and that stays.
            return (
                ask_about_comments(_name_section(there), show_path(path), comments)
                if comments
                else None
            )
        old, ours, new = (
            join_module(b"", [each.text] if each else []) for each in (was, there, is_now)
        )
        merged = merge_modules(old, ours, new)
        content = merged.content
        for conflict in merged.conflicts:
            if self._stays_out(conflict) and conflict.theirs is not None:
                content = content.replace(b"\n" + conflict.theirs, b"", 1)
        asked = (
            _find_contradiction(each).ask(each.title, show_path(path))
            for each in merged.conflicts
            # Comments may differ.
            if _say_otherwise(each.ours, each.theirs) and (each.ours or self._stays_out(each))
        )
        self.declarations += add_questions(self.declarations, asked)
        return next(iter(cut_module(content).declarations), None)


def _name_section(declaration: DeclarationText) -> str:
    """What a question about all of a declaration calls it."""
    return f"{declaration.kind} {declaration.name}".strip()


def _say_otherwise(one: bytes | None, other: bytes | None) -> bool:
    if one is None or other is None:
        return one is not other
    return strip_comments(one) != strip_comments(other)


def _find_contradiction(conflict: Conflict) -> Contradiction:
    """What a person is asked about something that the source changed otherwise."""
    if conflict.ours is None:
        return Contradiction.ITEM_REMOVED
    if conflict.theirs is None:
        return Contradiction.UNSAID if conflict.item else Contradiction.UNDECLARED
    return Contradiction.SAID_OTHERWISE if conflict.item else Contradiction.DECLARED_OTHERWISE


def _by_place(declarations: Sequence[DeclarationText]) -> dict[Place, DeclarationText]:
    found: dict[Place, DeclarationText] = {}
    for each in declarations:
        place = find_place(each)
        if place is not None:
            found.setdefault(place, each)
    return found


@functools.cache
def _alias_pattern() -> "re.Pattern[bytes]":
    return re.compile(rb"\b([a-z_]\w*)/[A-Z]")
