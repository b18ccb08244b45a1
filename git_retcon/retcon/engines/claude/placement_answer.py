"""The answer of a model that was asked about all hunks at once: hunk numbers behind commits.

It is hostile input: what names no hunk or no commit, or one hunk for two commits, says nothing.
"""

import re
from collections.abc import Iterator, Mapping

from git_retcon.model.messages import Json

SCHEMA: Json = {
    "type": "object",
    "properties": {
        "placements": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"commit": {"type": "integer"}, "hunks": {"type": "string"}},
                "required": ["commit", "hunks"],
                "additionalProperties": False,
            },
        },
        "unsure": {"type": "string"},
    },
    "required": ["placements", "unsure"],
    "additionalProperties": False,
}


def read_placements(answer: Json, hunks: int, commits: int) -> Mapping[int, int]:
    """The commit, from 0, of each hunk number, from 1, that the answer is clear about.

    ``answer`` has the shape of SCHEMA; ``hunks`` and ``commits`` say how many there are.
    """
    unsure = set(_list_numbers(answer["unsure"], hunks))
    found: dict[int, int] = {}
    for one in answer["placements"]:
        commit = one["commit"] - 1
        if not 0 <= commit < commits:
            continue
        for number in _list_numbers(one["hunks"], hunks):
            if found.setdefault(number, commit) != commit:
                unsure.add(number)
    return {number: commit for number, commit in found.items() if number not in unsure}


def _list_numbers(text: str, most: int) -> Iterator[int]:
    """The numbers of "1-4, 7" from 1 to ``most``."""
    for first, last in re.findall(r"(\d{1,9})(?:\s*(?:-|–|\.\.|to)\s*(\d{1,9}))?", text):
        yield from range(max(1, int(first)), min(most, int(last or first)) + 1)
