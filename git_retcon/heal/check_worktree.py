"""The worktree of one state of a checkout: made, shared by its jobs one after another, kept.

``<base>/<repository key>/<run id>/`` is a worktree as ``run/worktree`` makes it, with ``jobs``
(what each job has for itself), ``caches``, ``uploads`` and ``verdicts`` beside the tree.
"""

import contextlib
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from git_retcon.errors import Fatal, Reason
from git_retcon.git.commits import Identity, write_commit_by
from git_retcon.git.graph import read_commit, tree_of
from git_retcon.git.process import GitError
from git_retcon.git.repository import Repository
from git_retcon.heal.carried_folders import carry_folders, clear_home
from git_retcon.heal.ignored_files import exchange_ignored, remove_products
from git_retcon.heal.stored_verdicts import VERDICTS
from git_retcon.heal.submodules import empty_submodules
from git_retcon.run.removal import allow_owner
from git_retcon.run.working_state import WorkingState
from git_retcon.run.worktree import Worktree, open_worktree

_TICK = 0.1  # seconds between attempts to get a worktree that another check uses
_STATE = "state"
# Something else is in the place of a file or a folder.
_OF_DAMAGE = (FileExistsError, IsADirectoryError, NotADirectoryError)


@contextlib.contextmanager
def wait_for_worktree(
    base: Path, repository: Repository, run_id: str, say: Callable[[str], None]
) -> Iterator[Worktree]:
    """Hold the worktree of a run id; while another process holds it, wait and say so once."""
    waited = False
    with contextlib.ExitStack() as stack:
        while True:
            try:
                worktree = stack.enter_context(open_worktree(base, repository, run_id))
                break
            except Fatal as refusal:
                if refusal.reason is not Reason.LOCKED:
                    raise
                if not waited:
                    say("another check of the same state is running: waiting for its verdict")
                waited = True
                time.sleep(_TICK)
        yield worktree


class StateWorktree:
    """A held worktree with the files of a state in it."""

    def __init__(
        self,
        worktree: Worktree,
        state: WorkingState,
        include: "Include",
        carry: Callable[[Path, str], None] = carry_folders,
    ) -> None:
        self._worktree = worktree
        self._state = state
        self._include = include
        self._carry = carry
        self._head = ""  # once the worktree has the objects
        self._commit = ""

    def prepare(self, key: str) -> str:
        """Make it ready for the job of a key: the files of the state, and of what jobs leave
        only the packages that the same one downloaded. Returns the commit that HEAD is at.
        """
        try:
            self._bring_files(key)
        except (GitError, *_OF_DAMAGE):
            # A job damaged what is ours; of a state that is not committed only we have the objects.
            self._worktree.make_again()
            self._head = self._commit = ""
            self._bring_files(key)
        return self._head

    def _bring_files(self, key: str) -> None:
        if not self._head:
            self._fill_worktree()
        self._worktree.checkout(self._state.tree, self._head)
        empty_submodules(self._worktree)
        exchange_ignored(self._worktree, key)
        remove_products(self._worktree)
        folder = self._worktree.root / "jobs" / key
        folder.mkdir(parents=True, exist_ok=True)
        allow_owner(folder)
        clear_home(folder / "home")
        self._include(self._worktree.tree)

    def _fill_worktree(self) -> None:
        is_new = not (self._worktree.root / _STATE).exists()
        take_objects(self._state.objects, self._worktree.git_dir / "objects")
        self._head = self.make_head()
        if is_new:
            self._carry(self._worktree.root, self._state.commit)
        said = f"{self._state.tree}\n{self._state.commit}\n"
        (self._worktree.root / _STATE).write_text(said, "ascii")
        (self._worktree.root / VERDICTS).mkdir(exist_ok=True)

    def make_head(self) -> str:
        """The commit that steps find: HEAD's own, or one on top of it with what is uncommitted.

        CI would see the work committed; a step that asks whether the tree is clean should too.
        """
        self._commit = self._commit or self._make_commit()
        return self._commit

    def _make_commit(self) -> str:
        repository, state = self._worktree.repository, self._state
        if state.commit and tree_of(repository, state.commit) == state.tree:
            return state.commit
        # The same state gives the same commit, whenever it is checked.
        dated = _date_of(repository, state.commit) if state.commit else (0, "+0000")
        who = Identity("git heal", "git-heal@localhost", *dated)
        parents = [state.commit] if state.commit else []
        return write_commit_by(
            self._worktree.open_objects(), state.tree, parents, "Uncommitted work\n", who
        )


def _date_of(repository: Repository, commit: str) -> tuple[int, str]:
    """When a commit was authored, as git takes it; the epoch for what is before it or no date."""
    try:
        author = Identity.parse(read_commit(repository, commit).author)
    except ValueError:  # a damaged header, which git can show all the same
        return 0, "+0000"
    return max(0, author.seconds), author.zone


Include = Callable[[Path], None]


def take_objects(source: Path, target: Path) -> None:
    """Bring loose objects into a clone, those that it has not."""
    for folder in source.iterdir():
        if folder.name in ("info", "pack"):
            continue
        (target / folder.name).mkdir(exist_ok=True)
        for loose in folder.iterdir():
            place = target / folder.name / loose.name
            if not place.exists():
                unfinished = place.with_name(f"tmp_{loose.name}")
                shutil.copy2(loose, unfinished)
                unfinished.rename(place)
