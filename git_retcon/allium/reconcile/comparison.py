"""A declaration of a specification beside the one that its source gives, item by item.

Three versions decide: what the source said when it was described, what it says now, and the
specification. What the source changed is taken over; what only the specification has stays, as long
as its source does not speak against it; what a person wrote is never overwritten, and where the
source contradicts it, that is a question.
"""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.engine import Finding, FindingType
from git_retcon.allium.reconcile.compared_sides import Sides, list_names
from git_retcon.allium.reconcile.spec_index import Place, list_symbols
from git_retcon.allium.store.block_items import (
    ItemKey,
    find_keyword,
    find_word,
    key_items,
    name_whole,
    read_items,
    wrap_item,
)
from git_retcon.allium.store.carried_comments import (
    carry_comments,
    follow_citations,
    select_comments,
)
from git_retcon.allium.store.contradictions import Contradiction, ask_about_comments
from git_retcon.allium.store.declaration_block import Block
from git_retcon.allium.store.declared_facts import (
    compare_facts,
    name_fact,
    read_facts,
)
from git_retcon.allium.store.merge_choice import merge_orders
from git_retcon.allium.store.module_text import MARKER, DeclarationText, list_comments

_TYPES = {
    "added": FindingType.ADDITION,
    "removed": FindingType.REMOVAL,
    "changed": FindingType.MODIFICATION,
}


class Compared(NamedTuple):
    """The text of a declaration after a comparison; None where it is to go."""

    text: bytes | None
    findings: Sequence[Finding]


def compare_declaration(place: Place, now: DeclarationText, sides: Sides) -> Compared:
    """Compare a declaration with what its source declares now."""
    compared = _compare_facts(place, now, sides)
    # What is external, and configuration, is of all the files that it cites.
    if compared.text is None or now.kind in ("external entity", "config"):
        return compared
    before = (each.text for each in sides.before.get(place.declaration.key[:2], ()))
    return compared._replace(text=follow_citations(compared.text, before, now.text))


def _compare_facts(place: Place, now: DeclarationText, sides: Sides) -> Compared:
    spec = place.declaration
    if _say_the_same(spec.text, now.text):
        return Compared(spec.text, ())
    if spec.as_kind(now.kind).kind != spec.kind and not sides.is_by_hand(spec):
        return _compare_other_kind(place, now, sides)
    mine, other = Block.read(spec.text), Block.read(now.text)
    if spec.kind != now.kind or mine is None or other is None:
        return _compare_whole(place, now, sides)
    before = sides.before.get(spec.key[:2], ())
    known = [block for each in before if (block := Block.read(each.text)) is not None]
    return _Items(place, now, sides).compare(mine, other, known)


def _compare_other_kind(place: Place, now: DeclarationText, sides: Sides) -> Compared:
    """A value that became an entity, or the other way round: what people wrote in it stays."""
    spec = place.declaration
    finding = _find_otherwise(place, now, sides)
    if finding.section in sides.accepted:
        return Compared(spec.text, ())
    before = [each.as_kind(now.kind) for each in sides.before.get(spec.key[:2], ())]
    before += sides.before.get(now.key[:2], ())
    there = place._replace(declaration=spec.as_kind(now.kind))
    known = {**sides.before, now.key[:2]: before}
    compared = compare_declaration(there, now, sides._replace(before=known))
    return compared._replace(findings=[finding, *compared.findings])


def _find_otherwise(place: Place, now: DeclarationText, sides: Sides) -> Finding:
    spec = place.declaration
    symbol = next((symbol for _, symbol in list_symbols(now)), "")
    return Finding(
        FindingType.MODIFICATION, name_fact((spec.kind, spec.name, "")),
        f"{sides.path} declares it otherwise", (sides.path,), place.module, symbol,
    )  # fmt: skip


def judge_vanished(place: Place, sides: Sides) -> Compared | None:
    """Judge a declaration that its source does not give any more; None where nothing is proven."""
    spec = place.declaration
    symbols = [symbol for path, symbol in list_symbols(spec) if path == sides.path]
    was_there = spec.key[:2] in sides.before
    is_gone = bool(symbols) and not any(
        sides.speaks_of(symbol.rpartition(".")[2]) for symbol in symbols
    )
    # It may say more than an extraction can see, so a name that is still there proves nothing.
    if not (was_there or is_gone):
        return None
    # What inherits something goes with the file it was read for, which it cites first; what is
    # external is of all files that refer to it, so all must be silent.
    is_read_here = was_there and spec.kind != "external entity" and sides.is_first_source(place)
    if len(set(spec.sources)) > 1 and not is_read_here and not sides.is_inherited_gone(place):
        return None
    section = name_fact((spec.kind, spec.name, ""))
    if section in sides.accepted:
        return None
    description = f"{sides.path} does not declare it any more"
    finding = Finding(
        FindingType.REMOVAL, section, description, (sides.path,), place.module,
        symbols[0] if symbols else "",
    )  # fmt: skip
    items = {name[2] for name in read_facts(MARKER + spec.text)}
    if sides.is_by_hand(spec, items):
        question = Contradiction.UNDECLARED.ask(section, sides.path)
        return Compared(spec.text, [finding._replace(question=question)])
    comments = select_comments(spec.text, _choose_by_hand(spec, sides))
    # A comment does not make a declaration somebody's own: it goes, and that stays.
    asked = ask_about_comments(section, sides.path, comments).text if comments else None
    return Compared(asked, [finding])


def _choose_by_hand(spec: DeclarationText, sides: Sides) -> Callable[[str], bool]:
    return functools.partial(sides.is_comment_by_hand, spec)


def find_renamed(
    place: Place, compared: Compared, now: Sequence[DeclarationText], sides: Sides
) -> Compared:
    """The same with the finding that what a declaration says has another name in its file now,
    where it has: two types that swapped their names differ in more than their fields.
    """
    spec = place.declaration
    section = name_fact((spec.kind, spec.name, ""))
    if not compared.findings or section in sides.accepted:
        return compared
    said = read_items(spec)
    others = (each for each in now if each.kind == spec.kind and each.name != spec.name)
    other = next((each for each in others if said and read_items(each) == said), None)
    if other is None:
        return compared
    symbol = next((symbol for _, symbol in list_symbols(other)), "")
    description = f"{sides.path} calls it {other.name}"
    finding = Finding(
        FindingType.MODIFICATION, section, description, (sides.path,), place.module, symbol
    )
    return compared._replace(findings=[finding, *compared.findings])


def take_comments(place: Place, heir: DeclarationText) -> bytes | None:
    """The text of a declaration that moved to another file, with the comments that it has where it
    was; None where ``heir`` says anything else.
    """
    spec = place.declaration
    has_own = not {*list_comments(heir.text)} <= {*list_comments(spec.text)}
    if has_own or set(spec.sources) & set(heir.sources) or not _say_the_same(spec.text, heir.text):
        return None
    cited, rest = (
        [line for line in text.split(b"\n") if line.startswith(b"-- Source: ") == is_citation]
        for text, is_citation in ((heir.text, True), (spec.text, False))
    )
    return b"\n".join([*cited, *rest])


def make_addition(now: DeclarationText, module: bytes, path: str) -> Finding:
    """The finding that a specification lacks a declaration of its source."""
    section = name_fact((now.kind, now.name, ""))
    symbol = next((symbol for _, symbol in list_symbols(now)), "")
    return Finding(FindingType.ADDITION, section, f"{path} declares it", (path,), module, symbol)


def leave_out_removed(
    new: Place, list_namesakes: Callable[[Place], Sequence[Place]], sides: Sides
) -> Compared:
    """A declaration that is to be added, without the items that people took out of another of its
    name: it may be that one, at another place.
    """
    declared = new.declaration
    block = Block.read(declared.text) if sides.hand_edits else None
    if block is None:
        return Compared(declared.text, ())
    for each in list_namesakes(new):
        said = read_items(each.declaration)
        items = key_items(declared.kind, block)
        kept = [text for text in items.values() if not _was_removed(declared, text, said, sides)]
        text = block.join(kept) if len(kept) < len(items) else None
        if text is not None:
            shorter = Place(new.module, declared._replace(text=text))
            return compare_declaration(shorter, declared, sides)
    return Compared(declared.text, ())


def _was_removed(
    declared: DeclarationText, item: bytes, said: Mapping[str, str], sides: Sides
) -> bool:
    facts = read_facts(wrap_item(declared.kind, item))
    names = {name for _, _, name in facts if name}
    return names.isdisjoint(said) and any(
        (declared.kind, declared.name, name) in sides.hand_edits for name in names
    )


def _say_the_same(one: bytes, other: bytes) -> bool:
    if one == other:
        return True
    return read_facts(MARKER + one) == read_facts(MARKER + other)


def _compare_whole(place: Place, now: DeclarationText, sides: Sides) -> Compared:
    """Declarations that have no items, or not of one kind: one of them as it is."""
    spec = place.declaration
    finding = _find_otherwise(place, now, sides)
    if finding.section in sides.accepted:
        return Compared(spec.text, ())
    if not (sides.is_by_hand(spec) or sides.has_items_by_hand(spec)):
        kept = carry_comments(spec.text, now.text, _choose_by_hand(spec, sides))
        return Compared(kept, [finding])
    question = Contradiction.DECLARED_OTHERWISE.ask(finding.section, sides.path)
    return Compared(spec.text, [finding._replace(question=question)])


class _Items:
    """The items of one declaration, on both sides."""

    def __init__(self, place: Place, now: DeclarationText, sides: Sides) -> None:
        self._spec = place.declaration
        self._module = place.module
        self._symbol = next((symbol for _, symbol in list_symbols(now)), "")
        self._sides = sides
        self._findings: list[Finding] = []
        # Clauses of which people replaced one that the source has otherwise now, by their keyword:
        # which of them is which is not known, so the question is about all of them.
        self._replaced: set[str] = set()
        self._choose_comment = _choose_by_hand(place.declaration, sides)

    def compare(self, mine: Block, other: Block, known: Sequence[Block]) -> Compared:
        """Choose the version of each item."""
        kind = self._spec.kind
        ours, theirs = key_items(kind, mine), key_items(kind, other)
        befores = [key_items(kind, block) for block in known]
        self._replaced = set(self._find_replaced(ours, theirs))
        texts: list[bytes] = []
        for key in merge_orders(tuple(ours), tuple(theirs)):
            was = [items[key] for items in befores if key in items]
            text = self._choose_item(ours.get(key), theirs.get(key), was)
            if text is not None:
                texts.append(text)
        joined = mine.join(texts)
        if joined is None and self._findings:
            # Nothing is left, such as of fields of which a person took out the only one to stay.
            return self._ask_about_whole()
        return Compared(joined or self._spec.text, self._findings)

    def _ask_about_whole(self) -> Compared:
        section, path = name_fact((self._spec.kind, self._spec.name, "")), self._sides.path
        question = Contradiction.DECLARED_OTHERWISE.ask(section, path)
        finding = Finding(
            FindingType.MODIFICATION, section, f"{path} declares it otherwise", (path,),
            self._module, self._symbol, question=question,
        )  # fmt: skip
        asked = [each for each in self._findings if each.question]
        return Compared(self._spec.text, [*asked, finding])

    def _find_replaced(
        self, ours: Mapping[ItemKey, bytes], theirs: Mapping[ItemKey, bytes]
    ) -> Iterator[str]:
        """The keywords of clauses of which a person put one in the place of another, which the
        source does not have any more either.
        """
        by_hand = {
            item
            for kind, name, item in self._sides.hand_edits
            if kind == self._spec.kind and name in list_names(self._spec)
        }
        one, two = (
            {str(said) for kind, _, said in each if kind == "clause"} for each in (ours, theirs)
        )
        gone, put = by_hand - one - two, by_hand & one - two
        yield from {*map(find_keyword, gone)} & {*map(find_keyword, put)}

    def _choose_item(
        self, mine: bytes | None, other: bytes | None, was: Sequence[bytes]
    ) -> bytes | None:
        changes = list(self._list_changes(mine, other))
        if changes and all(self._is_accepted(item) for item, _ in changes):
            return mine
        names = {item for item, _ in changes}
        if not changes:
            return mine if mine is not None else other
        by_hand = self._sides.is_by_hand(self._spec, names)
        if mine is None:
            why = Contradiction.ITEM_REMOVED if by_hand else None
            if not self._replaced.isdisjoint(map(find_keyword, names)):
                why = Contradiction.SAID_OTHERWISE
            self._add_changes(changes, "the specification lacks it", why)
            return None if why is not None else other
        is_known = any(not list(self._list_changes(mine, each)) for each in was)
        if other is None:
            # What an extraction cannot see, a model or a person may know.
            if not was and any(self._sides.speaks_of(find_word(item)) for item in names):
                return mine
            by_hand = by_hand or bool(select_comments(mine, self._choose_comment))
            unsaid = Contradiction.UNSAID if was else Contradiction.NEVER_SAID
            said = "does not say it any more" if was else "does not say it"
            why = unsaid if by_hand else None
            self._add_changes(changes, f"{self._sides.path} {said}", why)
            return mine if by_hand else None
        why = Contradiction.SAID_OTHERWISE if by_hand or not is_known else None
        self._add_changes(changes, f"{self._sides.path} says it otherwise", why)
        return mine if why is not None else carry_comments(mine, other, self._choose_comment)

    def _is_accepted(self, item: str) -> bool:
        return name_fact((self._spec.kind, self._spec.name, item)) in self._sides.accepted

    def _list_changes(
        self, mine: bytes | None, other: bytes | None
    ) -> Iterator[tuple[str, FindingType]]:
        """The facts that differ between two versions of an item."""
        kind = self._spec.kind
        for change in compare_facts(b"", wrap_item(kind, mine), wrap_item(kind, other)):
            yield change.name[2], _TYPES[change.kind]

    def _add_changes(
        self,
        changes: Sequence[tuple[str, FindingType]],
        description: str,
        contradiction: Contradiction | None,
    ) -> None:
        spec, path = self._spec, self._sides.path
        for item, kind in changes:
            section = name_fact((spec.kind, spec.name, item))
            keyword = find_keyword(item)
            whole = keyword if keyword in self._replaced else name_whole(item)
            whole = name_fact((spec.kind, spec.name, whole))
            question = contradiction.ask(whole, path) if contradiction is not None else ""
            self._findings.append(
                Finding(kind, section, description, (path,), self._module, self._symbol, question)
            )
