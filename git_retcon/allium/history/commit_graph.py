"""The commits of a history and their parents, as git lists them: one process for any number."""

from collections.abc import Iterable, Mapping, Sequence

from git_retcon.git.process import Git

_PARENTS = "^@"  # all parents of a commit, as git spells it


class CommitGraph:
    """Commits by id with their parents, parents before children.

    ``parents`` may name commits that are not in the graph: it begins somewhere. In a shallow clone
    the commits at its edge have none.
    """

    __slots__ = ("parents",)

    def __init__(self, parents: Mapping[str, Sequence[str]]) -> None:
        self.parents = dict(parents)

    def __repr__(self) -> str:
        return f"CommitGraph({self.parents!r})"

    def __len__(self) -> int:
        return len(self.parents)

    def __contains__(self, commit: object) -> bool:
        return commit in self.parents

    def list_children(self) -> Mapping[str, Sequence[str]]:
        """The children of each commit of the graph, in the graph's order."""
        children: dict[str, list[str]] = {commit: [] for commit in self.parents}
        for commit, parents in self.parents.items():
            # A commit may name one parent twice; it is one child all the same.
            for parent in dict.fromkeys(parents):
                if parent in children:
                    children[parent].append(commit)
        return children


def read_graph(git: Git, tips: Iterable[str], without: Iterable[str] = ()) -> CommitGraph:
    """What is reachable from the tips and not from those already described, lines kept together.

    Of ``<commit>^@`` that is without, the history begins at the commit: it comes first, and takes
    the place of every parent that lies before it.
    """
    without = tuple(without)
    revisions = [*tips, *(f"^{commit}" for commit in without)]
    listing = git.run(
        # Topological order keeps a branch's commits together: a run that stops half-way leaves
        # whole lines.
        "rev-list", "--topo-order", "--reverse", "--parents", "--stdin",
        # Over standard input: thousands of heads do not fit on a command line.
        stdin="".join(f"{revision}\n" for revision in revisions).encode(),
    )  # fmt: skip
    graph = parse_graph(listing.decode("ascii"))
    starts = [each.removesuffix(_PARENTS) for each in without if each.endswith(_PARENTS)]
    return next((_begin_at(graph, start) for start in starts if start in graph), graph)


def _begin_at(graph: CommitGraph, start: str) -> CommitGraph:
    """A branch that was forked before the start may be listed before it, and goes on from it."""
    after: dict[str, Sequence[str]] = {
        commit: tuple(parent if parent in graph else start for parent in parents)
        for commit, parents in graph.parents.items()
    }
    # What is before the start stays its parent.
    after[start] = graph.parents[start]
    return CommitGraph({start: after[start], **after})


def parse_graph(listing: str) -> CommitGraph:
    """A graph from lines of a commit and its parents."""
    # Each id is one string in memory, however often it is named.
    known: dict[str, str] = {}
    parents: dict[str, Sequence[str]] = {}
    for line in listing.splitlines():
        commit, *above = (known.setdefault(oid, oid) for oid in line.split(" "))
        parents[commit] = tuple(above)
    return CommitGraph(parents)
