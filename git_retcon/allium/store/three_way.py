"""Merging two versions of a module that come from one: by declaration, and in one by its items.

What only one side changed is taken from it. What both changed alike is taken once. Where they
differ, our version stays and is a conflict, which somebody else decides.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from git_retcon.allium.language import parse
from git_retcon.allium.language.declarations import (
    Braced,
    Clause,
    Field,
    Item,
    Parameter,
    Transitions,
    Variant,
)
from git_retcon.allium.language.parser.cursor import PARSE_ERROR
from git_retcon.allium.store.module_text import DeclarationText, cut_module, join_module

K = TypeVar("K", bound=Hashable)


class Conflict(NamedTuple):
    """One declaration that both sides changed otherwise; None is removed."""

    kind: str
    name: str
    base: bytes | None
    ours: bytes | None
    theirs: bytes | None

    @property
    def title(self) -> str:
        """What it is about, for people: "entity Order"."""
        return f"{self.kind} {self.name}".strip()


class MergedModule(NamedTuple):
    """The text of both sides together, and what they disagree about.

    ``has_two_heads``: each changed the comments at the top in its way, and ours stay.
    """

    content: bytes
    conflicts: Sequence[Conflict]
    has_two_heads: bool = False


class _Choice(NamedTuple):
    """What becomes of one element. ``is_conflict``: both sides changed it, each in its way."""

    text: bytes | None
    is_conflict: bool


def merge_modules(base: bytes, ours: bytes, theirs: bytes) -> MergedModule:
    """Merge a module; ``base`` is empty where the sides have none in common."""
    return _merge_module(base, ours, theirs, lambda conflict: None)


def mark_conflicts(
    base: bytes, ours: bytes, theirs: bytes, mark: Callable[[Conflict], bytes]
) -> MergedModule:
    """The same, with the text that ``mark`` gives in the place of each conflict."""
    return _merge_module(base, ours, theirs, mark)


def _merge_module(
    base: bytes, ours: bytes, theirs: bytes, mark: Callable[[Conflict], bytes | None]
) -> MergedModule:
    if ours == theirs or base == theirs:
        return MergedModule(ours, ())
    if base == ours:
        return MergedModule(theirs, ())
    sides = [cut_module(content) if content else None for content in (base, ours, theirs)]
    one, two, three = ({p.key: p for p in side.declarations} if side else {} for side in sides)
    texts: dict[tuple[str, str, int], bytes] = {}
    conflicts: list[Conflict] = []
    # What only the base had was removed by both sides and has no place to look for.
    for key in merge_orders(tuple(two), tuple(three)):
        versions = [each[key].text if key in each else None for each in (one, two, three)]
        choice = _choose_side(*versions)
        if choice.is_conflict and (whole := _merge_items(*versions)) is not None:
            choice = _Choice(whole, is_conflict=False)
        text = choice.text
        if choice.is_conflict:
            conflicts.append(Conflict(key[0], key[1], *versions))
            text = mark(conflicts[-1]) or text
        if text is not None:
            texts[key] = text
    head = _choose_side(*(side.head if side else None for side in sides))
    content = join_module(head.text or b"", texts.values())
    return MergedModule(content, conflicts, head.is_conflict)


def merge_orders(ours: Sequence[K], theirs: Sequence[K]) -> Sequence[K]:
    """All keys of both sides in our order; those only theirs has follow what they follow there."""
    order = list(dict.fromkeys(ours))
    places = set(order)
    others = set(theirs)
    before: K | None = None
    for key in theirs:
        if key not in places:
            at = order.index(before) + 1 if before is not None else 0
            # What we added at the same place comes first, as in any merge.
            while before is not None and at < len(order) and order[at] not in others:
                at += 1
            order.insert(at, key)
            places.add(key)
        before = key
    return order


def _choose_side(base: bytes | None, ours: bytes | None, theirs: bytes | None) -> _Choice:
    if ours == theirs or base == theirs:
        return _Choice(ours, is_conflict=False)
    if base == ours:
        return _Choice(theirs, is_conflict=False)
    # A version that somebody still works on is kept, rather than the removal.
    return _Choice(theirs if ours is None else ours, is_conflict=True)


def _merge_items(base: bytes | None, ours: bytes | None, theirs: bytes | None) -> bytes | None:
    """The declaration with the items of both sides; None where that cannot be."""
    if ours is None or theirs is None:
        return None
    one, two, three = (Block.read(text) for text in (base, ours, theirs))
    if two is None or three is None or (base is not None and one is None):
        return None
    known = one.items if one else {}
    lines = two.frame
    if lines != three.frame:
        choice = _choose_side(one.frame if one else None, two.frame, three.frame)
        if choice.is_conflict or choice.text is None:
            return None
        lines = choice.text
    parts: list[bytes] = []
    for key in merge_orders(tuple(two.items), tuple(three.items)):
        choice = _choose_side(known.get(key), two.items.get(key), three.items.get(key))
        if choice.is_conflict:
            return None
        if choice.text is not None:
            parts.append(choice.text)
    return Block(lines, {}).join(parts)


# Marks where the items were cut out of the frame: a byte that no module holds.
_GAP = b"\0"


class Block(NamedTuple):
    """A declaration in braces: what is around the items, and each item's lines."""

    frame: bytes
    items: Mapping[tuple[str, str, int], bytes]

    @classmethod
    def read(cls, text: bytes | None) -> "Block | None":
        """None for what is no single declaration whose items have lines of their own."""
        if text is None:
            return None
        document = parse(text)
        if any(wrong.code == PARSE_ERROR for wrong in document.diagnostics):
            return None
        match document.module.declarations:
            case (Braced() | Variant() as block,) if block.items:
                return cls._cut_block(text, block)
        return None

    def join(self, items: Iterable[bytes]) -> bytes | None:
        """The declaration with these items; None where it does not parse."""
        head, _, tail = self.frame.partition(_GAP)
        # Joined as text, so it is parsed again before it counts.
        joined = head + b"\n" + b"\n".join(items) + b"\n" + tail
        return joined if Block.read(joined) is not None else None

    @classmethod
    def _cut_block(cls, text: bytes, block: Braced | Variant) -> "Block | None":
        opening = text.index(b"{", block.start) + 1
        items: dict[tuple[str, str, int], bytes] = {}
        at = opening
        for item in block.items:
            line_end = text.find(b"\n", item.end)
            end = len(text) if line_end < 0 else line_end
            # Two items on one line: cutting by lines would tear them apart.
            if at > opening and b"\n" not in text[at : item.start]:
                return None
            rest = text[item.end : end].strip()
            # A comment behind an item belongs to it and moves along.
            stop = end if not rest or rest.startswith(b"--") else item.end
            kind, name = _identify_item(item, text)
            ordinal = sum(key[:2] == (kind, name) for key in items)
            # A blank line before an item sets it apart, and moves along.
            items[kind, name, ordinal] = text[at:stop].rstrip(b"\n").removeprefix(b"\n")
            at = stop
        return cls(text[:opening] + _GAP + text[at:].lstrip(), items)


def _identify_item(item: Item, text: bytes) -> tuple[str, str]:
    match item:
        case Field(name=name) | Parameter(name=name):
            return "field", name.text
        case Clause(keyword=keyword):
            return "clause", keyword
        case Transitions(field=field):
            return "transitions", field.text
    return type(item).__name__, text[item.start : item.end].decode("utf-8", "replace")


def make_question(question: str) -> DeclarationText:
    """An ``open question`` of one line."""
    # Without escapes, the question's name reads back as it was written.
    line = " ".join(question.replace("\\", "/").replace('"', "'").split())
    return DeclarationText("open question", line, 0, f'open question "{line}"'.encode(), ())


def ask_about(conflicts: Sequence[Conflict], sides: tuple[str, str]) -> Iterator[DeclarationText]:
    """An open question for each conflict: what stays, and where the other version is."""
    for conflict in conflicts:
        question = (
            f"{conflict.title}: {sides[0]} and {sides[1]} changed it each in its way; "
            f"{_describe_outcome(conflict, sides)}. Which one is right?"
        )
        yield make_question(question)


def _describe_outcome(conflict: Conflict, sides: tuple[str, str]) -> str:
    if conflict.ours is None:
        return f"{sides[0]} removed it, and the version of {sides[1]} stays"
    if conflict.theirs is None:
        return f"{sides[1]} removed it, and the version of {sides[0]} stays"
    return f"the version of {sides[0]} stays"
