"""The answer of a model that was asked about all hunks at once: hunk numbers behind commits.

It is hostile input: what names no hunk or no commit, or one hunk for two commits, says nothing.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

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


class Placements(NamedTuple):
    """What an answer is clear about: the commit, from 0, of hunk numbers, from 1, and of parts.

    ``unsure`` are the hunks that it would have to guess, ``silent`` those that it names nowhere,
    for several commits, or for one that there is not.
    """

    commits: Mapping[int, int]
    parts: Mapping["Part", int]
    unsure: frozenset[int]
    silent: frozenset[int]


class Part(NamedTuple):
    """Lines of a hunk, from 1, the removed ones counted before the added ones."""

    hunk: int
    first: int
    last: int


def read_placements(answer: Json, hunks: int, commits: int) -> Placements:
    """Read an answer of the shape of SCHEMA about so many hunks and commits."""
    unsure = {one.hunk for one in _list_parts(answer["unsure"], hunks)}
    found: dict[Part, int] = {}
    doubtful: set[int] = set()
    for one in answer["placements"]:
        commit = one["commit"] - 1
        if not 0 <= commit < commits:
            continue
        for part in _list_parts(one["hunks"], hunks):
            if found.setdefault(part, commit) != commit:
                doubtful.add(part.hunk)
    whole = {part.hunk: commit for part, commit in found.items() if part.last == _END}
    parts = {part: commit for part, commit in found.items() if part.last != _END}
    doubtful |= whole.keys() & {part.hunk for part in parts}
    usable = {part.hunk for part in found} - unsure - doubtful
    return Placements(
        {hunk: commit for hunk, commit in whole.items() if hunk in usable},
        {part: commit for part, commit in parts.items() if part.hunk in usable},
        frozenset(unsure),
        frozenset(range(1, hunks + 1)) - usable - unsure,
    )


def find_fault(answer: Json) -> str | None:
    """What is wrong with all of an answer of that shape, in words for the model."""
    # Counted from 0, every number would name the neighbour of what is meant.
    said = answer["placements"]
    numbers = [int(hunk) for each in said for hunk, *_ in _split_parts(each["hunks"])]
    if 0 in [*numbers, *(each["commit"] for each in said)]:
        return "commits and hunks are numbered from 1"
    return None


_END = 0  # of a whole hunk


def _list_parts(text: str, most: int) -> Iterator[Part]:
    """The hunks of "1-4, 7, 9:1-12" from 1 to ``most``, and the parts of them."""
    for number, first, last, end in _split_parts(text):
        if first:
            if 1 <= int(number) <= most and 1 <= int(first) <= int(last or first):
                yield Part(int(number), int(first), int(last or first))
            continue
        for hunk in range(max(1, int(number)), min(most, int(end or number)) + 1):
            yield Part(hunk, 1, _END)


def _split_parts(text: str) -> list[tuple[str, str, str, str]]:
    """Of "1-4, 9:1-12" the digits of hunk, first and last line, and last hunk, or ""."""
    dash = r"\s*(?:-|–|\.\.|to)\s*"
    number = r"(\d{1,9})(?!\w|\.\d)"
    # Digits within a word are none: the id of a hunk names no hunk by chance. Nor does a fraction,
    # a number below zero, or a hunk with lines that cannot be read.
    start = r"(?<!\w)(?<!\d\.)(?<!^-)(?<![\s,:(\[]-)"
    rest = rf"(?:\s*:\s*{number}(?:{dash}{number})?|{dash}{number})?(?!\s*:\s*\d)"
    return re.findall(f"{start}{number}{rest}", text)
