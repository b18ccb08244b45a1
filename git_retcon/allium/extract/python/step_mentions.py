"""Where else a file names a private step of a class: what may run it there, and what does not.

::

    def _reset(self):
        super()._reset()

An heir's step with the same name runs wherever that of the class does.
"""

import functools
import re

# What a private field of JavaScript begins with has no space behind it.
_COMMENT = re.compile(rb"^[ \t]*(?:#[ #]|//|\*[ \t]).*$", re.MULTILINE)
_DEFINED = re.compile(rb"\bdef (\w+)")


def count_mentions(content: bytes, step: str) -> int:
    """How often a file names a step, without its definitions, and what says nothing of when it
    runs.
    """
    word = re.escape(step.removesuffix("()")).encode()
    found = [each.start() for each in re.finditer(rb"\b%s\b" % word, content)]
    if len(found) < 3:  # its definition, and one that runs it
        return len(found) - 1 - sum(_is_comment(content, each) for each in found)
    content = _drop_comments(content)
    named = len(re.findall(rb"\b%s\b" % word, content))
    named -= max(1, len(re.findall(rb"\bdef %s\b" % word, content)))
    named -= len(re.findall(rb"[\"'][\w. -]*[. -]%s[\"']" % word, content))  # what others call it
    named -= len(re.findall(rb"\bhasattr\([^\n]+, *[\"']%s[\"']\)" % word, content))
    asked = re.finditer(rb"\bsuper\([\w, ]*\)\.%s\(" % word, content)
    return named - sum(_is_within(content, each.start(), word) for each in asked)


def _is_comment(content: bytes, at: int) -> bool:
    """Whether a place is in a line that is a comment."""
    return _COMMENT.match(content[content.rfind(b"\n", 0, at) + 1 : at]) is not None


@functools.lru_cache(maxsize=2)
def _drop_comments(content: bytes) -> bytes:
    """A file without lines that are comments."""
    return _COMMENT.sub(b"", content)


def _is_within(content: bytes, at: int, word: bytes) -> bool:
    """Whether the function that a place is in has a name."""
    before = _DEFINED.findall(content, 0, at)
    return bool(before) and before[-1] == word
