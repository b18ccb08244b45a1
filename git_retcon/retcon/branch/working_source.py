"""The source with what is not committed on it: the files of its checkout as one more commit.

That commit lies in a folder of its own beside the repository, so that a plan leaves no trace. Its
id says what the state is: the same files on the same commit, last changed at the same time, have
the same id in each run.
"""

import contextlib
import os
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from git_retcon.errors import Fatal, Reason
from git_retcon.git.checkout import bind_checkout, list_tracked, path_in_tree
from git_retcon.git.commits import Identity
from git_retcon.git.graph import Commit, is_commit, read_commit, tree_of
from git_retcon.git.object_store import borrow_objects, copy_objects, write_commit_beside
from git_retcon.git.refs import find_checkout_of, list_checkouts_of, refuse_checked_out
from git_retcon.git.repository import Repository, open_repository
from git_retcon.retcon.spec.discovery import is_other_spec
from git_retcon.retcon.spec.model import BranchFault
from git_retcon.run.working_state import open_state
from git_retcon.show.style import shell_word

if TYPE_CHECKING:
    import pygit2

# Says nothing on purpose: the words of a source's subjects are evidence.
_SUBJECT = "wip"
_UNFINISHED = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
}


class WorkingSource(NamedTuple):
    """The last state of a source: ``commit`` is on top of the branch's own ``tip``, or is that
    where nothing is uncommitted. ``top`` is the worktree, ``secrets`` are untracked files of it
    that were left out, ``specs`` tracked specifications that were changed and left out.
    """

    commit: Commit
    tip: str
    top: Path
    objects: Path
    secrets: Sequence[bytes]
    specs: Sequence[bytes]

    def keep(self, repository: Repository) -> None:
        """Copy it into the repository, so that commits can be made of it. Nothing refers to it."""
        copy_objects(repository, self.objects)

    def list_untracked(self, repository: Repository, made: str) -> Sequence[bytes]:
        """The files that a commit made of this state adds to the branch, and that git does not
        track in the worktree yet: to git they look deleted."""
        old, new = tree_of(repository, self.tip), tree_of(repository, made)
        added = [each.path for each in repository.trees.changes(old, new) if each.old is None]
        if not added:
            return ()
        there = repository if self.top == repository.work_tree else open_repository(self.top)
        tracked = frozenset(list_tracked(bind_checkout(there)))
        return [path for path in added if path not in tracked]


_Key = tuple[str | None, str, Path]  # the ref, its commit, the specification

# One process sees one state: hunks that were planned must be there when they are taken.
_read: "weakref.WeakKeyDictionary[pygit2.Repository, dict[_Key, WorkingSource]]" = (
    weakref.WeakKeyDictionary()
)


def read_working_source(
    repository: Repository, ref: str | None, tip: Commit, spec: Path
) -> WorkingSource:
    """The state of the worktree that has a branch checked out, its full name being ``ref``.

    Specifications are no part of it: a run writes into its own. Raises Fatal where the branch is
    not checked out, or git is in the middle of something there.
    """
    known = _read.setdefault(repository.objects, {})
    key = (ref, tip.oid, spec)
    if key not in known:
        known[key] = _read_state(repository, _find_checkout(repository, ref), tip, spec)
    return known[key]


def is_same_state(repository: Repository, recorded: str, source: Commit) -> bool:
    """Whether the source that a note names, perhaps of an earlier run, has the files of another on
    the same commit."""
    if recorded == source.oid:
        return True
    if not is_commit(repository, recorded):
        return False
    commit = read_commit(repository, recorded)
    return (commit.tree, commit.parents) == (source.tree, source.parents)


def _find_checkout(repository: Repository, ref: str | None) -> Path:
    if ref is None or not ref.startswith("refs/heads/"):
        raise BranchFault(
            "source",
            "the source is no branch, so nothing uncommitted belongs to it",
            hint="name the branch that is checked out, or take worktree = true out",
        )
    where = find_checkout_of(repository, ref)
    if where is None:
        name = ref.removeprefix("refs/heads/")
        raise BranchFault(
            "source",
            f"'{name}' is checked out nowhere, so nothing uncommitted belongs to it",
            hint=f"'git switch {shell_word(name)}', or take worktree = true out",
            commands=[["git", "switch", name]],
        )
    if not (where / ".git").exists():
        refuse_checked_out(repository, ref)  # it is being rebased, or its worktree is gone
    own = repository.work_tree
    # Where several have it, the one that the user is in.
    return own if own is not None and own in list_checkouts_of(repository, ref) else where


def _read_state(repository: Repository, top: Path, tip: Commit, spec: Path) -> WorkingSource:
    there = repository if top == repository.work_tree else open_repository(top)
    _refuse_unfinished(there, top)
    own = path_in_tree(there, spec)
    specs: list[bytes] = []

    def is_left_out(path: bytes) -> bool:
        if path == own:
            return True
        if is_other_spec(top, path):
            specs.append(path)
            return True
        return False

    with contextlib.ExitStack() as opened:
        # What git is asked to overlook, 'git add' would not take either: it may hold secrets.
        state = opened.enter_context(open_state(there, top, tip.oid, is_left_out, reveals=False))
        borrow_objects(repository, state.objects)
        commit = (
            tip
            if state.tree == tip.tree
            else _write_commit(repository, state.objects, top, tip, state.tree)
        )
        # It is read from until the process ends.
        weakref.finalize(repository.objects, opened.pop_all().close)
        tracked = frozenset(list_tracked(bind_checkout(there)) if specs else ())
        changed = [path for path in specs if path in tracked]
        return WorkingSource(commit, tip.oid, top, state.objects, state.secrets, changed)


def _refuse_unfinished(there: Repository, top: Path) -> None:
    """Raise Fatal where the files are those of something that git has only half done."""
    half_done = next(
        (what for name, what in _UNFINISHED.items() if (there.git_dir / name).exists()), ""
    )
    if half_done or bind_checkout(there).records("ls-files", "-z", "--unmerged"):
        raise Fatal(
            f"{half_done or 'a conflict'} is not finished in '{top}'",
            hint="finish it with 'git commit', or leave it with its '--abort', then run this again",
            reason=Reason.UNSAVED_WORK,
            again=(),
        )


def _write_commit(
    repository: Repository, objects: Path, top: Path, tip: Commit, tree: str
) -> Commit:
    """The commit of a state, by the user, of the time of the last change."""
    # Without an identity a plan can still be made; a run refuses before it begins.
    said = repository.git.try_run("var", "GIT_AUTHOR_IDENT")
    author = (
        said.stdout.decode("utf-8", "surrogateescape").strip()
        if said.returncode == 0
        else tip.author
    )
    person, _, time_and_zone = author.rpartition("> ")
    zone = time_and_zone.rpartition(" ")[2]
    seconds = _find_last_change(repository, top, tip, tree)
    ident = f"{person}> {seconds} {zone}"
    lines = [
        f"tree {tree}",
        f"parent {tip.oid}",
        f"author {ident}",
        f"committer {ident}",
        "",
        _SUBJECT,
    ]
    content = "\n".join(lines).encode("utf-8", "surrogateescape") + b"\n"
    return read_commit(repository, write_commit_beside(repository, objects, content))


def _find_last_change(repository: Repository, top: Path, tip: Commit, tree: str) -> int:
    """When a file of the state was last written, in seconds since the epoch."""
    times = [Identity.parse(tip.committer).seconds]
    for change in repository.trees.changes(tip.tree, tree):
        with contextlib.suppress(OSError):
            times.append(int((top / os.fsdecode(change.path)).lstat().st_mtime))
    return max(times)
