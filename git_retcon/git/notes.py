"""Notes: text about a commit, kept beside it under ``refs/notes/``.

Written with one level of fan-out in one tree edit; read at any fan-out. libgit2's writer keeps a
flat tree, which grows quadratically. Other processes write under the same ref, so a write is a
compare-and-swap that is tried again on what they wrote.
"""

import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

from git_retcon.git.commits import write_unsigned
from git_retcon.git.graph import tree_of
from git_retcon.git.ref_updates import NOTHING, RefMoved, RefUpdate, RefUpdater
from git_retcon.git.refs import read_ref
from git_retcon.git.repository import Repository
from git_retcon.git.trees import EMPTY_TREE, Entry

# Writers that never pause could overtake each other for ever.
_LONGEST_TRY = 5.0  # seconds


class Notes:
    """The notes under one ref: as they were at ``tip``, or when last written through this."""

    def __init__(self, repository: Repository, ref: str, tip: str | None) -> None:
        self._ref = ref
        self._repository = repository
        self._trees = repository.trees
        self._written: tuple[str, str] | None = None  # our last commit, and its tree
        self.start_from(tip)

    @classmethod
    def read(cls, repository: Repository, ref: str) -> Self:
        """The notes as they are now."""
        return cls(repository, ref, read_ref(repository.git, ref))

    @property
    def tip(self) -> str | None:
        """The commit of the notes; None where there are none."""
        return self._tip

    def get(self, commit: str) -> str | None:
        """The note about a commit, or None."""
        # git fans notes out further as they get more; somebody's ``git notes`` may have done so.
        for levels in range(3):
            entry = self._trees.find(self._tree, _make_path(commit, levels))
            if entry is not None and entry.is_file:
                content: bytes = self._repository.objects.odb.read(entry.oid)[1]
                return content.decode("utf-8", "replace")
        return None

    def write(
        self,
        updater: RefUpdater,
        notes: Mapping[str, str],
        message: str,
        why: str,
        *,
        along: Sequence[RefUpdate] = (),
    ) -> None:
        """Write notes by commit, in one transaction with the refs that move ``along``.

        ``message`` is that of the notes' own commit, ``why`` goes into the reflogs. Where another
        process has written notes meanwhile, theirs stay, and ours are added to them. Raises
        RefMoved when one of the other refs has moved, else as ``RefUpdater.move`` does.
        """
        write_pages(updater, [Page(self, notes, message)], why, along=along)

    def list_commits(self) -> Sequence[str]:
        """The commits that have a note."""
        files = self._trees.files(self._tree)
        names = (path.replace(b"/", b"").decode("ascii", "replace") for path, _ in files)
        return [name for name in names if len(name) == len(NOTHING)]

    def look_again(self) -> bool:
        """Read the ref again; whether it has moved."""
        before = self._tip
        self.start_from(read_ref(self._repository.git, self._ref))
        return self._tip != before

    def start_from(self, tip: str | None) -> None:
        """Go on from this commit of the notes."""
        self._tip = tip
        if self._written is not None and self._written[0] == tip:
            self._tree = self._written[1]
        else:
            self._tree = tree_of(self._repository, tip) if tip else EMPTY_TREE

    def prepare(
        self, notes: Mapping[str, str], message: str, joined: Sequence[str] = ()
    ) -> RefUpdate:
        """Write a notes commit with these notes added. No ref moves. ``joined`` are other commits
        of notes that it takes up, its parents too.
        """
        objects = self._repository.objects
        edits: dict[bytes, Entry | None] = {}
        for commit, text in notes.items():
            # Two notes of one commit at different depths would be joined by git when it reads them.
            for levels in (0, 2):
                if self._trees.find(self._tree, _make_path(commit, levels)) is not None:
                    edits[_make_path(commit, levels)] = None
            blob = str(objects.create_blob(text.encode("utf-8", "surrogateescape")))
            edits[_make_path(commit, 1)] = Entry(b"100644", blob)
        tree = self._trees.edit(self._tree, edits)
        parents = [*([self._tip] if self._tip else []), *joined]
        new = write_unsigned(self._repository, tree, parents, message + "\n")
        self._written = new, tree
        return RefUpdate(self._ref, self._tip or NOTHING, new)


class Page(NamedTuple):
    """Notes to write under one ref, by commit; ``message`` is that of their own commit."""

    notes: Notes
    texts: Mapping[str, str]
    message: str


def write_pages(
    updater: RefUpdater, pages: Sequence[Page], why: str, *, along: Sequence[RefUpdate] = ()
) -> None:
    """Write notes under several refs, in one transaction with the refs that move ``along``.

    Tries again, and raises, as ``Notes.write``.
    """
    deadline = time.monotonic() + _LONGEST_TRY
    while True:
        # Prepared again each time: another writer's notes are in the tree that ours are added to.
        updates = [page.notes.prepare(page.texts, page.message) for page in pages]
        try:
            # git moves one after the other, and may be killed between two: a note of a commit that
            # no branch has is harmless, a commit without its note is taken for a person's.
            updater.move([*updates, *along], why)
        except RefMoved:
            have_moved = [page.notes.look_again() for page in pages]
            if time.monotonic() >= deadline or not any(have_moved):
                raise
        else:
            for page, update in zip(pages, updates, strict=True):
                page.notes.start_from(update.new)
            return


def _make_path(commit: str, levels: int) -> bytes:
    parts = [commit[2 * level : 2 * level + 2] for level in range(levels)]
    return "/".join([*parts, commit[2 * levels :]]).encode()
