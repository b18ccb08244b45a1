"""Where one commit's hints want everything else: that is, what no other commit's hints name."""

import re
from collections.abc import Sequence

from git_retcon.retcon.hints.exclusions import target
from git_retcon.retcon.hints.hint import names_path
from git_retcon.retcon.hints.words import WORD
from git_retcon.retcon.planner.excluded_atoms import stands_in
from git_retcon.retcon.planner.facts import Facts
from git_retcon.retcon.planner.features import Wish
from git_retcon.retcon.spec.model import LogicalCommit

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|#|->)[A-Za-z_]\w*)+")


class Rest:
    """The commits that want the rest, and what the others name.

    It is only known where every other commit names something of the difference in its hints, or
    has ``files``: a commit described in prose may be meant by any piece.
    """

    def __init__(
        self,
        facts: Sequence[Facts],
        wishes: Sequence[Wish],
        commits: Sequence[LogicalCommit],
        pending: Sequence[int],
    ) -> None:
        self._claiming = {k for k in pending if wishes[k].hint.claims_rest}
        self._naming: dict[int, _Naming] = {}
        if not self._claiming:
            return
        others = [k for k in pending if k not in self._claiming and not commits[k].files]
        self._naming = {k: _Naming(wishes[k]) for k in others}
        if not all(any(map(naming.has, facts)) for naming in self._naming.values()):
            self._claiming = set()

    def narrowed(self, kept: tuple[bool, ...], one: Facts) -> tuple[bool, ...]:
        """Where an atom may go, of the commits that it may go to."""
        if not self._claiming:
            return kept
        named = {k for k, naming in self._naming.items() if naming.has(one)}
        rest = tuple(may and k in (named or self._claiming) for k, may in enumerate(kept))
        return rest if any(rest) else kept


class _Naming:
    """What the hints of one commit name: files, definitions, and members of definitions."""

    def __init__(self, wish: Wish) -> None:
        self._wanted = wish.hint.wanted
        dotted = _DOTTED.findall(wish.hint.text)
        named = (target(each) for each in dotted)
        self._members = [each.parts for each in named if each is not None]
        # A word of a path or of a dotted name does not name whatever else is called so.
        longer = {*self._wanted.files, *self._wanted.paths, *dotted}
        within = {word.lower() for each in longer for word in WORD.findall(each)}
        self._words = {word for word in self._wanted.words if word.lower() not in within}

    def has(self, one: Facts) -> bool:
        path = one.atom.path.decode("utf-8", "replace").lower()
        own = {*one.names, *one.defines, *one.undefines}
        return (
            names_path(path, self._wanted)
            or not self._words.isdisjoint(own)
            or any(stands_in(one, parts) for parts in self._members)
        )
