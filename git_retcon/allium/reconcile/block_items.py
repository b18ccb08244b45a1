"""The items of one declaration by what identifies them, and what each of them says."""

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
