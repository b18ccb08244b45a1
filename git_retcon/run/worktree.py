"""A worktree of ours: a place to build commits that no build can use to reach the user's refs.

``<base>/<repository key>/<id>/`` holds ``tree`` (the files), ``git`` (a shared clone, see
``clone``), ``repository`` (whose it is) and ``index`` (ours; the clone's own index is a copy of
it, because builds may run ``git add``). It is kept between runs, so that builds stay warm. While
the files are set aside, ``tree`` is empty and they are in ``tree.aside``.
"""

import contextlib
import functools
import itertools
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.errors import Fatal, Reason
from git_retcon.files.atomic import remove_unfinished_in, save_for_now
from git_retcon.files.lock import hold_lock
from git_retcon.git.graph import is_commit, tree_of
from git_retcon.git.process import Git, GitError
from git_retcon.git.repository import Repository
from git_retcon.git.trees import Entry, Trees
from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.aside_tree import AsideTree
from git_retcon.run.background import Background
from git_retcon.run.clone import SharedClone
from git_retcon.run.file_modes import restore_modes
from git_retcon.run.kept_worktrees import lock_of, repository_key
from git_retcon.run.removal import allow_owner, make_writable, remove
from git_retcon.run.rule_pipes import list_folders, remove_rule_pipes, walk_folders
from git_retcon.run.shell_command import Outcome, Sinks, run_command
from git_retcon.run.stray_processes import MARK, end_strays
from git_retcon.run.untracked_files import Unclear, UntrackedFiles
from git_retcon.run.worktree_parts import put_parts_right, read_owner, remove_link, sign_worktree
from git_retcon.run.worktree_place import make_folder

if TYPE_CHECKING:
    import pygit2

_ID = LazyPattern(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_ATTRIBUTES = ":(top,glob)**/.gitattributes"


class WorktreeRemoved(Fatal):
    """Somebody removed the worktree while it was in use."""


@dataclass
class Worktree:
    """An open worktree; this process alone uses it. Made by ``open_worktree``."""

    root: Path
    repository: Repository
    # The tree that the index was last made from, as long as it is known.
    _held: str | None = field(default=None, init=False)
    _untracked: UntrackedFiles | None = field(default=None, init=False)
    # The commit that HEAD was put at last; a command may have moved it since.
    head: str | None = field(default=None, init=False)
    # After the last checkout; a command may have left something since.
    has_only_tracked: bool = field(default=False, init=False)
    # Whether nothing has run here since its own parts were looked at.
    _is_restored: bool = field(default=False, init=False)

    @functools.cached_property
    def tree(self) -> Path:
        """Where the files are."""
        return self.root / "tree"

    @functools.cached_property
    def git_dir(self) -> Path:
        """The git directory beside the tree."""
        return self.root / "git"

    def checkout(self, oid: str, head: str | None = None) -> None:
        """Make the tree hold exactly a commit (or a tree), and what is ignored.

        Takes a full object id. HEAD is detached at a commit, and stays where it is for a tree,
        unless ``head`` names the commit of that tree; then both may be in the clone alone.
        Changed tracked files are put back, untracked ones removed, ignored ones kept. Raises
        GitError when there is no such object or git cannot write the files, and Fatal when the
        worktree itself cannot be repaired.
        """
        with _explain_faults(self.root):
            if not self._is_restored:
                self._restore_worktree()
            self._is_restored = False
            self._remove_rule_pipes(oid)
            try:
                self._force_checkout(oid, head)
            except GitError:
                # Builds leave directories that nobody may write in, and may damage what is ours.
                # An object that the user's repository lacks too is another matter.
                self.repository.git.run("cat-file", "-e", f"{oid}^{{tree}}")
                make_writable(self.tree)
                remove(self.git_dir)
                self._restore_worktree()
                self._force_again(oid, head)

    def run(
        self,
        command: str,
        *,
        env: Mapping[str, str],
        directory: Path | None = None,
        timeout: float | None = None,
        sinks: Sinks = Sinks(),
        prefix: Sequence[str] = (),
        background: Background | None = None,
    ) -> Outcome:
        """Run a shell command in the tree (or in ``directory``) as ``run_command`` does.

        The tree's ``.git`` file is put back if the command changed it. Raises WorktreeRemoved
        where somebody removed the worktree meanwhile: what the command said then means nothing.
        """
        self._require_worktree()
        self._is_restored = False
        try:
            outcome = run_command(
                command,
                cwd=directory or self.tree,
                env={**env, MARK: os.fspath(self.root)},
                timeout=timeout,
                sinks=sinks,
                prefix=prefix,
                background=background,
            )
        finally:
            self.has_only_tracked = False
            with _explain_faults(self.root):
                self.restore_link()
        # What earlier commands left in the background is no stray.
        if outcome.timed_out and (background is None or background.is_empty):
            end_strays(self.root)
        self._require_worktree()
        return outcome

    def set_aside(self) -> None:
        """Leave an empty folder, which is no git repository, in the place of the files."""
        self._is_restored = False
        with _explain_faults(self.root):
            allow_owner(self.root)
            self.aside.set()

    def bring_back(self) -> None:
        """Have the files in their place again, and nothing of what was put there meanwhile."""
        with _explain_faults(self.root):
            allow_owner(self.root)
            self.aside.bring_back()
            self.restore_link()

    def lacks_files(self) -> bool:
        """Whether a tracked file of the last checkout, or of its git directory, is gone."""
        if not self._clone.is_usable():
            return True
        with contextlib.suppress(Fatal):  # the clone alone may have the tree
            if self._held is not None:
                top = os.fsencode(self.tree) + b"/"
                files = self.repository.trees.files(self._held)
                return not all(os.path.lexists(top + path) for path, _ in files)
        listed = self.git.try_run("ls-files", "--deleted", "-z")
        return listed.returncode != 0 or listed.stdout != b""

    def make_again(self) -> None:
        """Make the worktree from nothing, after somebody removed it or a part of it."""
        self._held = None
        self.close()
        with _explain_faults(self.root):
            remove(self.root)
            self.root.mkdir(parents=True, exist_ok=True)
            self._restore_worktree()

    def open_objects(self) -> "pygit2.Repository":
        """The objects that the git directory has now, and the user's: what is written to them is
        in that directory alone.
        """
        return self._clone.open_objects()

    def detach_head(self, commit: str) -> None:
        """Put HEAD at a commit, and touch nothing else."""
        self._clone.detach_head(commit)
        self.head = commit

    def close(self) -> None:
        """End what works for it; another checkout starts it again."""
        if self._untracked is not None:
            self._untracked.close()

    def restore_link(self) -> bool:
        """Put the tree's ``.git`` file back if it differs; True when it did."""
        link = self.tree / ".git"
        content = b"gitdir: " + os.fsencode(self.git_dir) + b"\n"
        if self.tree.is_symlink() or not self.tree.is_dir():
            remove(self.tree)
            self.tree.mkdir()
        if self.aside.is_set:
            return False
        # Not written when it is right: its time would change, and with it git's view of the index.
        if not link.is_symlink() and link.is_file() and link.read_bytes() == content:
            return False
        remove(link)
        save_for_now(link, content)
        return True

    @functools.cached_property
    def git(self) -> Git:
        """git on this worktree, with the user's hooks and file system monitor off."""
        # An index outside of the git directory: a build's own ``git add`` does not touch it.
        env = self._own_environment | {MARK: os.fspath(self.root)}
        return Git(git_dir=self.git_dir, work_tree=self.tree, env=env)

    @property
    def _own_environment(self) -> dict[str, str]:
        return self._clone.environment() | {"GIT_INDEX_FILE": os.fspath(self._index)}

    @functools.cached_property
    def _has_exact_names(self) -> bool:
        """Whether a file is listed by the name that its tree has."""
        return sys.platform == "linux" and not self._clone.ignores_case

    @functools.cached_property
    def _clone(self) -> SharedClone:
        return SharedClone(self.git_dir, self.repository)

    @functools.cached_property
    def aside(self) -> AsideTree:
        return AsideTree(self.root)

    @functools.cached_property
    def _index(self) -> Path:
        return self.root / "index"

    def _require_worktree(self) -> None:
        """Raise WorktreeRemoved unless it is there; a command may have removed a part of it."""
        if not self.tree.is_dir() or not (self.git_dir.is_dir() or read_owner(self.root)):
            raise _removed_meanwhile(self.root)
        sign_worktree(self.root, self.repository)

    def _restore_worktree(self) -> None:
        put_parts_right(self.root)
        sign_worktree(self.root, self.repository)
        for folder in (".", "git", "git/info", "git/objects/info"):
            remove_unfinished_in(self.root / folder)
        remove(self._index.with_name("index.lock"))
        if self._clone.restore():
            remove(self._index)
            self._held = None
        self.aside.bring_back()
        self.restore_link()
        self._is_restored = True

    def _force_checkout(self, oid: str, head: str | None) -> None:
        # Nothing is known of the tree until all is done: a git that fails half-way leaves a
        # mixture.
        before, self._held = self._held, None
        listed = self._read_attributes() if before is None and self._index.exists() else None
        is_fresh = os.listdir(self.tree) == [".git"]  # noqa: PTH208
        self.git.run("read-tree", "--reset", "-u", oid)
        commit = head or (oid if is_commit(self.repository, oid) else None)
        tree = tree_of(self.repository, oid) if commit == oid else oid
        if before is not None:
            stale = self._differ_in_attributes(before, tree)
        else:
            stale = listed is not None and self._read_attributes() != listed
        if stale:
            # git leaves files alone whose attributes alone have changed; a fresh checkout would
            # write them with other line ends or through other filters.
            remove(self._index)
            self.git.run("read-tree", "--reset", "-u", oid)
        self._remove_untracked(tree)
        if not is_fresh:
            restore_modes(os.fsencode(self.tree), self._list_files(tree))
        if commit is not None:
            self.detach_head(commit)
        # For ``git status`` of a build (setuptools-scm, ldflags), which reads the usual index.
        shutil.copy2(self._index, self.git_dir / "index")
        self._held = tree

    def _list_files(self, tree: str) -> Iterator[tuple[bytes, Entry]]:
        try:
            self.repository.trees.read(tree)
        except Fatal:  # the clone alone has it
            return Trees(self._clone.open_objects()).files(tree)
        return self.repository.trees.files(tree)

    def _remove_rule_pipes(self, oid: str) -> None:
        top = os.fsencode(self.tree)
        if self._held is not None:
            with contextlib.suppress(Fatal):
                tree = tree_of(self.repository, oid) if is_commit(self.repository, oid) else oid
                files = (path for one in (self._held, tree) for path, _ in self._list_files(one))
                remove_rule_pipes(top, list_folders(files))
                return
        remove_rule_pipes(top, walk_folders(top))

    def _remove_untracked(self, tree: str) -> None:
        self.has_only_tracked = False
        if self._has_exact_names:
            if self._untracked is None:
                # Without the mark: it outlives commands, and what they leave is found by that.
                git = Git(self.git_dir, self.tree, self._own_environment)
                self._untracked = UntrackedFiles(git)
            # What is odd is left to git, and so are trees that the clone alone has.
            with contextlib.suppress(Unclear, Fatal, OSError):
                self.has_only_tracked = self._untracked.remove(self.repository.trees, tree)
                return
        # Twice -f: a build may have made repositories of its own inside the tree.
        self.git.run("clean", "-ffdq")

    def _force_again(self, oid: str, head: str | None) -> None:
        try:
            self._force_checkout(oid, head)
        except GitError as error:
            raise GitError(
                f"{error}, in the worktree '{self.root}'",
                hint="free some space there, repair the filter it names, or name another place "
                "with 'git config retcon.worktreeDir'; then run the same command again",
                again=(),
            ) from error

    def _differ_in_attributes(self, one: str, other: str) -> bool:
        if one == other:
            return False
        changes = self.repository.trees.changes(one, other)
        return any(change.path.rpartition(b"/")[2] == b".gitattributes" for change in changes)

    def _read_attributes(self) -> bytes:
        """The attribute files of the index, which an earlier run may have written."""
        return self.git.run("ls-files", "-s", "-z", "--", _ATTRIBUTES)


@contextlib.contextmanager
def open_worktree(base: Path, repository: Repository, id: str) -> Iterator[Worktree]:  # noqa: A002
    """Hold the worktree ``id`` of a repository for the length of the block.

    It is made when missing and repaired when broken; processes that a killed run left in it are
    ended. ``id`` is letters, digits, ``.``, ``_`` and ``-``. Raises Fatal when another process
    holds it, or when it cannot be written.
    """
    if not _ID.fullmatch(id) or id.endswith(".lock"):
        raise ValueError(f"not a worktree id: {id!r}")
    root = Path(os.path.realpath(base)) / repository_key(repository) / id
    make_folder(root.parent)
    with hold_lock(lock_of(root), f"using the worktree '{root}'"):
        worktree = Worktree(root, repository)
        with _explain_faults(root):
            end_strays(root)
            remove_link(root)
            root.mkdir(exist_ok=True)
            worktree._restore_worktree()
        try:
            yield worktree
        finally:
            worktree.close()


@contextlib.contextmanager
def open_free_worktree(base: Path, repository: Repository, id: str) -> Iterator[Worktree]:  # noqa: A002
    """Hold the worktree ``id``, or the first of ``id-2``, ``id-3``… that no other process holds.

    Otherwise as ``open_worktree``.
    """
    with contextlib.ExitStack() as stack:
        for number in itertools.count(1):
            name = id if number == 1 else f"{id}-{number}"
            try:
                worktree = stack.enter_context(open_worktree(base, repository, name))
                break
            except Fatal as refusal:
                if refusal.reason is not Reason.LOCKED:
                    raise
        yield worktree


def _removed_meanwhile(root: Path) -> WorktreeRemoved:
    return WorktreeRemoved(
        f"the worktree '{root}' was removed while it was in use",
        hint="run the same command again: it is made again",
        again=(),
    )


@contextlib.contextmanager
def _explain_faults(root: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise _removed_meanwhile(root) from error
    except OSError as error:
        raise Fatal(
            f"cannot use the worktree '{root}': {error.strerror or error}",
            hint="name another place for it with 'git config retcon.worktreeDir'",
        ) from error
