"""Fixes on a branch of their own, made from their contents alone: nothing is checked out."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from git_retcon.git.process import Git
from git_retcon.git.ref_updates import NOTHING, RefUpdate, update_refs
from git_retcon.git.refs import read_ref
from git_retcon.git.repository import Repository
from git_retcon.heal.patches import FileChange


def commit_to_branch(
    repository: Repository,
    git: Git,
    branch: str,
    commit: str,
    changes: Sequence[FileChange],
    message: str,
) -> str:
    """Make a commit on top of another with the changed files as they are to be, and let a branch
    be there; its id. What the branch was at stays in its reflog.
    """
    made = make_commit(git, commit, changes, message)
    ref = f"refs/heads/{branch}"
    before = read_ref(git, ref) or NOTHING
    update_refs(repository, [RefUpdate(ref, before, made)], "heal: keep a fix")
    return made


def make_commit(git: Git, commit: str, changes: Sequence[FileChange], message: str) -> str:
    """A commit on top of another (of none, where that is empty) with some files changed."""
    with tempfile.TemporaryDirectory(prefix="git-heal-") as folder:
        env = {"GIT_INDEX_FILE": os.fspath(Path(folder, "index"))}
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
