"""String literals: escapes taken off, interpolated names found."""

import functools
import re

from git_retcon.allium.language.expressions import Text
from git_retcon.allium.language.tokens import decode_text


def read_string(text: str, start: int) -> Text:
    """The value of a string token, quotes included."""
    inner = text[1:-1]
    names: list[str] = []
    if "{" in inner:
        names = [decode_text(match[1]) for match in _string_part().finditer(inner) if match[1]]
    if "\\" in inner:
        inner = _string_part().sub(lambda match: match[2] or match[0], inner)
    return Text(start, start + len(text), decode_text(inner), tuple(names))


@functools.cache
def _string_part() -> re.Pattern[str]:
    # What is escaped opens no interpolation, so both are found in one pass.
    return re.compile(r"\{([^}]*)\}|\\(.)")
