"""Commits whose hints want everything else: that is, what no other commit's hints name."""

import re
from collections.abc import Sequence

from git_retcon.retcon.hints.exclusions import read_name
from git_retcon.retcon.hints.hint import names_path
from git_retcon.retcon.hints.words import WORD
from git_retcon.retcon.planner.descriptions import Description
from git_retcon.retcon.planner.excluded_atoms import is_within
from git_retcon.retcon.planner.facts import Facts
from git_retcon.retcon.spec.model import LogicalCommit

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|#|->)[A-Za-z_]\w*)+")


class Remainder:
    """The commits that want the rest, and what the others name.

    The rest is only known where every other commit names something of the difference in its
    hints, or has ``files``: any atom may belong to a commit that is described in prose.
    """

    def __init__(
        self,
        facts: Sequence[Facts],
        descriptions: Sequence[Description],
        commits: Sequence[LogicalCommit],
        pending: Sequence[int],
    ) -> None:
        self._claiming = {k for k in pending if descriptions[k].hint.claims_rest}
        self._naming: dict[int, _NamedThings] = {}
        if not self._claiming:
            return
        # A commit with ``files`` says outright what it takes, so its hints need name nothing.
        others = [k for k in pending if k not in self._claiming and not commits[k].files]
        self._naming = {k: _NamedThings(descriptions[k]) for k in others}
        # A commit whose hints name nothing of this difference could mean any of it.
        if not all(any(map(naming.has, facts)) for naming in self._naming.values()):
            self._claiming = set()

    def narrow(self, allowed: tuple[bool, ...], one: Facts) -> tuple[bool, ...]:
        """Keep the commits that name an atom, or else those that want the rest; all if none may."""
        if not self._claiming:
            return allowed
        named = {k for k, naming in self._naming.items() if naming.has(one)}
        rest = tuple(may and k in (named or self._claiming) for k, may in enumerate(allowed))
        return rest if any(rest) else allowed


class _NamedThings:
    """What the hints of one commit name: files, definitions, and members of definitions."""

    def __init__(self, description: Description) -> None:
        self._wanted = description.hint.wanted
        dotted = _DOTTED.findall(description.hint.text)
        named = (read_name(each) for each in dotted)
        self._members = [each.parts for each in named if each is not None]
        # A word of a path or of a dotted name does not name other things of that name.
        longer = {*self._wanted.files, *self._wanted.paths, *dotted}
        within = {word.lower() for each in longer for word in WORD.findall(each)}
        self._words = {word for word in self._wanted.words if word.lower() not in within}

    def has(self, one: Facts) -> bool:
        path = one.atom.path.decode("utf-8", "replace").lower()
        own = {*one.names, *one.defines, *one.undefines}
        return (
            names_path(path, self._wanted)
            or not self._words.isdisjoint(own)
            or any(is_within(one, parts) for parts in self._members)
        )
