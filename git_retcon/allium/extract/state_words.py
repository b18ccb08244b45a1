"""What states, and the fields that keep them, are called."""

import functools
import re
from collections.abc import Sequence

from git_retcon.allium.extract.spelling import is_plain, spell_member

_STATE = re.compile(r"(?:state|status|phase|stage)$", re.IGNORECASE)


# The versions of a file have the same names again and again.
@functools.lru_cache(maxsize=8192)
def is_called_state(field: str) -> bool:
    """Whether a field is called a state, as ``job_status`` and ``jobStatus`` are."""
    return bool(_STATE.search(field))


def cut_shared_words(symbols: Sequence[str]) -> Sequence[str]:
    """The names of constants without the words that all begin with, and without the word for a
    state that all end with: ``VALVE_OPEN_STATE`` → ``open``.
    """
    words = [spell_member(each).strip("_").split("_") for each in symbols]
    while len(words) > 1 and len({each[0] for each in words}) == 1 and min(map(len, words)) > 1:
        words = [each[1:] for each in words]
    if all(len(each) > 1 and is_called_state(each[-1]) for each in words):
        words = [each[:-1] for each in words]
    names = ["_".join(each) for each in words]
    return names if all(map(is_plain, names)) else [*map(spell_member, symbols)]
