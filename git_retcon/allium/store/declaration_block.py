"""One declaration in braces, cut into its items, each with its lines."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from git_retcon.allium.language import parse
from git_retcon.allium.language.declarations import (
    Annotation,
    Braced,
    Clause,
    Derived,
    Field,
    Invariant,
    Item,
    Parameter,
    Transitions,
    Variant,
)
from git_retcon.allium.language.parser.cursor import PARSE_ERROR

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

    def lay_out(self, items: Iterable[bytes]) -> bytes:
        """The text with these items, which may be anything."""
        head, _, tail = self.frame.partition(_GAP)
        return head + b"\n" + b"\n".join(items) + b"\n" + tail

    def join(self, items: Iterable[bytes]) -> bytes | None:
        """The declaration with these items; None where it does not parse."""
        # Joined as text, so it is parsed again before it counts.
        joined = self.lay_out(items)
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
            if isinstance(item, Annotation):
                stop = _find_prose_end(text, end, len(item.prose))
            kind, name = _identify_item(item, text)
            ordinal = sum(key[:2] == (kind, name) for key in items)
            # A blank line before an item sets it apart, and moves along.
            items[kind, name, ordinal] = text[at:stop].rstrip(b"\n").removeprefix(b"\n")
            at = stop
        return cls(text[:opening] + _GAP + text[at:].lstrip(), items)


def _find_prose_end(text: bytes, at: int, number: int) -> int:
    """Behind so many lines of comments below an annotation: they are what it says."""
    for _ in range(number):
        comment = text.find(b"--", at)
        end = text.find(b"\n", comment)
        at = len(text) if end < 0 else end
    return at


def _identify_item(item: Item, text: bytes) -> tuple[str, str]:
    match item:
        case Field(name=name) | Parameter(name=name) | Derived(name=name):
            return "field", name.text
        case Clause(keyword=keyword):
            return "clause", keyword
        case Transitions(field=field):
            return "transitions", field.text
        case Invariant(name=name):
            return "invariant", name.text
        case Annotation(kind=kind, name=name):
            return f"@{kind}", name.text if name else ""
    return type(item).__name__, text[item.start : item.end].decode("utf-8", "replace")
