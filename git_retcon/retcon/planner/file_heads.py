"""The first lines of a new file, which everything else in it needs."""

import re
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.git.atoms import FileText, Kind
from git_retcon.retcon.planner.facts import Facts

_LONGEST = 6  # lines; a longer beginning is content
_GUARD = re.compile(r"\s*#\s*(?:ifndef|define)\s+\w+\s*")


def find_file_heads(
    facts: Sequence[Facts], texts: Mapping[bytes, FileText]
) -> Iterator[tuple[int, Sequence[int]]]:
    """The position of each new file's head, with those of the file's other atoms.

    A head is a short first atom that brings no name in: ``#!``, ``package``, ``'use strict'``, an
    include guard, a title, a licence. By itself it is no reason to make the file, and without it
    the rest may not even parse.
    """
    atoms: dict[bytes, list[int]] = {}
    for at, one in enumerate(facts):
        text = texts.get(one.atom.path)
        if one.atom.kind is Kind.LINES and text is not None and text.is_new:
            atoms.setdefault(one.atom.path, []).append(at)
    for first, *others in atoms.values():
        if others and _is_head(facts[first]):
            yield first, others


def _is_head(one: Facts) -> bool:
    written = [line for line in one.added.splitlines() if line.strip()]
    if len(written) > _LONGEST or one.imports_only:
        return False
    # A guard's #define counts as a definition, and is one that nothing asks for by name.
    return not one.defines or all(map(_GUARD.fullmatch, written))
