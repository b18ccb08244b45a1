"""Claims of the spec: a repair respects what pins, ``files`` and ``exclude`` decide outright."""

from collections.abc import Mapping

from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.planner.pins import resolve_pins


@dataclass(frozen=True)
class Claims:
    """Of what is left: ``claimed`` belongs to a later commit by its ``files`` (atom to index), and
    is taken for the commit in work only where nothing else helps; ``barred`` is what a pin to
    another commit, the commit's own ``exclude`` or an earlier release keeps out, always;
    ``pinned`` is the part of it that is known by hunks and not by paths.
    """

    claimed: Mapping[str, int]
    barred: frozenset[str]
    pinned: frozenset[str] = frozenset()


def read_claims(situation: Situation) -> Claims:
    """Read the spec for everything that is left; ``exclude`` is kept before ``files`` is."""
    here = situation.spec.commits[situation.index]
    paths = {atom.path for atom in situation.left}
    claimants = {path: _find_claimant(situation, path) for path in paths}
    barred = {path for path in claimants if here.excludes(path, situation.case)}
    own = {path for path in claimants if here.claims(path, situation.case)}
    pins = find_pinned(situation)
    free = [atom for atom in situation.left if atom.id not in pins]
    elsewhere = frozenset(atom for atom, commit in pins.items() if commit != situation.index)
    released = {atom for atom, at in situation.released.items() if at >= situation.index}
    return Claims(
        {
            atom.id: claimant
            for atom in free
            if (claimant := claimants[atom.path]) is not None and atom.path not in barred | own
        },
        elsewhere | released | {atom.id for atom in free if atom.path in barred},
        elsewhere | released,
    )


def find_pinned(situation: Situation) -> Mapping[str, int]:
    """The commit of each pinned atom that is left."""
    commits = situation.spec.commits
    if not any(commit.hunks for commit in commits):
        return {}
    return resolve_pins(commits, situation.left).commits


def find_foreign(situation: Situation) -> frozenset[str]:
    """The atoms that ``files`` keep out of the first version of a commit: those that another
    commit's list has, and, where the commit has a list, those that are not on it."""
    here = situation.spec.commits[situation.index]
    claimed = read_claims(situation).claimed
    return frozenset(
        atom.id
        for atom in situation.left
        if atom.id in claimed or (here.files and not here.claims(atom.path, situation.case))
    )


def _find_claimant(situation: Situation, path: bytes) -> int | None:
    """The first later commit whose ``files`` hold a path that its ``exclude`` does not."""
    case = situation.case
    for index in range(situation.index + 1, len(situation.spec.commits)):
        commit = situation.spec.commits[index]
        if commit.claims(path, case) and not commit.excludes(path, case):
            return index
    return None
