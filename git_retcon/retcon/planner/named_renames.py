"""Renames that messages and hints name: hunks that do nothing else stay together."""

import functools
import itertools
import re
from collections.abc import Mapping, Sequence

from git_retcon.git.atoms import Kind
from git_retcon.retcon.hints.rename_words import find_renames
from git_retcon.retcon.hints.words import WORD
from git_retcon.retcon.planner.facts import Facts, Pair
from git_retcon.retcon.planner.permissions import Allowed
from git_retcon.retcon.spec.model import LogicalCommit


class Renames:
    """What the renames of some commits say of the atoms of one difference."""

    def __init__(self, facts: Sequence[Facts], commits: Sequence[LogicalCommit]) -> None:
        self._facts = facts
        texts = [f"{commit.message}\n{commit.hints}" for commit in commits]
        self._names = [{rename.old: rename.new for rename in find_renames(text)} for text in texts]
        self._owned = self._find_owned()
        # "Renaming only" means something where a rename was found.
        self._pure = [
            k for k, text in enumerate(texts) if self._owned[k] and _compile_only().search(text)
        ]

    def _find_owned(self) -> Sequence[Sequence[int]]:
        """By commit, the atoms that its renames explain; none that those of another explain too."""
        owners: dict[int, list[int]] = {}
        for k, names in enumerate(self._names):
            for at, one in enumerate(self._facts) if names else ():
                if one.atom.kind is Kind.LINES and _is_renamed(one, names):
                    owners.setdefault(at, []).append(k)
        return [[at for at, held in owners.items() if held == [k]] for k in range(len(self._names))]

    def pair(self) -> list[Pair]:
        """Pairs of atoms, by position, that do the renames of one commit and nothing else."""
        return [pair for own in self._owned for pair in itertools.pairwise(own)]

    def narrow(self, at: int, allowed: Allowed) -> Allowed:
        """Where an atom may go, by position: not to a commit that only renames, where it has none
        of the names. A pin, and ``files`` that leave no other commit, win."""
        kept = list(allowed)
        for k in self._pure:
            kept[k] = allowed[k] and self._has_name(at, self._names[k])
        return tuple(kept) if any(kept) else allowed

    def _has_name(self, at: int, names: Mapping[str, str]) -> bool:
        one = self._facts[at]
        return not (
            names.keys().isdisjoint(WORD.findall(one.removed))
            and set(names.values()).isdisjoint(WORD.findall(one.added))
        )


def _is_renamed(one: Facts, names: Mapping[str, str]) -> bool:
    """Whether the added lines are the removed ones, but for the names."""
    if not one.removed or not one.added:
        return False
    after = WORD.sub(lambda word: names.get(word[0], word[0]), one.removed)
    # Spaces aside: a shorter name may bring a line to another length, and a blank line is nothing.
    return after != one.removed and after.split() == one.added.split()


@functools.cache
def _compile_only() -> re.Pattern[str]:
    return re.compile(
        r"\brenam\w*\s+only\b|\b(?:only|nothing but|purely|pure|just)\s+(?:a\s+)?renam",
        re.IGNORECASE,
    )
