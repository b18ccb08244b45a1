"""The files of the state, which a job finds behind its first checkout alone, as on GitHub, and
which each further one puts back.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from git_retcon.git.process import Git, GitError
from git_retcon.heal.execution.job_session import JobSession
from git_retcon.run.removal import remove
from git_retcon.run.rule_pipes import remove_rule_pipes, walk_folders
from git_retcon.run.worktree import Worktree
from git_retcon.run.worktree_parts import put_parts_right


class HiddenFiles:
    """Hides them from what comes before a checkout. ``at_once``: nothing has to check them out.
    ``include`` copies what the user wants beside them.

    They are not moved before something looks for them: where a checkout is the first step, never.
    """

    def __init__(
        self,
        worktree: Worktree,
        session: JobSession,
        include: Callable[[Path], None],
        *,
        at_once: bool,
    ) -> None:
        self._worktree = worktree
        self._session = session
        self._include = include
        self._is_checked_out = False
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

    def check_out(self, *, clean: bool) -> None:
        """A checkout of the state: the first one removes what is in the workspace, a further one
        what is not tracked, ignored or not, unless it is not ``clean``. Raises GitError where the
        files cannot be written.
        """
        if not self._is_checked_out:
            self._is_checked_out = True
            self._show()
            return
        _check_out_again(self._worktree, clean=clean)
        if clean:
            self._include(self._worktree.tree)
            self._show_only_state()

    def _show(self) -> None:
        if self.are_shown:
            return
        self.are_shown = True
        if self._worktree.aside.is_set:
            self._worktree.bring_back()
        self._show_only_state()

    def _show_only_state(self) -> None:
        if self._session.copies is not None:
            self._session.copies = [str(self._session.workspace)]

    def show_for_unknown(self) -> None:
        """A step was skipped that may have checked out anything: nobody knows what later ones
        would find. What is in the workspace, they need.
        """
        if not self._worktree.aside.is_set or not os.listdir(self._session.workspace):  # noqa: PTH208
            self._show()


def _check_out_again(worktree: Worktree, *, clean: bool) -> None:
    """Do what actions/checkout does where it finds its repository."""
    assert worktree.head is not None, "the job began with a checkout"
    put_parts_right(worktree.root)
    remove(worktree.git_dir / "index.lock")
    # An earlier one may have left out a part of the files.
    if (worktree.git_dir / "config.worktree").exists():
        remove(worktree.git_dir / "config.worktree")
        remove(worktree.git_dir / "index")
    top = os.fsencode(worktree.tree)
    remove_rule_pipes(top, walk_folders(top))
    # Not our own index: what steps added to theirs is tracked.
    own = worktree.git
    env = {name: value for name, value in own.env.items() if name != "GIT_INDEX_FILE"}
    git = replace(own, env=env)
    checkout = ("checkout", "--quiet", "--force", "--detach", worktree.head)
    try:
        _clean_up(git, clean=clean)
        git.run(*checkout)
    except GitError:
        # The action makes its repository anew then.
        for place in worktree.tree.iterdir():
            if place.name != ".git":
                remove(place)
        remove(worktree.git_dir / "index")
        git.run(*checkout)


def _clean_up(git: Git, *, clean: bool) -> None:
    git.run("checkout", "--quiet", "--detach")
    branches = git.run("for-each-ref", "--format=delete %(refname)", "refs/heads")
    if branches:
        git.run("update-ref", "--stdin", stdin=branches)
    if clean:
        git.run("clean", "-ffdxq")
