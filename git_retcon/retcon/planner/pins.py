"""Pins: the hunks that a person put into a commit by their ids. They are decided before all else.

An id is made of content, so a pin outlives a rebase and edits elsewhere. A pin may be any
beginning of an id that no other hunk has. Lines behind it (``1f3a:1-22``) pin a part of the hunk.
"""

import bisect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from git_retcon.git.atoms import Atom
from git_retcon.retcon.spec.hunk_parts import HunkId, name_whole, read_hunk_id
from git_retcon.retcon.spec.model import LogicalCommit

if TYPE_CHECKING:
    # Not at run time: every run checks its pins, and few runs plan.
    from git_retcon.retcon.planner.constraints import Constraints
    from git_retcon.retcon.planner.facts import Facts
    from git_retcon.retcon.planner.plan import Placement


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


def resolve_pins(commits: Sequence[LogicalCommit], atoms: Sequence[Atom]) -> Pins:
    """Find the hunk of each pin among the atoms of a difference, which is divided as pins ask.

    A pin of a whole hunk has what no pin of a part of it has.
    """
    own: dict[str, list[Atom]] = {}
    for atom in atoms:
        own.setdefault(name_whole(atom.id), []).append(atom)
    known = sorted(own)
    found: dict[str, int] = {}
    gone: list[Pin] = []
    ambiguous: list[Pin] = []
    doubled: list[Pin] = []
    parted: dict[str, int] = {}
    for pin in sorted(_list_pins(commits), key=lambda pin: ":" not in pin.text):
        wanted = read_hunk_id(pin.text)
        meant = _find_hunks(wanted.hunk, known)
        if len(meant) > 1:
            ambiguous.append(pin)
            continue
        covered = cover_hunk(wanted, own[meant[0]]) if meant else ()
        if not covered:
            gone.append(pin)
        places = parted if wanted.lines else found
        if any(places.setdefault(atom, pin.commit) != pin.commit for atom in covered):
            doubled.append(pin)
    return Pins({**found, **parted}, gone, ambiguous, doubled)


def cover_hunk(pin: HunkId, atoms: Sequence[Atom]) -> Sequence[str]:
    """The ids of the atoms of one hunk that a pin of it, or of a part of it, has."""
    if not pin.lines:
        return [atom.id for atom in atoms]
    # Late: few plans have parts, and cutting reads languages.
    from git_retcon.retcon.branch.hunk_division import cover_atoms

    return cover_atoms(pin, atoms)


def _list_pins(commits: Sequence[LogicalCommit]) -> Sequence[Pin]:
    return [Pin(at, text) for at, commit in enumerate(commits) for text in commit.hunks]


def _find_hunks(text: str, known: Sequence[str]) -> Sequence[str]:
    """The hunks that a text may mean; two of many are enough. A whole id is never ambiguous,
    though another may begin with it. ``known`` is sorted."""
    first = bisect.bisect_left(known, text)
    meant = [each for each in known[first : first + 2] if each.startswith(text)]
    return meant[:1] if meant[:1] == [text] else meant


def find_costs(
    facts: "Sequence[Facts]",
    placements: "Mapping[str, Placement]",
    pins: Mapping[str, int],
    constraints: "Constraints",
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
