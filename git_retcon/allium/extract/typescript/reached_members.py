"""Which members of its objects the code of a class reaches: what else has their names does not run
them.
"""

import re
from collections.abc import Iterator

from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_children, read_name

_SELF = frozenset({b"this", b"self", b"that", b"_this", b"me"})
# A member is reached behind a point, in brackets, or taken out of its object. What a call takes
# from others, or a constructor binds to the object, nothing runs there.
_REACHED = re.compile(
    rb"""//[^\n]*|/\*.*?\*/"""
    rb"""|\.%(left)s(?:[^()]|\([^()]*\))*\)"""
    rb"""|\bthis\s*\.\s*(?P<bound>[\w$]+)\s*=\s*this\s*\.\s*(?P=bound)\s*\.\s*bind\(\s*this\s*\)"""
    rb"""|\[\s*(?P<named>'[^'\n]*'|"[^"\n]*")\s*\]|'[^'\\\n]*'|"[^"\\\n]*\""""
    rb"""|(?<![\w$.])(?P<owner>[A-Za-z_$][\w$]*)"""
    rb"""(?P<chain>(?:\s*[?!]?\.\s*(?!%(left)s)[\w$]+\b)+)"""
    rb"""|(?:\.\s*\#?|\#)(?P<member>[A-Za-z_$][\w$]*)|\{(?P<taken>[^{}]*)\}\s*=\s*this\b"""
    % {b"left": rb"(?:off|removeListener|removeEventListener|unsubscribe)\("},
    re.DOTALL,
)


def list_reached(node: Node, content: bytes) -> bytes:
    """The names of a class's methods, each once, and of all members that are reached in it; behind
    them those that the rest of its file reaches and that are private by their names alone.
    """
    body = node.child_by_field_name("body")
    names = dict.fromkeys(read_name(each) for each in list_children(body))
    inner = (body.text if body is not None else None) or b""
    outer = content.replace(inner, b"")
    # What an object holds may be another one of its class.
    own = rb"(?:[:<|&(,]|\bnew\b|\bas\b)\s*%s\b(?!\s*\.)" % re.escape(read_name(node).encode())
    is_linked = re.search(own, inner) is not None
    others = (each for each in _list_members(outer, True) if each.startswith(b"_"))
    # A name with its "#" is among the members.
    plain = (each.encode() for each in names if not each.startswith("#"))
    return b" ".join((*plain, *_list_members(inner, is_linked), *others))


def _list_members(code: bytes, is_linked: bool) -> Iterator[bytes]:
    """The members that code reaches; ``is_linked`` where those of what an object holds count."""
    for each in _REACHED.finditer(code):
        if each["owner"] is not None:
            _, first, *others = re.split(rb"[^\w$]+", each["chain"])
            if each["owner"] in _SELF:
                yield first
            else:
                others = [first, *others]
            yield from (name for name in others if is_linked or name.startswith(b"_"))
        else:
            yield each["member"] or each["named"] or each["taken"] or b""
