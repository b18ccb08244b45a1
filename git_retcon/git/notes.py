"""Notes: text about a commit, kept beside it under ``refs/notes/``.

Written with one level of fan-out in one tree edit; read at any fan-out. libgit2's writer keeps a
flat tree, which grows quadratically.
"""

from collections.abc import Mapping

from git_retcon.git.commits import write_unsigned
from git_retcon.git.graph import tree_of
from git_retcon.git.refs import NOTHING, RefUpdate, read_ref
from git_retcon.git.repository import Repository
from git_retcon.git.trees import EMPTY_TREE, Entry


class Notes:
    """The notes under one ref, as they stood when this was made, or since ``moved``."""

    def __init__(self, repository: Repository, ref: str) -> None:
        self.ref = ref
        self._repository = repository
        self._trees = repository.trees
        self._tip = read_ref(repository.git, ref)
        self._tree = tree_of(repository, self._tip) if self._tip else EMPTY_TREE

    def get(self, commit: str) -> str | None:
        """The note about a commit, or None."""
        for levels in range(3):
            entry = self._trees.find(self._tree, _path(commit, levels))
            if entry is not None and entry.is_file:
                content: bytes = self._repository.objects.odb.read(entry.oid)[1]
                return content.decode("utf-8", "replace")
        return None

    def moved(self, update: RefUpdate) -> None:
        """Stand on what ``adding`` wrote, once its ref has moved."""
        self._tip = update.new
        self._tree = tree_of(self._repository, update.new)

    def adding(self, notes: Mapping[str, str], why: str) -> RefUpdate:
        """Write a notes commit with these notes added; the ref moves only with the update."""
        objects = self._repository.objects
        edits: dict[bytes, Entry | None] = {}
        for commit, text in notes.items():
            for levels in (0, 2):
                if self._trees.find(self._tree, _path(commit, levels)) is not None:
                    edits[_path(commit, levels)] = None
            blob = str(objects.create_blob(text.encode("utf-8", "surrogateescape")))
            edits[_path(commit, 1)] = Entry(b"100644", blob)
        tree = self._trees.edit(self._tree, edits)
        parents = [self._tip] if self._tip else []
        new = write_unsigned(self._repository, tree, parents, why + "\n")
        return RefUpdate(self.ref, self._tip or NOTHING, new)


def _path(commit: str, levels: int) -> bytes:
    parts = [commit[2 * level : 2 * level + 2] for level in range(levels)]
    return "/".join([*parts, commit[2 * levels :]]).encode()
