"""Merging two versions of a module that come from one, declaration by declaration.

What only one side changed is taken from it. What both changed alike is taken once. Where they
differ, our version stays and is a conflict, which somebody else decides.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from git_retcon.allium.store.declaration_merge import dispute_declaration, merge_declaration
from git_retcon.allium.store.merge_choice import Conflict, Versions, choose_side, merge_orders
from git_retcon.allium.store.module_text import (
    DeclarationKey,
    DeclarationText,
    cut_module,
    join_module,
)
from git_retcon.allium.store.type_names import Uses, list_references
from git_retcon.show.style import printable

BOTH_CHANGED = "changed it each in its way"


class MergedModule(NamedTuple):
    """The text of both sides together, and what they disagree about.

    ``has_two_heads``: each changed the comments at the top in its way, and ours stay.
    """

    content: bytes
    conflicts: Sequence[Conflict]
    has_two_heads: bool = False


def merge_modules(base: bytes, ours: bytes, theirs: bytes) -> MergedModule:
    """Merge a module; ``base`` is empty where the sides have none in common."""
    return _merge_module(base, ours, theirs, lambda conflict: None)


def mark_conflicts(
    base: bytes,
    ours: bytes,
    theirs: bytes,
    mark: Callable[[Conflict], bytes | None],
    disputed: Collection[DeclarationKey] = (),
) -> MergedModule:
    """The same, with the text that ``mark`` gives in the place of each conflict.

    A ``disputed`` declaration in which the sides differ is a conflict as a whole.
    """
    return _merge_module(base, ours, theirs, mark, disputed)


def _merge_module(
    base: bytes,
    ours: bytes,
    theirs: bytes,
    mark: Callable[[Conflict], bytes | None],
    disputed: Collection[DeclarationKey] = (),
) -> MergedModule:
    if ours == theirs or base == theirs:
        return MergedModule(ours, ())
    if base == ours:
        return MergedModule(theirs, ())
    sides = [cut_module(content) if content else None for content in (base, ours, theirs)]
    one, two, three = ({p.key: p for p in side.declarations} if side else {} for side in sides)
    texts: dict[DeclarationKey, bytes] = {}
    conflicts: list[Conflict] = []
    dropped: list[bytes] = []
    # What only the base had was removed by both sides and has no place to look for.
    for key in _order_declarations(tuple(two), tuple(three)):
        versions = Versions(
            *(each[key].text if key in each else None for each in (one, two, three))
        )
        if key in disputed and versions.ours != versions.theirs:
            merged = dispute_declaration(key[0], key[1], versions, mark)
        else:
            merged = merge_declaration(key[0], key[1], versions, mark)
        conflicts += merged.conflicts
        if merged.text is not None:
            texts[key] = merged.text
        elif key[0] == "use":
            dropped.append(versions.ours or versions.theirs or b"")
    head = choose_side(Versions(*(side.head if side else None for side in sides)))
    missed = _list_missed(dropped, texts.values())
    content = join_module(head.text or b"", [*missed, *texts.values()])
    return MergedModule(content, conflicts, head.is_conflict)


def _list_missed(uses: Collection[bytes], texts: Collection[bytes]) -> list[bytes]:
    """The ``use`` lines that one side took out, and the other goes on to need."""
    if not uses:
        return []
    needed = {reference.alias for text in texts for reference in list_references(text)}
    needed -= {alias for text in texts for alias in _list_aliases(text)}
    return [each for each in uses if not needed.isdisjoint(_list_aliases(each))]


def _list_aliases(text: bytes) -> Collection[str]:
    return Uses(b"", cut_module(text).declarations).list_aliases().values()


def _order_declarations(
    ours: Sequence[DeclarationKey], theirs: Sequence[DeclarationKey]
) -> Sequence[DeclarationKey]:
    """All of both sides; what a module uses comes first where it does so on both."""
    order = merge_orders(ours, theirs)
    sides = ([key[0] != "use" for key in keys] for keys in (ours, theirs))
    if any(side != sorted(side) for side in sides):
        return order
    return sorted(order, key=lambda key: key[0] != "use")


def make_question(question: str) -> DeclarationText:
    """An ``open question`` of one line."""
    # Without escapes, the question's name reads back as it was written. A commit's subject may hold
    # control characters, and bytes that are no text.
    line = " ".join(printable(question).replace("\\", "/").replace('"', "'").split())
    return DeclarationText("open question", line, 0, f'open question "{line}"'.encode(), ())


def ask_about(conflicts: Sequence[Conflict], sides: tuple[str, str]) -> Iterator[DeclarationText]:
    """An open question for each conflict: what stays, and where the other version is."""
    for conflict in conflicts:
        said = f"{sides[0]} and {sides[1]} {BOTH_CHANGED}; {_describe_outcome(conflict, sides)}"
        if conflict.why:
            said = f"{conflict.why}, since {sides[0]} and {sides[1]} came together"
        yield make_question(f"{conflict.title}: {said}. Which one is right?")


def _describe_outcome(conflict: Conflict, sides: tuple[str, str]) -> str:
    if conflict.ours is None:
        return f"{sides[0]} removed it, and the version of {sides[1]} stays"
    if conflict.theirs is None:
        return f"{sides[1]} removed it, and the version of {sides[0]} stays"
    return f"the version of {sides[0]} stays"
