"""The values that an attribute gets, and their names as states."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from git_retcon.allium.extract.source_facts import Choice
from git_retcon.allium.extract.spelling import is_plain, is_value, name_values
from git_retcon.allium.extract.state_words import cut_shared_words

_WORD = re.compile(r"[A-Za-z]\w*(?:-\w+)*")


class Value(NamedTuple):
    """One value that an attribute gets: as it is stored, and the name of its constant."""

    stored: object
    symbol: str
    is_foreign: bool = False  # another file has it


def is_group(values: Sequence[Value]) -> bool:
    """Whether they are constants, or words, enough to need no comparison."""
    is_alike = all(each.symbol for each in values) or all(is_word(each.stored) for each in values)
    return is_alike and len({each.stored for each in values}) > 2


def is_word(stored: object) -> bool:
    """Whether a text has no spaces in it, as messages do."""
    return isinstance(stored, str) and _WORD.fullmatch(stored) is not None


def is_like(asked: Value, values: Sequence[Value]) -> bool:
    """Whether a constant that an attribute is asked for is named like those that it gets."""
    words = [each.symbol.strip("_").split("_") for each in (asked, *values)]
    is_longer = min(map(len, words)) > 1 and len(values) > 1
    is_same = len({each[0] for each in words}) == 1 or len({each[-1] for each in words}) == 1
    return is_longer and is_same


def is_of_kind(asked: Value, values: Sequence[Value]) -> bool:
    """Whether a constant is as those that an attribute gets: a text or a number, of this file or
    of another one.
    """
    kinds = {(type(each.stored), each.is_foreign) for each in (asked, *values)}
    return len(kinds) == 1 and all(each.symbol for each in values)


def spell_values(values: Sequence[Value]) -> tuple[Choice, ...]:
    """The values under their names; none where they are of two kinds, or not apart."""
    stored: dict[object, str] = {}
    for value in values:
        known = stored.get(value.stored)
        if known and value.symbol and known != value.symbol:
            return ()
        stored[value.stored] = value.symbol or known or ""
    texts = {each: symbol for each, symbol in stored.items() if isinstance(each, str)}
    if texts and len(texts) < len(stored):
        return ()
    # Texts that the language writes in quotes alone have the names of their constants.
    if texts and (all(map(is_plain, texts)) or not all(texts.values())):
        named = zip(texts.items(), name_values(texts), strict=True)
        is_readable = all(map(is_value, texts))
        return tuple(Choice(*each, name) for each, name in named) if is_readable else ()
    names = cut_shared_words([*stored.values()])
    if len({*names}) < len(names) or not all(map(is_plain, names)):
        return ()
    return tuple(
        Choice(each, symbol, name)
        for (each, symbol), name in zip(stored.items(), names, strict=True)
    )
