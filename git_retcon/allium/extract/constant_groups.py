"""States that are constants of another file, each alone: ``import { STATE_OPEN } from './states'``.

No type names them together. A field that its class gives such constants has the type of them all,
``STATE_OPEN|STATE_CLOSED``, which is one where each of them is found and is another value.
"""

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from git_retcon.allium.extract.source_facts import DEFAULT, Choice, FileFacts, Import
from git_retcon.allium.extract.spelling import is_plain, name_values, spell_words

_JOINED = "|"
_DEEPEST = 8  # files that pass on what others have
_TEXT = re.compile(r"[\w-]+")
# What a constant means of which only the name is known: it equals no value of a source.
UNKNOWN = ()
_LARGEST = 19  # what is larger is an amount

ReadFile: TypeAlias = Callable[[bytes], FileFacts | None]


def join_names(names: Sequence[str]) -> str:
    """The type of a field that is given constants with these names."""
    return _JOINED.join(names)


def is_group(dotted: str) -> bool:
    """Whether it is the type of several constants."""
    return _JOINED in dotted


def find_group(read: ReadFile, path: bytes, dotted: str) -> tuple[Choice, ...]:
    """The constants of a group that a file names, as states; none where one of them is no state, or
    two are the same. Those of which none is found have their names alone.
    """
    symbols = dotted.split(_JOINED)
    found = [_find_constant(read, path, each, 0) for each in symbols]
    if not any(found):
        facts = read(path)
        return tuple(facts.choices.get(dotted, ())) if facts is not None else ()
    stored = [each.stored for each in found if each is not None]
    if len({*stored}) < len(symbols) or not all(map(is_code, stored)):
        return ()
    names = name_constants(symbols, stored)
    return tuple(
        Choice(value, symbol.rpartition(".")[2], name)
        for value, symbol, name in zip(stored, symbols, names, strict=False)
    )


def name_alone(symbols: Sequence[str]) -> tuple[Choice, ...]:
    """Constants of which nobody knows what they mean, as states; none as `name_constants`."""
    names = name_constants(symbols, [UNKNOWN for _ in symbols])
    return tuple(
        Choice(UNKNOWN, symbol.rpartition(".")[2], name)
        for symbol, name in zip(symbols, names, strict=False)
    )


def is_code(stored: object) -> bool:
    """Whether a constant may be a state by its value."""
    if isinstance(stored, int):
        return -_LARGEST <= stored <= _LARGEST
    return isinstance(stored, str) and _TEXT.fullmatch(stored) is not None


def name_constants(symbols: Sequence[str], stored: Sequence[object]) -> tuple[str, ...]:
    """The names of constants as states: their texts, or what they are called without what all begin
    with; none where the language cannot have them, or two would be the same.
    """
    texts = [each for each in stored if isinstance(each, str)]
    names = name_values(texts) if len(texts) == len(stored) else _shorten_names(symbols)
    is_known = len({*names}) == len(stored) and all(map(is_plain, names))
    return names if is_known else ()


def _shorten_names(symbols: Sequence[str]) -> tuple[str, ...]:
    words = [spell_words(each.rpartition(".")[2]).split("_") for each in symbols]
    while len({each[0] for each in words}) == 1 and all(len(each) > 1 for each in words):
        words = [each[1:] for each in words]
    return tuple("_".join(each) for each in words)


def _find_constant(read: ReadFile, path: bytes, dotted: str, depth: int) -> Choice | None:
    facts = read(path) if depth <= _DEEPEST else None
    if facts is None:
        return None
    alone = facts.choices.get(dotted, ())
    if len(alone) == 1:
        return alone[0]
    first, _, rest = dotted.partition(".")
    stars = [each for name, each in facts.imports.items() if name.startswith("*")]
    own = [facts.imports[first]] if first in facts.imports else []
    listed = ((each, rest) for each in own), ((each, dotted) for each in stars)
    for imported, name in (each for part in listed for each in part):
        found = _follow_import(read, imported, name, depth + 1)
        if found is not None:
            return found
    return None


def _follow_import(read: ReadFile, imported: Import, rest: str, depth: int) -> Choice | None:
    is_whole = imported.symbol in ("", DEFAULT, "*")
    full = rest if is_whole else f"{imported.symbol}.{rest}".strip(".")
    found = (_find_constant(read, each, full, depth) for each in imported.targets if full)
    return next((each for each in found if each is not None), None)
