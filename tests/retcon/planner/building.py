"""Branches for the planner, made from a few files."""

from collections.abc import Iterable, Mapping, Sequence

from git_retcon.git.difference import Difference, compare_trees
from git_retcon.retcon.branch.granularity import StatementGranularity
from git_retcon.retcon.planner.plan import Plan, Task, make_plan
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository

Files = Mapping[str, str | bytes | None]


def branch(repo: TestRepository, before: Files, after: Files) -> Difference:
    """The difference between two sets of files, cut as the program cuts it."""
    for name, files in (("base", before), ("source", after)):
        repo.git("rm", "-rfq", "--ignore-unmatch", ".")
        repo.commit(name, {path: text for path, text in files.items() if text is not None})
    base = repo.tree("HEAD~")
    return compare_trees(repo.open(), base, repo.tree("HEAD"), granularity=StatementGranularity())


def planned(whole: Difference, commits: Sequence[str | LogicalCommit]) -> Plan:
    """The plan for commits given by message, all of them pending."""
    logical = [LogicalCommit(each) if isinstance(each, str) else each for each in commits]
    return make_plan(Task(whole, logical, range(len(logical))))


def placed(whole: Difference, made: Plan) -> dict[bytes, int]:
    """What each atom adds, or else removes, or else its path → the commit it went to."""
    return {
        b"".join(atom.added) or b"".join(atom.removed) or atom.path: made.placements[atom.id].commit
        for atom in whole.atoms
    }


def by_path(whole: Difference, made: Plan) -> dict[bytes, set[int]]:
    """The commits that each path's atoms went to."""
    found: dict[bytes, set[int]] = {}
    for atom in whole.atoms:
        found.setdefault(atom.path, set()).add(made.placements[atom.id].commit)
    return found


def pairs(whole: Difference, which: Iterable[tuple[int, int]]) -> set[tuple[str, str]]:
    """Pairs of atoms, by the first written line that each adds or else removes."""
    texts = (b"".join(atom.added or atom.removed or (atom.path,)) for atom in whole.atoms)
    first = [text.decode().strip().partition("\n")[0] for text in texts]
    return {(first[a], first[b]) for a, b in which}
