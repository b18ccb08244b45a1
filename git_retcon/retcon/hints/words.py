"""Words of code and prose, brought to a common form so that a message can meet its code."""

import functools
import re

WORD = re.compile(r"[A-Za-z_]\w*|\d+")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+|\d+")
_SUFFIXES = (
    "izations", "ization", "ations", "ation", "ements", "ement", "ments", "ment", "ings", "ing",
    "iers", "ies", "ied", "ers", "ors", "er", "or", "ed", "ly", "es", "al", "s",
)  # fmt: skip
_STOPPED = """
    a about above after again all also an and any are as at be because been before being below
    between both but by can could did do does doing done down during each either else even ever
    every few for from further had has have having he her here his how i if in instead into is it
    its itself just let like make makes made may me might more most much must my no nor not now of
    off on once one only or other our out over own per same see she should so some such than that
    the their them then there these they this those through to too two under until up upon us use
    used uses using very via was we were what when where which while who whom why will with within
    without would yet you your
    add added adds adding allow allows change changed changes commit fix fixed fixes get gets new
    now old please remove removed removes set sets support thing things update updated updates
    way work works
    def class self return none true false null void int str string public private static const
    final var let func fn function import from include elif endif ifdef struct typedef
"""
STOP_WORDS = frozenset(_STOPPED.split())


@functools.lru_cache(maxsize=200_000)
def stems(word: str) -> tuple[str, ...]:
    """The stems of an identifier's parts, stop words left out: ``parseTokens`` → pars, token."""
    found: list[str] = []
    for part in _PARTS.findall(word):
        small = part.lower()
        if len(small) > 1 and small not in STOP_WORDS and not small.isdigit():
            found.append(stem(small))
    return tuple(found)


def stem(word: str) -> str:
    """Cut a lower-case word's ending; a rough suffix stripper in the manner of Porter (1980)."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)]
            break
    if len(word) > 3 and word[-1] == "e":
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    if len(word) > 3 and word[-1] in "iy":
        word = word[:-1]
    return word
