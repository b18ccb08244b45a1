"""What is known of the two sides of a comparison: of a source file, and of what people wrote."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from git_retcon.allium.extract.spelling import spell_type_name
from git_retcon.allium.reconcile.spec_index import Place, list_symbols
from git_retcon.allium.store.declared_facts import FactName, is_comment, name_comment
from git_retcon.allium.store.module_text import DeclarationText


class Sides(NamedTuple):
    """What is known of one file: what it declared before, in any earlier tree, by kind and name;
    what people wrote of the specification; and the sections in which somebody accepted that they
    differ. ``read`` gives the bytes that a file has now.
    """

    path: str
    before: Mapping[tuple[str, str], Sequence[DeclarationText]]
    hand_edits: AbstractSet[FactName]
    accepted: AbstractSet[str] = frozenset()
    read: Callable[[str], bytes] = lambda path: b""

    def speaks_of(self, name: str) -> bool:
        """Whether a word is anywhere in the file."""
        return _speaks_of(self.read(self.path), name)

    def is_first_source(self, place: Place) -> bool:
        """Whether it is the file for whose entity a rule was read, and not one that lends it."""
        first = next(iter(list_symbols(place.declaration)), ("", ""))
        return first[0] == self.path

    def is_inherited_gone(self, place: Place) -> bool:
        """Whether no file speaks of a rule that cites several, as one that is inherited. The types
        that it is about may still be there.
        """
        if place.declaration.kind != "rule":
            return False
        names = [
            (path, symbol.rpartition(".")[2]) for path, symbol in list_symbols(place.declaration)
        ]
        cited = [(path, name) for path, name in names if name == names[0][1]]
        return not any(_speaks_of(self.read(path), name) for path, name in cited)

    def is_by_hand(self, spec: DeclarationText, items: AbstractSet[str] = frozenset()) -> bool:
        """Whether a person wrote or removed the declaration, or one of these items of it."""
        return any(
            (spec.kind, name, item) in self.hand_edits
            for name in list_names(spec)
            for item in ("", *items)
        )

    def has_items_by_hand(self, spec: DeclarationText) -> bool:
        """Whether a person wrote or removed any item of the declaration; comments are none."""
        names = {*list_names(spec)}
        return any(
            kind == spec.kind and name in names and item and not is_comment(item)
            for kind, name, item in self.hand_edits
        )

    def is_comment_by_hand(self, spec: DeclarationText, comment: str) -> bool:
        """Whether a person wrote a comment at a declaration."""
        names = (name_comment(spec.kind, name, comment) for name in list_names(spec))
        return not self.hand_edits.isdisjoint(names)


def list_names(spec: DeclarationText) -> Iterator[str]:
    """What a declaration is called, and what it was before it moved to a module in which another
    one had its name: then it begins with the name of its file.
    """
    yield spec.name
    symbol = next((symbol for _, symbol in list_symbols(spec)), "")
    first = spell_type_name(symbol.partition(".")[0])
    at = spec.name.find(first, 1) if first else -1
    if at > 0:
        yield spec.name[at:]
        yield spec.name[at:].rstrip("0123456789")


def _speaks_of(content: bytes, name: str) -> bool:
    return re.search(rb"\b%b\b" % re.escape(name.encode()), content) is not None
