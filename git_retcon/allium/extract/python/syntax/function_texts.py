"""What is asked of functions, answered once for all that have the same text.

The versions of a file have most of their functions in common, and each is asked the same. An answer
is kept for as long as a function is what its text says: what writes something of the rest of its
file into it says so by ``forget_text``, what only writes the function another way by
``rewrite_text``. A question is asked of nothing but the function, and always at the same stage of
reading: before or behind what all functions become by themselves.
"""

import ast
import functools
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

Function = ast.FunctionDef | ast.AsyncFunctionDef
Answer = TypeVar("Answer")

ANSWERS = "answers"  # the attribute of a function that has those known for its text
_TEXT = "text"
_MOST = 1 << 12  # texts
# A text means the same in all files of one encoding.
_IS_CODED = re.compile(rb"(?:[^\n]*\n)?[^\n]*coding[:=](?![ \t]*utf-?8)", re.IGNORECASE)


def note_texts(content: bytes, functions: Iterable[Function]) -> None:
    """Let functions share their answers with all that have the same text. ``content`` is what they
    were parsed from, and they are as they were then.
    """
    if _IS_CODED.match(content) is not None:
        return
    lines = content.splitlines()
    for node in functions:
        first = min(each.lineno for each in (node, *node.decorator_list))
        text = b"\n".join(lines[first - 1 : node.end_lineno])
        setattr(node, ANSWERS, _open_answers(text))


def may_have(node: Function, pattern: "re.Pattern[bytes]") -> bool:
    """Whether the text of a function may have something; a search costs a tenth of a walk.

    What is found is kept for as long as the text is, as is the pattern: it is to be of a module.
    """
    known = node.__dict__.get(ANSWERS)
    if known is None or _TEXT not in known:
        return True
    # A pattern as a key would be hashed each time; its id is its own for as long as it is kept.
    found = known.get(id(pattern))
    if found is None:
        found = known[id(pattern)] = pattern, pattern.search(known[_TEXT]) is not None
    return bool(found[1])


def find_text(node: Function) -> bytes | None:
    """The text of a function; None where it is something else now."""
    found: bytes | None = node.__dict__.get(ANSWERS, {}).get(_TEXT)
    return found


def has_text(node: Function) -> bool:
    """Whether a function is still what its text says."""
    return ANSWERS in node.__dict__


def forget_text(node: Function) -> None:
    """Let a function be asked by itself: it is no longer what its text says."""
    node.__dict__.pop(ANSWERS, None)


def rewrite_text(node: Function, way: str) -> None:
    """Let a function have other answers: it becomes something else in a way, named so, that is up
    to nothing but the function.
    """
    known = node.__dict__.get(ANSWERS)
    if known is not None:
        setattr(node, ANSWERS, known.setdefault(way, {}))


def answer_once(ask: Callable[[Function], Answer]) -> Callable[[Function], Answer]:
    """A question about a function, whose answer nobody changes."""

    @functools.wraps(ask)
    def answer(node: Function) -> Answer:
        known: dict[object, Answer] | None = node.__dict__.get(ANSWERS)
        if known is None:
            return ask(node)
        if ask not in known:
            known[ask] = ask(node)
        return known[ask]

    return answer


@functools.lru_cache(maxsize=_MOST)
def _open_answers(text: bytes) -> dict[object, Any]:
    return {_TEXT: text}
