"""Lists and tables of a source that something changes: what they say at first is not all.

``NEXT[State.Done].push(State.Open)``, ``NEXT[State.Done] = []``, ``delete NEXT[State.Done]``, also
of an entry that has a name of its own: ``const next = NEXT[State.Done]; next.push(State.Open)``.
"""

import re
from collections.abc import Iterator, Set

_CHANGING = "push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|set|add|delete|clear|append"
_NAME = r"[A-Za-z_$][\w$]*"
# What is in it: members, entries, and what a map has for something.
_PART = rf"!?(?:\??\.get\([^()]*\)|\??\.(?!get\b)#?{_NAME}(?!\s*[(\w$])|(?:\?\.)?\[[^\[\]]*\])"
_CHAIN = rf"(?<![\w$.#])({_NAME})((?:{_PART})*)"
_SIGNS = r"(?:\*\*|<<|>>>?|&&|\|\||\?\?|[-+*/%&|^])?"
_CALLED = re.compile(rf"{_CHAIN}!?\??\.(?:{_CHANGING})\(")
_GIVEN = re.compile(rf"{_CHAIN}(!?\??\.#?{_NAME}|\[[^\[\]]*\])\s*{_SIGNS}=(?![=>])")
_DELETED = re.compile(rf"\bdelete\s+{_CHAIN}(!?\??\.#?{_NAME}|\[[^\[\]]*\])")
_MIXED = re.compile(
    rf"\b(?:Object\.(?:assign|definePropert(?:y|ies))|Reflect\.(?:set|deleteProperty))\(\s*{_CHAIN}"
)
_NAMED = re.compile(
    rf"\b(?:const|let|var)\s+({_NAME})\s*(?::[^=;\n]*)?=\s*(?!new\b|await\b){_CHAIN}"
)
_WORD = re.compile(_NAME)


def list_changed(text: str) -> Set[str]:
    """The names of what a source changes, and of what has it."""
    found = {*_list_named(text)}
    for name, root, parts in _NAMED.findall(text):
        if name in found:
            found |= {root, *_list_members(parts)}
    return found - {"this"}


def _list_named(text: str) -> Iterator[str]:
    for each in (_CALLED, _MIXED):
        for root, parts in each.findall(text):
            yield from (root, *_list_members(parts))
    for each in (_GIVEN, _DELETED):
        for root, parts, last in each.findall(text):
            if root != "this" or parts:
                yield from (root, *_list_members(parts))
            if root != "this":
                yield from _list_members(last)


def _list_members(parts: str) -> Iterator[str]:
    """The members in a chain, without what entries are taken by."""
    yield from _WORD.findall(re.sub(r"\[[^\[\]]*\]|\.get\([^()]*\)", "", parts))
