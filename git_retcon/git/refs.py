"""Refs as they are: where they point, what they mean, who has them checked out."""

import functools
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.errors import Fatal
from git_retcon.git.process import Git
from git_retcon.git.repository import Repository


def check_branch_name(git: Git, name: str) -> str:
    """The full name of a branch. Raises Fatal for what git would not let a branch be called."""
    short = name.removeprefix("refs/heads/")
    if _is_plain(short):
        return f"refs/heads/{short}"
    done = git.try_run("check-ref-format", "--branch", short)
    # @{-1} is said to be the name of another branch
    said = done.stdout.removesuffix(b"\n").decode("utf-8", "surrogateescape")
    if done.returncode != 0 or said != short or _means_other_ref(short):
        raise Fatal(
            f"'{name}' is not a valid branch name",
            hint="'git help check-ref-format' says what is",
            commands=[["git", "help", "check-ref-format"]],
        )
    return f"refs/heads/{short}"


def _is_plain(name: str) -> bool:
    """Whether git takes a name without asking: words joined by single ``-`` and ``/``."""
    words = re.split("[-/]", name)
    is_simple = all(word.isascii() and word.isalnum() for word in words)
    return is_simple and name != "HEAD" and not _means_other_ref(name)


def _means_other_ref(name: str) -> bool:
    """Whether git takes the name of a branch for HEAD or for a ref that is no branch, where one is
    pushed or compared: ``git push origin @`` pushes what is checked out.
    """
    return name == "@" or name.startswith("refs/")


def read_ref(git: Git, name: str) -> str | None:
    """The object a full ref name points at, or None."""
    # rev-parse would go on to look for refs/heads/refs/heads/...
    done = git.try_run("show-ref", "--verify", "--hash", "--", name)
    return done.stdout.decode().strip() if done.returncode == 0 else None


def find_place(repository: Repository, name: str) -> str | None:
    """The object a full ref name points at, or None: without a process, for each of many steps."""
    found = repository.objects.references.get(name)
    return None if found is None else str(found.resolve().target)


class Ref(NamedTuple):
    """Where a ref points. ``commit`` is None for what is no commit, and no tag of one."""

    oid: str
    commit: str | None
    symbolic: str | None  # its target, where it is a symbolic ref


def list_refs(git: Git, *places: str) -> Mapping[str, Ref]:
    """The refs that have one of these full names, or are below one, by name: one git process."""
    fields = "%(refname) %(symref) %(objectname) %(objecttype) %(*objectname) %(*objecttype)"
    listing = git.run("for-each-ref", f"--format={fields}", *places)
    found = {}
    for line in listing.decode("utf-8", "surrogateescape").splitlines():
        # No ref name holds a space, and an empty field stays as one.
        name, symbolic, oid, kind, inner, inner_kind = line.split(" ")
        commit = oid if kind == "commit" else inner if inner_kind == "commit" else None
        found[name] = Ref(oid, commit, symbolic or None)
    return found


def list_short_names(git: Git) -> Sequence[str]:
    """The branches, of remotes too, and tags, as people write them."""
    places = ("refs/heads", "refs/remotes", "refs/tags")
    listed = git.run("for-each-ref", "--format=%(refname:lstrip=2)", *places)
    return os.fsdecode(listed).splitlines()


def find_branch_at(git: Git, oid: str) -> str | None:
    """The name of a branch that points at a commit, or None."""
    options = ("--count=1", f"--points-at={oid}", "--format=%(refname:lstrip=2)")
    found = git.run("for-each-ref", *options, "refs/heads/")
    return found.decode("utf-8", "surrogateescape").strip() or None


def read_symbolic_ref(repository: Repository, name: str) -> str | None:
    """The target of a symbolic ref; None for any other ref."""
    # git lists no symbolic ref to a branch that is not there yet; none is ever packed.
    # HEAD is the checkout's own.
    folder = repository.git_dir if name == "HEAD" else repository.common_dir
    content = _read_symbolic(folder / name)
    if content is None:
        return None
    plain = _find_plain_branch().fullmatch(content)
    # What is odd is left to git, and so is a branch that is a symbolic ref itself.
    if plain and _read_symbolic(repository.common_dir / plain[1].decode("ascii")) is None:
        return plain[1].decode("ascii")
    done = repository.git.try_run("symbolic-ref", "-q", name)
    if done.returncode != 0:
        return None
    return done.stdout.decode("utf-8", "surrogateescape").strip()


def _read_symbolic(file: Path) -> bytes | None:
    """What a symbolic ref holds (nothing that says more, where it is a link); None for others."""
    try:
        content = b"" if file.is_symlink() else file.read_bytes()
    except OSError:
        return None
    return content if not content or content.startswith(b"ref:") else None


@functools.cache
def _find_plain_branch() -> re.Pattern[bytes]:
    return re.compile(rb"ref: (refs/heads/\w[\w-]*(?:[./][\w-]+)*(?<!\.lock))\n")


def list_refs_in_the_way(name: str) -> Sequence[str]:
    """The full names that exclude a ref called ``name``: for ``a/b`` that is ``a``."""
    parts = name.split("/")
    # From 3 on: "refs" and "refs/heads" are folders, never refs.
    return ["/".join(parts[:length]) for length in range(3, len(parts))]


def read_reflog(git: Git, name: str) -> list[str]:
    """What the reflog of an existing ref says of each of its moves, the last one first.

    There are none where reflogs are switched off, or where every entry has expired.
    """
    done = git.run("log", "-g", "--no-show-signature", "--format=%gs", name, "--")
    return done.decode("utf-8", "replace").splitlines()


def find_checkout_of(repository: Repository, ref: str) -> Path | None:
    """The worktree that has a branch checked out, or is in the middle of rebasing it.

    Asked before every move, so no process is started unless there is one.
    """
    # Read as files: ``git worktree list`` calls a worktree in the middle of a rebase detached.
    for directory in _list_git_directories(repository):
        if _has_content(directory / "HEAD", f"ref: {ref}"):
            return _find_worktree(repository, ref)
        for state in ("rebase-merge/head-name", "rebase-apply/head-name"):
            if _has_content(directory / state, ref):
                return directory
    return None


def list_checkouts_of(repository: Repository, ref: str) -> list[Path]:
    """What ``find_checkout_of`` finds, then the other worktrees that are there and have the branch.

    git allows several with ``git worktree add --force``.
    """
    first = find_checkout_of(repository, ref)
    if first is None:
        return []
    others = (where for where in _list_worktrees(repository, ref) if not _is_same(where, first))
    return [first, *(where for where in others if where.exists())]


def refuse_checked_out(repository: Repository, ref: str, *, otherwise: str = "") -> None:
    """Raise Fatal where a working tree has a branch checked out that is to move.

    ``otherwise`` is another way out, for the end of the hint.
    """
    where = find_checkout_of(repository, ref)
    if where is None:
        return
    branch, there = ref.removeprefix("refs/heads/"), ["git", "-C", str(where)]
    said = f"'{branch}' is checked out at '{where}'"
    if any((where / state).is_dir() for state in ("rebase-merge", "rebase-apply")):
        said = f"'{branch}' is being rebased in '{where}'"
        remedy = "finish that ('git rebase --continue') or leave it ('git rebase --abort')"
        commands = [[*there, "rebase", "--continue"], [*there, "rebase", "--abort"]]
    elif where.exists():
        remedy = "switch that worktree to another branch ('git switch -')"
        commands = [[*there, "switch", "-"]]
    else:
        remedy = "that worktree is gone: 'git worktree prune' forgets it"
        commands = [["git", "worktree", "prune"]]
    raise Fatal(said, hint=f"{remedy}{otherwise}", commands=commands)


def _has_content(file: Path, content: str) -> bool:
    try:
        return os.fsdecode(file.read_bytes()).rstrip() == content
    except OSError:
        return False


def _find_worktree(repository: Repository, ref: str) -> Path | None:
    """Asked of git, where it is not the one at hand: a bare repository's HEAD names a branch that
    is not checked out.
    """
    if repository.work_tree is not None and _has_content(
        repository.git_dir / "HEAD", f"ref: {ref}"
    ):
        return repository.work_tree
    return next(_list_worktrees(repository, ref), None)


def _list_worktrees(repository: Repository, ref: str) -> Iterator[Path]:
    listing = repository.git.run("worktree", "list", "--porcelain")
    where = Path()
    for line in listing.split(b"\n"):
        key, _, value = line.partition(b" ")
        if key == b"worktree":
            where = Path(os.fsdecode(value))
        elif key == b"branch" and os.fsdecode(value) == ref:
            yield where


def _is_same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _list_git_directories(repository: Repository) -> Iterator[Path]:
    yield repository.common_dir
    linked = repository.common_dir / "worktrees"
    if linked.is_dir():
        yield from linked.iterdir()
