"""Pins: the hunks that a person put into a commit by their ids. They are decided before all else.

An id is made of content, so a pin outlives a rebase and edits elsewhere. A pin may be any
beginning of an id that no other hunk has.
"""

import bisect
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from git_retcon.git.atoms import Atom
from git_retcon.retcon.planner.constraints import Constraints
from git_retcon.retcon.planner.facts import Facts
from git_retcon.retcon.planner.plan import Placement
from git_retcon.retcon.spec.model import LogicalCommit


class Pin(NamedTuple):
    """One entry of ``hunks``: the position of its commit, and the id as written."""

    commit: int
    text: str


class Pins(NamedTuple):
    """What the pins of a spec mean for one difference.

    ``commits`` gives the commit of each pinned hunk, by id. No hunk has the id of a ``gone`` pin;
    several have that of an ``ambiguous`` one; a ``doubled`` one names a hunk that an earlier pin
    puts into another commit.
    """

    commits: Mapping[str, int]
    gone: Sequence[Pin] = ()
    ambiguous: Sequence[Pin] = ()
    doubled: Sequence[Pin] = ()


def resolve_pins(commits: Sequence[LogicalCommit], ids: Sequence[str]) -> Pins:
    """Find the hunk of each pin among the ids of a difference."""
    known = sorted(ids)
    found: dict[str, int] = {}
    gone: list[Pin] = []
    ambiguous: list[Pin] = []
    doubled: list[Pin] = []
    for pin in (Pin(at, text) for at, commit in enumerate(commits) for text in commit.hunks):
        first = bisect.bisect_left(known, pin.text)
        meant = [each for each in known[first : first + 2] if each.startswith(pin.text)]
        # A whole id is never ambiguous, though another may begin with it.
        if not meant:
            gone.append(pin)
        elif len(meant) > 1 and meant[0] != pin.text:
            ambiguous.append(pin)
        elif found.setdefault(meant[0], pin.commit) != pin.commit:
            doubled.append(pin)
    return Pins(found, gone, ambiguous, doubled)


def find_costs(
    facts: Sequence[Facts],
    placements: Mapping[str, Placement],
    pins: Mapping[str, int],
    constraints: Constraints,
) -> dict[int, tuple[str, ...]]:
    """What pins break, by the commit that may not build for it: a pin wins over the order."""
    found: dict[int, dict[str, None]] = {}
    for a, b in constraints.order if pins else ():
        needed, user = facts[a].atom, facts[b].atom
        if needed.id not in pins and user.id not in pins:
            continue
        late, early = placements.get(needed.id), placements.get(user.id)
        if late is not None and early is not None and late.commit > early.commit:
            words = (
                f"{_name_atom(user)} may need {_name_atom(needed)}, "
                f"which comes later, in commit {late.commit + 1}"
            )
            found.setdefault(early.commit, {})[words] = None
    return {commit: tuple(each) for commit, each in found.items()}


def _name_atom(atom: Atom) -> str:
    path = atom.path.decode("utf-8", "replace")
    return f"{atom.id} ({path}:{atom.new.start + 1})"
