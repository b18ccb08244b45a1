"""A text that fits a regular expression, by chance: the same one for the same seed."""

import random
import re
import warnings
from typing import Any

# Where a pattern may repeat without end, it repeats at most this much more than it must.
_MORE = 10

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import sre_constants as codes
    import sre_parse


def make_sample(pattern: str, chance: random.Random) -> str:
    """Raises NotImplementedError for what looks around or back."""
    readable = re.sub(r"\(\?i\)", "", pattern.replace("[[:alnum:]]", "[A-Za-z0-9]"))
    return _make(sre_parse.parse(readable), chance)


def _make(parsed: Any, chance: random.Random) -> str:
    return "".join(_make_one(code, value, chance) for code, value in parsed)


def _make_one(code: Any, value: Any, chance: random.Random) -> str:
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.NOT_LITERAL:
        return chance.choice([char for char in _PRINTABLE if char != chr(value)])
    if code is codes.ANY:
        return chance.choice(_PRINTABLE)
    if code is codes.IN:
        return chance.choice(_list_characters(value))
    if code is codes.BRANCH:
        return _make(chance.choice(value[1]), chance)
    if code is codes.SUBPATTERN:
        return _make(value[3], chance)
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        least, most, inner = value
        count = chance.randint(least, min(int(most), least + _MORE))
        return "".join(_make(inner, chance) for _ in range(count))
    if code is codes.AT:
        return ""
    raise NotImplementedError(str(code))


_PRINTABLE = [chr(number) for number in range(0x21, 0x7F)]


def _list_characters(items: Any) -> list[str]:
    if items[0][0] is codes.NEGATE:
        barred = set(_list_characters(items[1:]))
        return [char for char in _PRINTABLE if char not in barred]
    found: list[str] = []
    for code, value in items:
        if code is codes.LITERAL:
            found.append(chr(value))
        elif code is codes.RANGE:
            found += [chr(number) for number in range(value[0], value[1] + 1)]
        else:
            found += [c for c in _PRINTABLE if re.match(_CLASSES[value], c, re.ASCII)]
    return found


_CLASSES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_SPACE: r"\s",
}
