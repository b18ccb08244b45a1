"""What a repair must leave to others: what the spec's ``files`` and ``exclude`` decide outright."""

from collections.abc import Mapping
from dataclasses import dataclass

from git_retcon.retcon.engine import Situation


@dataclass(frozen=True)
class Claims:
    """Of what is left: ``claimed`` are a later commit's by its ``files`` (atom to index), taken
    for the commit in work only where nothing else mends it; ``barred`` its own ``exclude`` keeps
    from it, whatever happens.
    """

    claimed: Mapping[str, int]
    barred: frozenset[str]


def claims_of(situation: Situation) -> Claims:
    """Read the spec for everything that is left; ``exclude`` is kept before ``files`` is."""
    here = situation.spec.commits[situation.index]
    paths = {atom.path for atom in situation.left}
    claimants = {path: _claimant(situation, path) for path in paths}
    barred = {path for path in claimants if here.excludes(path, situation.case)}
    own = {path for path in claimants if here.claims(path, situation.case)}
    return Claims(
        {
            atom.id: claimant
            for atom in situation.left
            if (claimant := claimants[atom.path]) is not None and atom.path not in barred | own
        },
        frozenset(atom.id for atom in situation.left if atom.path in barred),
    )


def foreign_to(situation: Situation) -> frozenset[str]:
    """What ``files`` keep from the first version of a commit: what is another's by its own, and,
    where the commit has such a list, what is not on it."""
    here = situation.spec.commits[situation.index]
    claimed = claims_of(situation).claimed
    return frozenset(
        atom.id
        for atom in situation.left
        if atom.id in claimed or (here.files and not here.claims(atom.path, situation.case))
    )


def _claimant(situation: Situation, path: bytes) -> int | None:
    """The first later commit whose ``files`` hold a path that its ``exclude`` does not."""
    case = situation.case
    for index in range(situation.index + 1, len(situation.spec.commits)):
        commit = situation.spec.commits[index]
        if commit.claims(path, case) and not commit.excludes(path, case):
            return index
    return None
