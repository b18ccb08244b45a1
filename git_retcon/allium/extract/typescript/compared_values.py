"""What a class compares a field with: ``this.state === 'open'``, ``[A, B].includes(this.state)``.

The code of a class is searched as text, for the field and for its accessors.
"""

import re
from collections.abc import Sequence

from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text
from git_retcon.allium.extract.typescript.accessors import (
    list_accessors,
    list_getters,
    list_refusing_setters,
)
from git_retcon.allium.extract.typescript.own_names import match_owner

# A text in quotes, a name of up to three parts, or a constant of the object itself; a call is
# none.
_NAMED = r"""['"][\w-]+['"]|(?<![\w.])(?!this\b)[A-Za-z_$][\w$]*(?:\.[\w$]+){0,2}(?![\w.(])"""
_NAMED += r"|(?<![\w.])this\.[A-Z][A-Z\d_]+(?![\w.(])"
_BEHIND = re.compile(rf"\s*[!=]==?\s*({_NAMED})")
_BEFORE = re.compile(rf"({_NAMED})\s*[!=]==?\s*$")
_LONGEST = 200  # characters of a name and what is between it and the field


def match_field(body: Node, symbol: str) -> str:
    """The pattern of a field in the code of its class, and of its setters."""
    others = [*list_accessors(body, symbol), *list_refusing_setters(body, symbol)]
    others += list_getters(body, symbol)
    names = "|".join(map(re.escape, dict.fromkeys((symbol, *others))))
    return rf"{match_owner(read_text(body))}\s*\.\s*#?(?:{names})\b"


def is_compared(place: str, text: str) -> bool:
    """Whether a class, whose code is ``text``, asks the field that the pattern ``place`` finds."""
    return bool(list_compared(place, text)) or bool(re.search(rf"switch\s*\(\s*{place}\s*\)", text))


def list_compared(place: str, text: str) -> Sequence[str]:
    """What the field is compared with, or looked for among: texts in quotes, and names."""
    uses = [each.span() for each in re.finditer(place, text)]
    behind = (_BEHIND.match(text, end) for _, end in uses)
    before = (_BEFORE.search(text, max(0, start - _LONGEST), start) for start, _ in uses)
    compared = [found[1] for found in (*behind, *before) if found]
    among = rf"(?:indexOf|includes)\(\s*{place}\s*\)"
    is_listed = re.search(among, text)
    lists = re.findall(rf"\[([^\[\]]*)\]\s*\.\s*{among}", text) if is_listed else ()
    return [*compared, *(one for each in lists for one in re.findall(_NAMED, each))]
