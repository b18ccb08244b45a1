"""The branches a specification names, found and checked before anything is done."""

from dataclasses import dataclass
from pathlib import Path

from git_retcon.errors import Fatal
from git_retcon.git.graph import (
    Commit,
    is_ancestor,
    is_shallow,
    merge_base,
    own_commits,
    read_commit,
    resolve_commit,
    symbolic_name,
)
from git_retcon.git.refs import (
    branch_ref,
    checked_out_at,
    read_ref,
    ref_in_the_way,
    symbolic_target,
)
from git_retcon.git.repository import Repository
from git_retcon.retcon.spec.model import BranchFault, Spec


@dataclass(frozen=True)
class Branches:
    """Where the source ends, where it began, and the branch to build."""

    source: Commit
    base: Commit
    cleaned: str  # a full ref name
    tip: str | None  # what cleaned points at; None while it does not exist

    @property
    def cleaned_name(self) -> str:
        return self.cleaned.removeprefix("refs/heads/")


def find_branches(repository: Repository, spec: Spec, recorded: frozenset[str]) -> Branches:
    """Resolve a spec's branches.

    ``recorded`` are the commits its histories name: while there are any, the base is where they
    begin, wherever the remote has moved to since. Raises Fatal with the remedy for a name that
    does not exist, unrelated histories, and a source with nothing to rebuild.
    """
    source = _named(repository, spec.source, "source")
    remote = _named(repository, spec.remote, "remote")
    try:
        cleaned = branch_ref(repository.git, spec.cleaned)
    except Fatal as error:
        hint = "name a branch as git allows it, such as 'feature-clean'"
        raise BranchFault("cleaned", str(error), hint=hint) from error
    for key, side in (("source", source), ("remote", remote)):
        if side.ref == cleaned:
            raise BranchFault(
                "cleaned",
                f"'cleaned' and '{key}' are the same branch, '{spec.cleaned}'",
                hint="name a new branch as 'cleaned': the source is never moved",
            )
    _refuse_impossible(repository, spec.cleaned, cleaned)
    tip = read_ref(repository.git, cleaned)
    base = _recorded_base(repository, source.oid, tip, recorded)
    if base is None:
        base = merge_base(repository, source.oid, remote.oid)
    if base is None:
        raise _nothing_in_common(repository, spec)
    found = Branches(
        read_commit(repository, source.oid), read_commit(repository, base), cleaned, tip
    )
    if found.source.tree == found.base.tree:
        raise BranchFault(
            "source",
            f"nothing to rebuild: '{spec.source}' has the same files as where it left "
            f"'{spec.remote}'",
            hint="is 'source' the branch with your changes, and is 'remote' behind it?",
        )
    return found


def _nothing_in_common(repository: Repository, spec: Spec) -> BranchFault:
    said = f"'{spec.source}' and '{spec.remote}' have no commit in common"
    remedy = "name as 'remote' the branch that the source was started from"
    if is_shallow(repository):
        said += " in this clone, which is shallow"
        remedy = f"'git fetch --unshallow' brings what it lacks; or {remedy}"
    return BranchFault("remote", said, hint=remedy)


def refuse_checked_out(repository: Repository, branches: Branches) -> None:
    """Raise Fatal when a working tree has the branch checked out that is to move."""
    where = checked_out_at(repository, branches.cleaned)
    if where is not None:
        held = checked_out_fault(branches.cleaned_name, where)
        raise Fatal(str(held), hint=f"{held.hint}, or name another branch as 'cleaned'")


def checked_out_fault(branch: str, where: Path) -> Fatal:
    """The refusal of a branch that is checked out, or being rebased, and how that is ended."""
    if any((where / state).is_dir() for state in ("rebase-merge", "rebase-apply")):
        return Fatal(
            f"'{branch}' is being rebased in '{where}'",
            hint="finish that ('git rebase --continue') or leave it ('git rebase --abort')",
        )
    remedy = "switch that worktree to another branch ('git switch -')"
    if not where.exists():
        remedy = "that worktree is gone: 'git worktree prune' forgets it"
    return Fatal(f"'{branch}' is checked out at '{where}'", hint=remedy)


@dataclass(frozen=True, slots=True)
class _Named:
    """A commit that a spec names, and the ref that it was named by, if any."""

    ref: str | None
    oid: str


def _named(repository: Repository, name: str, key: str) -> _Named:
    ref = symbolic_name(repository, name)
    # Of an ambiguous name git says nothing.
    if ref is None and _is_branch_and_tag(repository, name):
        raise BranchFault(
            key,
            f"{key}: '{name}' is both a branch and a tag",
            hint=f"write 'refs/heads/{name}' or 'refs/tags/{name}' in the spec",
        )
    oid = resolve_commit(repository, name)
    if oid is None:
        remedy = "'git fetch' first, or correct the name" if "/" in name else "correct the name"
        said = f"{key}: there is no branch or commit '{name}'"
        raise BranchFault(key, said, hint=f"{remedy} in the spec")
    return _Named(ref, oid)


def _is_branch_and_tag(repository: Repository, name: str) -> bool:
    found = (read_ref(repository.git, f"refs/{kind}/{name}") for kind in ("heads", "tags"))
    return all(oid is not None for oid in found)


def _refuse_impossible(repository: Repository, name: str, cleaned: str) -> None:
    """Raise Fatal where moving ``cleaned`` would move another branch, or cannot work at all."""
    target = symbolic_target(repository.git, cleaned)
    if target is not None:
        raise BranchFault(
            "cleaned",
            f"'{name}' is a symbolic ref to '{target}'",
            hint="name a branch of its own as 'cleaned': that other branch is not ours to move",
        )
    other = ref_in_the_way(repository.git, cleaned)
    if other is not None:
        raise BranchFault(
            "cleaned",
            f"'{name}' cannot be a branch while there is '{other.removeprefix('refs/heads/')}'",
            hint="name another branch as 'cleaned'",
        )


def _recorded_base(
    repository: Repository, source: str, tip: str | None, recorded: frozenset[str]
) -> str | None:
    """The commit below the oldest recorded one on the cleaned branch, if it is the source's."""
    if not recorded:
        return None
    at = tip
    seen = False
    while at is not None and (at in recorded or not seen):
        seen = seen or at in recorded
        parents = read_commit(repository, at).parents
        at = parents[0] if parents else None
    return at if at is not None and is_ancestor(repository, at, source) else None


def publishing_remote(repository: Repository, spec: Spec) -> str:
    """The name of the remote that ``spec.remote`` is a branch of; ``origin`` for a local one."""
    branch = spec.remote.removeprefix("refs/").removeprefix("remotes/")
    keys = (key for key in repository.config.values if key.startswith("remote."))
    names = {key.partition(".")[2].rpartition(".")[0] for key in keys}
    ours = [name for name in names if name and branch.startswith(f"{name}/")]
    return max(ours, key=len, default="origin")


def source_commits(repository: Repository, branches: Branches) -> tuple[Commit, ...]:
    """The source's own commits along first parents, oldest first."""
    return own_commits(repository, branches.base.oid, branches.source.oid)
