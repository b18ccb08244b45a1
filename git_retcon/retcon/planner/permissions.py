"""The commits that each atom may go to, before any evidence is weighed."""

from collections.abc import Mapping, Sequence

from git_retcon.files.patterns import Case
from git_retcon.retcon.planner.descriptions import Description
from git_retcon.retcon.planner.excluded_atoms import Excluder
from git_retcon.retcon.planner.facts import Facts
from git_retcon.retcon.planner.remainder import Remainder
from git_retcon.retcon.spec.model import LogicalCommit

Allowed = tuple[bool, ...]  # by commit; at least one is true


def find_allowed(
    facts: Sequence[Facts],
    descriptions: Sequence[Description],
    commits: Sequence[LogicalCommit],
    pending: Sequence[int],
    taken: Mapping[str, int],
    excluder: Excluder,
    case: Case,
) -> list[Allowed]:
    """Where each atom may go: pending, and not denied by ``files``, ``exclude`` or the hints.

    An atom that everything denies may go where its path may: a plan places every atom.
    """
    by_path: dict[bytes, Allowed] = {}
    found: list[Allowed] = []
    remainder = Remainder(facts, descriptions, commits, pending)
    for at, one in enumerate(facts):
        commit = taken.get(one.atom.id)
        if commit is not None:
            # What is on the branch is evidence for the rest, but it cannot move any more.
            found.append(tuple(k == commit for k in range(len(commits))))
            continue
        path = one.atom.path
        if path not in by_path:
            by_path[path] = _allow_path(path, commits, pending, case)
        allowed = by_path[path]
        if excluder.excludes_anything:
            kept = tuple(may and not excluder.excludes(at, k) for k, may in enumerate(allowed))
            allowed = kept if any(kept) else allowed
        found.append(remainder.narrow(allowed, one))
    return found


def _allow_path(
    path: bytes, commits: Sequence[LogicalCommit], pending: Sequence[int], case: Case
) -> Allowed:
    """Which pending commits a path may go to; ``exclude`` is kept before ``files`` is."""
    positions = frozenset(pending)
    is_pending = [k in positions for k in range(len(commits))]
    open_commits = [
        may and not commit.excludes(path, case)
        for may, commit in zip(is_pending, commits, strict=True)
    ]
    claiming = [
        may and commit.claims(path, case) for may, commit in zip(open_commits, commits, strict=True)
    ]
    without_files = [
        may and not commit.files for may, commit in zip(open_commits, commits, strict=True)
    ]
    # The first that leaves any commit: a path that no list claims goes to commits without a list,
    # and one that every commit excludes still has to go somewhere.
    choices = (claiming, without_files, open_commits, is_pending)
    return tuple(next(choice for choice in choices if any(choice)))
