"""Fixes on a branch of their own, made from their contents alone: nothing is checked out."""

import itertools
import os
from collections.abc import Mapping, Sequence

from git_retcon.errors import Fatal, Reason
from git_retcon.files.beneath import File
from git_retcon.git.graph import is_ancestor, read_commit
from git_retcon.git.kept_refs import KeptRefs
from git_retcon.git.process import Git
from git_retcon.git.ref_updates import NOTHING, RefUpdate, update_refs
from git_retcon.git.refs import (
    check_branch_name,
    read_ref,
    read_symbolic_ref,
    refuse_checked_out,
)
from git_retcon.git.repository import Repository
from git_retcon.heal.patches import FileChange
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.temporary_folder import open_temporary

_OTHER_BRANCH = "name a new one with --branch"


class Fix(NamedTuple):
    """Changed files as they are to be, on top of a commit (of none, where that is empty)."""

    commit: str
    changes: Sequence[FileChange]
    message: str


class KeptFix(NamedTuple):
    """The branch that holds a fix, without ``refs/heads/``, and the commit that it is at."""

    branch: str
    commit: str


def commit_to_branch(repository: Repository, git: Git, branch: str, fix: Fix) -> KeptFix:
    """Make a commit of a fix, and let a branch be there.

    Raises what ``refuse_taken_branch`` does; nothing has moved then.
    """
    ref = check_branch_name(git, branch)
    refuse_taken_branch(repository, git, ref, fix.commit)
    return _move_branch(repository, ref, read_ref(git, ref), _make_fix(git, fix))


def commit_to_free_branch(repository: Repository, git: Git, branch: str, fix: Fix) -> KeptFix:
    """The same on the first of BRANCH, BRANCH-2, … that holds nothing else."""
    made = _make_fix(git, fix)
    for number in itertools.count(1):
        name = branch if number == 1 else f"{branch}-{number}"
        ref = f"refs/heads/{name}"
        before = read_ref(git, ref)
        if before is not None and _is_same(repository, before, made):
            return KeptFix(name, before)
        if before is None and read_symbolic_ref(repository, ref) is None:
            break
    return _move_branch(repository, ref, None, made)


def keep_overwritten(repository: Repository, git: Git, files: Mapping[bytes, File | None]) -> str:
    """Keep files as they are, on top of HEAD, at a ref of their own; its name."""
    changes = [FileChange(path, None, file) for path, file in files.items()]
    head = read_ref(git, "HEAD") or ""
    made = make_commit(git, head, changes, "Before git heal undo --force\n")
    branch = (read_symbolic_ref(repository, "HEAD") or "HEAD").removeprefix("refs/heads/")
    keeping = KeptRefs(git, "refs/heal/before").prepare_keeping(branch, made)
    update_refs(repository, [keeping], "heal: undo --force")
    return keeping.name


def refuse_taken_branch(repository: Repository, git: Git, ref: str, commit: str) -> None:
    """Raise Fatal where a branch cannot go on to a fix of a commit without somebody's loss: it is
    checked out, is another name of a branch, or holds commits that the fix does not have.
    """
    name = ref.removeprefix("refs/heads/")
    target = read_symbolic_ref(repository, ref)
    if target is not None:
        raise Fatal(f"'{name}' is a symbolic ref to '{target}'", hint=_OTHER_BRANCH)
    before = read_ref(git, ref)
    if before is None:
        return
    refuse_checked_out(repository, ref, otherwise=f"; or {_OTHER_BRANCH}")
    if not (commit and is_ancestor(repository, before, commit)):
        raise Fatal(
            f"'{name}' holds commits that the fix does not have", hint=_OTHER_BRANCH,
            reason=Reason.UNSAVED_WORK,
        )  # fmt: skip


def _make_fix(git: Git, fix: Fix) -> str:
    return make_commit(git, fix.commit, fix.changes, fix.message)


def _is_same(repository: Repository, one: str, other: str) -> bool:
    """Whether two commits make the same change, though at other times."""
    commits = [read_commit(repository, oid) for oid in (one, other)]
    return len({(commit.tree, tuple(commit.parents)) for commit in commits}) == 1


def _move_branch(repository: Repository, ref: str, before: str | None, made: str) -> KeptFix:
    update_refs(repository, [RefUpdate(ref, before or NOTHING, made)], "heal: keep a fix")
    return KeptFix(ref.removeprefix("refs/heads/"), made)


def make_commit(git: Git, commit: str, changes: Sequence[FileChange], message: str) -> str:
    """A commit on top of another (of none, where that is empty) with some files changed."""
    with open_temporary("git-heal.index-") as folder:
        env = {"GIT_INDEX_FILE": os.fspath(folder / "index")}
        git.run("read-tree", commit or "--empty", env=env)
        entries = b"".join(_make_entry(git, change) for change in changes)
        git.run("update-index", "-z", "--index-info", stdin=entries, env=env)
        tree = git.run("write-tree", env=env).decode("ascii").strip()
    parents = ["-p", commit] if commit else []
    made = git.run("commit-tree", tree, *parents, stdin=message.encode())
    return made.decode("ascii").strip()


def _make_entry(git: Git, change: FileChange) -> bytes:
    if change.new is None:
        return b"0 " + b"0" * 40 + b"\t" + change.path + b"\0"
    path = b"--path=" + change.path
    made = git.run("hash-object", "-w", "--stdin", path, stdin=change.new.content).strip()
    executable = change.new.mode is not None and change.new.mode & 0o111
    return (b"100755 " if executable else b"100644 ") + made + b"\t" + change.path + b"\0"
