"""The items of one declaration by what identifies them, and what each of them says."""

import re
from collections.abc import Mapping

from git_retcon.allium.store.declaration_block import Block
from git_retcon.allium.store.declared_facts import read_facts
from git_retcon.allium.store.module_text import MARKER, DeclarationText

ItemKey = tuple[str, str, object]


def read_items(declaration: DeclarationText) -> Mapping[str, str]:
    facts = read_facts(MARKER + declaration.text)
    return {item: said for (_, _, item), said in facts.items() if item}


def wrap_item(kind: str, item: bytes | None) -> bytes:
    """An item as a module of its own, whose one declaration has it."""
    head = "entity X" if kind == "variant" else "config" if kind == "config" else f"{kind} X"
    return MARKER + head.encode() + b" {\n" + (item or b"") + b"\n}\n"


def name_items(kind: str, text: bytes) -> frozenset[str]:
    """The names of the facts that an item of a declaration of this kind says."""
    return frozenset(item for _, _, item in read_facts(wrap_item(kind, text)) if item)


def key_items(spec_kind: str, block: Block) -> Mapping[ItemKey, bytes]:
    """Items by what identifies them; of ``requires`` and ``ensures`` that is all they say."""
    keyed: dict[ItemKey, bytes] = {}
    for (kind, name, ordinal), text in block.items.items():
        if kind == "clause" and name != "when":
            keyed[kind, name, _spell_clause(spec_kind, text)] = text
        else:
            keyed[kind, name, ordinal] = text
    return keyed


def _spell_clause(spec_kind: str, text: bytes) -> str:
    """What a clause says, without the comments at it."""
    if b"--" not in text:  # parsing each takes long
        return b" ".join(text.split()).decode("utf-8", "replace")
    return next((item for _, _, item in read_facts(wrap_item(spec_kind, text)) if item), "")


def name_wholes(item: str) -> frozenset[str]:
    """What a question about an item may call it: as it is, the state machine or the enum that it is
    of, or the keyword of its clause.
    """
    return frozenset((item, name_whole(item), find_keyword(item)))


def find_keyword(item: str) -> str:
    return item.partition(":")[0]


def name_whole(item: str) -> str:
    """What a person is asked about: a state machine or an enum of a field, not each edge of it."""
    word, _, rest = item.partition(" ")
    if word in ("edge", "terminal"):
        return f"transitions {rest.partition(':')[0]}"
    return f"field {rest.partition('.')[0]}" if word == "state" else item


def find_word(item: str) -> str:
    """The word of an item that its source would have: a field's name, a state, a target."""
    words = re.findall(r"\w+", item)
    return words[-1] if words else item
