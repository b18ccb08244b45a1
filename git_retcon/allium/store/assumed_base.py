"""What two versions of a declaration may come from, where no earlier one is known: what they say
alike.
"""

from collections.abc import Callable

from git_retcon.allium.store.declaration_block import Block
from git_retcon.allium.store.module_text import cut_comment

# Clauses of which a rule may have many: only what they say tells them apart.
_REPEATED = frozenset({"requires", "ensures"})


def assume_base(
    ours: bytes, theirs: bytes, was_taken_out: Callable[[bytes], bool] = lambda item: False
) -> tuple[bytes, bytes] | None:
    """The base, and their version with our spelling of what both say; None where that cannot be.

    In a merge with these, what only one of them has stays. Where both have an item that they say
    otherwise, the base lacks it, so that it is a conflict; the comments and what is around the
    items is ours. ``was_taken_out`` says whether somebody took an item of theirs out of ours: the
    base has it.
    """
    mine, other = Block.read(ours), Block.read(theirs)
    if mine is None or other is None:
        return None
    known = {_identify_item(key, text): text for key, text in mine.items.items()}
    items = {key: known.get(_identify_item(key, text)) for key, text in other.items.items()}
    alike = [
        text or other.items[key]
        for key, text in items.items()
        if text is not None or was_taken_out(other.items[key])
    ]
    base = other.join(alike)
    spelled = other.join([items[key] or text for key, text in other.items.items()])
    return (base, spelled) if base is not None and spelled is not None else None


def _identify_item(key: tuple[str, str, int], text: bytes) -> tuple[object, ...]:
    """What it is and says, without its comments. A clause of many is known by that alone."""
    said = b" ".join(b" ".join(cut_comment(line)[0] for line in text.split(b"\n")).split())
    kind, name, ordinal = key
    return (kind, name, 0 if name in _REPEATED else ordinal, said)
