"""The files of the state, which a job finds behind its first checkout alone, as on GitHub."""

import os
from dataclasses import replace
from pathlib import Path

from git_retcon.heal.execution.job_session import JobSession
from git_retcon.run.removal import remove
from git_retcon.run.worktree import Worktree


class HiddenFiles:
    """Hides them from what comes before a checkout. ``at_once``: nothing has to check them out.

    They are not moved before something looks for them: where a checkout is the first step, never.
    """

    def __init__(self, worktree: Worktree, session: JobSession, *, at_once: bool) -> None:
        self._worktree = worktree
        self._session = session
        # A workspace beside the worktree is empty by itself.
        self.are_shown = at_once or session.workspace != worktree.tree
        self._has_copy = False
        # The numbers of steps of the job that ended before.
        self.earlier: set[int] = set()

    def hide(self) -> None:
        """Something looks into the workspace: it is empty as long as nothing was checked out."""
        if not (self.are_shown or self._worktree.aside.is_set):
            self._worktree.set_aside()

    def find_commit(self) -> Path:
        """The folder where the files of the commit are for its actions, which need no checkout."""
        if self.are_shown and self._session.workspace == self._worktree.tree:
            return self._worktree.tree
        folder = self._session.folders.actions
        if not self._has_copy:
            remove(folder)
            folder.mkdir(parents=True)
            # git reads attributes where it works: a pipe in the workspace would be waited for.
            replace(self._worktree.git, work_tree=folder).run("checkout-index", "--all")
            self._has_copy = True
        return folder

    def show(self) -> None:
        """A checkout of the state: it removes what is in the workspace."""
        if self.are_shown:
            return
        self.are_shown = True
        if self._worktree.aside.is_set:
            self._worktree.bring_back()
        if self._session.copies is not None:
            self._session.copies = [str(self._session.workspace)]

    def show_for_unknown(self) -> None:
        """A step was skipped that may have checked out anything: nobody knows what later ones
        would find. What is in the workspace, they need.
        """
        if not self._worktree.aside.is_set or not os.listdir(self._session.workspace):  # noqa: PTH208
            self.show()
