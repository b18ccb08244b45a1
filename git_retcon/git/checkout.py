"""The state of a checkout, as git reports it: what it tracks, ignores, hides, and what changed.

Every function takes a ``Git`` that is bound to a working tree. Paths are bytes below its top,
parts joined by ``/``.
"""

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from git_retcon.git.process import Git, GitError, split_records
from git_retcon.git.repository import Repository

_SUBMODULE = b"160000"
_CHANGED = b": needs update"  # what "git update-index --refresh" says of a file


def bind_checkout(repository: Repository) -> Git:
    """The git of a repository's own working tree, which it must have."""
    assert repository.work_tree is not None
    return Git(repository.git_dir, repository.work_tree, repository.git.env)


def path_in_tree(repository: Repository, path: Path) -> bytes | None:
    """A path of the working tree as git spells it; None outside of it."""
    if repository.work_tree is None:
        return None
    place = Path(os.path.realpath(path.parent)) / path.name
    top = Path(os.path.realpath(repository.work_tree))
    return os.fsencode(place.relative_to(top)) if place.is_relative_to(top) else None


def list_tracked(git: Git, *pathspecs: bytes) -> Sequence[bytes]:
    """Every tracked path, once, in the order of its bytes."""
    # A path in conflict is listed once a stage.
    return sorted(set(git.records("ls-files", "-z", "--", *pathspecs)))


def list_present(git: Git, *pathspecs: bytes) -> Sequence[bytes]:
    """Every path that is tracked, or new and not ignored, once, in the order of its bytes.

    A tracked one may be missing on disk.
    """
    kinds = ("--cached", "--others", "--exclude-standard")
    return sorted(set(git.records("ls-files", "-z", *kinds, "--", *pathspecs)))


def list_changed(git: Git) -> Sequence[bytes]:
    """Every path with an uncommitted change, untracked files among them.

    An untracked repository of its own ends in a slash. A rename is both of its paths.
    """
    entries = git.records(
        "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames",
        # A dirty submodule is its own repository's business, and asking each one costs a process.
        "--ignore-submodules=all",
    )  # fmt: skip
    return [entry[3:] for entry in entries]


def list_edited(git: Git) -> Sequence[bytes]:
    """Every tracked path with an uncommitted change, staged or not. A rename is both its paths."""
    options = ("--name-only", "-z", "--no-renames", "--ignore-submodules=dirty")
    return sorted(git.records("diff", *options, "HEAD", "--"))


def list_differing(git: Git, commit: str) -> Sequence[bytes]:
    """Every path whose file is not as in a commit, untracked files among them. A rename is both of
    its paths.
    """
    # "dirty" and not "all" here: a submodule at another commit makes the tree another one.
    options = ("--name-only", "-z", "--no-renames", "--ignore-submodules=dirty")
    tracked = git.records("diff", *options, commit, "--")
    untracked = git.records("ls-files", "-z", "--others", "--exclude-standard")
    return sorted({*tracked, *untracked})


def refresh_index(git: Git, known: Collection[bytes]) -> Sequence[bytes]:
    """Let git remember which files are as its index has them; the tracked paths of the others.

    ``known`` are the paths that are expected; for any other one git is asked once more.
    """
    said = git.try_run("update-index", "--refresh")
    paths = [line.removesuffix(_CHANGED) for line in said.stdout.split(b"\n")[:-1]]
    # Paths are not quoted there: one with a line break in it reads as two, of which one has no end.
    if said.returncode <= 1 and all(path in known for path in paths):
        return paths
    return git.records("diff-files", "--name-only", "-z")


def reset_index(git: Git, tree: str, known: Collection[bytes]) -> Sequence[bytes]:
    """Let the index be that of a tree, and git remember which files are as it has them; the
    tracked paths of the others. ``known`` as for ``refresh_index``.

    What git knows of the files that are the same in both trees stays: it reads the others.
    """
    said = git.try_run("-c", "reset.quiet=false", "reset", tree, "--", ":/")
    lines = said.stdout.split(b"\n")[1:-1]  # below "Unstaged changes after reset:"
    if said.returncode == 0 and all(line[1:2] == b"\t" and line[2:] in known for line in lines):
        return [line[2:] for line in lines]
    git.run("read-tree", "--reset", tree)
    return refresh_index(git, known)


def list_submodules(git: Git) -> Sequence[bytes]:
    """The paths at which the index has another repository's commit."""
    entries = (entry.partition(b"\t") for entry in git.records("ls-files", "-z", "--stage"))
    return [path for head, _, path in entries if head.startswith(_SUBMODULE)]


def list_unwatched(git: Git) -> Sequence[bytes]:
    """The tracked paths whose changes ``git status`` is set not to show."""
    entries = git.records("ls-files", "-v", "-z")
    # A lower-case letter is --assume-unchanged, S is --skip-worktree.
    return [entry[2:] for entry in entries if entry[:1].islower() or entry[:1] == b"S"]


def find_ignored(git: Git, paths: Collection[bytes], *settings: str) -> frozenset[bytes]:
    """Those of the paths that git ignores, tracked or not, under settings such as ``a.b=c``.

    Raises GitError for a path that git does not take, such as one outside of the tree.
    """
    if not paths:
        return frozenset()
    scope = [word for setting in settings for word in ("-c", setting)]
    done = git.try_run(
        *scope, "check-ignore", "--no-index", "-z", "--stdin", stdin=b"\0".join(paths) + b"\0"
    )
    # 1 is git's word for none.
    if done.returncode not in (0, 1):
        said = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        raise GitError(f"git cannot say what is ignored: {said}")
    return frozenset(split_records(done.stdout))
