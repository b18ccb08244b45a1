"""Merging two versions of one declaration that come from one: by its comments, its items, and in
these by the values of an enum and the edges of a state machine. What is left of a conflict is the
smallest of them that both sides changed.
"""

import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from git_retcon.allium.store.carried_comments import carry_comments, strip_comments
from git_retcon.allium.store.declaration_block import Block
from git_retcon.allium.store.merge_choice import (
    Conflict,
    Versions,
    choose_side,
    merge_lists,
    merge_orders,
)
from git_retcon.allium.store.module_text import list_comments, read_citation
from git_retcon.allium.store.spec_errors import list_errors

# The text for the place of a conflict, where it is not our version that stays.
Mark = Callable[[Conflict], bytes | None]
# (kind, name, which of several)
_ItemKey = tuple[str, str, object]
_Items: TypeAlias = Mapping[tuple[str, str, int], bytes]
# Clauses of which a rule may have many, in any number.
_REPEATED = frozenset({"requires", "ensures"})
_GUIDANCE = "@guidance"


class MergedDeclaration(NamedTuple):
    """The text of both sides together, None where it is gone, and what they disagree about."""

    text: bytes | None
    conflicts: Sequence[Conflict] = ()


class _Piece(NamedTuple):
    """An item that stays, and what was disputed of it."""

    text: bytes
    conflict: Conflict | None = None

    def show(self, mark: Mark) -> bytes:
        """Its text, marked where it is disputed."""
        marked = mark(self.conflict) if self.conflict is not None else None
        if marked is None:
            return self.text
        # A blank line before an item is before its markers.
        blank = len(self.text) - len(self.text.lstrip(b"\n"))
        return self.text[:blank] + marked


def merge_declaration(kind: str, name: str, versions: Versions, mark: Mark) -> MergedDeclaration:
    """Merge the three versions of one declaration."""
    choice = choose_side(versions)
    if not choice.is_conflict:
        return MergedDeclaration(choice.text)
    merged = _merge_parts(kind, name, versions, mark)
    if merged is not None:
        return merged
    return dispute_declaration(kind, name, versions, mark)


def dispute_declaration(kind: str, name: str, versions: Versions, mark: Mark) -> MergedDeclaration:
    """A conflict about all of a declaration, of which the sides have different versions."""
    conflict = Conflict(kind, name, *versions)
    kept = versions.theirs if versions.ours is None else versions.ours
    return MergedDeclaration(mark(conflict) or kept, [conflict])


def _merge_parts(kind: str, name: str, versions: Versions, mark: Mark) -> MergedDeclaration | None:
    """The comments above and the rest, each merged; None where that cannot be."""
    if versions.ours is None or versions.theirs is None:
        return None
    base, ours, theirs = (_cut_comments(text) if text is not None else None for text in versions)
    assert ours is not None
    assert theirs is not None
    above = _merge_comments(base[0] if base else (), ours[0], theirs[0])
    if above is None:
        return None
    bodies = Versions(base[1] if base else None, ours[1], theirs[1])
    choice = choose_side(bodies)
    # Two that were made apart have only their name in common: who means what is not for us to say.
    if choice.is_conflict and bodies.base is None:
        return None
    merged = MergedDeclaration(choice.text)
    if choice.is_conflict:
        values = _merge_values(bodies, _enum_pattern())
        found = MergedDeclaration(values) if values else _merge_items(kind, name, bodies, mark)
        if found is None:
            return None
        if not found.conflicts and _has_new_errors(bodies, found.text or b""):
            return None
        merged = found
    return merged._replace(text=b"\n".join([*above, merged.text or b""]))


def _has_new_errors(bodies: Versions, merged: bytes) -> bool:
    """Whether a declaration has errors that neither side had, such as an edge to a state that one
    side removed. What other declarations hold is unknown to all three alike.
    """
    known = list_errors(bodies.ours or b"") | list_errors(bodies.theirs or b"")
    return not list_errors(merged) <= known


def _cut_comments(text: bytes) -> tuple[Sequence[bytes], bytes]:
    """The lines of comments at the beginning, and the rest."""
    lines = text.split(b"\n")
    end = next((at for at, line in enumerate(lines) if not line.startswith(b"--")), len(lines))
    return lines[:end], b"\n".join(lines[end:])


def _merge_comments(
    base: Sequence[bytes], ours: Sequence[bytes], theirs: Sequence[bytes]
) -> Sequence[bytes] | None:
    """Citations are a list; None where both sides changed what the other comments say."""
    prose = [
        b"\n".join(line for line in lines if not _is_citation(line))
        for lines in (base, ours, theirs)
    ]
    if choose_side(Versions(*prose)).is_conflict:
        return None
    numbered = (_number_lines(lines) for lines in (base, ours, theirs))
    merged = [line for line, _ in merge_lists(*numbered)]
    marked = ([not _is_citation(line) for line in lines] for lines in (ours, theirs))
    if any(side != sorted(side) for side in marked):
        return merged
    return sorted(merged, key=lambda line: not _is_citation(line))


def _number_lines(lines: Sequence[bytes]) -> Sequence[tuple[bytes, int]]:
    """Each line with how many like it are before it, so that no two are alike."""
    return [(line, lines[:at].count(line)) for at, line in enumerate(lines)]


def _is_citation(line: bytes) -> bool:
    return read_citation(line.removeprefix(b"--").strip().decode("utf-8", "replace")) is not None


def _merge_items(kind: str, name: str, bodies: Versions, mark: Mark) -> MergedDeclaration | None:
    """The declaration with the items of both sides; None where that cannot be."""
    base, ours, theirs = map(Block.read, bodies)
    if ours is None or theirs is None or (bodies.base is not None and base is None):
        return None
    frame = choose_side(Versions(base.frame if base else None, ours.frame, theirs.frame))
    if frame.is_conflict or frame.text is None:
        return None
    was = base.items if base else {}
    if not _can_align(was, ours.items, theirs.items):
        return None
    known, mine, other = (_align_clauses(was, items) for items in (was, ours.items, theirs.items))
    pieces: dict[_ItemKey, _Piece] = {}
    for key in _order_items(mine, other):
        versions = Versions(known.get(key), mine.get(key), other.get(key))
        piece = _merge_item(Conflict(kind, name, *versions, item=_name_item(key)))
        if piece is not None:
            pieces[key] = piece
    if not _join_alike(pieces):
        return None
    block = Block(frame.text, {})
    text = block.join([piece.text for piece in pieces.values()])
    if text is None:
        return None
    conflicts = [piece.conflict for piece in pieces.values() if piece.conflict is not None]
    if conflicts:
        text = block.lay_out(piece.show(mark) for piece in pieces.values())
    return MergedDeclaration(text, conflicts)


def _can_align(base: _Items, ours: _Items, theirs: _Items) -> bool:
    """Whether each item of a side has one that it was in the base, beyond doubt."""
    for kind, name in {key[:2] for key in (*base, *ours, *theirs)}:
        # Items without a name (a loop, a ``let``) are known by their text alone.
        is_nameless = kind[:1].isupper()
        one, two, three = (
            [
                b" ".join(text.split())
                for key, text in items.items()
                if key[0] == kind and (is_nameless or key[1] == name)
            ]
            for items in (base, ours, theirs)
        )
        if kind == "clause" and name in _REPEATED:
            if any(len(set(texts)) < len(texts) for texts in (one, two, three)):
                return False
        elif (
            is_nameless or max(len(one), len(two), len(three)) > 1
        ) and one != two != three != one:
            return False
    return True


def _join_alike(pieces: dict[_ItemKey, _Piece]) -> bool:
    """Keep one of two clauses that say the same, where one side put in a new place what the other
    put in the place of something else. False where a side would lose something by that.
    """
    disputed = {
        b" ".join(text.split())
        for piece in pieces.values()
        if piece.conflict is not None
        for text in (piece.conflict.ours, piece.conflict.theirs)
        if text is not None
    }
    said: set[bytes] = set()
    for key, piece in list(pieces.items()):
        text = b" ".join(piece.text.split())
        if key[1] not in _REPEATED or piece.conflict is not None:
            continue
        if text in disputed:
            return False
        if text in said:
            del pieces[key]
        said.add(text)
    return True


def _name_item(key: _ItemKey) -> str:
    """For people: "field total", "requires"."""
    kind, name, _ = key
    return name if kind == "clause" else f"{kind} {name}".strip()


def _align_clauses(base: _Items, side: _Items) -> Mapping[_ItemKey, bytes]:
    """The items of a side by what they are in the base. A clause of which there are many is what
    it was there where it says the same or is in the same place; else it is new.
    """
    found: dict[_ItemKey, bytes] = {}
    numbers = {word: iter(_align_texts(*(_list_clauses(each, word) for each in (base, side))))
               for word in _REPEATED}  # fmt: skip
    for (kind, name, ordinal), text in side.items():
        is_repeated = kind == "clause" and name in _REPEATED
        found[kind, name, next(numbers[name]) if is_repeated else ordinal] = text
    return found


def _list_clauses(items: _Items, word: str) -> Sequence[bytes]:
    return [b" ".join(text.split()) for key, text in items.items() if key[:2] == ("clause", word)]


def _align_texts(base: Sequence[bytes], side: Sequence[bytes]) -> Iterator[object]:
    """For each text of a side its number in the base, or the text itself where it is new.

    One that is not in the base takes the place of the one that was there, if that is gone.
    """
    numbers = {text: at for at, text in enumerate(base)}
    gone = {at for at, text in enumerate(base) if text not in side}
    place = 0
    for text in side:
        number = numbers.get(text, place if place in gone else None)
        if number is None:
            yield text
            continue
        gone.discard(number)
        place = number + 1
        yield number


def _order_items(
    ours: Mapping[_ItemKey, bytes], theirs: Mapping[_ItemKey, bytes]
) -> Sequence[_ItemKey]:
    """The items of both sides; guidance closes a declaration."""
    return sorted(merge_orders(tuple(ours), tuple(theirs)), key=lambda key: key[0] == _GUIDANCE)


def _merge_item(disputed: Conflict) -> _Piece | None:
    """What becomes of an item, given as if it were disputed; None: it is gone."""
    versions = Versions(disputed.base, disputed.ours, disputed.theirs)
    choice = choose_side(versions)
    if not choice.is_conflict:
        return _Piece(choice.text) if choice.text is not None else None
    merged = _merge_values(versions, _states_pattern()) or _merge_transitions(versions)
    if merged is None:
        merged = _merge_comment(versions)
    if merged is not None:
        return _Piece(merged)
    bare = (each.lstrip(b"\n") if each is not None else None for each in versions)
    one, two, three = bare
    assert choice.text is not None, "what both sides removed is no conflict"
    return _Piece(choice.text, disputed._replace(base=one, ours=two, theirs=three))


def _merge_comment(versions: Versions) -> bytes | None:
    """An item at which one side only wrote comments, as the other side has it, with them."""
    base, ours, theirs = versions
    if base is None or ours is None or theirs is None:
        return None
    known = {*list_comments(base)}
    for commented, changed in ((ours, theirs), (theirs, ours)):
        is_same = strip_comments(commented) == strip_comments(base)
        if is_same and known <= {*list_comments(commented)}:
            return carry_comments(commented, changed, lambda each: each not in known)
    return None


def _merge_sets(
    base: Sequence[bytes], ours: Sequence[bytes], theirs: Sequence[bytes]
) -> Sequence[bytes] | None:
    """Both lists together; None where each side took something out, and they differ: if each put
    another in the place of one, they are two answers, and both would be wrong.
    """
    one, two, three = map(set, (base, ours, theirs))
    if one - two and one - three and two != three:
        return None
    return merge_lists(base, ours, theirs)


def _merge_values(versions: Versions, pattern: "re.Pattern[bytes]") -> bytes | None:
    """A list of values between pipes, value by value; None for anything else."""
    matches = [pattern.fullmatch(text) if text is not None else None for text in versions]
    base, ours, theirs = matches
    if base is None or ours is None or theirs is None:
        return None
    head, tail = (
        choose_side(Versions(base[part], ours[part], theirs[part])) for part in ("head", "tail")
    )
    lists = (re.split(rb"\s*\|\s*", match["values"]) for match in (base, ours, theirs))
    values = _merge_sets(*lists)
    if values is None:
        return None
    text = b"".join([head.text or b"", b" | ".join(values), tail.text or b""])
    # One value alone, left of two, is the name of something else.
    is_whole = pattern.fullmatch(text) is not None
    return text if is_whole and not (head.is_conflict or tail.is_conflict) else None


def _merge_transitions(versions: Versions) -> bytes | None:
    """A state machine, edge by edge; None for anything else, and for another layout than ours."""
    matches = [_graph_pattern().fullmatch(text or b"") for text in versions]
    base, ours, theirs = matches
    if base is None or ours is None or theirs is None:
        return None
    head, foot = (
        choose_side(Versions(base[part], ours[part], theirs[part])) for part in ("head", "foot")
    )
    if head.is_conflict or foot.is_conflict:
        return None
    found = (base, ours, theirs)
    edges = _merge_sets(*(match["edges"].splitlines(keepends=True) for match in found))
    # Which states are last follows from the edges: two sides may each go on from the same one.
    ends = merge_lists(*(re.split(rb",\s*", match["ends"] or b"") for match in found))
    words = b", ".join(filter(None, ends))
    if edges is None or (not words and ours["ends"] and theirs["ends"]):
        return None
    terminal = [b"        terminal: " + words + b"\n"] if words else []
    return b"".join([head.text or b"", *edges, *terminal, foot.text or b""])


@functools.cache
def _graph_pattern() -> "re.Pattern[bytes]":
    return re.compile(
        rb"(?P<head>(?:.*\n)*?[ ]+transitions \w+ \{\n)"
        rb"(?P<edges>(?:[ ]+\w+ -> \w+\n)*)(?:[ ]+terminal: (?P<ends>\w+(?:, *\w+)*)\n)?"
        rb"(?P<foot>[ ]+\}(?:[ ]*--.*)?)"
    )


@functools.cache
def _states_pattern() -> "re.Pattern[bytes]":
    value = rb"(?:\w+|`[^`\n]*`)"
    return re.compile(
        rb"(?P<head>(?:.*\n)*?[ ]*\w+:[ ])(?P<values>%b(?:[ ]*\|[ ]*%b)+)(?P<tail>\??(?:[ ]*--.*)?)"
        % (value, value)
    )


@functools.cache
def _enum_pattern() -> "re.Pattern[bytes]":
    value = rb"(?:\w+|`[^`\n]*`)"
    return re.compile(
        rb"(?P<head>enum \w+ \{ )(?P<values>%b(?:[ ]*\|[ ]*%b)*)(?P<tail> \}(?:[ ]*--.*)?)"
        % (value, value)
    )
