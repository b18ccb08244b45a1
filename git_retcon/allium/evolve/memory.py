"""What was described before of commits that were amended or rebased: the same source after the same
specification is not paid for again.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.engine import Step, Update
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.allium.history.spec_commit import read_account, read_trailers
from git_retcon.allium.store.module_paths import MASTER
from git_retcon.allium.store.spec_tree import SpecTrees, list_changed_files
from git_retcon.git.graph import Commit, is_commit, read_commit, tree_of
from git_retcon.git.repository import Repository

# Lines of an account that a step writes by itself.
_OWN_LINES = (
    "Merged ", "Changed: ", "and ", "Reconciliation", "Findings: ", "Skipped: ", "Not analysed: ",
    "Not combined: ",
)  # fmt: skip


class Lesson(NamedTuple):
    """What identifies a step: the source tree, and the specifications that it goes on from."""

    source: str
    specs: tuple[str, ...]


class Memory:
    """The steps that a branch described of commits which its new tip does not have."""

    def __init__(self, repository: Repository, known: Mapping[Lesson, Commit]) -> None:
        self._repository = repository
        self._trees = SpecTrees(repository)
        self._known = known

    @classmethod
    def of(cls, repository: Repository, branch: SpecBranch, tip: str) -> "Memory":
        """All of them; none where the source only went forward."""
        gone = [source for source in branch.heads if is_commit(repository, source)]
        found = dict(_list_lessons(repository, branch, gone, tip)) if gone else {}
        return cls(repository, found)

    def recall(self, step: Step, specs: Sequence[str]) -> Update | None:
        """What the same step gave before, after the spec commits ``specs``; None if it is new."""
        if not self._known:
            return None
        spec = self._known.get(Lesson(step.tree, tuple(map(self.read_specification, specs))))
        if spec is None:
            return None
        trailers = read_trailers(spec)
        changed = list_changed_files(step.store, self._trees.read(spec.tree).store)
        return Update(
            {path: text for path, text in changed.items() if path != MASTER},
            changed.get(MASTER),
            # The step writes its own lines again.
            [line for line in read_account(spec) if line and not line.startswith(_OWN_LINES)],
            model=trailers.model,
            is_decided=True,
        )

    def foresee(self, tree: str, before: Sequence[str | None]) -> str | None:
        """The specification that a step to this source tree gave, after these; None if it is new,
        or if one of these is not known.
        """
        known = [each for each in before if each is not None]
        if not self._known or len(known) < len(before):
            return None
        spec = self._known.get(Lesson(tree, tuple(known)))
        return None if spec is None else self._trees.find_spec_tree(spec.tree)

    def read_specification(self, spec: str) -> str:
        """What identifies the specification of a spec commit."""
        return self._trees.find_spec_tree(tree_of(self._repository, spec))


def _list_lessons(
    repository: Repository, branch: SpecBranch, gone: Sequence[str], tip: str
) -> Iterator[tuple[Lesson, Commit]]:
    # What the new tip still has is known by its notes.
    listing = repository.git.run("rev-list", *gone, f"^{tip}")
    trees = SpecTrees(repository)
    for source in listing.decode("ascii").split():
        record = branch.find(source)
        if record is None:
            continue
        spec = read_commit(repository, record.spec)
        # What could not be described is tried again.
        if not read_trailers(spec).incomplete:
            before = (trees.find_spec_tree(tree_of(repository, each)) for each in spec.parents)
            yield Lesson(tree_of(repository, source), tuple(before)), spec
