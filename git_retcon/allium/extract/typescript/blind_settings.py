"""Fields that a class sets without saying to what: they may leave any state there.

``Object.assign(this, changes)``, ``this[key] = value`` and ``({ status: this.status } = changes)``.
What makes an object begins there, and leaves no state.
"""

import re
from collections.abc import Collection, Iterator

from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_children, read_name, read_text

_ANY = re.compile(
    # An object that is written out says what it has.
    r"\bObject\.assign\(\s*this\s*,(?!\s*\{(?:(?!\.{3})[^{}[])*\}\s*\))"
    r"|\bObject\.definePropert(?:y|ies)\(\s*this\s*,"
    r"|\bReflect\.(?:set|defineProperty)\(\s*this\b"
    r"|\bthis(?:\s+as\s+[\w$<>., ]+\))?\s*\[(?!\s*(?:'[^']*'|\"[^\"]*\")\s*\])[^\]]*\]"
    r"\s*[^\s\w=!<>]{0,2}=(?![=>])"
)
_PARTS = (
    r"\bfor\s*\(\s*{place}\s+(?:of|in)\b",
    r"{place}\s*(?:=[^,}}\]]*)?(?:,[^;()]*)?[}}\]]\s*=(?![=>])",
    r"{place}\s*(?:\+\+|--|[-+*/%&|^]=)|(?:\+\+|--)\s*{place}",
)


def list_blind(body: Node | None, owner: str, symbols: Collection[str]) -> Iterator[str]:
    """Those of these fields of the class ``owner``."""
    text = "\n".join(_list_texts(body))
    is_any = _ANY.search(text) is not None
    given = re.findall(rf"(?<![\w$.])([\w$]+)\s*\??\s*:\s*{re.escape(owner)}\b(?![.<\[])", text)
    for each in symbols:
        name = re.escape(each)
        parts = [part.format(place=rf"\bthis\.#?{name}\b") for part in _PARTS]
        others = "|".join(map(re.escape, dict.fromkeys(given)))
        if others:  # of which a constant says the state
            parts.append(
                rf"(?<![\w$.])(?:{others})[!?]?\.#?{name}\s*=(?![=>])\s*"
                r"(?!(?:[A-Z][\w$]*(?:\.[\w$]+)+|'[^']*'|\"[^\"]*\")\s*[;\n}])"
            )
        if is_any or any(re.search(part, text) for part in parts):
            yield each


def _list_texts(body: Node | None) -> Iterator[str]:
    """The code of what an object does behind its constructor."""
    for item in list_children(body):
        is_static = any(each.type == "static" for each in item.children)
        if not is_static and read_name(item) != "constructor":
            yield read_text(item)
