"""Where else a file names a private step of a class: what may run it there, and what does not.

::

    def _reset(self):
        super()._reset()

An heir's step with the same name runs where that of the class does. A sentence that names one
runs nothing: a message, what a method says of itself, a comment behind code.
"""

import ast
import functools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.source_facts import Rule

# What a private field of JavaScript begins with has no space behind it.
_COMMENT = re.compile(rb"^[ \t]*(?:#[ #]|//|\*[ \t]).*$", re.MULTILINE)
# Texts of a file, and comments behind code. Those between backticks may run what they name.
_TEXT = re.compile(
    rb"(?P<whole>\"{3}[\s\S]*?\"{3}|'{3}[\s\S]*?'{3})"
    rb"|(?P<part>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    rb"|`(?:[^`\\]|\\.)*`|(?P<comment>(?<=\s)#[ #][^\n]*)"
)
_BEGINS = re.compile(rb"\b")
_DEFINED = re.compile(rb"\bdef (\w+)")
_CLASS = re.compile(rb"^([ \t]*)class (\w+)[ \t]*(?:\(([^:]*?)\))?:", re.MULTILINE)


class Surroundings(NamedTuple):
    """What may run the steps of a class besides it, and the rules of its operations."""

    content: bytes
    open_steps: Collection[str]
    rules: Sequence[Rule] = ()
    beginning: Sequence[ast.stmt] = ()
    owner: str = ""  # the class, by its symbol
    every_rule: Sequence[Rule] = ()  # before any was narrowed


class _Class(NamedTuple):
    """A class of a file: its name, those that its bases are named by, and where its body is."""

    name: bytes
    bases: Set[bytes]
    start: int
    end: int


def count_mentions(content: bytes, step: str, owner: str = "") -> int:
    """How often a file names a step of the class ``owner``, without its definitions, and what says
    nothing of when it runs.
    """
    name = step.removesuffix("()")
    word = re.escape(name).encode()
    found = [*_find_word(content, name)]
    if len(found) < 3:  # its definition, and one that runs it
        return len(found) - 1 - sum(_is_comment(content, each) for each in found)
    content = _drop_comments(content)
    if owner:
        content = _drop_others(content, word, owner.encode())
    named = sum(1 for _ in _find_word(content, name))
    named -= max(1, _count_defined(content, word))
    # What begins with letters is searched for fast, and most files have none of it.
    if re.search(rb"%s[\"']" % word, content):
        named -= len(re.findall(rb"[\"'][\w. -]*[. -]%s[\"']" % word, content))  # others call it so
    if b"hasattr(" in content:
        named -= len(re.findall(rb"\bhasattr\([^\n]+, *[\"']%s[\"']\)" % word, content))
    if b"super(" in content:
        asked = re.finditer(rb"\bsuper\([\w, ]*\)\.%s\(" % word, content)
        named -= sum(_is_within(content, each.start(), word) for each in asked)
    return named


def _count_defined(content: bytes, word: bytes) -> int:
    found = re.finditer(rb"def %s\b" % word, content)
    return sum(_BEGINS.match(content, each.start()) is not None for each in found)


def _find_word(content: bytes, word: str) -> Iterator[int]:
    """The places of a word. A search for one that begins with letters skips what has none."""
    text = re.escape(word).encode()
    is_plain = word.isascii() and word.isidentifier()
    found = re.finditer((rb"%s\b" if is_plain else rb"\b%s\b") % text, content)
    places = (each.start() for each in found)
    return (at for at in places if not is_plain or _BEGINS.match(content, at) is not None)


def _is_comment(content: bytes, at: int) -> bool:
    """Whether a place is in a line that is a comment."""
    return _COMMENT.match(content[content.rfind(b"\n", 0, at) + 1 : at]) is not None


@functools.lru_cache(maxsize=2)
def _drop_comments(content: bytes) -> bytes:
    """A file without comments and sentences."""
    return _TEXT.sub(_drop_sentence, _COMMENT.sub(b"", content))


def _drop_sentence(found: re.Match[bytes]) -> bytes:
    """A text without what it says to people; a name alone, or code, may be for what runs it."""
    text = found[0]
    is_told = b" " in text.strip(b"\"'") and b"{" not in text and b"%(" not in text
    if found["comment"] is None and not ((found["whole"] or found["part"]) and is_told):
        return text
    return b'""' if found["comment"] is None else b""


def _is_within(content: bytes, at: int, word: bytes) -> bool:
    """Whether the function that a place is in has a name."""
    before = _DEFINED.findall(content, 0, at)
    return bool(before) and before[-1] == word


def _drop_others(content: bytes, word: bytes, owner: bytes) -> bytes:
    """A file without what other classes, which have a step of that name or inherit one, say of
    theirs; those that the owner of the step is a kind of, or that are a kind of it, share it.
    """
    classes = _list_classes(content)
    defined = re.compile(rb"\bdef %s\b" % word)
    having = {each.name for each in classes if defined.search(content, each.start, each.end)}
    outer, _, owner = owner.rpartition(b".")
    kinds = _list_kinds(content)
    # What an heir of it is as well may run its step.
    shared = {outer.partition(b".")[0], *_list_bases(owner, classes)}.union(
        *(found for found in kinds.values() if owner in found)
    )
    own = re.compile(rb"\b(?:self|cls|super\([\w, ]*\))\.%s\b" % word)
    for each in reversed(classes):
        if each.name not in shared and not kinds[each.name].isdisjoint(having):
            body = own.sub(b"", content[each.start : each.end])
            content = content[: each.start] + body + content[each.end :]
    return content


@functools.lru_cache(maxsize=2)
def _list_classes(content: bytes) -> Sequence[_Class]:
    """The classes of a file that are in no other one."""
    return [*_find_classes(content)]


@functools.lru_cache(maxsize=2)
def _list_kinds(content: bytes) -> Mapping[bytes, Set[bytes]]:
    """The classes of a file by their names, with all that each is a kind of."""
    classes = _list_classes(content)
    return {each.name: _list_bases(each.name, classes) for each in classes}


def _find_classes(content: bytes) -> Iterator[_Class]:
    last = 0
    for each in _CLASS.finditer(content):
        if each.start() >= last:
            over = re.compile(rb"^[ \t]{0,%d}[\w@]" % len(each[1]), re.MULTILINE)
            end = over.search(content, each.end())
            last = end.start() if end is not None else len(content)
            yield _Class(each[2], {*re.findall(rb"\w+", each[3] or b"")}, each.end(), last)


def _list_bases(name: bytes, classes: Sequence[_Class]) -> Set[bytes]:
    """A class and all that it is a kind of."""
    found = {name}
    while more := {b for each in classes if each.name in found for b in each.bases} - found:
        found |= more
    return found
