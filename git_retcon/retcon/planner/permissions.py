"""The commits that each atom may go to, before any evidence is weighed."""

from collections.abc import Mapping, Sequence

from git_retcon.files.patterns import Case, PatternLists, read_patterns
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
    decided: Mapping[str, int],
    excluder: Excluder,
    case: Case,
) -> list[Allowed]:
    """Where each atom may go: pending, and not denied by ``files``, ``exclude`` or the hints.

    ``decided`` gives the commit of each atom that is on the branch already, or pinned. An atom
    that everything denies may go where its path may: a plan places every atom.
    """
    by_path: dict[bytes, Allowed] = {}
    found: list[Allowed] = []
    rules = _PathRules(commits, pending, case)
    remainder = Remainder(facts, descriptions, commits, pending)
    for at, one in enumerate(facts):
        commit = decided.get(one.atom.id)
        if commit is not None:
            # What is on the branch, or pinned, is evidence for the rest, but it cannot move.
            found.append(tuple(k == commit for k in range(len(commits))))
            continue
        path = one.atom.path
        if path not in by_path:
            by_path[path] = rules.allow(path)
        allowed = by_path[path]
        if excluder.excludes_anything:
            kept = tuple(may and not excluder.excludes(at, k) for k, may in enumerate(allowed))
            allowed = kept if any(kept) else allowed
        found.append(remainder.narrow(allowed, one))
    return found


def allow_later(allowed: Allowed, commit: int) -> Allowed:
    """Where an atom that was released from a commit may go: to a later one, where one may have
    it."""
    later = tuple(may and at > commit for at, may in enumerate(allowed))
    return later if any(later) else allowed


class _PathRules:
    """``files`` and ``exclude`` of all commits, asked at once about each path."""

    def __init__(
        self, commits: Sequence[LogicalCommit], pending: Sequence[int], case: Case
    ) -> None:
        self._count = len(commits)
        self._pending = frozenset(pending)
        self._without_files = {k for k in self._pending if not commits[k].files}
        self._files = PatternLists([read_patterns(each.files, case) for each in commits])
        self._exclude = PatternLists([read_patterns(each.exclude, case) for each in commits])
        self._known: dict[frozenset[int], Allowed] = {}

    def allow(self, path: bytes) -> Allowed:
        """Which pending commits a path may go to; ``exclude`` is kept before ``files`` is."""
        is_open = self._pending - self._exclude.find(path)
        claiming = is_open & self._files.find(path)
        choices = (claiming, is_open & self._without_files, is_open, self._pending)
        chosen = next(choice for choice in choices if choice)
        # Most paths of a branch may go to the same commits.
        if chosen not in self._known:
            self._known[chosen] = tuple(k in chosen for k in range(self._count))
        return self._known[chosen]
