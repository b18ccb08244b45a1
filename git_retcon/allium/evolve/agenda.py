"""Which source commits are still to be described, in which order, and where it began."""

from collections.abc import Sequence
from typing import NamedTuple

from git_retcon.allium.evolve.request import Range, resolve_source
from git_retcon.allium.history.commit_graph import CommitGraph, read_graph
from git_retcon.allium.history.segments import Segment, find_segments
from git_retcon.allium.history.source_notes import SpecRecord
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.allium.history.spec_commit import read_trailers
from git_retcon.errors import Fatal, Reason, WrongUsage
from git_retcon.git.graph import is_ancestor, is_commit, read_commit
from git_retcon.git.refs import list_refs
from git_retcon.git.repository import Repository
from git_retcon.git.short_ids import shorten_id

# People's commits in a row on a spec branch; more of them are rather a branch of the source.
_MOST_EDITS = 50


class Parent(NamedTuple):
    """A parent of a commit to describe: the source commit, and what it was described as."""

    source: str
    record: SpecRecord


class Agenda(NamedTuple):
    """The commits to describe, parents first; ``tip`` is the source commit that the branch goes to.

    ``start`` is where that began, if not with the history: it takes the place of every parent that
    is not described. ``first`` is the number of the first step. The graph is what ``tips`` reach
    and the revisions ``known`` do not.
    """

    graph: CommitGraph
    segments: Sequence[Segment]
    tip: str
    start: str | None
    first: int
    tips: Sequence[str] = ()
    known: Sequence[str] = ()

    @property
    def trunk(self) -> frozenset[str]:
        """The commits to describe that lie on the line of first parents of the tip."""
        trunk: set[str] = set()
        commit = self.tip
        while commit in self.graph:
            trunk.add(commit)
            parents = self.graph.parents[commit]
            if not parents:
                break
            commit = parents[0]
        return frozenset(trunk)

    def list_parents(self, commit: str) -> Sequence[str]:
        """The source commits whose specifications a commit goes on from."""
        parents = dict.fromkeys(self.graph.parents[commit])
        return list(parents) if commit != self.start else []


def make_agenda(repository: Repository, branch: SpecBranch, asked: Range, tip: str) -> Agenda:
    """Everything reachable from the tip, and with ``is_all`` from any branch or tag, that the spec
    branch does not describe. Raises Fatal for a start that contradicts the one there is.
    """
    tips = [tip]
    if asked.is_all:
        refs = list_refs(repository.git, "refs/heads", "refs/tags", "refs/remotes")
        # The spec branch is no source, nor is any other one that was written here.
        tips += [ref.commit for name, ref in refs.items() if ref.commit and name != branch.name]
        tips = [each for each in dict.fromkeys(tips) if not _tells_history(repository, each)]
    if branch.is_new:
        start = _find_start(repository, asked, tip)
        # All its parents are out, so the history begins at the start itself.
        known = [f"{start}^@"] if start else []
        first = 0
    else:
        _check_start(repository, branch, asked, tip)
        start = _find_first_told(repository, branch)
        known = list(branch.list_sources())
        # Numbers go on, so that those of two runs do not overlap.
        first = 1 + max((_step_of(branch, source) for source in branch.heads), default=-1)
    graph = read_graph(repository.git, tips, known)
    return Agenda(graph, find_segments(graph, tip), tip, start, first, tips, known)


def _tells_history(repository: Repository, commit: str) -> bool:
    """Whether a commit is itself of a spec branch: one that tells, or follows one that does."""
    for _ in range(_MOST_EDITS):
        found = read_commit(repository, commit)
        if read_trailers(found).source is not None:
            return True
        if not found.parents or not is_commit(repository, found.parents[0]):
            return False
        commit = found.parents[0]
    return False


def _find_start(repository: Repository, asked: Range, tip: str) -> str | None:
    if asked.since is not None and asked.last is not None:
        raise WrongUsage("--from and --last contradict each other", hint="give one")
    if asked.last is not None:
        listing = repository.git.run("rev-list", "--first-parent", f"--max-count={asked.last}", tip)
        return listing.decode("ascii").split()[-1]
    if asked.since is None:
        return None
    start = resolve_source(repository, asked.since)
    if not is_ancestor(repository, start, tip):
        raise Fatal(
            f"'{asked.since}' is no ancestor of '{asked.revision}'",
            hint="--from names a commit of the history that is described",
            reason=Reason.INVALID,
        )
    return start


def _check_start(repository: Repository, branch: SpecBranch, asked: Range, tip: str) -> None:
    """Raise Fatal where another start is asked for than the branch has. ``--last`` may be given
    again and again: it says how to begin.
    """
    if asked.since is None:
        return
    start = _find_start(repository, asked._replace(last=None), tip)
    if start is not None and branch.find(start) is None:
        raise _refuse_start(branch, start)


def _find_first_told(repository: Repository, branch: SpecBranch) -> str | None:
    """The source commit that the spec branch begins with, where that is not a root itself."""
    listing = repository.git.run("rev-list", "--max-parents=0", *sorted(branch.heads.values()))
    # The branch's own root commits say where it began; no setting has to be kept.
    for root in listing.decode("ascii").split():
        source = read_trailers(read_commit(repository, root)).source
        is_here = source is not None and is_commit(repository, source)
        if source is not None and is_here and read_commit(repository, source).parents:
            return source
    return None


def _step_of(branch: SpecBranch, source: str) -> int:
    record = branch.find(source)
    return -1 if record is None else record.step


def _refuse_start(branch: SpecBranch, start: str) -> Fatal:
    short = branch.name.removeprefix("refs/heads/")
    return Fatal(
        f"'{short}' does not describe {shorten_id(start)}: it begins elsewhere",
        hint=f"leave --from and --last out to go on, or delete the branch "
        f"('git branch -D {short}') to begin again",
        reason=Reason.INVALID,
    )


def find_parents(
    repository: Repository, agenda: Agenda, branch: SpecBranch, commit: str
) -> Sequence[Parent]:
    """The source commits that a commit goes on from, and what they were described as.

    A parent that was never described lies before the start, which takes its place.
    """
    found: dict[str, Parent] = {}
    for source in agenda.list_parents(commit):
        record = branch.find(source)
        if record is None and agenda.start is not None:
            source, record = agenda.start, branch.find(agenda.start)
        # A reconciliation went past it: its nearest ancestor that was described counts.
        while record is None and source not in agenda.graph and is_commit(repository, source):
            above = read_commit(repository, source).parents
            if not above:
                break
            source = above[0]
            record = branch.find(source)
        if record is not None:
            found.setdefault(source, Parent(source, record))
    return list(found.values())
